"""Deliverables with a canary in every field: a word or a number that occurs nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel, get_field_labels

PACKAGE: Final = "impossible_moments.domain."


def deliverables() -> tuple[type[LabelledModel], ...]:
    """Every model that can be handed in: those that are not part of another."""
    models = [each for each in LabelledModel.__subclasses__() if each.__module__.startswith(PACKAGE)]
    parts = {GenerationBrief, *(part for each in models for part in _parts(each))}
    return tuple(sorted((each for each in models if each not in parts), key=lambda each: each.__name__))


def labelled_leaves(model: type[LabelledModel], path: str = "") -> dict[str, frozenset[ContentLabel]]:
    """The fields that hold no further labelled model, by their paths, with their labels."""
    found: dict[str, frozenset[ContentLabel]] = {}
    for name, labels in get_field_labels(model).items():
        here = f"{path or model.__name__}.{name}"
        inner = list(_models(model.model_fields[name].annotation))
        if labels or not inner:
            found[here] = labels
            continue
        for each in inner:
            found |= labelled_leaves(each, here)
    return found


@dataclass(frozen=True, slots=True)
class Leaf:
    """A planted value."""

    path: tuple[str | int, ...]
    labels: frozenset[ContentLabel]
    canary: str | None
    """None where a field allows too few values to be recognised by one."""

    def is_in(self, text: str, fields: dict[str, Any]) -> bool:
        """Whether the value can be read: anywhere in the text, or else at its own place."""
        return self.canary in text if self.canary is not None else _holds(fields, self.path)


@dataclass
class Planter:
    """Makes models full of canaries; all that one planter makes differ from each other."""

    order: Random
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def planted(self, model: type[LabelledModel]) -> tuple[LabelledModel, list[Leaf]]:
        """An instance of a model and its leaves."""
        leaves: list[Leaf] = []
        return model(**self._fields(model, (), frozenset(), leaves)), leaves

    def _fields(
        self,
        model: type[LabelledModel],
        path: tuple[str | int, ...],
        outer: frozenset[ContentLabel],
        leaves: list[Leaf],
    ) -> dict[str, Any]:
        return {
            name: self._value(
                model.model_fields[name].annotation,
                model.model_fields[name],
                (*path, name),
                outer or labels,
                leaves,
            )
            for name, labels in get_field_labels(model).items()
        }

    def _value(
        self,
        annotation: Any,
        info: FieldInfo,
        path: tuple[str | int, ...],
        labels: frozenset[ContentLabel],
        leaves: list[Leaf],
    ) -> Any:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._value(arguments[0], info, path, labels, leaves)
        if origin in {Union, UnionType}:
            choice = next(each for each in arguments if each is not NoneType)
            return self._value(choice, info, path, labels, leaves)
        if origin is tuple:
            length = self.order.randint(1, 2)
            return tuple(
                self._value(arguments[0], info, (*path, place), labels, leaves) for place in range(length)
            )
        if isinstance(annotation, type) and issubclass(annotation, LabelledModel):
            return annotation(**self._fields(annotation, path, labels, leaves))
        value, canary = self._leaf(annotation, origin, info)
        leaves.append(Leaf(path, labels, canary))
        return value

    def _leaf(self, annotation: Any, origin: Any, info: FieldInfo) -> tuple[Any, str | None]:
        number = next(self.numbers)
        if origin is dict:
            return {_word(number): _word(number)}, _word(number)
        if origin is Literal:
            return self.order.choice(get_args(annotation)), None
        if annotation is bool or issubclass(annotation, Enum):
            return self.order.choice([True, False] if annotation is bool else list(annotation)), None
        if annotation is float:  # in every range that the models allow, and no other number's beginning
            return _share(number), repr(_share(number))
        most = next((found for each in info.metadata if (found := getattr(each, "le", None))), None)
        if annotation is int and most is not None:
            return self.order.randint(1, int(most)), None
        if annotation is int:
            return _whole(number), str(_whole(number))
        pattern = next((found for each in info.metadata if (found := getattr(each, "pattern", None))), "")
        word = f"IM-{_whole(number)}" if "IM-" in pattern else _word(number)
        return word, word


def _word(number: int) -> str:
    return f"canary{number:06d}x"


def _share(number: int) -> float:
    return (100_000_000_001 + 10 * number) / 1e12


def _whole(number: int) -> int:
    return 7_000_000_007 + 10 * number


def text_of(view: dict[str, Any]) -> str:
    """A view as it is written out."""
    return json.dumps(view, ensure_ascii=False)


def _holds(data: Any, path: tuple[str | int, ...]) -> bool:
    for step in path:
        match data:
            case dict() if step in data:
                data = data[step]
            case list() if isinstance(step, int) and step < len(data):
                data = data[step]
            case _:
                return False
    return True


def _parts(model: type[LabelledModel]) -> Iterator[type[LabelledModel]]:
    for info in model.model_fields.values():
        yield from _models(info.annotation)


def _models(annotation: Any) -> Iterator[type[LabelledModel]]:
    if isinstance(annotation, type) and issubclass(annotation, LabelledModel):
        yield annotation
    for each in get_args(annotation):
        yield from _models(each)
