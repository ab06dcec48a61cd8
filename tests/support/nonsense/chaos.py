"""Models that break the protocol: too long, too deep, not at all, for ever, or twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.usage import RequestUsage

from impossible_moments.llm.consultations import HAND_IN
from support.nonsense.lines import Prompter
from support.nonsense.questions import Question
from support.nonsense.stage import KEY, Mind

MEGABYTE: Final = 1_000_000
FREE: Final = RequestUsage(input_tokens=1, output_tokens=0)
"""A provider that charges nothing for what was written, so that no budget ever ends a dialogue."""


_NUMBER: Final = "a number of some kind"
_UNBOUNDED: Final = frozenset({"seconds", "deadline_seconds", "margin", "resolution_confidence"})
Abuse: TypeAlias = Callable[[Question, dict[str, Any]], ModelResponse | Exception]
"""What is said to a question, of which the honest line is known."""


def _said(*parts: Any, usage: RequestUsage | None = None, finish: Any = None) -> ModelResponse:
    return ModelResponse(parts=list(parts), usage=usage or RequestUsage(), finish_reason=finish)


def _deep(levels: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(levels):
        data = {"a": data}
    return data


def _looking_up(question: Question, arguments: Any, times: int = 1, name: str = "") -> ModelResponse:
    tool = name or next(iter(question.tools), "look_up")
    return _said(*(ToolCallPart(tool, arguments) for _ in range(times)), usage=FREE)


def _number_text(text: str, *, bounded: bool = False) -> Abuse:
    """The numbers without bounds written so, or all of them."""

    def answer(_question: Question, line: dict[str, Any]) -> ModelResponse:
        written = json.dumps(_marked(line, bounded=bounded)).replace(f'"{_NUMBER}"', text)
        return _said(ToolCallPart(HAND_IN, written))

    return answer


def _marked(value: Any, *, bounded: bool, name: str = "") -> Any:
    match value:
        case dict():
            return {key: _marked(each, bounded=bounded, name=key) for key, each in value.items()}
        case list():
            return [_marked(each, bounded=bounded, name=name) for each in value]
        case int() | float() | None if name in _UNBOUNDED or (bounded and isinstance(value, float)):
            return _NUMBER
        case _:
            return value


# fmt: off
ABUSES: Final[Mapping[str, Abuse]] = {
    "nothing":                  lambda _q, _l: _said(),
    "an empty text":            lambda _q, _l: _said(TextPart("")),
    "thought alone":            lambda _q, _l: _said(ThinkingPart("hm\ud800")),
    "prose":                    lambda _q, _l: _said(TextPart("Sure! I approve of everything.")),
    "prose with braces":        lambda _q, _l: _said(TextPart("}{ {{{ not } JSON {")),
    "half a character of text": lambda _q, _l: _said(TextPart('{"a": "\ud800"}')),
    "JSON as text":             lambda _q, l: _said(TextPart(f"```json\n{json.dumps(l)}\n```")),
    "Chinese":                  lambda _q, _l: _said(TextPart("我拒绝用英语回答。" * 50)),
    "Arabic":                   lambda _q, _l: _said(ToolCallPart(HAND_IN, {"نص": "لا"})),
    "emoji":                    lambda _q, _l: _said(ToolCallPart(HAND_IN, "🚀" * 5_000)),
    "a megabyte of text":       lambda _q, _l: _said(TextPart("x" * MEGABYTE)),
    "a megabyte handed in":     lambda _q, l: _said(ToolCallPart(HAND_IN, {**l, "x": "x" * MEGABYTE})),
    "a megabyte of a field":    lambda _q, l: _said(ToolCallPart(HAND_IN, {**l, "notes": "x" * MEGABYTE})),
    "just short enough":        lambda _q, l: _said(ToolCallPart(HAND_IN, _long(l))),
    "nested lists":             lambda _q, _l: _said(ToolCallPart(HAND_IN, "[" * 100_000)),
    "nested objects":           lambda _q, _l: _said(ToolCallPart(HAND_IN, _deep(50_000))),
    "a nested record":          lambda _q, l: _said(ToolCallPart(HAND_IN, {**l, "mechanics": _deep(190)})),
    "a nested argument":        lambda q, _l: _looking_up(q, _deep(900)),
    "no object":                lambda _q, _l: _said(ToolCallPart(HAND_IN, "[1, 2]")),
    "a list of arguments":      lambda _q, _l: _said(ToolCallPart(HAND_IN, [1, 2])),  # type: ignore[arg-type]
    "no arguments":             lambda _q, _l: _said(ToolCallPart(HAND_IN, None)),
    "what JSON cannot hold":    lambda _q, _l: _said(ToolCallPart(HAND_IN, {"a": {1, 2}, "b": object()})),
    "NaN":                      _number_text("NaN"),
    "Infinity":                 _number_text("-Infinity"),
    "1e308":                    _number_text("1e308"),
    "1e999":                    _number_text("1e999"),
    "NaN everywhere":           _number_text("NaN", bounded=True),
    "a number of many digits":  _number_text("9" * 5_000),
    "an unknown tool":          lambda q, _l: _looking_up(q, {"x": 1}, name="rm_rf\ud800" * 40),
    "no tool's name":           lambda q, _l: _looking_up(q, {"x": 1}, name=" "),
    "wrong arguments":          lambda q, _l: _looking_up(q, {"no": "such", "expression": ["(" * 500]}),
    "broken arguments":         lambda q, _l: _looking_up(q, '{"expression": "a\ud800'),
    "half a character":         lambda q, _l: _looking_up(q, {"expression": "\ud800", "kind": "\udfff"}),
    "the same look-up":         lambda q, _l: _looking_up(q, {"expression": "1 m + 1 m", "kind": "material"}),
    "hundreds of look-ups":     lambda q, _l: _looking_up(q, {"expression": "1 m + 1 m"}, times=400),
    "handed in twice":          lambda _q, l: _said(ToolCallPart(HAND_IN, {}), ToolCallPart(HAND_IN, l)),
    "handed in a hundredfold":  lambda _q, l: _said(*[ToolCallPart(HAND_IN, l)] * 100),
    "handed in and looking up": lambda q, l: _said(ToolCallPart(HAND_IN, l), *_looking_up(q, {}, times=99).parts),
    "always wrong":             lambda q, l: _said(ToolCallPart(HAND_IN, {**l, f"extra{q.turn}": "x"})),
    "truncated":                lambda _q, _l: _said(TextPart(f"\x1b[2J\ud800 {KEY}"), finish="length"),
    "refused":                  lambda _q, _l: _said(TextPart(f"No. {KEY} \x00"), finish="content_filter"),
    "tokens without end":       lambda _q, l: _said(ToolCallPart(HAND_IN, l), usage=RequestUsage(output_tokens=10**18)),
    "tokens below nothing":     lambda _q, l: _said(ToolCallPart(HAND_IN, l), usage=RequestUsage(output_tokens=-10**9)),
    "the key in a text":        lambda _q, l: _said(ToolCallPart(HAND_IN, {**l, **dict.fromkeys(_texts(l), KEY)})),
    "the key looked up":        lambda q, l: _looking_up(q, {"name": KEY, "kind": KEY}) if q.turn < 1 else _said(ToolCallPart(HAND_IN, l)),
    "the key in an error":      lambda _q, _l: RuntimeError(f"401: {KEY} is wrong\ud800"),
    "an exception":             lambda _q, _l: KeyError("choices"),
    "too deep an exception":    lambda _q, _l: RecursionError(),
    "no response at all":       lambda _q, _l: None,  # type: ignore[dict-item,return-value]
}
# fmt: on


def abusing(prompter: Prompter, abuse: Abuse, *, only: str = "") -> Mind:
    """A cast of which everybody, or one role only, breaks the protocol; the others say their honest lines."""

    def mind(question: Question) -> ModelResponse | Exception:
        line = prompter.honest(question)
        if only in {"", question.role}:
            return abuse(question, line)
        return _said(ToolCallPart(HAND_IN, line), usage=FREE)

    return mind


def _long(line: dict[str, Any]) -> dict[str, Any]:
    """The line with every text as long as the whole may be, about."""
    names = _texts(line)
    room = (190_000 - len(json.dumps(line))) // max(len(names), 1)
    return {**line, **dict.fromkeys(names, "word " * (room // 5))}


def _texts(line: dict[str, Any]) -> list[str]:
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
