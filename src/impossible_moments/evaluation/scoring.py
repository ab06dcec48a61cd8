"""Scores without a judge: an answer is read by the wording of its record, and its calls are executed."""

from __future__ import annotations

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import score_interpreted_answer
from impossible_moments.evaluation.reader import read_answer
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer


def is_scored_by_execution(key: AnswerKey) -> bool:
    """Return whether answers to a scenario are scored by execution alone. Open questions need judges."""
    return key.status != "OF" and not key.unscorable_reason


def score_answer(text: str, key: AnswerKey) -> ScoredAnswer:
    """Score an answer as a model wrote it. The result depends only on the text and the key.

    An empty answer, and any answer to a scenario whose record does not say how answers are read, is unscored.
    """
    if key.unscorable_reason:
        return ScoredAnswer(RunState.UNSCORED, None, key.unscorable_reason)
    if not text.strip():
        return ScoredAnswer(RunState.UNSCORED, None, "the answer is empty", (), ("silent",))
    return score_interpreted_answer(read_answer(text, key), key)


def compute_reward(text: str, key: AnswerKey) -> float | None:
    """Return the score of an answer as a number from 0 to 1 for training, or None if it has none."""
    score = score_answer(text, key).score
    return None if score is None else score / 100
