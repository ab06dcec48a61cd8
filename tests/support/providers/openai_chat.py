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
    Unreadable,
    Usage,
    check_history,
    compact,
    folded,
    required,
    text_of,
)
from support.providers.dialect import CREATED, REFUSAL, Answer, Dialect, Error, Event, bearer, pieces

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


def read(body: Json) -> Question:
    """The question in the body of a request."""
    model, sent = required(body, "model", str), required(body, "messages", list)
    tools = tuple(_tool(tool) for tool in body.get("tools") or ())
    system = [text_of(each.get("content")) for each in sent if each.get("role") in ("system", "developer")]
    messages = folded(_message(each) for each in sent if each.get("role") not in ("system", "developer"))
    check_history(messages)
    return Question(
        model=model,
        system="\n\n".join(system),
        messages=messages,
        tools=tools,
        tool_choice=_tool_choice(body.get("tool_choice") or ("auto" if tools else "none")),
        max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
        protocol="openai",
        raw=body,
    )


def _message(sent: Json) -> Message:
    text = text_of(sent.get("content"))
    match sent.get("role"):
        case "user":
            return Message("user", text)
        case "tool":
            return Message("user", results=(Result(required(sent, "tool_call_id", str), text),))
        case "assistant":
            calls = (
                Call.read(each["function"]["name"], each["function"]["arguments"], each["id"])
                for each in sent.get("tool_calls") or ()
            )
            return Message("assistant", text or sent.get("refusal") or "", tuple(calls))
        case role:
            raise Unreadable(
                f"messages: the role {role!r} is not one of system, developer, user, assistant, tool"
            )


def _tool(sent: Json) -> Tool:
    function = required(sent, "function", dict)
    name: str = required(function, "name", str)
    return Tool(name, function.get("description") or "", function.get("parameters") or {})


def _tool_choice(sent: Any) -> str:
    if isinstance(sent, dict):
        name: str = required(required(sent, "function", dict), "name", str)
        return name
    if sent not in CHOICES:
        raise Unreadable(f"tool_choice: {sent!r} is not one of auto, none, required")
    return CHOICES[sent]


def whole(answer: Answer) -> Json:
    """The answer as one JSON body."""
    reply = answer.reply
    refusal = (reply.text or REFUSAL) if reply.ending == "refusal" else None
    message: Json = {
        "role": "assistant",
        "content": None if refusal else reply.text or None,
        "refusal": refusal,
    }
    if reply.calls:
        message["tool_calls"] = [
            {"id": identifier, "type": "function", "function": {"name": call.name, "arguments": call.json}}
            for identifier, call in _named(answer)
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": FINISH[reply.ending]}
    body = {**_envelope(answer, "chat.completion"), "choices": [choice]}
    return body if answer.usage is None else {**body, "usage": _usage(answer.usage)}


def events(answer: Answer) -> Iterator[Event]:
    """The answer as a stream of chunks; usage comes last, and only if the client asked for it."""
    asked = bool((answer.question.raw.get("stream_options") or {}).get("include_usage"))
    reports = asked and answer.usage is not None
    envelope = _envelope(answer, "chat.completion.chunk") | ({"usage": None} if reports else {})
    for delta in _deltas(answer):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        yield Event(compact({**envelope, "choices": [choice]}))
    last = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": FINISH[answer.reply.ending]}
    yield Event(compact({**envelope, "choices": [last]}))
    if reports and answer.usage is not None:
        yield Event(compact({**envelope, "choices": [], "usage": _usage(answer.usage)}))
    yield Event("[DONE]")


def _deltas(answer: Answer) -> Iterator[Json]:
    reply = answer.reply
    yield {"role": "assistant", "content": None if reply.calls else "", "refusal": None}
    if reply.ending == "refusal":
        yield from ({"refusal": piece} for piece in pieces(reply.text or REFUSAL))
    else:
        yield from ({"content": piece} for piece in pieces(reply.text))
    for index, (identifier, call) in enumerate(_named(answer)):
        opening = {"name": call.name, "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": identifier, "type": "function", "function": opening}]}
        for piece in pieces(call.json):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _named(answer: Answer) -> Iterator[tuple[str, Call]]:
    """Each call with its own identifier, or one that no other answer of this server has."""
    for index, call in enumerate(answer.reply.calls, start=1):
        yield call.id or f"call_{answer.number:06}_{index}", call


def _envelope(answer: Answer, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{answer.number:06}",
        "object": kind,
        "created": CREATED,
        "model": answer.question.model,
        "service_tier": "default",
        "system_fingerprint": "fp_local",
    }


def _usage(usage: Usage) -> Json:
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


def failure(error: Error, detail: str) -> tuple[int, Json]:
    """The status and the body of a refused request."""
    status, kind, code, param, message = ERRORS[error]
    fields = {"message": message.format(detail).strip(), "type": kind, "param": param, "code": code}
    return status, {"error": fields}


def models(names: tuple[str, ...]) -> Json:
    """The answer to a question for the models there are."""
    rows = [{"id": name, "object": "model", "created": CREATED, "owned_by": "local"} for name in names]
    return {"object": "list", "data": rows}


OPENAI: Final = Dialect(
    name="openai",
    request_id_header="x-request-id",
    key=bearer,
    read=read,
    whole=whole,
    events=events,
    failure=failure,
    error_event=lambda body: Event(compact(body)),
)
