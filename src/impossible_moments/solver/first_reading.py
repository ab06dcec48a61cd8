"""A first reading of a scenario: suggested limits count as rules and the search is short."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints import Data
from impossible_moments.mechanics.prose import render_template_text
from impossible_moments.mechanics.records import parse_line, split_lines
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText, normalize_whitespace
from impossible_moments.solver.solver import SolverResult, solve_public_text

QUICK_SEARCH_NODES: Final = 8
"""The number of nodes that a first reader searches: about what a person considers in a minute or two.

With 8 nodes the share of solved scenarios falls from tier to tier. With 30 nearly all are solved.
"""
_PREMISE: Final = re.compile(r"^premise:\s*", re.IGNORECASE)
_IMPOSING_PHRASE: Final = re.compile(
    r"\b(?:must|cannot|can't|only|never|no|not|nobody|nothing|none|without|forbid\w*|rule\w*|law\w*|has to|have to|won't|unless|until)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence imposes a rule instead of only suggesting one."""


@dataclass(frozen=True)
class FirstReading:
    """The result of a first reading of a scenario."""

    solved: SolverResult
    premise: str = ""
    """The sentence that turned out not to be a rule, or an empty string."""
    limit_reached: bool = False


def perform_first_reading(
    text: PublicText, situations: KnownSituations, nodes: int = QUICK_SEARCH_NODES
) -> FirstReading:
    """Solve the text with a short search, and look for an unstated assumption if nothing works.

    The assumption is looked for only if the search was complete within `nodes` nodes.
    """
    solver_result = solve_public_text(text, situations, nodes, edit=_turn_premises_into_rules)
    if solver_result.plans or solver_result.status in {"unread", "CT"} or solver_result.report is None:
        return FirstReading(solver_result)
    limit_reached = (
        solver_result.report.analysis is not None and not solver_result.report.analysis.bounds.exhausted
    )
    if limit_reached:
        return FirstReading(solver_result, limit_reached=True)
    suspected = _find_unimposed_premise(solver_result, text)
    if suspected:
        again = solve_public_text(text, situations, nodes, edit=_remove_frontier)
        if again.status == "MT":
            return FirstReading(again, premise=suspected)
    return FirstReading(solver_result)


def _turn_premises_into_rules(record: Data) -> Data:
    """Turn every suggested premise into a rule, and remove what the record knows from research."""
    lines = []
    for line in split_lines(record.get("never")):
        parts = parse_line(line, example="drowned = level >= you.mouth @ the water")
        lines.append(f"{parts.head} = {parts.body} @ {_PREMISE.sub('', parts.evidence)}")
    return {**_remove_frontier(record), **({"never": lines} if lines else {})}


def _remove_frontier(record: Data) -> Data:
    return {name: value for name, value in record.items() if name != "frontier"}


def _find_unimposed_premise(solver_result: SolverResult, text: PublicText) -> str:
    """Return a sentence that blocks the goal although it does not impose a rule, or an empty string."""
    situation, requirements = (
        solver_result.situation,
        solver_result.report.tie if solver_result.report is not None else None,
    )
    lines = split_lines(situation.record.get("never")) if situation is not None else []
    for line in lines:
        quote = _PREMISE.sub("", parse_line(line, example="a = b @ c").evidence)
        if not quote or quote.startswith("library:") or requirements is None:
            continue
        words = normalize_whitespace(render_template_text(quote, requirements))
        if words.lower() in text.lowercase_text and not _IMPOSING_PHRASE.search(words):
            return words
    return ""
