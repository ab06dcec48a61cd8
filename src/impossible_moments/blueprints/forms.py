"""The files of a blueprint as they are written: a family of scenarios, and the skins that tell it.

A blueprint holds what its scenarios share: the mechanics, the variants that give it its statuses, and what is said of
them in any setting. A skin holds one setting: a place, a voice, its things and ranges, and the story. Both hold partial
records; together with a variant they make a whole one.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from impossible_moments.mechanics.form import Form, Identifier, Sentence
from impossible_moments.mechanics.record import Category

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
FIXEDNESS: Final[dict[str, int]] = {
    "surprise": 1,
    "functional fixedness": 2,
    "overlooked property": 2,
    "implicit constraint": 3,
    "mental set": 3,
    "misleading salience": 3,
    "causal misattribution": 3,
    "scale intuition": 4,
    "inversion": 4,
    "frame": 5,
}
"""The habit an insight must break, and how hard it holds: the framework's scale of counter-intuition, 1 to 5."""
Domain: TypeAlias = Literal[
    "structures", "motion", "fluids", "heat", "electricity", "chemistry", "biology", "medicine", "optics", "acoustics",
    "signals", "navigation", "rules", "logic", "language", "economics", "scale", "materials", "astronomy", "computing",
]  # fmt: skip


def _written(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Draw: TypeAlias = Annotated[str, BeforeValidator(_written)]
Draws: TypeAlias = dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Draw]
Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=2_000)]


class InsightNote(Form):
    """What is known of an insight besides its sentence."""

    type: Fixedness
    domain: Domain
    needs: list[str] = Field(default=[])
    """The calls, as the record's insights write them, whose insights come first."""


class DistractorNote(Form):
    """Why a thing that no way needs stands there."""

    use: Sentence
    """Its canonical use."""
    tempts: Sentence
    """The story by which it misleads."""
    fails: Sentence
    """The property, with its number, that kills the story."""


class WrongNote(Form):
    """A wrong answer as a reader would put it."""

    answer: Sentence
    why: Sentence


class Telling(Form):
    """What is said of a scenario beside its public text; later ones are laid over earlier ones, entry by entry."""

    concept: Text | None = None
    why_it_matters: Text | None = None
    looks_impossible: Text | None = None
    """Public. The false picture in a reader's head, not the story again."""
    excluded: Text | None = None
    """What that picture leaves out."""
    correct_outcome: Text | None = None
    category_match: Text | None = None
    proof: Text | None = None
    """PX: the argument in words."""
    criteria: list[Text] = Field(default=[])
    """What any valid answer must satisfy, where there is no single right one."""
    open_questions: list[Text] = Field(default=[])
    insights: dict[str, InsightNote] = Field(default={})
    distractors: dict[str, DistractorNote] = Field(default={})
    wrong: dict[str, WrongNote] = Field(default={})
    materials: dict[str, str] = Field(default={})
    """What a thing is made of, where no row of the library says it."""
    notes: dict[str, str] = Field(default={})
    """Words for the table of things, by thing."""
    environment: dict[str, str] = Field(default={})
    """Further rows of the table of the place, by feature."""
    capabilities: dict[str, str] = Field(default={})
    words: dict[str, str] = Field(default={})
    """How tables name a property or quantity; of a truth `phrase | phrase of the contrary`."""
    steps: dict[str, str] = Field(default={})
    """How a call is told, by verb; `{slot}` stands for the label of what fills it."""


class Overlay(Form):
    """Something laid over the rest."""

    draws: Draws = Field(default={})
    texts: Draws = Field(default={})
    """Pieces of text that `$name` stands for, such as the sentence of a thing that may or may not be there."""
    record: dict[str, Any] = Field(default={})
    telling: dict[str, Any] = Field(default={})


class Options(Form):
    """Alternatives of which some are drawn."""

    take: int = Field(default=1, ge=1, le=12)
    of: list[Overlay] = Field(min_length=1, max_length=30)


class Variant(Overlay):
    """A way in which a family ends: its overlay sets the status."""

    tier: Literal["SPARK", "FRACTURE", "RUPTURE", "SINGULARITY", "IMPOSSIBLE"] | None = None
    """What the computed difficulty is expected to be; a check says where it is not."""
    titles: list[str] = Field(default=[])


class SkinForm(Overlay):
    """One setting of a family."""

    format: Literal["im-skin/1"] = "im-skin/1"
    blueprint: Identifier
    name: Identifier
    place: Sentence
    voice: Sentence
    threat: Sentence = "none"
    """What presses, in a word or two: flood, fire, embarrassment."""
    titles: list[str] = Field(default=[])
    options: dict[str, Options] = Field(default={})
    variants: dict[Identifier, Variant] = Field(min_length=1)
    """The blueprint's variants that this skin tells, each with what it changes."""


class BlueprintForm(Overlay):
    """A family of scenarios."""

    format: Literal["im-blueprint/1"]
    name: Identifier
    category: Category
    idea: Sentence
    """What must be seen, in one sentence and in no setting."""
    variants: dict[Identifier, Variant] = Field(min_length=1)
    skins: list[SkinForm] = Field(default=[])
    """Skins that stand in the same file."""
