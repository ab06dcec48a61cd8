"""Anthropic's messages protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from support.providers.conversation import (
    Call,
    Finish,
    Json,
    Message,
    Question,
    Result,
    Tool,
    Unreadable,
    Usage,
    check_history,
    compact,
    folded,
    required,
    text_of,
)
from support.providers.dialect import Answer, Dialect, Error, Event, bearer, pieces

FINISH: Final[dict[Finish, str]] = {
    "stop": "end_turn",
    "tool": "tool_use",
    "length": "max_tokens",
    "refusal": "refusal",
    "filter": "refusal",
}

# fmt: off
ERRORS: Final[dict[Error, tuple[int, str, str | None, str]]] = {
    #                      status  type                   code                            message
    Error.RATE_LIMIT:     (429, "rate_limit_error",      None,                           "Too many requests in this minute."),
    Error.QUOTA:          (429, "rate_limit_error",      "enforced_spend_limit_reached", "The spend limit of this organization is reached."),
    Error.CREDIT:         (400, "invalid_request_error", None,                           "Your credit balance is too low."),
    Error.AUTHENTICATION: (401, "authentication_error",  None,                           "invalid x-api-key"),
    Error.PERMISSION:     (403, "permission_error",      None,                           "This key may not use the resource."),
    Error.NO_MODEL:       (404, "not_found_error",       None,                           "model: {0}"),
    Error.NO_PATH:        (404, "not_found_error",       None,                           "Not found: {0}"),
    Error.CONTEXT:        (400, "invalid_request_error", None,                           "prompt is too long: {0} tokens > 200000 maximum"),
    Error.INVALID:        (400, "invalid_request_error", None,                           "{0}"),
    Error.INTERNAL:       (500, "api_error",             None,                           "Internal server error. {0}"),
    Error.UNAVAILABLE:    (503, "api_error",             None,                           "The service is not available."),
    Error.OVERLOADED:     (529, "overloaded_error",      None,                           "Overloaded"),
}
# fmt: on


def read(body: Json) -> Question:
    """The question in the body of a request."""
    model, sent = required(body, "model", str), required(body, "messages", list)
    tools = tuple(_tool(tool) for tool in body.get("tools") or ())
    messages = folded(_message(each) for each in sent)
    check_history(messages)
    return Question(
        model=model,
        system=text_of(body.get("system")),
        messages=messages,
        tools=tools,
        tool_choice=_tool_choice(body.get("tool_choice") or {"type": "auto" if tools else "none"}),
        max_tokens=required(body, "max_tokens", int),
        protocol="anthropic",
        raw=body,
    )


def _message(sent: Json) -> Message:
    role, content = sent.get("role"), sent.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": text_of(content)}]
    if role == "assistant":
        calls = (
            Call.read(each["name"], compact(each["input"]), each["id"]) for each in _of("tool_use", blocks)
        )
        return Message("assistant", text_of(_of("text", blocks)), tuple(calls))
    if role == "user":
        results = (
            Result(each["tool_use_id"], text_of(each.get("content"))) for each in _of("tool_result", blocks)
        )
        others = [each for each in blocks if each.get("type") != "tool_result"]
        return Message("user", text_of(others), results=tuple(results))
    raise Unreadable(f"messages: the role {role!r} is not one of user, assistant")


def _of(kind: str, blocks: list[Json]) -> list[Json]:
    return [block for block in blocks if block.get("type") == kind]


def _tool(sent: Json) -> Tool:
    name: str = required(sent, "name", str)
    return Tool(name, sent.get("description") or "", sent.get("input_schema") or {})


def _tool_choice(sent: Json) -> str:
    kind: str = required(sent, "type", str)
    if kind == "tool":
        name: str = required(sent, "name", str)
        return name
    if kind not in ("auto", "any", "none"):
        raise Unreadable(f"tool_choice: {kind!r} is not one of auto, any, none, tool")
    return kind


def whole(answer: Answer) -> Json:
    """The answer as one JSON body."""
    texts = [{"type": "text", "text": answer.reply.text}] if answer.reply.text else []
    uses = [_use(answer, index, _input(answer, call)) for index, call in enumerate(answer.reply.calls)]
    body = _envelope(answer) | {"content": [*texts, *uses]} | _stop(answer)
    return body if answer.usage is None else {**body, "usage": _usage(answer.usage)}


def _input(answer: Answer, call: Call) -> Any:
    """The arguments as a value: cut-off ones are lost, as with the provider; bad ones stay the text they are."""
    if call.written is None:
        return dict(call.arguments)
    return {} if answer.reply.ending == "length" else call.written


def _use(answer: Answer, index: int, value: Any) -> Json:
    call = answer.reply.calls[index]
    identifier = call.id or f"toolu_{answer.number:06}_{index + 1}"
    return {"type": "tool_use", "id": identifier, "name": call.name, "input": value}


def events(answer: Answer) -> Iterator[Event]:
    """The answer as a stream of events."""
    reported = {} if answer.usage is None else {"usage": {**_usage(answer.usage), "output_tokens": 1}}
    opening: Json = {"content": [], "stop_reason": None, "stop_sequence": None, **reported}
    yield _event("message_start", message=_envelope(answer) | opening)
    yield _event("ping")
    index = 0
    if answer.reply.text:
        deltas = ({"type": "text_delta", "text": piece} for piece in pieces(answer.reply.text))
        yield from _block(index, {"type": "text", "text": ""}, deltas)
        index += 1
    for number, call in enumerate(answer.reply.calls):
        deltas = ({"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces(call.json)))
        yield from _block(index + number, _use(answer, number, {}), deltas)
    usage = {} if answer.usage is None else {"usage": {"output_tokens": answer.usage.output_tokens}}
    yield _event("message_delta", delta=_stop(answer), **usage)
    yield _event("message_stop")


def _block(index: int, opening: Json, deltas: Iterator[Json]) -> Iterator[Event]:
    yield _event("content_block_start", index=index, content_block=opening)
    for delta in deltas:
        yield _event("content_block_delta", index=index, delta=delta)
    yield _event("content_block_stop", index=index)


def _event(kind: str, **fields: Any) -> Event:
    return Event(compact({"type": kind, **fields}), kind)


def _envelope(answer: Answer) -> Json:
    identifier = f"msg_{answer.number:06}"
    return {"id": identifier, "type": "message", "role": "assistant", "model": answer.question.model}


def _stop(answer: Answer) -> Json:
    reason = FINISH[answer.reply.ending]
    details = {"type": "refusal", "category": None, "explanation": None} if reason == "refusal" else None
    return {"stop_reason": reason, "stop_sequence": None, "stop_details": details}


def _usage(usage: Usage) -> Json:
    return {
        "input_tokens": usage.input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": usage.output_tokens,
        "service_tier": "standard",
    }


def failure(error: Error, detail: str) -> tuple[int, Json]:
    """The status and the body of a refused request."""
    status, kind, code, message = ERRORS[error]
    fields: Json = {"type": kind, "message": message.format(detail).strip()}
    if code:
        fields["details"] = {"error_code": code}
    return status, {"type": "error", "error": fields}


def _key(headers: Mapping[str, str]) -> str:
    return headers.get("x-api-key") or bearer(headers)


ANTHROPIC: Final = Dialect(
    name="anthropic",
    request_id_header="request-id",
    key=_key,
    read=read,
    whole=whole,
    events=events,
    failure=failure,
    error_event=lambda body: Event(compact(body), "error"),
)
