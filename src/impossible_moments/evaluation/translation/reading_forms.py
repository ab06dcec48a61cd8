"""What a translator hands in: the deeds, statements and reasons of an answer as codes, each with its quotes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.evaluation.answers.answer_parser import LONGEST_TEXT, MOST_STEPS, MOST_TEXTS

_LONGEST_QUOTE: Final = 1_200
_MOST_PLANS: Final = 5
_MOST_ITEMS: Final = 250

_Quote = Annotated[str, Field(max_length=_LONGEST_QUOTE, description="Words of the answer, copied exactly.")]
_Code = Annotated[str, Field(max_length=8)]
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class _ReadingForm(BaseModel):
    """Base class of the forms: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SaidStatement(_ReadingForm):
    """The words that make one of the statements that a deed needs."""

    name: _Text
    quote: Annotated[
        str,
        Field(max_length=_LONGEST_QUOTE, description="Words of the answer; empty if it does not say this."),
    ]


class StatedValue(_ReadingForm):
    """A value that the answer chooses."""

    code: Annotated[str, Field(max_length=8, description="A code that begins with V.")]
    value: Annotated[
        str,
        Field(
            max_length=LONGEST_TEXT, description="The number alone, in the unit of the code, or the words."
        ),
    ]
    quote: _Quote


class ReadSentence(_ReadingForm):
    """A sentence of the answer that does something, and what it is."""

    quote: _Quote
    kind: Literal["call", "harmless", "not modelled", "considered only"]
    code: Annotated[str, Field(max_length=8, description="For `call`: the code of the deed.")] = ""
    said: Annotated[
        tuple[SaidStatement, ...],
        Field(
            max_length=MOST_TEXTS, description="For `call`: one entry for each statement that the deed needs."
        ),
    ] = ()
    values: Annotated[
        tuple[StatedValue, ...],
        Field(max_length=MOST_TEXTS, description="For `call`: the values with which the answer does it."),
    ] = ()
    what: Annotated[
        str, Field(max_length=LONGEST_TEXT, description="For `not modelled`: what is done, in a few words.")
    ] = ""
    matters: Annotated[
        bool, Field(description="For `not modelled`: whether the plan of the answer depends on it.")
    ] = False


_Plan = Annotated[tuple[ReadSentence, ...], Field(max_length=MOST_STEPS)]


class QuotedCode(_ReadingForm):
    """A statement of a list that the answer makes, with the words that make it."""

    code: _Code
    quote: _Quote


class ReasonFigure(_ReadingForm):
    """A figure of a reason."""

    figure: Annotated[str, Field(max_length=80, description="Number and unit, as they stand in the quote.")]
    given_as: Annotated[
        Literal["fact", "result"],
        Field(
            description="fact: stated as a fact of the situation. result: computed or concluded by the answer."
        ),
    ]


class ReadReason(_ReadingForm):
    """A reason that the answer gives against the goal, and the conditions that it names."""

    quote: _Quote
    conditions: Annotated[
        tuple[_Code, ...],
        Field(
            max_length=MOST_TEXTS,
            description="Codes of the conditions that it says cannot be met, or that a way would break.",
        ),
    ]
    deeds: Annotated[
        tuple[_Code, ...],
        Field(
            max_length=MOST_TEXTS,
            description="Codes of the deeds of which it says this, if it says it of some deeds only; else empty.",
        ),
    ] = ()
    figures: Annotated[tuple[ReasonFigure, ...], Field(max_length=MOST_TEXTS)] = ()


class StatedFigure(_ReadingForm):
    """A figure of a proposed design."""

    name: Annotated[
        str, Field(max_length=80, description="What it is a figure of, in words of the situation.")
    ]
    value: Annotated[str, Field(max_length=80, description="Number and unit, as they stand in the quote.")]
    quote: _Quote


class TurningPoint(_ReadingForm):
    """A value at which the answer says that it would choose otherwise."""

    code: Annotated[
        str, Field(max_length=8, description="The code of the quantity, from the list of the crux.")
    ]
    value: Annotated[str, Field(max_length=80, description="Number and unit, as they stand in the quote.")]
    quote: _Quote
    relation: Annotated[
        Literal["limit", "supposed"],
        Field(
            description="limit: the choice changes at this value, such as above or below it. "
            "supposed: the answer only says that it would choose otherwise if the quantity had this value."
        ),
    ] = "limit"


class Contradiction(_ReadingForm):
    """What the answer states as a fact of the situation, although the situation says otherwise."""

    quote: _Quote
    situation: Annotated[
        str,
        Field(
            max_length=_LONGEST_QUOTE, description="Words of the situation, copied exactly, that rule it out."
        ),
    ]


class PlanTime(_ReadingForm):
    """How long the whole plan takes, as the answer states it."""

    value: Annotated[str, Field(max_length=80, description="Number and unit, as they stand in the quote.")]
    quote: _Quote


class AnswerReading(_ReadingForm):
    """The answer in codes: only what it says, in its order."""

    verdict: Literal["solvable", "impossible", "contested", "open", "none"]
    verdict_quote: Annotated[
        str, Field(max_length=_LONGEST_QUOTE, description="The words that say so; empty for none.")
    ] = ""
    plan: _Plan
    other_plans: Annotated[tuple[_Plan, ...], Field(max_length=_MOST_PLANS)] = ()
    premise: Annotated[
        QuotedCode | None,
        Field(description="The statement that the answer names as an unfounded assumption."),
    ] = None
    further_premises: Annotated[
        tuple[QuotedCode, ...],
        Field(max_length=MOST_TEXTS, description="Further statements of that list that the answer denies."),
    ] = ()
    reasons: Annotated[tuple[ReadReason, ...], Field(max_length=MOST_TEXTS)] = ()
    crux: Annotated[
        QuotedCode | None, Field(description="What the choice depends on, by the answer's own words.")
    ] = None
    turning_points: Annotated[
        tuple[TurningPoint, ...],
        Field(max_length=MOST_TEXTS, description="The values at which the answer would choose otherwise."),
    ] = ()
    figures: Annotated[
        tuple[StatedFigure, ...],
        Field(max_length=MOST_TEXTS, description="Figures of a proposed design."),
    ] = ()
    plan_time: Annotated[
        PlanTime | None, Field(description="How long the whole plan takes, if the answer says so.")
    ] = None
    contradictions: Annotated[
        tuple[Contradiction, ...],
        Field(max_length=MOST_TEXTS, description="Facts that the answer states and the situation rules out."),
    ] = ()

    @property
    def plans(self) -> tuple[tuple[ReadSentence, ...], ...]:
        """The plan and the other plans."""
        return (self.plan, *self.other_plans)

    @property
    def sentences(self) -> Iterator[ReadSentence]:
        """The sentences of all plans."""
        for plan in self.plans:
            yield from plan


class ConfirmedItem(_ReadingForm):
    """Whether one line of a mapping is faithful."""

    number: Annotated[int, Field(ge=1)]
    faithful: bool
    why: Annotated[
        str, Field(max_length=LONGEST_TEXT, description="If it is not: what the words say instead.")
    ] = ""


class MappingReview(_ReadingForm):
    """For each line of a mapping whether its words say what they were mapped to."""

    lines: Annotated[tuple[ConfirmedItem, ...], Field(max_length=_MOST_ITEMS)]
