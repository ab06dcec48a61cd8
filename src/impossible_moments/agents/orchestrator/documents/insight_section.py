"""Key insights: each with the insight depth that it raises the scenario to, and the research behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.works_cited import (
    format_short_citation,
    render_works_cited,
)
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote
from impossible_moments.domain.seed import Insight
from impossible_moments.domain.vocabulary import DifficultyDimension
from impossible_moments.scenarios import escape_inline, join_paragraphs, render_numbered_list, render_table

_KEPT: Final = "; kept at "
"""What follows says that an agent kept its score in the discussion, which is no reason for it."""
MOST_COUNTED: Final = 4
"""The highest depth that a number of insights reaches. The highest of the scale is a judgement."""


def render_key_insights(case: FinishedCase) -> str:
    """Render the insights in order, how they map to insight depth, and the works behind them."""
    chain = case.seed.insight_chain
    places = place_after_needed(chain)
    return join_paragraphs(
        render_numbered_list(
            (_format_insight(each, place) for each, place in zip(chain, places, strict=True)),
            empty_text="No insight is needed.",
        ),
        _explain_voted_depth(case, len(chain)),
        _render_constructs(case),
        render_works_cited(_list_construct_works(case), verified_only=True),
    )


def place_after_needed(chain: Sequence[Insight]) -> tuple[int, ...]:
    """Return the place of each insight, counted from 1, in the order in which a solver can have them.

    That is the listed order, except that an insight follows all insights that it needs.
    """
    order: list[int] = []
    while len(order) < len(chain):
        left = [number for number in range(1, len(chain) + 1) if number not in order]
        ready = [number for number in left if not set(chain[number - 1].depends_on) & set(left)]
        order.append((ready or left)[0])  # insights that need each other keep their listed order
    return tuple(order.index(number) + 1 for number in range(1, len(chain) + 1))


def _format_insight(insight: Insight, place: int) -> str:
    needs = f"; needs insight {' and '.join(map(str, insight.depends_on))}" if insight.depends_on else ""
    domain = f"; {insight.domain}" if insight.domain else ""
    depth = min(place, MOST_COUNTED)
    raises = f"raises I to {depth}" if place <= MOST_COUNTED else f"leaves I at {depth}"
    return f"{insight.text.strip()} ({insight.fixedness_type}{domain}{needs}; {raises})"


def _explain_voted_depth(case: FinishedCase, insights: int) -> str:
    voted = int(case.metadata.profile.partition(".")[0])
    counted = min(insights, MOST_COUNTED)
    if voted == counted:
        needed = f"{insights} insights" if insights > 1 else "one insight"
        return f"Insight Depth (I): {voted}. On the framework's scale that is what a chain of {needed} gives."
    text = f"Insight Depth (I): {voted}, by the votes of the agents."
    voters: dict[str, list[str]] = {}
    for agent, reason in _iterate_depth_reasons(case, voted):
        voters.setdefault(reason, []).append(agent)
    reasons = "; ".join(f"{', '.join(agents)}: {reason}" for reason, agents in voters.items())
    difference = (
        f"The {insights} insights alone would give {counted}."
        if insights
        else "No insight is listed, and the scale begins at 1."
    )
    return f"{text} {difference}{f' The votes for {voted} say: {escape_inline(reasons)}.' if reasons else ''}"


def _iterate_depth_reasons(case: FinishedCase, voted: int) -> Iterator[tuple[str, str]]:
    """Yield the agents that vote for a depth, each with its reason."""
    for agent, vote in case.dossier.find_latest_deliverable_by_author(CalibrationVote).items():
        reason = vote.rationale.get(DifficultyDimension.I.value) or vote.rationale.get("I", "")
        if voted == vote.profile.I and reason:
            yield agent, reason.partition(_KEPT)[0].rstrip(".")


def _list_construct_works(case: FinishedCase) -> tuple[str, ...]:
    """Return the works behind the constructs, each once. Those behind other parts of the report are in the trace."""
    report = case.dossier.find_latest_deliverable(GroundingReport)
    found = [key for each in (report.constructs if report is not None else ()) for key in each.citations]
    return tuple(dict.fromkeys(found))


def _render_constructs(case: FinishedCase) -> str:
    report = case.dossier.find_latest_deliverable(GroundingReport)
    if report is None or not report.constructs:
        return ""
    rows = (
        (each.insight, each.construct_tested, ", ".join(map(format_short_citation, each.citations)))
        for each in report.constructs
    )
    return join_paragraphs(
        "The constructs that they test:", render_table(("Insight", "Construct", "Works"), rows)
    )
