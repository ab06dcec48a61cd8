"""OpenAI's chat completions protocol."""

from __future__ import annotations

from collections.abc import Iterator
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
    CREATED,
    REFUSAL,
    Answer,
    Error,
    Event,
    ProviderProtocol,
    parse_bearer_key,
    split_into_pieces,
)

FINISH: Final[dict[Finish, str]] = {
    "stop": "stop",
    "tool": "tool_calls",
    "length": "length",
    "refusal": "stop",  # the message's own field says that it is one
    "filter": "content_filter",
}
CHOICES: Final = {"auto": "auto", "none": "none", "required": "any"}

# fmt: off
ERRORS: Final[dict[Error, tuple[int, str, str | None, str | None, str]]] = {
    #                     status  type                     code                       param       message
    Error.RATE_LIMIT:     (429, "requests",              "rate_limit_exceeded",     None,       "Rate limit reached for requests."),
    Error.QUOTA:          (429, "insufficient_quota",    "insufficient_quota",      None,       "The quota of this account is used up."),
    Error.CREDIT:         (429, "insufficient_quota",    "insufficient_quota",      None,       "The quota of this account is used up."),
    Error.AUTHENTICATION: (401, "invalid_request_error", "invalid_api_key",         None,       "Incorrect API key provided."),
    Error.PERMISSION:     (403, "invalid_request_error", "model_not_allowed",       None,       "This project has no access to the model."),
    Error.NO_MODEL:       (404, "invalid_request_error", "model_not_found",         None,       "The model `{0}` does not exist."),
    Error.NO_PATH:        (404, "invalid_request_error", "unknown_url",             None,       "Unknown request URL: {0}."),
    Error.CONTEXT:        (400, "invalid_request_error", "context_length_exceeded", "messages", "This model's maximum context length is 128000 tokens; the messages have {0}."),
    Error.INVALID:        (400, "invalid_request_error", None,                      None,       "{0}"),
    Error.INTERNAL:       (500, "server_error",          None,                      None,       "The server had an error. {0}"),
    Error.UNAVAILABLE:    (503, "server_error",          None,                      None,       "The service is not available."),
    Error.OVERLOADED:     (503, "server_error",          None,                      None,       "The engine is currently overloaded."),
}
# fmt: on


def parse_question(body: Json) -> Question:
    """Return the question in the body of a request."""
    model, sent = require_field(body, "model", str), require_field(body, "messages", list)
    tools = tuple(_parse_tool(tool) for tool in body.get("tools") or ())
    system = [
        extract_text(each.get("content")) for each in sent if each.get("role") in ("system", "developer")
    ]
    messages = merge_messages(
        _parse_message(each) for each in sent if each.get("role") not in ("system", "developer")
    )
    check_history(messages)
    return Question(
        model=model,
        system="\n\n".join(system),
        messages=messages,
        tools=tools,
        tool_choice=_parse_tool_choice(body.get("tool_choice") or ("auto" if tools else "none")),
        max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
        protocol="openai",
        raw=body,
    )


def _parse_message(sent: Json) -> Message:
    text = extract_text(sent.get("content"))
    match sent.get("role"):
        case "user":
            return Message("user", text)
        case "tool":
            return Message("user", results=(Result(require_field(sent, "tool_call_id", str), text),))
        case "assistant":
            calls = (
                Call.parse(each["function"]["name"], each["function"]["arguments"], each["id"])
                for each in sent.get("tool_calls") or ()
            )
            return Message("assistant", text or sent.get("refusal") or "", tuple(calls))
        case role:
            raise UnreadableRequest(
                f"messages: the role {role!r} is not one of system, developer, user, assistant, tool"
            )


def _parse_tool(sent: Json) -> Tool:
    function = require_field(sent, "function", dict)
    name: str = require_field(function, "name", str)
    return Tool(name, function.get("description") or "", function.get("parameters") or {})


def _parse_tool_choice(sent: Any) -> str:
    if isinstance(sent, dict):
        name: str = require_field(require_field(sent, "function", dict), "name", str)
        return name
    if sent not in CHOICES:
        raise UnreadableRequest(f"tool_choice: {sent!r} is not one of auto, none, required")
    return CHOICES[sent]


def build_body(answer: Answer) -> Json:
    """Return the answer as one JSON body."""
    reply = answer.reply
    refusal = (reply.text or REFUSAL) if reply.finish_reason == "refusal" else None
    message: Json = {
        "role": "assistant",
        "content": None if refusal else reply.text or None,
        "refusal": refusal,
    }
    if reply.calls:
        message["tool_calls"] = [
            {"id": identifier, "type": "function", "function": {"name": call.name, "arguments": call.json}}
            for identifier, call in _iterate_named_calls(answer)
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": FINISH[reply.finish_reason]}
    body = {**_build_envelope(answer, "chat.completion"), "choices": [choice]}
    return body if answer.usage is None else {**body, "usage": _build_usage(answer.usage)}


def iterate_chunks(answer: Answer) -> Iterator[Event]:
    """Yield the answer as a stream of chunks; usage comes last, and only if the client asked for it."""
    asked = bool((answer.question.raw.get("stream_options") or {}).get("include_usage"))
    reports = asked and answer.usage is not None
    envelope = _build_envelope(answer, "chat.completion.chunk") | ({"usage": None} if reports else {})
    for delta in _iterate_deltas(answer):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        yield Event(to_compact_json({**envelope, "choices": [choice]}))
    last = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": FINISH[answer.reply.finish_reason]}
    yield Event(to_compact_json({**envelope, "choices": [last]}))
    if reports and answer.usage is not None:
        yield Event(to_compact_json({**envelope, "choices": [], "usage": _build_usage(answer.usage)}))
    yield Event("[DONE]")


def _iterate_deltas(answer: Answer) -> Iterator[Json]:
    reply = answer.reply
    yield {"role": "assistant", "content": None if reply.calls else "", "refusal": None}
    if reply.finish_reason == "refusal":
        yield from ({"refusal": piece} for piece in split_into_pieces(reply.text or REFUSAL))
    else:
        yield from ({"content": piece} for piece in split_into_pieces(reply.text))
    for index, (identifier, call) in enumerate(_iterate_named_calls(answer)):
        opening = {"name": call.name, "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": identifier, "type": "function", "function": opening}]}
        for piece in split_into_pieces(call.json):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _iterate_named_calls(answer: Answer) -> Iterator[tuple[str, Call]]:
    """Yield each call with its identifier, or a new one that is unique to this server."""
    for index, call in enumerate(answer.reply.calls, start=1):
        yield call.id or f"call_{answer.number:06}_{index}", call


def _build_envelope(answer: Answer, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{answer.number:06}",
        "object": kind,
        "created": CREATED,
        "model": answer.question.model,
        "service_tier": "default",
        "system_fingerprint": "fp_local",
    }


def _build_usage(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def build_failure(error: Error, detail: str) -> tuple[int, Json]:
    """Return the status and the body of a refused request."""
    status, kind, code, param, message = ERRORS[error]
    fields = {"message": message.format(detail).strip(), "type": kind, "param": param, "code": code}
    return status, {"error": fields}


def build_model_list(names: tuple[str, ...]) -> Json:
    """Build the answer to a request for the list of models."""
    rows = [{"id": name, "object": "model", "created": CREATED, "owned_by": "local"} for name in names]
    return {"object": "list", "data": rows}


OPENAI: Final = ProviderProtocol(
    name="openai",
    request_id_header="x-request-id",
    key=parse_bearer_key,
    read=parse_question,
    whole=build_body,
    events=iterate_chunks,
    failure=build_failure,
    error_event=lambda body: Event(to_compact_json(body)),
)
