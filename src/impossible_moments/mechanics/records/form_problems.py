"""All mistakes in the form of a document, each as a sentence with its place and the likely right name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

MOST_DESCRIBED: Final = 40


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
    message = fault["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{message[:1].lower()}{message[1:]}."


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
