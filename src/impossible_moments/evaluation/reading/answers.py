"""Answers of models under test, parsed from untrusted text as far as possible."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

LARGEST: Final = 400_000
"""Maximum number of characters parsed, counted from the end of the text."""
MOST_BRACES: Final = 3_000
"""Maximum number of opening braces tried as the start of a JSON object; the last ones are tried."""
MOST_IN_VAIN: Final = 20 * LARGEST
"""Maximum number of characters spent on objects that turn out to be invalid JSON.

Without this limit, nested invalid objects would be parsed again and again.
"""
MOST_STEPS: Final = 30
MOST_TEXTS: Final = 20
LONGEST: Final = 400
"""Maximum number of characters of one text."""


class Verdict(StrEnum):
    """The verdict of an answer on the situation as a whole."""

    SOLVABLE = "solvable"
    IMPOSSIBLE = "impossible"
    CONTESTED = "contested"
    OPEN = "open"
    NONE = "none"
    """No verdict was stated, or it could not be parsed."""


_VERDICTS: Final[Mapping[str, Verdict]] = {
    **{verdict.value: verdict for verdict in Verdict if verdict is not Verdict.NONE},
    **dict.fromkeys(("solved", "yes", "possible"), Verdict.SOLVABLE),
    **dict.fromkeys(("unsolvable", "insoluble", "infeasible", "no"), Verdict.IMPOSSIBLE),
}
_DENIED: Final = re.compile(r"\bnot (solvable|possible|impossible)\b")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: a verb, the things it names, and a value where one is needed."""

    do: str
    things: tuple[str, ...] = ()
    value: str = ""

    def __str__(self) -> str:
        parts = [*self.things, *([repr(self.value)] if self.value else [])]
        return f"{self.do}({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in the plan form, with all its parts as plain text."""

    verdict: Verdict = Verdict.NONE
    plan: tuple[Step, ...] = ()
    others: tuple[tuple[Step, ...], ...] = ()
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
    words: int = 0
    """Approximate length of the whole answer in tokens."""

    @property
    def is_silent(self) -> bool:
        """Whether the answer has neither a verdict nor a plan."""
        return self.verdict is Verdict.NONE and not self.plan


def read_answer(text: str) -> Answer | None:
    """Return the answer in the last JSON object of a text that has a verdict or a plan, or None."""
    shown = text[-LARGEST:]
    for data in _objects(shown):
        if "verdict" in data or "plan" in data:
            return _answer(data, text)
    return None


def _answer(data: Mapping[str, Any], text: str) -> Answer:
    return Answer(
        verdict=_verdict(data),
        plan=_plan(data.get("plan")),
        others=tuple(_plan(each) for each in _listed(data.get("other_plans"))[:5]),
        conflict=_texts(data.get("conflict")),
        assumption=_text(data.get("assumption")),
        crux=_text(data.get("crux")),
        uncertain=_texts(data.get("uncertain")),
        claims=_claims(data.get("claims")),
        because=_texts(data.get("because")),
        words=-(-len(text.encode("utf-8", "replace")) // 4),
    )


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the outermost JSON objects of a text, the last one first."""
    decoder = json.JSONDecoder()
    found: list[Mapping[str, Any]] = []
    text = text[_first_tried(text) :]
    at, vain = text.find("{"), 0
    while at >= 0 and vain < MOST_IN_VAIN:
        try:
            data, stop = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as problem:
            vain += getattr(problem, "pos", at) - at
            at = text.find("{", at + 1)
            continue
        if isinstance(data, dict):
            found.append(data)
        at = text.find("{", stop)
    yield from reversed(found)


def _first_tried(text: str) -> int:
    """Return the position of the first opening brace to try; answers stand at the end of a text."""
    at = len(text)
    for _ in range(MOST_BRACES):
        before = text.rfind("{", 0, at)
        if before < 0:
            break
        at = before
    return at


def _verdict(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict that an answer states; `NONE` if it states several."""
    said = _text(data.get("verdict")).lower()
    if not said:
        return Verdict.SOLVABLE if data.get("plan") else Verdict.NONE
    plain = _DENIED.sub(lambda found: "unsolvable" if found[1] != "impossible" else "solvable", said)
    given = {_VERDICTS[word] for word in re.findall("[a-z]+", plain) if word in _VERDICTS}
    return given.pop() if len(given) == 1 else Verdict.NONE


def _plan(value: object) -> tuple[Step, ...]:
    return tuple(step for each in _listed(value)[:MOST_STEPS] if (step := _step(each)) is not None)


def _step(value: object) -> Step | None:
    if isinstance(value, str) and value.strip():
        verb, _, rest = value.strip().partition("(")
        things = tuple(part.strip(" )'\"") for part in rest.split(",") if part.strip(" )'\""))
        return Step(verb.strip()[:LONGEST], things[:8])
    if not isinstance(value, dict):
        return None
    verb = _text(value.get("do") or value.get("verb") or value.get("action"))
    named = [*_texts(value.get("with")), *_texts(value.get("to")), *_texts(value.get("on"))]
    if not verb:
        return None
    return Step(verb, tuple(dict.fromkeys(named))[:8], _text(value.get("value")))


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for each in _listed(value)[:MOST_TEXTS] if (text := _text(each)))


def _text(value: object) -> str:
    """Return a value as one line of text; lists and objects are joined into one."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict | list):
        try:
            value = " ".join(str(each) for each in (value.values() if isinstance(value, dict) else value))
        except RecursionError:
            return ""
    # a lone surrogate cannot be encoded
    legible = str(value)[: 4 * LONGEST].encode("utf-8", "replace").decode("utf-8")
    return " ".join(legible.split())[:LONGEST]


def _claims(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {str(name)[:80]: _text(each) for name, each in list(value.items())[:MOST_TEXTS]}
