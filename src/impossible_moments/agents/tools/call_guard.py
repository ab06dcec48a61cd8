"""The boundary between a model and a tool: calls are checked and answered within limits, or refused."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from threading import Lock
from typing import Final, TypeAlias

from impossible_moments.agents.tools.argument_checks import ToolRefusal, format_name_suggestion
from impossible_moments.agents.tools.tool_results import Data, limit_result_length
from impossible_moments.mechanics.records import format_short_text

Call: TypeAlias = Callable[..., Data]
LONGEST_REFUSAL: Final = 900
_ONE_AT_A_TIME: Final = Lock()
"""Serializes calls: a model may make several at once in different threads, and the tools keep state."""


def guard_tool_call(name: str, answer: Call) -> Call:
    """Wrap a tool so that its arguments are checked and its result is limited in length.

    The signature is kept.
    """
    parameters = inspect.signature(answer).parameters

    @wraps(answer)
    def run_guarded_call(*further: object, **given: object) -> Data:
        if further:
            raise ToolRefusal(
                f"{name} takes keyword arguments only: {_format_tool_signature(name, parameters)}."
            )
        for each in given:
            if each not in parameters:
                raise ToolRefusal(
                    f"{name} has no parameter `{format_short_text(each)}`{format_name_suggestion(each, parameters)}; call it as {_format_tool_signature(name, parameters)}."
                )
        for each, parameter in parameters.items():
            if each not in given and parameter.default is inspect.Parameter.empty:
                raise ToolRefusal(
                    f"{name} was called without `{each}`; call it as {_format_tool_signature(name, parameters)}."
                )
        try:
            with _ONE_AT_A_TIME:
                return limit_result_length(answer(**given))
        except ToolRefusal as refusal:
            # the message contains text of the model: keep it on one line and short
            raise ToolRefusal(format_short_text(str(refusal), LONGEST_REFUSAL)) from None
        except RecursionError:
            raise ToolRefusal(
                f"the arguments of {name} are nested too deeply; name their parts and use fewer levels."
            ) from None

    return run_guarded_call


def _format_tool_signature(name: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    parameter_list = ", ".join(
        each if parameter.default is inspect.Parameter.empty else f"{each} (optional)"
        for each, parameter in parameters.items()
    )
    return f"{name}({parameter_list})"
