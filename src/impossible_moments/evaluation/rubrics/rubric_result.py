"""Results of a rubric before weighting, and the figures that all rubrics compute from an executed plan."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.loose_interpretation import WAITING
from impossible_moments.evaluation.answers.plan_execution import ExecutedPlan


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


def compute_physical_validity(found: ExecutedPlan) -> float:
    """Return the percentage of steps that could be executed; waiting is not counted."""
    made = [move.text for move in found.moves if move.verb not in WAITING]
    done = [call for call in found.executed_calls if not call.startswith(WAITING)]
    steps = len(made) + len(found.idle) + len(found.unknown)
    return 100.0 * len(done) / steps if steps else 0.0


def compute_insight_share(found: ExecutedPlan, key: AnswerKey) -> float:
    """Return the percentage of the needed insights that the executed calls show."""
    seen = [each for each in key.insights if each.is_shown_by(found.executed_calls)]
    # one solution is enough, so the insights of other solutions are not required
    needed = key.needed_insights
    return 100.0 * min(len(seen) / needed, 1.0)


def describe_plan_ending(found: ExecutedPlan) -> str:
    """Return a note on how a plan ended."""
    return f"the plan ends: {found.outcome.end}" if found.moves else "no step of a plan was understood"
