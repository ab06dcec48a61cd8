"""Models of the section `wording`: how an answer in plain words speaks of actions, values and conditions.

The section changes no computation on the record. It decides which words of an answer count as which call.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field

from impossible_moments.mechanics.records.base_form import BaseForm, Identifier, Lines, Names, Sentence


def _convert_number_to_text(value: object) -> object:
    """Convert a number to text, because YAML parses `tolerance: 5` as a number."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _parse_sentences(value: object) -> object:
    """Return a list of sentences. A single text is one sentence."""
    if isinstance(value, str):
        return [value]
    return [] if value is None else value


TextOrNumber: TypeAlias = Annotated[str, BeforeValidator(_convert_number_to_text)]
Sentences: TypeAlias = Annotated[list[Sentence], BeforeValidator(_parse_sentences)]


class ActionWording(BaseForm):
    """What a call is in plain words, and what an answer must say for the call to count."""

    call: str = Field(
        description="The verb, or a call with things or * as arguments. The most specific entry counts.",
        examples=["tie(magnet, *)"],
    )
    menu: Sentence = Field(
        description="The words of a menu line, an order to the solver. {slot} prints the thing in that slot.",
        examples=["Tie {m} to {l}"],
    )
    deed: Sentence = Field(
        description="One sentence: what is really done, precise enough to tell it from near misses.",
        examples=["The magnet is knotted to one end of the line."],
    )
    needs_said: Lines = Field(
        default=[],
        description="What an answer must say for the call to count: `name = words | words`. Each alternative is a few words that must "
        "all occur; {slot} stands for any name of the thing in that slot, {value} for the chosen value.",
        examples=[["magnet = {m}", "joined = tie | knot | fasten | attach", "line = {l}"]],
    )
    implied: Sentences = Field(
        default=[],
        description="What need not be said, because it goes with the deed.",
        examples=[["takes the lace out of the boot"]],
    )
    also: Sentences = Field(
        default=[],
        description="Other wordings of the same deed, as answers would put it.",
        examples=[["make a fishing line of the lace with the magnet as its hook"]],
    )
    near_misses: Sentences = Field(
        default=[],
        description="Deeds with the same thing that are something else and do not count.",
        examples=[["hold the magnet over the grate by hand"]],
    )
    unsaid: bool = Field(
        default=False,
        description="True: the step follows by itself and is added if an answer leaves it out. Never for a step that decides anything.",
        examples=[False],
    )


class ValueWording(BaseForm):
    """How an answer states a value that the solver chooses."""

    name: Identifier = Field(description="The decision quantity, or the puzzle.", examples=["share"])
    label: Sentence = Field(description="What the value is.", examples=["share of clove oil in the mixture"])
    unit: str | None = Field(
        default=None,
        description="Unit or form in which an answer states it (min, percent, plain), or null for words.",
        examples=["percent"],
    )
    tolerance: TextOrNumber | None = Field(
        default=None,
        description="Half width, in that unit, within which two stated values count as the same; null for exact.",
        examples=["2"],
    )
    options: list[TextOrNumber] = Field(
        default=[],
        description="The values that a menu offers, in that unit; empty if the solver types the value.",
        examples=[["25", "50", "75"]],
    )


class WordingForm(BaseForm):
    """Plain words for everything that an answer may say."""

    actions: list[ActionWording] = Field(
        default=[],
        description="The wording of every action that a working plan uses, and of the others that a solver may name.",
        examples=[[]],
        max_length=80,
    )
    values: list[ValueWording] = Field(
        default=[], description="Decisions and puzzle answers.", examples=[[]], max_length=20
    )
    answers: Lines = Field(
        default=[],
        description="Diagnoses: `puzzle.hypothesis = sentence | other words`.",
        examples=[["source.battery = the battery is flat | an empty battery"]],
    )
    conditions: Lines = Field(
        default=[],
        description="Each condition, never-line and `deadline` as a sentence of the text: `verb.condition = sentence`. Placeholders as in the prose.",
        examples=[["fish.holds = the magnet carries the keys"]],
    )
    bookkeeping: Names = Field(
        default=[],
        description="Conditions that only keep steps in order and are no reason for anything.",
        examples=[["carry_on.begun"]],
    )
    premises: Lines = Field(
        default=[],
        description="Each premise that nothing imposes, as a sentence: `never_line = sentence`.",
        examples=[["all_aboard = everybody must cross in the boat"]],
    )
    decoy_premises: Sentences = Field(
        default=[],
        description="At least three statements of the text that are imposed and cannot be dropped, or that do not matter. Every record has them, so that they tell nothing.",
        examples=[["the boat carries four"]],
    )
    uncertainties: Lines = Field(
        default=[],
        description="At least three quantities on which a solver may think that the answer depends, in words: `quantity = sentence`. The crux of a CT is among them.",
        examples=[["arm = how far down an arm reaches"]],
    )
    harmless: Sentences = Field(
        default=[],
        description="Deeds that change nothing here: measure, look, tell, rest.",
        examples=[["count the money once more", "tell the others what you are about to do"]],
    )
    names: Lines = Field(
        default=[],
        description="Other names of things: `thing = name | name`.",
        examples=[["lace = shoe lace | shoestring"]],
    )
