"""Pydantic models of blueprint and skin files.

A blueprint holds what its scenarios share: the mechanics, the variants that determine the status, and the
notes that are valid in any setting. A skin holds one setting: a place, a voice, its things and ranges, and
the story. Both hold partial records, which together with a variant form a complete one.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from impossible_moments.domain.difficulty_scoring import HABIT_STRENGTHS
from impossible_moments.mechanics.records import BaseForm, Category, Identifier, Sentence

Fixedness: TypeAlias = Literal[
    "surprise",
    "functional fixedness",
    "overlooked property",
    "implicit constraint",
    "mental set",
    "misleading salience",
    "causal misattribution",
    "scale intuition",
    "inversion",
    "frame",
]
FIXEDNESS: Final = HABIT_STRENGTHS
"""The habit that an insight must break, and how hard that is: the counter-intuition scale, 1 to 5."""
Domain: TypeAlias = Literal[
    "structures", "motion", "fluids", "heat", "electricity", "chemistry", "biology", "medicine", "optics", "acoustics",
    "signals", "navigation", "rules", "logic", "language", "economics", "scale", "materials", "astronomy", "computing",
]  # fmt: skip


def _convert_number_to_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Draw: TypeAlias = Annotated[str, BeforeValidator(_convert_number_to_text)]
Draws: TypeAlias = dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Draw]
Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=2_000)]


class InsightNote(BaseForm):
    """The fixedness type and domain of an insight, and the insights it needs."""

    type: Fixedness
    domain: Domain
    needs: list[str] = Field(default=[])
    """The calls, as the record writes them, whose insights come first."""


class DistractorNote(BaseForm):
    """Why a thing that no solution needs is present."""

    use: Sentence
    """The canonical use of the thing."""
    tempts: Sentence
    """The idea by which it misleads."""
    fails: Sentence
    """The property, with its number, that defeats the idea."""


class WrongAnswerNote(BaseForm):
    """A wrong answer as a reader would state it, and why it is wrong."""

    answer: Sentence
    why: Sentence


class ScenarioNotes(BaseForm):
    """Notes on a scenario besides its public text. Later layers replace earlier ones entry by entry."""

    concept: Text | None = None
    why_it_matters: Text | None = None
    looks_impossible: Text | None = None
    """Public. The wrong mental picture of a reader, not a repetition of the story."""
    excluded: Text | None = None
    """What that picture leaves out."""
    correct_outcome: Text | None = None
    category_match: Text | None = None
    proof: Text | None = None
    """For PX: the argument in words."""
    criteria: list[Text] = Field(default=[])
    """What any valid answer must satisfy, if there is no single correct one."""
    open_questions: list[Text] = Field(default=[])
    insights: dict[str, InsightNote] = Field(
        default={}, examples=['{"tie(rope, *)": {type: overlooked property, domain: materials}}']
    )
    distractors: dict[str, DistractorNote] = Field(
        default={}, examples=["{lamp: {use: light, tempts: It is warm., fails: It gives too little heat.}}"]
    )
    wrong: dict[str, WrongAnswerNote] = Field(
        default={}, examples=["{jump: {answer: Jump over., why: The gap is too wide.}}"]
    )
    materials: dict[str, str] = Field(default={}, examples=["{step: newsprint and cord}"])
    """The material of a thing, if no library row states it."""
    notes: dict[str, str] = Field(default={}, examples=["{step: corded hard}"])
    """Text for the object table, by thing."""
    environment: dict[str, str] = Field(default={}, examples=["{light: dim}"])
    """Additional rows of the environment table, by feature."""
    capabilities: dict[str, str] = Field(default={}, examples=["{training: none}"])
    words: dict[str, str] = Field(default={}, examples=["{bears: bears, clock: time until the water comes}"])
    """The table phrase for a property or quantity; for a truth value `phrase | opposite phrase`."""
    steps: dict[str, str] = Field(default={}, examples=['{tie: "Tie {a} to {b}."}'])
    """How a call is described, by verb. `{slot}` stands for the label of the argument."""
    closed_ideas: dict[str, Text] = Field(default={}, examples=["{phone: the line went dead}"])
    """For an everyday idea, or several separated by commas, the words of the public text that close them."""
    modelled_ideas: dict[str, str] = Field(default={}, examples=["{break_it: shoulder_the_door}"])
    """For an everyday idea, the approach, action or distractor that models it."""
    inapplicable_ideas: dict[str, Text] = Field(default={}, examples=["{float: the water is ankle-deep}"])
    """For an everyday idea that does not apply here, the reason, for reviewers."""


class Overlay(BaseForm):
    """A layer that is merged over others: draws, texts, a partial record and notes."""

    draws: Draws = Field(default={}, examples=["{sill: 2.6..3.2 by 0.05, hull: a lighter | a coaster}"])
    texts: Draws = Field(default={}, examples=["{weather: It rains. | It has stopped raining.}"])
    """Pieces of text that `$name` stands for, such as a sentence about an optional thing."""
    record: dict[str, Any] = Field(default={}, examples=["{things: [{name: step, label: a workbench}]}"])
    telling: dict[str, Any] = Field(default={}, examples=["{materials: {step: pine}, words: {bears: bears}}"])


class OptionGroup(BaseForm):
    """Alternatives of which some are drawn."""

    take: int = Field(default=1, ge=1, le=12)
    of: list[Overlay] = Field(min_length=1, max_length=30)


class BlueprintVariant(Overlay):
    """One ending of a family. Its overlay sets the status."""

    tier: Literal["SPARK", "FRACTURE", "RUPTURE", "SINGULARITY", "IMPOSSIBLE"] | None = None
    """The expected difficulty tier. A check reports where the computed tier differs."""
    titles: list[str] = Field(default=[], examples=["[Second Reel, The Last Showing]"])


class SkinForm(Overlay):
    """One setting of a family."""

    format: Literal["im-skin/1"] = "im-skin/1"
    blueprint: Identifier
    name: Identifier
    place: Sentence
    voice: Sentence
    threat: Sentence = "none"
    """The source of pressure in a word or two: flood, fire, embarrassment."""
    titles: list[str] = Field(default=[], examples=["[Second Reel, The Last Showing]"])
    options: dict[str, OptionGroup] = Field(
        default={}, examples=["{weather: {take: 1, of: [{texts: {sky: It rains.}}]}}"]
    )
    variants: dict[Identifier, BlueprintVariant] = Field(min_length=1, examples=["{one_way: {}}"])
    """The variants of the blueprint that this skin supports, each with its changes."""


class BlueprintForm(Overlay):
    """A family of scenarios."""

    format: Literal["im-blueprint/1"]
    name: Identifier
    category: Category
    idea: Sentence
    """The insight of the family in one sentence, independent of any setting."""
    variants: dict[Identifier, BlueprintVariant] = Field(
        min_length=1, examples=["{one_way: {tier: FRACTURE}}"]
    )
    skins: list[SkinForm] = Field(default=[])
    """Skins in the same file."""
