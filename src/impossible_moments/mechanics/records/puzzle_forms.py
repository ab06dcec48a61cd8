"""Models of the four kinds of puzzle."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from impossible_moments.mechanics.records.base_form import BaseForm, Identifier, Lines, Names

_ANSWER_EFFECTS_FIELD: Any = Field(
    default=[],
    description="Effects on the world when the puzzle is answered correctly.",
    examples=[["box.open = true"]],
)
_NAME = Field(description="Name of the puzzle, used in answer(name, 'value').", examples=["shelf"])


class CodePuzzle(BaseForm):
    """A code that is read from things: which things count, in which order, and what is read from each."""

    kind: Literal["code"] = Field(description="Always code.", examples=["code"])
    name: Identifier = _NAME
    items: Names = Field(
        description="The things that may carry the code, by name.", examples=[["lamp", "gull", "kettle"]]
    )
    length: int = Field(description="Number of characters in the code.", examples=[4], ge=1, le=12)
    keep: Lines = Field(
        description="Rival rules for which items count: `rule(i) = condition on i`. Two or more.",
        examples=[["used(i) = i.dust == 0", "tallest(i) = i.tall >= 27[cm]"]],
    )
    order: Lines = Field(
        description="Rival rules for the order: `rule(i) = number`, smallest first. Two or more.",
        examples=[["shelf_order(i) = i.place", "small_first(i) = i.tall"]],
    )
    read: Lines = Field(
        description="Rival rules for what is read: `rule(i) = whole number`. Two or more.",
        examples=[["knot_count(i) = i.knots", "letter_count(i) = i.letters"]],
    )
    clues: Lines = Field(
        description="What the prose says about the reading: `name = condition on keep, order, read @ exact quote`.",
        examples=[["c_order = order == 'small_first' @ start with the small ones"]],
    )
    answer: str = Field(
        description="The intended reading, keep/order/read; the code itself is computed.",
        examples=["used/small_first/knot_count"],
    )
    tempting: Names = Field(
        default=[],
        description="Wrong readings that may mislead a solver, each keep/order/read.",
        examples=[["used/shelf_order/knot_count"]],
    )
    gives: Lines = _ANSWER_EFFECTS_FIELD


class CluesPuzzle(BaseForm):
    """Unknowns with finite domains, and clues that leave one answer."""

    kind: Literal["clues"] = Field(description="Always clues.", examples=["clues"])
    name: Identifier = _NAME
    unknowns: Lines = Field(
        description="What is to be found: `name = choose {values}` or `name = choose 1..6` (whole numbers).",
        examples=[["red = choose {1, 2, 3}", "blue = choose {1, 2, 3}"]],
    )
    different: Names = Field(
        default=[], description="Unknowns that all differ from each other.", examples=[["red", "blue"]]
    )
    clues: Lines = Field(
        description="What the prose says: `name = condition on unknowns @ exact quote`.",
        examples=[["left = red < blue @ the red fuse sits left of the blue one"]],
    )
    asks: Names = Field(description="The unknowns that an answer must give.", examples=[["red"]])
    gives: Lines = _ANSWER_EFFECTS_FIELD


class SignalPuzzle(BaseForm):
    """A code for a narrow, noisy channel that makes the receiver act correctly."""

    kind: Literal["signal"] = Field(description="Always signal.", examples=["signal"])
    name: Identifier = _NAME
    states: Names = Field(
        description="The situations that the sender may have to report.", examples=[["low_air", "snagged"]]
    )
    acts: Lines = Field(
        description="The correct act of the receiver: `state = act`.",
        examples=[["low_air = haul", "snagged = slack"]],
    )
    signals: Lines = Field(
        description="What can be sent, and what may be heard: `signal = heard | heard`.",
        examples=[["one = one | none", "two = two | one"]],
    )
    agreed: bool = Field(
        description="Whether sender and receiver agreed on a code before. If false, the receiver follows `reads`.",
        examples=[False],
    )
    reads: Lines = Field(
        default=[],
        description="Without agreement: what the receiver does on hearing, `heard = act`.",
        examples=[["none = hold", "one = hold", "two = slack"]],
    )
    told: Lines = Field(
        description="Exact quotes of the prose that state what can be sent, what may get lost or changed on the way, and how the receiver reads it.",
        examples=[["swallows a pull now and then, never more than one of a group"]],
        min_length=1,
    )
    knows: Lines = Field(
        default=[],
        description="Who knows what, one line for each person: `person = what`.",
        examples=[["tender = only the book of pulls"]],
    )
    gives: Lines = _ANSWER_EFFECTS_FIELD


class Hypothesis(BaseForm):
    """A possible explanation and its prediction for each observation."""

    name: Identifier = Field(description="Name of the explanation.", examples=["battery"])
    predicts: Lines = Field(
        description="A line for every observation: `observation = true`, `= false` or `= condition on quantities`.",
        examples=[["lasts = glow*shone <= cell*hollow", "shed = true"]],
    )


class DiagnosisPuzzle(BaseForm):
    """Observations and rival explanations, of which one agrees with all observations."""

    kind: Literal["diagnosis"] = Field(description="Always diagnosis.", examples=["diagnosis"])
    name: Identifier = _NAME
    observations: Lines = Field(
        description="What was observed: `name = true @ exact quote` (or false).",
        examples=[["shed = true @ it glows at midnight in the locked shed"]],
    )
    hypotheses: list[Hypothesis] = Field(
        description="The rival explanations, two or more.",
        examples=[[{"name": "battery", "predicts": ["shed = true"]}]],
        min_length=2,
        max_length=12,
    )
    gives: Lines = _ANSWER_EFFECTS_FIELD


Puzzle: TypeAlias = Annotated[
    CodePuzzle | CluesPuzzle | SignalPuzzle | DiagnosisPuzzle, Field(discriminator="kind")
]
