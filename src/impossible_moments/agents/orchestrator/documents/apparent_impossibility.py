"""Why a scenario looks impossible, and the common wrong answers, completed from the executed approaches."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.public_tables import is_filler
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.domain.vocabulary import SOLVABLE_STATUSES
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.scenarios import escape_block

FEWEST_SENTENCES: Final = 2
MOST_SENTENCES: Final = 3
"""Specification 6.1, tier 1: two or three sentences."""
MOST_IDEAS: Final = 2
_SENTENCE_END: Final = re.compile(r"[.!?…]+[”\"')]*(?=\s+[“\"'(]?[A-Z\d]|\s*$)")


def count_sentences(text: str) -> int:
    """Return how many sentences a text has. A text without a final mark counts as one sentence."""
    stripped = text.strip()
    if not stripped:
        return 0
    ends = list(_SENTENCE_END.finditer(stripped))
    return len(ends) + (0 if ends and ends[-1].end() == len(stripped) else 1)


def render_apparent_impossibility(case: FinishedCase) -> str:
    """Render the seed's explanation; a single sentence is completed by the first ideas and how near they come."""
    stated = escape_block(case.seed.impossibility_mirage.looks_impossible)
    if not stated or count_sentences(stated) >= FEWEST_SENTENCES:
        return stated
    ended = stated if stated.endswith((".", "!", "?", "…", "”")) else f"{stated}."
    return " ".join(
        part for part in (ended, _name_first_ideas(case), _describe_nearest_failure(case)) if part
    )


def list_wrong_answers(case: FinishedCase) -> list[tuple[str, str]]:
    """Return the seed's wrong answers, else failing approaches in words, else the denial of a known way."""
    stated = [
        (each.answer, each.why_wrong)
        for each in case.seed.wrong_answers
        if not is_filler(each.answer) and not is_filler(each.why_wrong)
    ]
    if stated or case.wording is None:
        return stated
    wording = case.wording
    failing = [
        (f"{wording.describe_plan(calls)}.", _explain_failure(wording, outcome, calls))
        for calls, outcome in _list_failing_approaches(wording)
    ]
    if failing or case.status not in SOLVABLE_STATUSES:
        return failing
    return [("It cannot be done.", "Nothing that is stated stands in the way of every plan.")]


def _name_first_ideas(case: FinishedCase) -> str:
    answers = [answer.strip().rstrip(".") for answer, _ in list_wrong_answers(case)[:MOST_IDEAS]]
    if not answers:
        return ""
    quoted = " and ".join(f"“{answer}”" for answer in answers)
    return f"The first {'idea fails' if len(answers) == 1 else 'ideas fail'}: {quoted}."


def _describe_nearest_failure(case: FinishedCase) -> str:
    """Return how near the nearest failing approach comes, if a number decides each of them."""
    if case.wording is None:
        return ""
    margins = [outcome.failing_margin for _, outcome in _list_failing_approaches(case.wording)]
    if None in margins:  # a failure by a count or a rule has no margin, and may be the nearest one
        return ""
    near = max((margin for margin in margins if margin is not None and -1 < margin < 0), default=None)
    if near is None:
        return ""
    share = f"{-near:.0%}" if near <= -0.01 else "less than 1%"  # noqa: PLR2004 - it would print as 0 %
    return f"Of what was tried, even the nearest misses what it needs by {share.replace('%', ' %')}."


def _list_failing_approaches(wording: RecordWording) -> list[tuple[tuple[str, ...], PlanOutcome]]:
    return [
        (tuple(move.text for move in wording.analysis.plans[name]), outcome)
        for name, outcome in wording.analysis.outcomes.items()
        if not outcome.reaches_goal
    ]


def _explain_failure(wording: RecordWording, outcome: PlanOutcome, calls: tuple[str, ...]) -> str:
    text = re.sub(r"^(?:stopped|fails): ", "", wording.describe_end(outcome.end, calls))
    return f"{text[:1].upper()}{text[1:]}."
