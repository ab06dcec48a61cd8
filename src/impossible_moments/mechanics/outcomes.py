"""Outcomes: how a plan ended, step by step, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from impossible_moments.mechanics.margins import Margin
from impossible_moments.mechanics.scalars import Values


@dataclass(frozen=True, slots=True)
class Step:
    """One call as it went."""

    call: str
    started: float
    took: float
    margins: tuple[tuple[str, Margin], ...]
    inserted: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a plan ended: `goal`, `late`, `short`, `blocked verb.condition` or `never name`, and the way there."""

    end: str
    time: float
    deadline: float | None
    steps: tuple[Step, ...]
    failing_margin: Margin = None
    note: str = ""
    values: Values = field(default_factory=list)
    said: tuple[str, ...] = ()
    dangers: tuple[tuple[str, float], ...] = ()

    @property
    def reaches_goal(self) -> bool:
        """Whether the goal is met in time."""
        return self.end == "goal"

    @property
    def time_margin(self) -> Margin:
        """The share of the deadline that is left."""
        return None if not self.deadline else (self.deadline - self.time) / self.deadline

    @property
    def least_margin(self) -> Margin:
        """The smallest margin of all conditions met, deadline and dangers passed by included."""
        margins = [margin for step in self.steps for _, margin in step.margins if margin is not None]
        margins += [margin for _, margin in self.dangers]
        if self.time_margin is not None:
            margins.append(self.time_margin)
        return min(margins, default=None)


class RunEnded(Exception):
    """A run that is over before its plan is. `lost` says that it could not be followed any further, whatever happens then."""

    def __init__(self, end: str, margin: Margin = None, note: str = "", *, lost: bool = False) -> None:
        self.end, self.margin, self.note, self.lost = end, margin, note, lost
