"""What an answer comes to before it is weighed, and what every rubric tells of a plan that was played."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.loose import WAITING
from impossible_moments.evaluation.reading.playing import Played


@dataclass(frozen=True)
class Standing:
    """The outcome by its rubric, and what belongs to it."""

    outcome: float
    physical: float
    insight: float
    note: str
    flags: tuple[str, ...] = ()
    played: Played | None = None
    review: bool = False
    """Whether somebody has to look at it, unless it passes."""


def physical(found: Played) -> float:
    """The share of the steps that could be carried out. Waiting claims nothing, and is not counted."""
    made = [move.text for move in found.moves if move.verb not in WAITING]
    done = [call for call in found.valid if not call.startswith(WAITING)]
    steps = len(made) + len(found.idle) + len(found.unknown)
    return 100.0 * len(done) / steps if steps else 0.0


def insight(found: Played, key: AnswerKey) -> float:
    """The share of the insights that an answer needs and shows by what it does."""
    seen = [each for each in key.insights if each.shown_by(found.valid)]
    # of several ways one is enough: what the other ways teach is not asked for
    needed = key.needed
    return 100.0 * min(len(seen) / needed, 1.0)


def told(found: Played) -> str:
    """How a plan ended, in words."""
    return f"the plan ends: {found.outcome.end}" if found.moves else "no step of a plan was understood"
