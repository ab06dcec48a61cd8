"""The score of an interpreted answer: its outcome and components, or the reason why it has none."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from impossible_moments.domain.scoring_rubrics import PASSES
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation.component_scores import (
    has_too_many_acts,
    score_distractors,
    score_efficiency,
)
from impossible_moments.evaluation.interpretation.false_claims import (
    apply_false_claims,
    refute_turning_points,
)
from impossible_moments.evaluation.interpretation.guess_correction import compute_credit_share
from impossible_moments.evaluation.interpretation.interpreted_answer import InterpretedAnswer
from impossible_moments.evaluation.interpretation.outcome_rubrics import RUBRICS, RubricOutcome
from impossible_moments.evaluation.results import RunState, ScoreComponents
from impossible_moments.evaluation.scored_answer import ScoredAnswer

_ANSWER: Final = re.compile(r"answer\((\w+), *(.+)\)")
LEAST_FOR_MANNER: Final = 50.0
"""The least outcome with which the handling of distractors and the efficiency count."""


def score_interpreted_answer(answer: InterpretedAnswer, key: AnswerKey) -> ScoredAnswer:
    """Score an answer in terms of the record.

    An answer without content is unscored. One that does not pass and has open points is left for review.
    """
    if answer.is_empty:
        reason = "; ".join(answer.unread) or "the answer states neither a verdict nor a step"
        return ScoredAnswer(RunState.UNSCORED, None, reason, (), ("unreadable",))
    answer = refute_turning_points(answer, key)
    twice = find_question_answered_twice(answer)
    if twice:
        return _score_two_answers(answer, twice)
    found = _correct_for_guessing(RUBRICS[key.status](answer, key))
    found = apply_false_claims(found, answer, key)
    calls = tuple(move.text for move in found.executed.moves) if found.executed is not None else ()
    if found.outcome < PASSES and answer.open_points and _could_open_points_matter(answer, key):
        note = f"needs review: {'; '.join(answer.open_points)[:600]}"
        return ScoredAnswer(RunState.REVIEW, None, note, calls, found.flags)
    if found.outcome >= PASSES and answer.doubts:
        note = f"needs review, because the plan works but not all of it was read: {'; '.join(answer.doubts)[:600]}"
        return ScoredAnswer(RunState.REVIEW, None, note, calls, found.flags)
    # a bare verdict shows neither that distractors were seen through nor that the answer is short for a reason
    earns_points = found.outcome >= LEAST_FOR_MANNER
    # acts that can be done and lead nowhere are worth nothing unless they show an insight
    counts_acts = earns_points or (found.insight > 0 and not has_too_many_acts(answer, key))
    components = ScoreComponents(
        outcome=found.outcome,
        physical=found.physical if counts_acts else 0.0,
        insight=found.insight if counts_acts else 0.0,
        distractors=score_distractors(found.executed, key) if earns_points else 0.0,
        efficiency=score_efficiency(found.executed, answer, key) if earns_points else 0.0,
    )
    state = RunState.UNSCORED if found.needs_judge else RunState.SCORED
    return ScoredAnswer(state, components, found.note, calls, found.flags)


_NOTHING: Final = ScoreComponents(outcome=0, physical=0, insight=0, distractors=0, efficiency=0)


def _score_two_answers(answer: InterpretedAnswer, question: str) -> ScoredAnswer:
    """Score an answer that answers one question twice: nothing for a choice from lists, else it is left for review."""
    note = f"it gives two answers to one question: {question}"
    if answer.offered is not None:
        return ScoredAnswer(RunState.SCORED, _NOTHING, note, answer.calls, ("shotgun",))
    return ScoredAnswer(RunState.REVIEW, None, f"needs review: {note}", answer.calls, ())


def find_question_answered_twice(answer: InterpretedAnswer) -> str:
    """Return the name of a puzzle to which a plan gives different answers, or an empty string."""
    given: dict[str, str] = {}
    for call in answer.calls:
        match = _ANSWER.fullmatch(call)
        if match is not None and given.setdefault(match[1], match[2]) != match[2]:
            return match[1].replace("_", " ")
    return ""


def _correct_for_guessing(found: RubricOutcome) -> RubricOutcome:
    """Return an outcome without the credit that a lucky choice from a menu would earn as well."""
    share = compute_credit_share(found.chance)
    if share == 1.0:
        return found
    note = f"{found.note}; a random choice from the menu gets as much right with a chance of {found.chance:.0%}, so {share:.0%} counts"
    return replace(
        found,
        outcome=found.outcome * share,
        physical=found.physical * share,
        insight=found.insight * share,
        note=note if found.outcome or found.insight else found.note,
    )


def _could_open_points_matter(answer: InterpretedAnswer, key: AnswerKey) -> bool:
    """Return whether a reader of the open points could come to another outcome.

    The verdict alone decides if it gives up on something that can be done, or proposes to do what is proved impossible.
    """
    gives_up = answer.verdict is AnswerVerdict.IMPOSSIBLE
    match key.status:
        case "PX":
            return gives_up or answer.verdict is AnswerVerdict.NONE
        case "KS" | "DG" | "CT":
            return not gives_up
        case _:
            return True
