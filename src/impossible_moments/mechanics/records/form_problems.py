"""All mistakes in the form of a document, each as a sentence with its place and the likely right name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

MOST_DESCRIBED: Final = 40
MOST_EXAMPLE: Final = 120
"""The most characters of an example that a sentence quotes."""
_SHAPES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "dict_type": ("a map of names to values", "{name: value}"),
        "model_type": ("a map of fields", "{}"),
        "model_attributes_type": ("a map of fields", "{}"),
        "list_type": ("a list", "[first, second]"),
        "string_type": ("a text", "some words"),
    }
)
"""What a value of the wrong type should be, in words and as an example, by the kind of fault."""


def describe_form_problems(form: type[BaseModel], problem: ValidationError) -> tuple[str, ...]:
    """Return a sentence for every mistake that the validation of a form found, in the order of the document."""
    faults = problem.errors(include_url=False)
    described = tuple(
        f"at /{'/'.join(map(str, fault['loc']))}, {_describe_fault(form, fault)}"
        for fault in faults[:MOST_DESCRIBED]
    )
    left = len(faults) - len(described)
    return (*described, f"{left} more places have the wrong form.") if left else described


def _describe_fault(form: type[BaseModel], fault: ErrorDetails) -> str:
    *place, name = fault["loc"] or ("",)
    if fault["type"] == "extra_forbidden":
        known = sorted({each for model in _find_models_at(form, place) for each in model.model_fields})
        near = get_close_matches(str(name), known, n=1, cutoff=0.5)
        hint = f"Did you mean `{near[0]}`" if near else f"The fields are {', '.join(known)}"
        return f"`{name}` is not a field here. {hint}{'?' if near else '.'}"
    if fault["type"] == "missing":
        return f"`{name}` is missing."
    if fault["type"] in _SHAPES:
        return _describe_wrong_shape(form, fault)
    message = fault["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{message[:1].lower()}{message[1:]}."


def _describe_wrong_shape(form: type[BaseModel], fault: ErrorDetails) -> str:
    *place, name = fault["loc"] or ("",)
    shape, usual = _SHAPES[fault["type"]]
    if fault["type"].startswith("model"):
        fields = {
            field for model in _find_models_at(form, fault["loc"]) for field in _list_required_fields(model)
        }
        example = f"{{{', '.join(f'{field}: ...' for field in sorted(fields))}}}"
    else:
        examples = [
            str(field.examples[0])
            for model in _find_models_at(form, place)
            if (field := model.model_fields.get(str(name))) is not None and field.examples
        ]
        example = next((each for each in examples if len(each) <= MOST_EXAMPLE), usual)
    key = f"{name}: " if isinstance(name, str) and name else "- "
    return f"{_describe_input(fault['input'])} stands where {shape} belongs: write it as in `{key}{example}`."


def _describe_input(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case Mapping():
            return "a map"
        case list() | tuple():
            return "a list"
        case str():
            return "a text"
        case bool():
            return "a truth value"
        case _:
            return "a number"


def _list_required_fields(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(name for name, field in model.model_fields.items() if field.is_required())


def _find_models_at(form: type[BaseModel], place: Sequence[str | int]) -> tuple[type[BaseModel], ...]:
    """Return the models that a place may hold. Parts that select an entry of a list or a map are passed over."""
    models: tuple[type[BaseModel], ...] = (form,)
    for part in place:
        fields = [model.model_fields[str(part)] for model in models if str(part) in model.model_fields]
        if fields:
            models = tuple(model for field in fields for model in _list_models(field.annotation))
    return models


def _list_models(annotation: object) -> tuple[type[BaseModel], ...]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return (annotation,)
    return tuple(model for argument in get_args(annotation) for model in _list_models(argument))
