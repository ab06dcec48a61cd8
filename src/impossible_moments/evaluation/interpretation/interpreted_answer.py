"""An answer read as calls, a verdict, premises, conflicts and figures of the record.

Menus, translations and the deterministic reader all produce this form, and only this form is scored. It holds
nothing that the answer does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict


class StepKind(StrEnum):
    """What a step of an answer was read as."""

    CALL = "call"
    HARMLESS = "harmless"
    """A deed that changes nothing, such as measuring or telling. It costs nothing."""
    NEAR_MISS = "near miss"
    """A deed with a thing of the scenario that is not one of its actions. It has no effect."""
    UNMODELLED = "not modelled"
    """A deed that the record does not know. If it matters, a person or a judge decides."""
    UNREAD = "unread"
    """Words that could not be read as one deed."""


@dataclass(frozen=True, slots=True)
class InterpretedStep:
    """A step of an answer, and what it was read as."""

    text: str
    """The words of the answer."""
    kind: StepKind
    call: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    """For each needed statement, the words that say it."""
    reason: str = ""
    """Why it was read like this, if it is not a call."""


REFUTED: Final = frozenset({"refuted"})
"""A reason that the record refutes: its figure is wrong, or it says of a deed that works that it fails at a condition."""


@dataclass(frozen=True, slots=True)
class OfferedChoices:
    """The lists from which an answer was composed, so that lucky choices can be distinguished from knowledge."""

    calls: frozenset[str]
    """The calls that are lines of the menu."""
    acts: int
    """The number of lines that are acts. Harmless lines are none."""
    premises: int
    conditions: int
    uncertainties: int


@dataclass(frozen=True, slots=True)
class StatedTurningPoint:
    """A value of the disputed quantity at which an answer says that it would choose otherwise."""

    text: str
    """The words of the answer."""
    amount: Amount
    is_limit: bool = True
    """Whether the choice is said to change at the value. Otherwise the answer only says that it would choose otherwise if the quantity had it."""


@dataclass(frozen=True)
class InterpretedAnswer:
    """An answer in terms of the record."""

    verdict: AnswerVerdict = AnswerVerdict.NONE
    steps: tuple[InterpretedStep, ...] = ()
    other_plans: tuple[tuple[InterpretedStep, ...], ...] = ()
    premises: frozenset[str] = frozenset()
    """The never-lines that the answer names as unfounded assumptions."""
    names_decoy: bool = False
    """Whether it names something else as the unfounded assumption."""
    conflict: tuple[frozenset[str], ...] = ()
    """For each reason that the answer gives against the goal, the conditions that it names; empty for none, `REFUTED` if it is false."""
    is_argued: bool = False
    """Whether the reasons were told from asides, as a translator does. Conditions chosen or matched by words were not."""
    names_crux: bool = False
    turning_points: tuple[StatedTurningPoint, ...] = ()
    """Values of the crux at which the answer says that it would choose otherwise."""
    false_claims: tuple[str, ...] = ()
    """What the answer asserts on the matter that decides and the record refutes, with the reason."""
    false_asides: tuple[str, ...] = ()
    """The same about a matter that decides nothing."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """The claims of a proposed design that are figures of the frontier, in SI units."""
    unread: tuple[str, ...] = ()
    """What could not be read outside the steps, with the reason."""
    doubts: tuple[str, ...] = ()
    """What could change the meaning of a plan that works. Such a plan is left for review."""
    answer_tokens: int = 0
    """Approximate length of the answer itself, without the thinking before it."""
    offered: OfferedChoices | None = None
    """The lists of a menu, or None if the answer is in its own words."""

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls of the plan, in order."""
        return tuple(step.call for step in self.steps if step.kind is StepKind.CALL)

    @property
    def open_points(self) -> tuple[str, ...]:
        """What a person or a judge would have to read: unread words, and deeds that the record does not know."""
        found = [
            f"{step.text[:120]!r} was not read: {step.reason or step.kind}"
            for step in self.steps
            if step.kind in {StepKind.UNREAD, StepKind.UNMODELLED}
        ]
        return (*found, *self.unread)

    @property
    def is_empty(self) -> bool:
        """Whether the answer has neither a verdict nor a step."""
        return self.verdict is AnswerVerdict.NONE and not self.steps
