"""Deliverables with a canary in every field: a word or a number that occurs nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from itertools import count
from pkgutil import iter_modules
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from impossible_moments import domain
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel, get_field_labels

PACKAGE: Final = "impossible_moments.domain."


def list_deliverable_models() -> tuple[type[LabelledModel], ...]:
    """Return every deliverable model: those that are not part of another model."""
    for module in iter_modules(domain.__path__, PACKAGE):
        import_module(module.name)  # a model is known once its module is imported
    models = [each for each in LabelledModel.__subclasses__() if each.__module__.startswith(PACKAGE)]
    parts = {GenerationBrief, *(part for each in models for part in _iterate_part_models(each))}
    return tuple(sorted((each for each in models if each not in parts), key=lambda each: each.__name__))


def list_labelled_leaves(model: type[LabelledModel], path: str = "") -> dict[str, frozenset[ContentLabel]]:
    """Return the labels of the fields that contain no further labelled model, by path."""
    found: dict[str, frozenset[ContentLabel]] = {}
    for name, labels in get_field_labels(model).items():
        here = f"{path or model.__name__}.{name}"
        inner = list(_iterate_annotated_models(model.model_fields[name].annotation))
        if labels or not inner:
            found[here] = labels
            continue
        for each in inner:
            found |= list_labelled_leaves(each, here)
    return found


@dataclass(frozen=True, slots=True)
class PlantedValue:
    """A planted value."""

    path: tuple[str | int, ...]
    labels: frozenset[ContentLabel]
    canary: str | None
    """None if a field allows too few values to be recognisable."""

    def is_visible_in(self, text: str, fields: dict[str, Any]) -> bool:
        """Return whether the value can be read anywhere in the text or at its own path."""
        return self.canary in text if self.canary is not None else _has_path(fields, self.path)


@dataclass
class CanaryPlanter:
    """Fills models with canaries that are unique to this planter."""

    order: Random
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def plant(self, model: type[LabelledModel]) -> tuple[LabelledModel, list[PlantedValue]]:
        """Return an instance of a model and its planted values."""
        leaves: list[PlantedValue] = []
        return model(**self._plant_fields(model, (), frozenset(), leaves)), leaves

    def _plant_fields(
        self,
        model: type[LabelledModel],
        path: tuple[str | int, ...],
        outer: frozenset[ContentLabel],
        leaves: list[PlantedValue],
    ) -> dict[str, Any]:
        return {
            name: self._plant_value(
                model.model_fields[name].annotation,
                model.model_fields[name],
                (*path, name),
                outer or labels,
                leaves,
            )
            for name, labels in get_field_labels(model).items()
        }

    def _plant_value(
        self,
        annotation: Any,
        info: FieldInfo,
        path: tuple[str | int, ...],
        labels: frozenset[ContentLabel],
        leaves: list[PlantedValue],
    ) -> Any:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._plant_value(arguments[0], info, path, labels, leaves)
        if origin in {Union, UnionType}:
            choice = next(each for each in arguments if each is not NoneType)
            return self._plant_value(choice, info, path, labels, leaves)
        if origin is tuple:
            length = self.order.randint(1, 2)
            return tuple(
                self._plant_value(arguments[0], info, (*path, place), labels, leaves)
                for place in range(length)
            )
        if isinstance(annotation, type) and issubclass(annotation, LabelledModel):
            return annotation(**self._plant_fields(annotation, path, labels, leaves))
        value, canary = self._plant_leaf(annotation, origin, info)
        leaves.append(PlantedValue(path, labels, canary))
        return value

    def _plant_leaf(self, annotation: Any, origin: Any, info: FieldInfo) -> tuple[Any, str | None]:
        number = next(self.numbers)
        if origin is dict:
            return {_make_word(number): _make_word(number)}, _make_word(number)
        if origin is Literal:
            return self.order.choice(get_args(annotation)), None
        if annotation is bool or issubclass(annotation, Enum):
            return self.order.choice([True, False] if annotation is bool else list(annotation)), None
        if annotation is float:  # in every range that the models allow, and no other number's beginning
            return _make_share(number), repr(_make_share(number))
        most = next((found for each in info.metadata if (found := getattr(each, "le", None))), None)
        if annotation is int and most is not None:
            return self.order.randint(1, int(most)), None
        if annotation is int:
            return _make_integer(number), str(_make_integer(number))
        pattern = next((found for each in info.metadata if (found := getattr(each, "pattern", None))), "")
        word = f"IM-{_make_integer(number)}" if "IM-" in pattern else _make_word(number)
        return word, word


def _make_word(number: int) -> str:
    return f"canary{number:06d}x"


def _make_share(number: int) -> float:
    return (100_000_000_001 + 10 * number) / 1e12


def _make_integer(number: int) -> int:
    return 7_000_000_007 + 10 * number


def format_view(view: dict[str, Any]) -> str:
    """Return a view as it is sent to a model."""
    return json.dumps(view, ensure_ascii=False)


def _has_path(data: Any, path: tuple[str | int, ...]) -> bool:
    for step in path:
        match data:
            case dict() if step in data:
                data = data[step]
            case list() if isinstance(step, int) and step < len(data):
                data = data[step]
            case _:
                return False
    return True


def _iterate_part_models(model: type[LabelledModel]) -> Iterator[type[LabelledModel]]:
    for info in model.model_fields.values():
        yield from _iterate_annotated_models(info.annotation)


def _iterate_annotated_models(annotation: Any) -> Iterator[type[LabelledModel]]:
    if isinstance(annotation, type) and issubclass(annotation, LabelledModel):
        yield annotation
    for each in get_args(annotation):
        yield from _iterate_annotated_models(each)
