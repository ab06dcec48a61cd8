"""Answers of models under test, parsed from untrusted text as far as possible."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

LARGEST_ANSWER: Final = 400_000
"""Maximum number of characters parsed, counted from the end of the text."""
MOST_BRACES: Final = 3_000
"""Maximum number of opening braces tried as the start of a JSON object; the last ones are tried."""
MOST_WASTED_CHARACTERS: Final = 20 * LARGEST_ANSWER
"""Maximum number of characters spent on objects that turn out to be invalid JSON.

Without this limit, nested invalid objects would be parsed again and again.
"""
MOST_STEPS: Final = 30
MOST_TEXTS: Final = 20
LONGEST_TEXT: Final = 400
"""Maximum number of characters of one text."""


class AnswerVerdict(StrEnum):
    """The verdict of an answer on the situation as a whole."""

    SOLVABLE = "solvable"
    IMPOSSIBLE = "impossible"
    CONTESTED = "contested"
    OPEN = "open"
    NONE = "none"
    """No verdict was stated, or it could not be parsed."""


_VERDICTS: Final[Mapping[str, AnswerVerdict]] = {
    **{verdict.value: verdict for verdict in AnswerVerdict if verdict is not AnswerVerdict.NONE},
    **dict.fromkeys(("solved", "yes", "possible"), AnswerVerdict.SOLVABLE),
    **dict.fromkeys(("unsolvable", "insoluble", "infeasible", "no"), AnswerVerdict.IMPOSSIBLE),
}
_NEGATED_VERDICT: Final = re.compile(r"\bnot (solvable|possible|impossible)\b")


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """One step of a plan: a verb, the things it names, and a value where one is needed."""

    do: str
    things: tuple[str, ...] = ()
    value: str = ""

    def __str__(self) -> str:
        parts = [*self.things, *([repr(self.value)] if self.value else [])]
        return f"{self.do}({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """An answer in the plan form, with all its parts as plain text."""

    verdict: AnswerVerdict = AnswerVerdict.NONE
    plan: tuple[AnswerStep, ...] = ()
    other_plans: tuple[tuple[AnswerStep, ...], ...] = ()
    """Further plans that, according to the answer, work as well."""
    conflict: tuple[str, ...] = ()
    """Reasons why the goal cannot be reached: the conditions that conflict."""
    assumption: str = ""
    """The assumption that the situation suggests but does not state."""
    crux: str = ""
    """The disputed question that decides a contested situation."""
    uncertain: tuple[str, ...] = ()
    claims: Mapping[str, str] = field(default_factory=dict)
    """Figures of a proposed design, by name."""
    because: tuple[str, ...] = ()
    token_count: int = 0
    """Approximate length of the whole answer in tokens."""

    @property
    def is_silent(self) -> bool:
        """Whether the answer has neither a verdict nor a plan."""
        return self.verdict is AnswerVerdict.NONE and not self.plan


def parse_answer(text: str) -> ParsedAnswer | None:
    """Return the answer in the last JSON object of a text that has a verdict or a plan, or None."""
    data = find_answer_object(text)
    return _build_answer(data, text) if data is not None else None


def find_answer_object(text: str, names: Collection[str] = ("verdict", "plan")) -> Mapping[str, Any] | None:
    """Return the last JSON object of a text that has one of the named fields, or None."""
    for data in _iterate_json_objects(text[-LARGEST_ANSWER:]):
        if any(name in data for name in names):
            return data
    return None


def _build_answer(data: Mapping[str, Any], text: str) -> ParsedAnswer:
    return ParsedAnswer(
        verdict=parse_verdict(data),
        plan=_parse_plan(data.get("plan")),
        other_plans=tuple(_parse_plan(each) for each in _ensure_list(data.get("other_plans"))[:5]),
        conflict=_normalize_texts(data.get("conflict")),
        assumption=_convert_value_to_text_line(data.get("assumption")),
        crux=_convert_value_to_text_line(data.get("crux")),
        uncertain=_normalize_texts(data.get("uncertain")),
        claims=_parse_claimed_figures(data.get("claims")),
        because=_normalize_texts(data.get("because")),
        token_count=-(-len(text.encode("utf-8", "replace")) // 4),
    )


def _iterate_json_objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the outermost JSON objects of a text, the last one first."""
    decoder = json.JSONDecoder()
    found: list[Mapping[str, Any]] = []
    text = text[_find_first_brace(text) :]
    at, failures = text.find("{"), 0
    while at >= 0 and failures < MOST_WASTED_CHARACTERS:
        try:
            data, stop = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as problem:
            failures += getattr(problem, "pos", at) - at
            at = text.find("{", at + 1)
            continue
        if isinstance(data, dict):
            found.append(data)
        at = text.find("{", stop)
    yield from reversed(found)


def _find_first_brace(text: str) -> int:
    """Return the position of the first opening brace to try; answers stand at the end of a text."""
    at = len(text)
    for _ in range(MOST_BRACES):
        before = text.rfind("{", 0, at)
        if before < 0:
            break
        at = before
    return at


def parse_verdict(data: Mapping[str, Any]) -> AnswerVerdict:
    """Return the verdict that an answer states; `NONE` if it states several."""
    stated = _convert_value_to_text_line(data.get("verdict")).lower()
    if not stated:
        return AnswerVerdict.SOLVABLE if data.get("plan") else AnswerVerdict.NONE
    plain = _NEGATED_VERDICT.sub(
        lambda found: "unsolvable" if found[1] != "impossible" else "solvable", stated
    )
    verdicts = {_VERDICTS[word] for word in re.findall("[a-z]+", plain) if word in _VERDICTS}
    return verdicts.pop() if len(verdicts) == 1 else AnswerVerdict.NONE


def describe_unclear_verdict(data: Mapping[str, Any]) -> str:
    """Return why the verdict of an answer is not clear; empty if it is one of the four, or if there is none."""
    stated = _convert_value_to_text_line(data.get("verdict"))
    if not stated or parse_verdict(data) is not AnswerVerdict.NONE:
        return ""
    return f"the verdict {stated[:120]!r} is not exactly one of the four"


def _parse_plan(value: object) -> tuple[AnswerStep, ...]:
    return tuple(step for each in _ensure_list(value)[:MOST_STEPS] if (step := _parse_step(each)) is not None)


def _parse_step(value: object) -> AnswerStep | None:
    if isinstance(value, str) and value.strip():
        verb, _, rest = value.strip().partition("(")
        things = tuple(part.strip(" )'\"") for part in rest.split(",") if part.strip(" )'\""))
        return AnswerStep(verb.strip()[:LONGEST_TEXT], things[:8])
    if not isinstance(value, dict):
        return None
    verb = _convert_value_to_text_line(value.get("do") or value.get("verb") or value.get("action"))
    named = [
        *_normalize_texts(value.get("with")),
        *_normalize_texts(value.get("to")),
        *_normalize_texts(value.get("on")),
    ]
    if not verb:
        return None
    return AnswerStep(verb, tuple(dict.fromkeys(named))[:8], _convert_value_to_text_line(value.get("value")))


def _ensure_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _normalize_texts(value: object) -> tuple[str, ...]:
    return tuple(
        text for each in _ensure_list(value)[:MOST_TEXTS] if (text := _convert_value_to_text_line(each))
    )


def _convert_value_to_text_line(value: object) -> str:
    """Return a value as one line of text; lists and objects are joined into one."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict | list):
        try:
            value = " ".join(str(each) for each in (value.values() if isinstance(value, dict) else value))
        except RecursionError:
            return ""
    # a lone surrogate cannot be encoded
    legible = str(value)[: 4 * LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")
    return " ".join(legible.split())[:LONGEST_TEXT]


def _parse_claimed_figures(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {
        str(name)[:80]: _convert_value_to_text_line(each) for name, each in list(value.items())[:MOST_TEXTS]
    }
