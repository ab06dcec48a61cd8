"""Proposals for open frontiers: EULER extends a known limit by little, and checks the novelty of what others propose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.agents.builtin.proposal_reading import find_stated_figures
from impossible_moments.agents.builtin.quantity_wording import format_number
from impossible_moments.domain.disputes import Breakthrough, BreakthroughReview
from impossible_moments.mechanics.language import Dimension
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.proofs import (
    Frontier,
    Witness,
    build_frontier_box,
    decide_joint_satisfiability,
    judge_answer_claims,
)

SMALL_STEP: Final = 1.25
"""The largest factor by which a proposal may pass what has been shown. More than this is a wish."""
SLACK: Final = 1.02
"""The room above the least factor, in which a point is looked for."""


def propose_extension(workings: RecordWorkings) -> Breakthrough | None:
    """Propose figures that meet the envelope and pass a single known limit by little, or None if there are none."""
    frontier, analysis = workings.verdict.frontier if workings.verdict else None, workings.analysis
    if frontier is None or analysis is None or len(frontier.gaps) != 1:
        return None
    ((limit, factor),) = frontier.gaps.items()
    point = _find_point(frontier, workings, limit, factor) if factor <= SMALL_STEP else None
    if point is None:
        return None
    figures = ", ".join(
        f"{name} = {format_number(value, frontier.claims[name].display_unit)}"
        for name, value in sorted(point.items())
    )
    proposal = f"Extend what has been shown by {factor - 1:.0%}: {figures}. These figures meet {', '.join(frontier.envelope)}."
    if not review_novelty(proposal, workings).survives:
        return None  # rounding has moved the figures out of the envelope
    others = [name for name in frontier.known if name != limit]
    return Breakthrough(
        proposal=proposal,
        novelty=f"They pass the known limit `{limit}: {ex.format_expression(frontier.known[limit])}`"
        + (f" and stay within {', '.join(others)}." if others else ", the only one."),
        physics=f"Each condition of the envelope was evaluated at these figures and is met: {', '.join(frontier.envelope)}.",
    )


def review_novelty(proposal: str, workings: RecordWorkings) -> BreakthroughReview:
    """Review whether a proposal meets the envelope with figures beyond what is known (4.4, step 3)."""
    frontier, analysis = workings.verdict.frontier if workings.verdict else None, workings.analysis
    if frontier is None or analysis is None:
        return BreakthroughReview(survives=False, text="The record has no frontier that can be computed.")
    figures = find_stated_figures(proposal, _list_claim_dimensions(frontier))
    missing = sorted(frontier.claims.keys() - figures.keys())
    if missing:
        text = f"It is not specific: it states no figure for {', '.join(missing)}."
        return BreakthroughReview(survives=False, text=text)
    met, beyond = judge_answer_claims(frontier, analysis.world, figures)
    failed = sorted(name for name, holds in met.items() if not holds)
    stated = ", ".join(f"{name} = {value:.4g}" for name, value in sorted(figures.items()))
    if failed:
        return BreakthroughReview(survives=False, text=f"At {stated} it does not meet {', '.join(failed)}.")
    if not beyond:
        text = f"At {stated} it passes none of the known limits, so it is not distinct from known approaches."
        return BreakthroughReview(survives=False, text=text)
    text = f"At {stated} it meets {', '.join(met)} and passes {', '.join(beyond)}. That these can be passed is assumed."
    return BreakthroughReview(survives=True, text=text)


def _list_claim_dimensions(frontier: Frontier) -> dict[str, Dimension]:
    """Return the dimension of each claim that is a number."""
    return {
        name: quantity.tree.dimension
        for name, quantity in frontier.claims.items()
        if isinstance(quantity.tree, ex.Number)
    }


def _find_point(
    frontier: Frontier, workings: RecordWorkings, limit: str, factor: float
) -> Mapping[str, float] | None:
    """Return figures that meet the envelope within all known limits, one of them widened by a factor."""
    assert workings.analysis is not None, "a frontier was read"
    world, tree = workings.analysis.world, frontier.known[limit]
    if not isinstance(tree, ex.Comparison):
        return None
    room = ex.Number(factor * SLACK, Dimension())
    widened = (
        ex.Comparison(tree.operator, tree.left, ex.Arithmetic("*", tree.right, room))
        if tree.operator in {"<", "<="}
        else ex.Comparison(tree.operator, ex.Arithmetic("*", tree.left, room), tree.right)
    )
    conditions = {**frontier.envelope, **frontier.known, limit: widened}
    found = decide_joint_satisfiability(
        {name: world.expand_derived_quantities(each) for name, each in conditions.items()},
        build_frontier_box(frontier, world, ranges=False),
    )
    if not isinstance(found, Witness):
        return None
    return {name: float(found.point[name]) for name in frontier.claims if name in found.point}
