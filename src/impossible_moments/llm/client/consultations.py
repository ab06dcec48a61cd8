"""Consultations: a model gets a task, may call tools, and hands in a typed deliverable in a few tries."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from impossible_moments.llm.client.model_connections import ModelConnection
from impossible_moments.llm.client.model_tools import (
    MOST_FAULTS,
    describe_validation_errors,
    get_tool_definition,
    run_tool_call,
)
from impossible_moments.llm.consultation_tasks import (
    HAND_IN,
    TRIES,
    ConsultationBill,
    ConsultationResult,
    ConsultationTask,
    ReviewedDeliverable,
    describe_hand_in_tool,
)
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance

R = TypeVar("R", bound=BaseModel)
MOST_LOOK_UPS: Final = 24
"""Tool calls in one consultation. After the last one the model must hand in."""
LARGEST_REPLY: Final = 200_000
"""Characters. Longer replies are not parsed."""
_LONGEST_LOGGED: Final = 600


@dataclass
class _ConsultationDialogue(Generic[R]):
    task: ConsultationTask[R]
    line: ModelConnection
    allowance: TokenAllowance
    budget: SpendingBudget
    messages: list[ModelMessage] = field(default_factory=list)
    bill: ConsultationBill = field(default_factory=ConsultationBill)
    look_ups: list[Mapping[str, str]] = field(default_factory=list)
    tries: int = 0
    last: ReviewedDeliverable[R] | None = None

    async def run(self) -> ConsultationResult[R]:
        self.messages.append(_build_opening_request(self.task))
        while self.tries < TRIES:
            response = await self._request_response()
            self.messages.append(response)
            parts = [part async for part in self._answer_tool_calls(response)]
            if self.last is not None and not self.last.faults:
                break
            self.messages.append(ModelRequest(parts=parts, instructions=self.task.system))
        if self.last is None:
            raise ModelFailure(
                FailureKind.NO_DELIVERABLE,
                str(self.line.reference),
                f"a {self.task.returns.__name__} was expected",
            )
        return ConsultationResult(
            self.last.deliverable, self.bill, self.tries, self.last.faults, tuple(self.look_ups)
        )

    async def _request_response(self) -> ModelResponse:
        parameters = _build_request_parameters(self.task, exhausted=len(self.look_ups) >= MOST_LOOK_UPS)
        answered = await self.line.ask(
            self.messages, parameters, allowance=self.allowance, budget=self.budget
        )
        self.bill.add_call(answered.paid)
        return answered.response

    async def _answer_tool_calls(self, response: ModelResponse) -> AsyncIterator[ModelRequestPart]:
        """Yield the reply to each tool call of a response.

        A response without calls is read as the deliverable.
        """
        calls = response.tool_calls
        if not calls:
            self._accept_deliverable(_extract_json_object(response.text or ""))
            yield UserPromptPart(
                self._format_review_of_deliverable(
                    f"Call the tool `{HAND_IN}`. Text outside a tool call is ignored."
                )
            )
        handed_in, exhausted = False, len(self.look_ups) >= MOST_LOOK_UPS
        for call in calls:
            if call.tool_name == HAND_IN:
                # only the first deliverable of a response counts
                if not handed_in:
                    self._accept_deliverable(call.args)
                handed_in = True
                yield ToolReturnPart(
                    HAND_IN,
                    self._format_review_of_deliverable("The deliverable cannot be parsed."),
                    call.tool_call_id,
                )
            else:
                yield await self._run_look_up(call)
        if exhausted and calls and not handed_in:
            self.tries += (
                1  # the model was asked to hand in, so an answer without a deliverable counts as a try
            )

    def _accept_deliverable(self, args: str | dict[str, Any] | None) -> None:
        """Parse and review a deliverable that was handed in. An unreadable one is noted in `_unread`."""
        self.tries += 1
        text = args if isinstance(args, str) else json.dumps(args or {})
        self._unread = ""
        if len(text) > LARGEST_REPLY:
            self._unread = f"It is {len(text):,} characters long. The limit is {LARGEST_REPLY:,}."
            return
        try:
            written = self.task.returns.model_validate_json(text).model_dump_json()
            # review the deliverable as it will be stored: JSON has no NaN and writes null instead
            found = self.task.returns.model_validate_json(written)
        except ValidationError as problem:
            self._unread = "\n".join(describe_validation_errors(problem))
            return
        self.last = self.task.review(found) if self.task.review is not None else ReviewedDeliverable(found)

    def _format_review_of_deliverable(self, otherwise: str) -> str:
        left = TRIES - self.tries
        again = (
            f"Fix it and call `{HAND_IN}` again with the whole deliverable. {left} of {TRIES} tries are left."
        )
        if self._unread:
            return f"{otherwise}\n{self._unread}\n{again}"
        faults = self.last.faults if self.last is not None else ()
        if not faults:
            return "Received."
        shown = "\n".join(f"- {fault}" for fault in faults[:MOST_FAULTS])
        more = f"\n- and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
        return f"The deliverable was parsed, but the checks find:\n{shown}{more}\n{again}"

    async def _run_look_up(self, call: ToolCallPart) -> ModelRequestPart:
        instrument = next((each for each in self.task.tools if each.name == call.tool_name), None)
        if instrument is None:
            names = ", ".join([*(each.name for each in self.task.tools), HAND_IN])
            said = f"There is no tool `{call.tool_name[:60]}`. The tools are {names}."
        elif len(self.look_ups) >= MOST_LOOK_UPS:
            said = f"All {MOST_LOOK_UPS} look-ups are used up. Hand in with what you have."
        else:
            said = await asyncio.to_thread(run_tool_call, instrument, call)
        if len(self.look_ups) < MOST_LOOK_UPS:  # the log holds at most MOST_LOOK_UPS entries
            self.look_ups.append(
                {
                    "tool": call.tool_name[:60],
                    "arguments": call.args_as_json_str()[:_LONGEST_LOGGED],
                    "result": said[:_LONGEST_LOGGED],
                }
            )
        return ToolReturnPart(call.tool_name, said, call.tool_call_id)

    _unread: str = ""


def _build_opening_request(task: ConsultationTask[R]) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(task.user)], instructions=task.system)


def _build_request_parameters(
    task: ConsultationTask[R], *, exhausted: bool = False
) -> ModelRequestParameters:
    return ModelRequestParameters(
        function_tools=[] if exhausted else [get_tool_definition(each) for each in task.tools],
        output_tools=[_build_hand_in_tool(task.returns)],
        output_mode="tool",
        allow_text_output=False,
    )


async def consult_model(
    task: ConsultationTask[R], line: ModelConnection, *, allowance: TokenAllowance, budget: SpendingBudget
) -> ConsultationResult[R]:
    """Ask a model for a deliverable: run its tool calls, return faults to it, and accept what it hands in.

    A deliverable that is valid but still has faults after the last try is returned with its faults. The
    quality gates decide about it.
    """
    dialogue = _ConsultationDialogue(task, line, allowance, budget)
    try:
        return await dialogue.run()
    except ModelFailure as failure:
        if dialogue.last is not None and failure.kind in {FailureKind.TRUNCATED, FailureKind.BUDGET}:
            return ConsultationResult(
                dialogue.last.deliverable,
                dialogue.bill,
                dialogue.tries,
                dialogue.last.faults,
                tuple(dialogue.look_ups),
            )
        raise


@lru_cache(maxsize=64)
def _build_hand_in_tool(returns: type[BaseModel]) -> ToolDefinition:
    described = describe_hand_in_tool(returns)
    return ToolDefinition(
        name=described.name,
        description=described.description,
        parameters_json_schema=dict(described.parameters),
        kind="output",
        strict=False,
    )


def _extract_json_object(text: str) -> str:
    """Return the JSON object in a text, for models that write the deliverable instead of calling the tool."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else "{}"
