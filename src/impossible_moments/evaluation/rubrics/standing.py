"""Results of a rubric before weighting, and the figures that all rubrics compute from an executed plan."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.loose import WAITING
from impossible_moments.evaluation.reading.playing import Played


@dataclass(frozen=True)
class Standing:
    """The outcome of an answer by its rubric, with physical validity, insight, note and flags."""

    outcome: float
    physical: float
    insight: float
    note: str
    flags: tuple[str, ...] = ()
    played: Played | None = None
    review: bool = False
    """Whether the answer needs review unless it passes."""


def physical(found: Played) -> float:
    """Return the percentage of steps that could be executed; waiting is not counted."""
    made = [move.text for move in found.moves if move.verb not in WAITING]
    done = [call for call in found.valid if not call.startswith(WAITING)]
    steps = len(made) + len(found.idle) + len(found.unknown)
    return 100.0 * len(done) / steps if steps else 0.0


def insight(found: Played, key: AnswerKey) -> float:
    """Return the percentage of the needed insights that the executed calls show."""
    seen = [each for each in key.insights if each.shown_by(found.valid)]
    # one solution is enough, so the insights of other solutions are not required
    needed = key.needed
    return 100.0 * min(len(seen) / needed, 1.0)


def told(found: Played) -> str:
    """Return a note on how a plan ended."""
    return f"the plan ends: {found.outcome.end}" if found.moves else "no step of a plan was understood"
