"""Outcomes: the steps of an executed plan and how it ended, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from impossible_moments.mechanics.language.condition_margins import Margin
from impossible_moments.mechanics.language.scalar_evaluation import Values


@dataclass(frozen=True, slots=True)
class ExecutedStep:
    """One executed call with its time and margins. `inserted` marks a logistics move that the plan omits."""

    call: str
    started: float
    took: float
    margins: tuple[tuple[str, Margin], ...]
    inserted: bool = False


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """The end of a plan and its steps.

    `end` is `goal`, `late`, `short`, `blocked verb.condition` or `never name`.
    """

    end: str
    time: float
    deadline: float | None
    steps: tuple[ExecutedStep, ...]
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
        """The share of the deadline that is left, or None without a deadline."""
        return None if not self.deadline else (self.deadline - self.time) / self.deadline

    @property
    def least_margin(self) -> Margin:
        """The smallest margin of all met conditions, the deadline and the never-lines."""
        margins = [margin for step in self.steps for _, margin in step.margins if margin is not None]
        margins += [margin for _, margin in self.dangers]
        if self.time_margin is not None:
            margins.append(self.time_margin)
        return min(margins, default=None)


class RunTermination(Exception):
    """The end of a run before the end of its plan.

    `lost` is true if the rates could not be followed further.
    """

    def __init__(self, end: str, margin: Margin = None, note: str = "", *, is_lost: bool = False) -> None:
        self.end, self.margin, self.note, self.lost = end, margin, note, is_lost
