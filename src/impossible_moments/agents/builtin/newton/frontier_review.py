"""NEWTON's deep-dive into a proposal for an open frontier: each condition of the envelope at the proposed figures."""

from __future__ import annotations

from collections.abc import Iterator

from impossible_moments.agents.builtin.newton.open_claims import iterate_frontier_conditions
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.proposal_reading import find_stated_figures
from impossible_moments.agents.builtin.quantity_wording import Compared, compare_at
from impossible_moments.domain.disputes import BreakthroughReview
from impossible_moments.mechanics.language import Dimension
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityError, parse_quantity, split_lines


def review_physics_of_proposal(proposal: str, facts: SeedFacts) -> BreakthroughReview:
    """Review whether the proposed figures meet every condition of the envelope (4.4, step 4)."""
    dimensions = _list_claim_dimensions(facts)
    figures = find_stated_figures(proposal, dimensions)
    missing = sorted(dimensions.keys() - figures.keys())
    if not dimensions or missing:
        text = f"Nothing can be computed without figures for {', '.join(missing) or 'a frontier'}."
        return BreakthroughReview(survives=False, text=text)
    numbers = {name: ex.Number(value, dimensions[name], name) for name, value in figures.items()}
    compared = dict(_compare_envelope(facts, numbers))
    failed = [f"`{name}`: {each.describe()}" for name, each in compared.items() if not each.holds]
    if failed or not compared:
        text = "; ".join(failed) or "no condition of the envelope could be computed at these figures"
        return BreakthroughReview(survives=False, text=f"It violates the envelope: {text}.")
    words = "; ".join(f"`{name}`: {each.describe()}" for name, each in compared.items())
    return BreakthroughReview(survives=True, text=f"At the proposed figures: {words}.")


def _list_claim_dimensions(facts: SeedFacts) -> dict[str, Dimension]:
    frontier = facts.seed.mechanics.get("frontier")
    lines = frontier.get("claims") if isinstance(frontier, dict) else None
    found: dict[str, Dimension] = {}
    for line in split_lines(lines) if isinstance(lines, str) else lines or ():
        try:
            quantity = parse_quantity(line)
        except QuantityError:
            continue
        if isinstance(quantity.tree, ex.Number):
            found[quantity.name] = quantity.tree.dimension
    return found


def _compare_envelope(facts: SeedFacts, numbers: dict[str, ex.Number]) -> Iterator[tuple[str, Compared]]:
    engine = facts.engine
    if engine is None:
        return
    for name, tree in iterate_frontier_conditions("envelope", facts):
        bound = ex.replace_leaves(tree, lambda node: numbers.get(ex.format_expression(node), node))
        found = compare_at(engine, bound) if isinstance(bound, ex.Comparison) else None
        if found is not None:
            yield name, found
