"""Written form of an uncertain world: hidden variables with probabilities, stocks, marks, and acts with results by case."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, StringConstraints

from impossible_moments.mechanics.records import BaseForm, Category, Identifier, Sentence

FORMAT: Final = "im-uncertain/1"
Code: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9-]{0,23}$")]
"""Name of an act, as a player writes it."""
Seen: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=60, strip_whitespace=True)]
Words: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
Chance: TypeAlias = Annotated[float, Field(ge=0, le=1)] | Literal["rest"]
Value: TypeAlias = bool | int | str
Condition: TypeAlias = dict[Identifier, Value | list[Value]]


class ActKind(StrEnum):
    """What an act is for."""

    TEST = "test"
    """It shows something and brings the goal no nearer."""
    STEP = "step"
    """It prepares, repairs or tries."""


class Ending(StrEnum):
    """How a result ends the episode."""

    SUCCESS = "success"
    FAILURE = "failure"


class HiddenValueForm(BaseForm):
    """One value that a hidden variable may have."""

    label: Words = Field(description="The value in words.", examples=["water in the fuel"])
    chance: Chance = Field(
        description="Its probability, or `rest` for an equal share of what is left.", examples=[0.16]
    )


class HiddenVariableForm(BaseForm):
    """A fact that the player does not know. Hidden variables are independent of each other."""

    label: Words = Field(description="What is unknown, in words.", examples=["the fault"])
    values: dict[Identifier, HiddenValueForm] = Field(
        description="All its values. Their probabilities sum to 1.", min_length=2
    )
    aimed: Words | None = Field(
        default=None,
        description="Words for `it has the value that the act aims at`, for acts with `aims`.",
        examples=["the crew is in this cove"],
    )


class StockForm(BaseForm):
    """Something that acts use up. It is never refilled."""

    label: Words = Field(description="Its name in words.", examples=["cranks of the starter battery"])
    amount: int = Field(description="How much there is at the start.", ge=1, le=100)


class MarkForm(BaseForm):
    """A fact that the player sees and that acts change."""

    yes: Words = Field(description="The fact in words.", examples=["the cowl is off"])
    no: Words = Field(description="Its opposite in words.", examples=["the cowl is on"])
    start: bool = Field(default=False, description="Whether it holds at the start.")


class ClockForm(BaseForm):
    """The time that is left at the start."""

    unit: Words = Field(default="minutes", description="The unit of time.", examples=["minutes"])
    amount: int = Field(description="How much time there is.", ge=1, le=10000)


class ResultForm(BaseForm):
    """One thing that may happen after an act."""

    see: Seen = Field(description="What the player then sees.", examples=["white smoke"])
    chance: Chance = Field(
        default="rest", description="Its probability, or `rest` for an equal share of what is left."
    )
    sets: dict[Identifier, bool] = Field(default={}, description="Marks that change.")
    delay: int = Field(default=0, ge=0, le=10000, description="Further time that passes.")
    ends: Ending | None = Field(
        default=None, description="`success` or `failure` if the episode is over, or null."
    )


class CaseForm(BaseForm):
    """The results of an act in one case. The first case that fits applies."""

    when: Condition = Field(
        default={},
        description="Values of hidden variables, marks and stocks for which the case applies; one value or a list for each name.",
        examples=[{"fault": ["water", "both"], "cowl": True}],
    )
    results: list[ResultForm] = Field(description="All results. Their probabilities sum to 1.", min_length=1)


class ActForm(BaseForm):
    """Something that the player may do. It cannot be undone."""

    label: Sentence = Field(
        description="What is done, in words.", examples=["Crank the engine with the starter"]
    )
    kind: ActKind = Field(default=ActKind.STEP, description="`test` if it only shows something.")
    takes: int = Field(default=0, ge=0, le=10000, description="Time that it takes.")
    uses: dict[Identifier, int] = Field(default={}, description="Stocks that it uses up.")
    at_most: int | None = Field(default=None, ge=1, le=100, description="How often it can be done, or null.")
    needs: Condition = Field(
        default={}, description="Values of marks and stocks without which it cannot be done."
    )
    sets: dict[Identifier, bool] = Field(
        default={}, description="Marks that change, whatever the result. A result may change them again."
    )
    aims: dict[Identifier, Identifier] = Field(
        default={},
        description="Hidden values that the act aims at. Acts that differ in them alone share a table in the text.",
        examples=[{"cove": "north"}],
    )
    cases: list[CaseForm] = Field(
        description="Results by case. The last case has no condition, or the cases cover everything.",
        min_length=1,
    )


class UncertainRecord(BaseForm):
    """An uncertain world with its text."""

    format: Literal["im-uncertain/1"] = Field(description="Kind and version of the record.")
    title: Words = Field(description="Title of the scenario.", examples=["The Generator in the Hut"])
    category: Category = Field(description="One of the twelve categories.", examples=["The Ghost Machine"])
    family: Identifier = Field(description="Name of the family.", examples=["faulty_engine"])
    skin: Identifier = Field(
        default="none", description="Name of the skin of the family.", examples=["alpine_hut"]
    )
    situation: list[Sentence] = Field(description="Paragraphs that describe the situation.", min_length=1)
    goal: Sentence = Field(
        description="What counts as success.", examples=["The generator runs before the slot closes."]
    )
    notes: list[Sentence] = Field(
        default=[], description="Rules in words that explain the tables. They add nothing to them."
    )
    clock: ClockForm
    hidden: dict[Identifier, HiddenVariableForm] = Field(min_length=1)
    stocks: dict[Identifier, StockForm] = Field(default={})
    marks: dict[Identifier, MarkForm] = Field(default={})
    acts: dict[Code, ActForm] = Field(min_length=1)
