"""Results of a rubric before weighting, and the figures that all rubrics compute from an executed plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.loose_interpretation import WAITING
from impossible_moments.evaluation.answers.plan_execution import ExecutedPlan

FEWEST_SHARED: Final = 2
"""The fewest words that a text shares with a premise or a dispute that it names in its own words."""
MOST_WORDS: Final = 30
"""The longest text, in words, that can name one. A longer one would share words by chance."""


@dataclass(frozen=True)
class RubricResult:
    """The outcome of an answer by its rubric, with physical validity, insight, note and flags."""

    outcome: float
    physical: float
    insight: float
    note: str
    flags: tuple[str, ...] = ()
    executed_plan: ExecutedPlan | None = None
    needs_review: bool = False
    """Whether the answer needs review unless it passes."""


def compute_physical_validity(executed_plan: ExecutedPlan) -> float:
    """Return the percentage of steps that could be executed; waiting is not counted."""
    calls = [move.text for move in executed_plan.moves if move.verb not in WAITING]
    executed_calls = [call for call in executed_plan.executed_calls if not call.startswith(WAITING)]
    steps = len(calls) + len(executed_plan.idle_steps) + len(executed_plan.unknown)
    return 100.0 * len(executed_calls) / steps if steps else 0.0


def compute_insight_share(executed_plan: ExecutedPlan, key: AnswerKey) -> float:
    """Return the percentage of the needed insights that the executed calls show."""
    shown_insights = [each for each in key.insights if each.is_shown_by(executed_plan.executed_calls)]
    # one solution is enough, so the insights of other solutions are not required
    needed = key.needed_insights
    return 100.0 * min(len(shown_insights) / needed, 1.0)


def describe_plan_ending(executed_plan: ExecutedPlan) -> str:
    """Return a note on how a plan ended."""
    return (
        f"the plan ends: {executed_plan.outcome.end}"
        if executed_plan.moves
        else "no step of a plan was understood"
    )
