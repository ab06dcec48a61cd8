"""Content labels: what a field reveals. Who may read a label is the isolation matrix's business.

A field without a label reaches nobody but its author: forgetting one hides too much and never too little. A field
with two labels is read by those who may read both.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import StrEnum
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict


class Content(StrEnum):
    """The rows of the isolation matrix, and the few that the specification leaves to the reader."""

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
    # not rows of the specification's matrix
    SOCRATES_CONFIDENCE = "SOCRATES confidence"
    BRIEF = "Generation brief"
    REVISION = "Revision requirement"
    REVIEW = "Cross-review"
    TRACE = "Agent trace"
    EXTENSION = "Further agents' work"


class Labelled(BaseModel):
    """A frozen model whose fields wear labels: `narrative: Annotated[str, Content.NARRATIVE]`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def showing(self, visible: Set[Content]) -> dict[str, Any]:
        """The fields that may be read, as plain data; what holds nothing readable is left out."""
        found: dict[str, Any] = {}
        for name, labels in labels_of(type(self)).items():
            value = getattr(self, name)
            if labels:
                if labels <= visible:
                    found[name] = _plain(value)
                continue
            inner = _shown(value, visible)
            if inner:
                found[name] = inner
        return found


@lru_cache(maxsize=256)
def labels_of(model: type[Labelled]) -> dict[str, frozenset[Content]]:
    """The labels of each field; none where the field has none of its own."""
    return {
        name: frozenset(each for each in info.metadata if isinstance(each, Content))
        for name, info in model.model_fields.items()
    }


def unlabelled(model: type[Labelled], path: str = "") -> Iterator[str]:
    """The leaves that wear no label, with their paths: nobody but the author would ever see them."""
    for name, labels in labels_of(model).items():
        if labels:
            continue
        inner = list(_models_in(model.model_fields[name].annotation))
        if not inner:
            yield f"{path}{model.__name__}.{name}"
        for each in inner:
            yield from unlabelled(each, f"{path}{model.__name__}.{name} > ")


def _models_in(annotation: object) -> Iterator[type[Labelled]]:
    if isinstance(annotation, type) and issubclass(annotation, Labelled):
        yield annotation
    for each in get_args(annotation):
        yield from _models_in(each)


def _shown(value: object, visible: Set[Content]) -> object:
    """What may be read of a value whose field has no label: only what labelled models in it allow."""
    match value:
        case Labelled():
            return value.showing(visible)
        case tuple() | list():
            return [inner for each in value if (inner := _shown(each, visible))]
        case dict():
            return {key: inner for key, each in value.items() if (inner := _shown(each, visible))}
        case _:
            return None


def _plain(value: object) -> object:
    match value:
        case BaseModel():
            return value.model_dump(mode="json")
        case tuple() | list():
            return [_plain(each) for each in value]
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case _:
            return value
