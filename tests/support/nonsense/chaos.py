"""Models that break the protocol: answers too long, too deep, missing, endless, or twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.usage import RequestUsage

from impossible_moments.llm.consultation_tasks import HAND_IN
from support.nonsense.lines import HonestModel, phrase_seed
from support.nonsense.questions import Question
from support.nonsense.stage import KEY, Mind

MEGABYTE: Final = 1_000_000
FREE: Final = RequestUsage(input_tokens=1, output_tokens=0)
"""Usage of a provider without output cost, so that no budget ends a dialogue."""


_NUMBER: Final = "a number of some kind"
_UNBOUNDED: Final = frozenset({"seconds", "deadline_seconds", "margin", "resolution_confidence"})
Abuse: TypeAlias = Callable[[Question, dict[str, Any]], ModelResponse | Exception]
"""The response to a question, given the honest answer."""


def _build_response(*parts: Any, usage: RequestUsage | None = None, finish: Any = None) -> ModelResponse:
    return ModelResponse(parts=list(parts), usage=usage or RequestUsage(), finish_reason=finish)


def _build_deep_object(levels: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(levels):
        data = {"a": data}
    return data


def _call_tool(question: Question, arguments: Any, times: int = 1, name: str = "") -> ModelResponse:
    tool = name or next(iter(question.tools), "look_up")
    return _build_response(*(ToolCallPart(tool, arguments) for _ in range(times)), usage=FREE)


def _make_number_abuse(text: str, *, bounded: bool = False) -> Abuse:
    """Replace the text of numbers without bounds, or of all numbers."""

    def answer(_question: Question, line: dict[str, Any]) -> ModelResponse:
        written = json.dumps(_mark_numbers(line, bounded=bounded)).replace(f'"{_NUMBER}"', text)
        return _build_response(ToolCallPart(HAND_IN, written))

    return answer


def _mark_numbers(value: Any, *, bounded: bool, name: str = "") -> Any:
    match value:
        case dict():
            return {key: _mark_numbers(each, bounded=bounded, name=key) for key, each in value.items()}
        case list():
            return [_mark_numbers(each, bounded=bounded, name=name) for each in value]
        case int() | float() | None if name in _UNBOUNDED or (bounded and isinstance(value, float)):
            return _NUMBER
        case _:
            return value


# fmt: off
ABUSES: Final[Mapping[str, Abuse]] = {
    "nothing":                  lambda _q, _l: _build_response(),
    "an empty text":            lambda _q, _l: _build_response(TextPart("")),
    "thought alone":            lambda _q, _l: _build_response(ThinkingPart("hm\ud800")),
    "prose":                    lambda _q, _l: _build_response(TextPart("Sure! I approve of everything.")),
    "prose with braces":        lambda _q, _l: _build_response(TextPart("}{ {{{ not } JSON {")),
    "half a character of text": lambda _q, _l: _build_response(TextPart('{"a": "\ud800"}')),
    "JSON as text":             lambda _q, l: _build_response(TextPart(f"```json\n{json.dumps(l)}\n```")),
    "Chinese":                  lambda _q, _l: _build_response(TextPart("我拒绝用英语回答。" * 50)),
    "Arabic":                   lambda _q, _l: _build_response(ToolCallPart(HAND_IN, {"نص": "لا"})),
    "emoji":                    lambda _q, _l: _build_response(ToolCallPart(HAND_IN, "🚀" * 5_000)),
    "a megabyte of text":       lambda _q, _l: _build_response(TextPart("x" * MEGABYTE)),
    "a megabyte handed in":     lambda _q, l: _build_response(ToolCallPart(HAND_IN, {**l, "x": "x" * MEGABYTE})),
    "a megabyte of a field":    lambda _q, l: _build_response(ToolCallPart(HAND_IN, {**l, "notes": "x" * MEGABYTE})),
    "just short enough":        lambda _q, l: _build_response(ToolCallPart(HAND_IN, _lengthen_texts(l))),
    "nested lists":             lambda _q, _l: _build_response(ToolCallPart(HAND_IN, "[" * 100_000)),
    "nested objects":           lambda _q, _l: _build_response(ToolCallPart(HAND_IN, _build_deep_object(50_000))),
    "a nested record":          lambda _q, l: _build_response(ToolCallPart(HAND_IN, {**l, "mechanics": _build_deep_object(190)})),
    "a nested argument":        lambda q, _l: _call_tool(q, _build_deep_object(900)),
    "no object":                lambda _q, _l: _build_response(ToolCallPart(HAND_IN, "[1, 2]")),
    "a list of arguments":      lambda _q, _l: _build_response(ToolCallPart(HAND_IN, [1, 2])),  # type: ignore[arg-type]
    "no arguments":             lambda _q, _l: _build_response(ToolCallPart(HAND_IN, None)),
    "what JSON cannot hold":    lambda _q, _l: _build_response(ToolCallPart(HAND_IN, {"a": {1, 2}, "b": object()})),
    "NaN":                      _make_number_abuse("NaN"),
    "Infinity":                 _make_number_abuse("-Infinity"),
    "1e308":                    _make_number_abuse("1e308"),
    "1e999":                    _make_number_abuse("1e999"),
    "NaN everywhere":           _make_number_abuse("NaN", bounded=True),
    "a number of many digits":  _make_number_abuse("9" * 5_000),
    "an unknown tool":          lambda q, _l: _call_tool(q, {"x": 1}, name="rm_rf\ud800" * 40),
    "no tool's name":           lambda q, _l: _call_tool(q, {"x": 1}, name=" "),
    "wrong arguments":          lambda q, _l: _call_tool(q, {"no": "such", "expression": ["(" * 500]}),
    "broken arguments":         lambda q, _l: _call_tool(q, '{"expression": "a\ud800'),
    "half a character":         lambda q, _l: _call_tool(q, {"expression": "\ud800", "kind": "\udfff"}),
    "the same look-up":         lambda q, _l: _call_tool(q, {"expression": "1 m + 1 m", "kind": "material"}),
    "hundreds of look-ups":     lambda q, _l: _call_tool(q, {"expression": "1 m + 1 m"}, times=400),
    "handed in twice":          lambda _q, l: _build_response(ToolCallPart(HAND_IN, {}), ToolCallPart(HAND_IN, l)),
    "handed in a hundredfold":  lambda _q, l: _build_response(*[ToolCallPart(HAND_IN, l)] * 100),
    "handed in and looking up": lambda q, l: _build_response(ToolCallPart(HAND_IN, l), *_call_tool(q, {}, times=99).parts),
    "always wrong":             lambda q, l: _build_response(ToolCallPart(HAND_IN, {**l, f"extra{q.turn}": "x"})),
    "truncated":                lambda _q, _l: _build_response(TextPart(f"\x1b[2J\ud800 {KEY}"), finish="length"),
    "refused":                  lambda _q, _l: _build_response(TextPart(f"No. {KEY} \x00"), finish="content_filter"),
    "tokens without end":       lambda _q, l: _build_response(ToolCallPart(HAND_IN, l), usage=RequestUsage(output_tokens=10**18)),
    "tokens below nothing":     lambda _q, l: _build_response(ToolCallPart(HAND_IN, l), usage=RequestUsage(output_tokens=-10**9)),
    "the key in a text":        lambda _q, l: _build_response(ToolCallPart(HAND_IN, {**l, **dict.fromkeys(_list_texts(l), KEY)})),
    "the key looked up":        lambda q, l: _call_tool(q, {"name": KEY, "kind": KEY}) if q.turn < 1 else _build_response(ToolCallPart(HAND_IN, l)),
    "the key in an error":      lambda _q, _l: RuntimeError(f"401: {KEY} is wrong\ud800"),
    "an exception":             lambda _q, _l: KeyError("choices"),
    "too deep an exception":    lambda _q, _l: RecursionError(),
    "no response at all":       lambda _q, _l: None,  # type: ignore[dict-item,return-value]
}
# fmt: on


def make_abusive_model(prompter: HonestModel, abuse: Abuse, *, only: str = "") -> Mind:
    """Make a model that breaks the protocol in every role or only in one; the others answer honestly."""

    def mind(question: Question) -> ModelResponse | Exception:
        line = phrase_seed(prompter.build_honest_answer(question), question)
        if only in {"", question.role}:
            return abuse(question, line)
        return _build_response(ToolCallPart(HAND_IN, line), usage=FREE)

    return mind


def _lengthen_texts(line: dict[str, Any]) -> dict[str, Any]:
    """Return the answer with texts so long that it reaches about the largest size."""
    names = _list_texts(line)
    room = (190_000 - len(json.dumps(line))) // max(len(names), 1)
    return {**line, **dict.fromkeys(names, "word " * (room // 5))}


def _list_texts(line: dict[str, Any]) -> list[str]:
    closed = {
        "status",
        "vote",
        "feasibility",
        "dimensional_analysis",
        "merit",
        "impossibility_type",
        "answer",
        "choice",
    }
    return [
        name
        for name, value in line.items()
        if isinstance(value, str) and name not in closed and not name.endswith("_tier")
    ]
