"""Tasks for models and the results of consultations, as plain data that need no client of a provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel

R = TypeVar("R", bound=BaseModel)
HAND_IN: Final = "hand_in"
"""The name of the tool with which a model hands in its deliverable."""
TRIES: Final = 3
"""How often a model may hand in."""
_EMPTY_DEFAULTS: Final[tuple[object, ...]] = (None, "", [], {})


@dataclass(frozen=True)
class ModelTool:
    """A tool: a function with a description and simply typed parameters."""

    name: str
    description: str
    call: Callable[..., Any]


@dataclass(frozen=True)
class ReviewedDeliverable(Generic[R]):
    """A deliverable as it will be handed in, and its faults."""

    deliverable: R
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class ConsultationTask(Generic[R]):
    """The task that a model is given."""

    system: str
    user: str
    returns: type[R]
    tools: tuple[ModelTool, ...] = ()
    review: Callable[[R], ReviewedDeliverable[R]] | None = None
    """Completes and checks a deliverable. The faults it finds are sent back to the model."""


@dataclass(frozen=True, slots=True)
class CallCost:
    """The tokens and the cost of one call."""

    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    estimated: bool = False
    thinking_tokens: int | None = None
    """Output tokens that were billed for thinking, or None if the provider does not report them."""


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """The plain text that a model answered, and its cost."""

    text: str
    paid: CallCost
    thinking_sent: str = ""
    """The settings that asked for a thinking budget, in words."""


@dataclass
class ConsultationBill:
    """The requests, tokens and cost of a consultation."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = Decimal(0)
    estimated: bool = False
    largest_prompt: int = 0

    def add_call(self, paid: CallCost) -> None:
        """Add the cost of one call."""
        self.requests += 1
        self.input_tokens += paid.input_tokens
        self.output_tokens += paid.output_tokens
        self.cost = None if self.cost is None or paid.cost is None else self.cost + paid.cost
        self.estimated = self.estimated or paid.estimated
        self.largest_prompt = max(self.largest_prompt, paid.input_tokens)


@dataclass(frozen=True)
class ConsultationResult(Generic[R]):
    """The result of a consultation."""

    deliverable: R
    bill: ConsultationBill
    tries: int
    faults: tuple[str, ...] = ()
    """Faults that remained after the last try."""
    look_ups: tuple[Mapping[str, str], ...] = ()
    """Every tool call with its arguments and its result."""


@dataclass(frozen=True)
class ToolDescription:
    """A tool as it is described to a model."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """The JSON Schema of the arguments."""


@lru_cache(maxsize=64)
def describe_hand_in_tool(returns: type[BaseModel]) -> ToolDescription:
    """Return the description of the tool that hands in a deliverable."""
    schema = _simplify_schema(returns.model_json_schema())
    description = schema.pop("description", "") or returns.__name__
    return ToolDescription(HAND_IN, f"Hand in the deliverable: {description}", schema)


def _simplify_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema without what a writer does not need.

    Generated titles only repeat the names of fields. An empty default says only that a field may be left out, which
    `required` says too, and then null need not be offered as a second way to leave it out.
    """
    found: dict[str, Any] = {}
    for key, value in _omit_null(schema).items():
        if (key == "title" and isinstance(value, str)) or (key == "default" and value in _EMPTY_DEFAULTS):
            continue
        if key in {"properties", "$defs"}:
            found[key] = {name: _simplify_schema(each) for name, each in value.items()}
        elif isinstance(value, dict):
            found[key] = _simplify_schema(value)
        elif isinstance(value, list):
            found[key] = [_simplify_schema(each) if isinstance(each, dict) else each for each in value]
        else:
            found[key] = value
    return found


def _omit_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of an optional field, which is null by default, without the choice of null."""
    if "default" not in schema or schema["default"] is not None:
        return schema
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) != 1:
        return schema
    return {**choices[0], **{key: value for key, value in schema.items() if key != "anyOf"}}
