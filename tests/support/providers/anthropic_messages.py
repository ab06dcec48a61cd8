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
    UnreadableRequest,
    Usage,
    check_history,
    extract_text,
    merge_messages,
    require_field,
    to_compact_json,
)
from support.providers.dialect import (
    Answer,
    Error,
    Event,
    ProviderProtocol,
    parse_bearer_key,
    split_into_pieces,
)

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


def parse_question(body: Json) -> Question:
    """Return the question in the body of a request."""
    model, sent = require_field(body, "model", str), require_field(body, "messages", list)
    tools = tuple(_parse_tool(tool) for tool in body.get("tools") or ())
    messages = merge_messages(_parse_message(each) for each in sent)
    check_history(messages)
    return Question(
        model=model,
        system=extract_text(body.get("system")),
        messages=messages,
        tools=tools,
        tool_choice=_parse_tool_choice(body.get("tool_choice") or {"type": "auto" if tools else "none"}),
        max_tokens=require_field(body, "max_tokens", int),
        protocol="anthropic",
        raw=body,
    )


def _parse_message(sent: Json) -> Message:
    role, content = sent.get("role"), sent.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": extract_text(content)}]
    if role == "assistant":
        calls = (
            Call.parse(each["name"], to_compact_json(each["input"]), each["id"])
            for each in _filter_blocks("tool_use", blocks)
        )
        return Message("assistant", extract_text(_filter_blocks("text", blocks)), tuple(calls))
    if role == "user":
        results = (
            Result(each["tool_use_id"], extract_text(each.get("content")))
            for each in _filter_blocks("tool_result", blocks)
        )
        others = [each for each in blocks if each.get("type") != "tool_result"]
        return Message("user", extract_text(others), results=tuple(results))
    raise UnreadableRequest(f"messages: the role {role!r} is not one of user, assistant")


def _filter_blocks(kind: str, blocks: list[Json]) -> list[Json]:
    return [block for block in blocks if block.get("type") == kind]


def _parse_tool(sent: Json) -> Tool:
    name: str = require_field(sent, "name", str)
    return Tool(name, sent.get("description") or "", sent.get("input_schema") or {})


def _parse_tool_choice(sent: Json) -> str:
    kind: str = require_field(sent, "type", str)
    if kind == "tool":
        name: str = require_field(sent, "name", str)
        return name
    if kind not in ("auto", "any", "none"):
        raise UnreadableRequest(f"tool_choice: {kind!r} is not one of auto, any, none, tool")
    return kind


def build_body(answer: Answer) -> Json:
    """Return the answer as one JSON body."""
    texts = [{"type": "text", "text": answer.reply.text}] if answer.reply.text else []
    uses = [
        _build_tool_use(answer, index, _build_input(answer, call))
        for index, call in enumerate(answer.reply.calls)
    ]
    body = _build_envelope(answer) | {"content": [*texts, *uses]} | _build_stop(answer)
    return body if answer.usage is None else {**body, "usage": _build_usage(answer.usage)}


def _build_input(answer: Answer, call: Call) -> Any:
    """Return the arguments as a value: truncated ones are lost, as with the provider; invalid ones stay text."""
    if call.written is None:
        return dict(call.arguments)
    return {} if answer.reply.finish_reason == "length" else call.written


def _build_tool_use(answer: Answer, index: int, value: Any) -> Json:
    call = answer.reply.calls[index]
    identifier = call.id or f"toolu_{answer.number:06}_{index + 1}"
    return {"type": "tool_use", "id": identifier, "name": call.name, "input": value}


def iterate_events(answer: Answer) -> Iterator[Event]:
    """Yield the answer as a stream of events."""
    reported = {} if answer.usage is None else {"usage": {**_build_usage(answer.usage), "output_tokens": 1}}
    opening: Json = {"content": [], "stop_reason": None, "stop_sequence": None, **reported}
    yield _build_event("message_start", message=_build_envelope(answer) | opening)
    yield _build_event("ping")
    index = 0
    if answer.reply.text:
        deltas = ({"type": "text_delta", "text": piece} for piece in split_into_pieces(answer.reply.text))
        yield from _iterate_block_events(index, {"type": "text", "text": ""}, deltas)
        index += 1
    for number, call in enumerate(answer.reply.calls):
        deltas = (
            {"type": "input_json_delta", "partial_json": piece}
            for piece in ("", *split_into_pieces(call.json))
        )
        yield from _iterate_block_events(index + number, _build_tool_use(answer, number, {}), deltas)
    usage = {} if answer.usage is None else {"usage": {"output_tokens": answer.usage.output_tokens}}
    yield _build_event("message_delta", delta=_build_stop(answer), **usage)
    yield _build_event("message_stop")


def _iterate_block_events(index: int, opening: Json, deltas: Iterator[Json]) -> Iterator[Event]:
    yield _build_event("content_block_start", index=index, content_block=opening)
    for delta in deltas:
        yield _build_event("content_block_delta", index=index, delta=delta)
    yield _build_event("content_block_stop", index=index)


def _build_event(kind: str, **fields: Any) -> Event:
    return Event(to_compact_json({"type": kind, **fields}), kind)


def _build_envelope(answer: Answer) -> Json:
    identifier = f"msg_{answer.number:06}"
    return {"id": identifier, "type": "message", "role": "assistant", "model": answer.question.model}


def _build_stop(answer: Answer) -> Json:
    reason = FINISH[answer.reply.finish_reason]
    details = {"type": "refusal", "category": None, "explanation": None} if reason == "refusal" else None
    return {"stop_reason": reason, "stop_sequence": None, "stop_details": details}


def _build_usage(usage: Usage) -> Json:
    return {
        "input_tokens": usage.input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": usage.output_tokens,
        "service_tier": "standard",
    }


def build_failure(error: Error, detail: str) -> tuple[int, Json]:
    """Return the status and the body of a refused request."""
    status, kind, code, message = ERRORS[error]
    fields: Json = {"type": kind, "message": message.format(detail).strip()}
    if code:
        fields["details"] = {"error_code": code}
    return status, {"type": "error", "error": fields}


def _get_key(headers: Mapping[str, str]) -> str:
    return headers.get("x-api-key") or parse_bearer_key(headers)


ANTHROPIC: Final = ProviderProtocol(
    name="anthropic",
    request_id_header="request-id",
    key=_get_key,
    read=parse_question,
    whole=build_body,
    events=iterate_events,
    failure=build_failure,
    error_event=lambda body: Event(to_compact_json(body), "error"),
)
