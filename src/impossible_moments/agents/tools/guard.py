"""The edge between a model and a tool: a call is bound, carried out and answered within bounds, or refused in one sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from threading import Lock
from typing import Final, TypeAlias

from impossible_moments.agents.tools.arguments import ToolRefused, meant
from impossible_moments.agents.tools.results import Data, bounded
from impossible_moments.mechanics.document_values import excerpt

Call: TypeAlias = Callable[..., Data]
LONGEST_REFUSAL: Final = 900
_ONE_AT_A_TIME: Final = Lock()
"""A model may make several calls at once, each in a thread of its own; what computes here keeps state of its own."""


def guarded(name: str, answer: Call) -> Call:
    """The call with its arguments held against its parameters and its answer cut to length; its signature stays."""
    parameters = inspect.signature(answer).parameters

    @wraps(answer)
    def call(*further: object, **given: object) -> Data:
        if further:
            raise ToolRefused(f"{name} takes its arguments by name: {_usage(name, parameters)}.")
        for each in given:
            if each not in parameters:
                raise ToolRefused(
                    f"{name} has no parameter `{excerpt(each)}`{meant(each, parameters)}; call it as {_usage(name, parameters)}."
                )
        for each, parameter in parameters.items():
            if each not in given and parameter.default is inspect.Parameter.empty:
                raise ToolRefused(
                    f"{name} was called without `{each}`; call it as {_usage(name, parameters)}."
                )
        try:
            with _ONE_AT_A_TIME:
                return bounded(answer(**given))
        except ToolRefused as refusal:
            # what a model wrote stands in it: on one line, and no longer than a reader takes in
            raise ToolRefused(excerpt(str(refusal), LONGEST_REFUSAL)) from None
        except RecursionError:
            raise ToolRefused(
                f"what {name} was given is nested too deeply to be followed; name its parts and use fewer levels."
            ) from None

    return call


def _usage(name: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    shown = ", ".join(
        each if parameter.default is inspect.Parameter.empty else f"{each} (if wanted)"
        for each, parameter in parameters.items()
    )
    return f"{name}({shown})"
