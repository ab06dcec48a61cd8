"""Rubrics for known-solution (KS) and degenerate (DG) scenarios: any plan that reaches the goal is right."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, Verdict
from impossible_moments.evaluation.reading.findings import with_findings
from impossible_moments.evaluation.reading.playing import Played, played
from impossible_moments.evaluation.reading.reasons import reasoned
from impossible_moments.evaluation.rubrics.standing import Standing, insight, physical, told
from impossible_moments.mechanics.plans import unquoted
from impossible_moments.mechanics.puzzles.forms import DiagnosisPuzzle

SIMPLICITY: Final = ((200, 1.0), (500, 0.8), (1000, 0.6))
"""Degenerate scenarios: factor on the outcome by the length of the answer in tokens."""
LEAST_SIMPLE: Final = 0.4
_WRONG: Final = "blocked answer."
_QUARTERS: Final = (0.25, 0.75)
"""Positions of the variants within the range of a fragile quantity."""


def known(answer: Answer, key: AnswerKey) -> Standing:
    """Score an answer to a known-solution scenario: 100 if its plan reaches the goal, else 0.

    A plan that reaches the goal only in the loose interpretation needs a justification. Insight, steadiness
    and further plans are recorded beside the outcome.
    """
    found = played(with_findings(answer, key), key)
    if answer.verdict is Verdict.IMPOSSIBLE:
        # even with a plan: an answer that gives both would be right for every scenario
        return Standing(0.0, 0.0, 0.0, f"the goal can be reached; {told(found)}", ("gave up",), found)
    reached, flags = found.outcome.reaches_goal, list[str]()
    if found.read_loosely:
        flags.append("read loosely")
        reached = reasoned(answer, found, key)
    seen = insight(found, key)
    if reached and not _intended(found, key):
        flags.append("unintended")
    if reached and key.full_status == "KS-Multiple":
        seen += 10 * _further(answer, found, key)
    if reached and key.full_status == "KS-Fragile":
        flags += _steadiness(found, key)
    # review is needed if a right plan has no reason, or if a plan with reasons was not understood
    lost = bool(answer.plan) and bool(answer.because) and not _understood(found, key)
    review = not reached and (bool(found.unknown) or found.read_loosely or lost)
    return Standing(
        100.0 if reached else 0.0,
        physical(found),
        min(seen, 120.0),
        told(found),
        tuple(flags),
        found,
        review,
    )


def _understood(found: Played, key: AnswerKey) -> bool:
    """Check whether the plan itself failed; an unknown hypothesis counts as not understood."""
    if not found.outcome.end.startswith(_WRONG):
        return found.is_understood
    puzzle = found.outcome.end.removeprefix(_WRONG)
    forms = [each for each in key.analysis.world.record.puzzles if each.name == puzzle]
    known = [each.name for form in forms if isinstance(form, DiagnosisPuzzle) for each in form.hypotheses]
    given = [unquoted(move.arguments[1]) for move in found.moves if move.verb == "answer"]
    return not known or any(each in known for each in given)


def _steadiness(found: Played, key: AnswerKey) -> list[str]:
    """Return the flag `steady` or `fragile` if the plan works on all or on no variants, else none."""
    held = []
    for name in key.block.fragile_in:
        quantity = key.analysis.world.quantities[name]
        if quantity.low is None or quantity.high is None:
            continue
        for share in _QUARTERS:
            value = quantity.low + share * (quantity.high - quantity.low)
            held.append(key.analysis.executor.run(found.moves, changes={name: value}).reaches_goal)
    if not held or (any(held) and not all(held)):
        return []
    return ["steady"] if all(held) else ["fragile"]


def degenerate(answer: Answer, key: AnswerKey) -> Standing:
    """Score an answer to a degenerate scenario: as a known solution, times a factor for brevity."""
    found = known(answer, key)
    factor = next((share for most, share in SIMPLICITY if answer.words < most), LEAST_SIMPLE)
    return replace(found, outcome=found.outcome * factor)


def _intended(found: Played, key: AnswerKey) -> bool:
    ways = {
        frozenset(move.text for move in key.analysis.plans[name])
        for name, outcome in key.analysis.outcomes.items()
        if outcome.reaches_goal
    }
    return any(way <= set(found.calls) for way in ways)


def _further(answer: Answer, found: Played, key: AnswerKey) -> int:
    """Count further plans that reach the goal and neither contain nor extend an earlier one."""
    seen = [frozenset(found.valid)]
    for plan in answer.others:
        other = played(plan, key)
        calls = frozenset(other.valid)
        works = other.outcome.reaches_goal and not other.read_loosely
        if works and not any(calls <= each or each <= calls for each in seen):
            seen.append(calls)
    return len(seen) - 1
