"""Written form of a family of uncertain worlds: a record with open figures, the draws that fill them, and skins."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import (
    BaseForm,
    Category,
    Identifier,
    Sentence,
    describe_form_problems,
    parse_document,
)

FOLDER: Final = "families"
_Share = Annotated[float, Field(ge=0, le=1)]


class FigureDraw(BaseForm):
    """A figure that is drawn evenly from a range with a step."""

    low: float
    high: float
    step: float = Field(gt=0)


class SplitDraw(BaseForm):
    """Probabilities that sum to 1, drawn in hundredths. The value `x` of a draw `place` is the figure `place_x`."""

    split: list[Identifier] = Field(min_length=2)
    least: _Share
    most: _Share


class SkinForm(BaseForm):
    """One setting of a family: its title, its text and the words for names in the record."""

    title: Sentence
    situation: list[Sentence] = Field(min_length=1)
    goal: Sentence
    notes: list[Sentence] = Field(default=[])
    words: dict[Identifier, str]


class FamilyForm(BaseForm):
    """A family. In `record`, a text `$name` stands for a drawn figure and `{name}` within a text for words of the skin."""

    name: Identifier
    category: Category
    idea: Sentence
    """What a good player has to see, for the evaluation document."""
    draws: dict[Identifier, FigureDraw | SplitDraw]
    record: dict[str, Any]
    skins: dict[Identifier, SkinForm] = Field(min_length=2)


@lru_cache(maxsize=1)
def load_families() -> dict[str, FamilyForm]:
    """Return the shipped families by name. Raise `ConfigurationError` if a file is not valid."""
    folder = files("impossible_moments.uncertain_worlds").joinpath(FOLDER)
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".yaml"))
    families = [
        parse_family(parse_document(folder.joinpath(name).read_text("utf-8"), name=name), name)
        for name in names
    ]
    return {each.name: each for each in families}


def parse_family(data: object, name: str) -> FamilyForm:
    """Return the family in data. Raise `ConfigurationError` with every fault if it is not valid."""
    try:
        return FamilyForm.model_validate(data)
    except ValidationError as problem:
        faults = " ".join(describe_form_problems(FamilyForm, problem))
        raise ConfigurationError(f"The family {name} is not valid: {faults}") from None
