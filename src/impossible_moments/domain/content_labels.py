"""Content labels of model fields: the label says what kind of content a field reveals.

The isolation matrix decides which agent may read which label. A field without a label is visible to its
author only, so a forgotten label hides too much and never too little. A field with two labels is visible to
agents that may read both.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict


class ContentLabel(StrEnum):
    """Content types: the rows of the isolation matrix, and a few that the specification does not list."""

    NARRATIVE = "Scenario narrative"
    SOLUTION = "Solution sketch"
    ATHENA_CONFIDENCE = "ATHENA's confidence"
    PHYSICS = "Physics validation"
    MATHEMATICS = "Math verification"
    VALIDATOR_CONFIDENCE = "NEWTON/EULER confidence"
    GROUNDING = "Scientific grounding"
    GALILEO_CONFIDENCE = "GALILEO confidence"
    CLASSIFICATION = "Classification"
    VOTES = "Other agents' I.D.C.B.T.X votes"
    # Not rows of the specification's matrix:
    APPEARANCE = "Title and apparent impossibility"
    SOCRATES_CONFIDENCE = "SOCRATES confidence"
    BRIEF = "Generation brief"
    REVISION = "Revision requirement"
    REVIEW = "Cross-review"
    TRACE = "Agent trace"
    EXTENSION = "Further agents' work"


class LabelledModel(BaseModel):
    """Frozen base model whose fields have labels: `narrative: Annotated[str, ContentLabel.NARRATIVE]`."""

    # The docstring of a field is its description in the JSON Schema that models are sent.
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    counted_as: ClassVar[type[LabelledModel] | None] = None
    """The kind of part by which replies are counted, if a reply is filed in parts."""

    def to_visible_data(self, visible: Set[ContentLabel]) -> dict[str, Any]:
        """Return the fields whose labels are all visible, as plain data, and omit empty fields."""
        found: dict[str, Any] = {}
        for name, labels in get_field_labels(type(self)).items():
            value = getattr(self, name)
            if labels:
                if labels <= visible:
                    found[name] = _convert_to_plain_data(value)
                continue
            inner = _filter_visible_content(value, visible)
            if inner:
                found[name] = inner
        return found


@lru_cache(maxsize=256)
def get_field_labels(model: type[LabelledModel]) -> dict[str, frozenset[ContentLabel]]:
    """Return the labels of each field of a model; the set is empty for a field without labels of its own."""
    return {
        name: frozenset(each for each in info.metadata if isinstance(each, ContentLabel))
        for name, info in model.model_fields.items()
    }


def find_unlabelled_fields(model: type[LabelledModel], path: str = "") -> Iterator[str]:
    """Yield the paths of leaf fields without a label, which only their author could ever see."""
    for name, labels in get_field_labels(model).items():
        if labels:
            continue
        inner = list(_iterate_labelled_models(model.model_fields[name].annotation))
        if not inner:
            yield f"{path}{model.__name__}.{name}"
        for each in inner:
            yield from find_unlabelled_fields(each, f"{path}{model.__name__}.{name} > ")


def _iterate_labelled_models(annotation: object) -> Iterator[type[LabelledModel]]:
    """Yield the labelled models that occur in a type annotation."""
    if isinstance(annotation, type) and issubclass(annotation, LabelledModel):
        yield annotation
    for each in get_args(annotation):
        yield from _iterate_labelled_models(each)


def _filter_visible_content(value: object, visible: Set[ContentLabel]) -> object:
    """Return the visible part of a value whose field has no label: only labelled models inside it count."""
    match value:
        case LabelledModel():
            return value.to_visible_data(visible)
        case tuple() | list():
            return [inner for each in value if (inner := _filter_visible_content(each, visible))]
        case dict():
            return {
                key: inner for key, each in value.items() if (inner := _filter_visible_content(each, visible))
            }
        case _:
            return None


def _convert_to_plain_data(value: object) -> object:
    """Convert models inside a value to JSON data, and tuples to lists."""
    match value:
        case BaseModel():
            return value.model_dump(mode="json")
        case tuple() | list():
            return [_convert_to_plain_data(each) for each in value]
        case dict():
            return {key: _convert_to_plain_data(each) for key, each in value.items()}
        case _:
            return value
