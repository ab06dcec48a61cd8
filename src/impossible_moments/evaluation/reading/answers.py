"""Answers: what a model under test hands back, read as far as it can be read. Everything in it is untrusted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

LARGEST: Final = 400_000
"""Characters that are looked at."""
MOST_BRACES: Final = 3_000
"""Beginnings that are tried, the last ones: a text of braces is no answer."""
MOST_IN_VAIN: Final = 20 * LARGEST
"""Characters read of objects that turn out to be none: those in each other would be read again and again."""
MOST_STEPS: Final = 30
MOST_TEXTS: Final = 20
LONGEST: Final = 400
"""Characters of one text."""


class Verdict(StrEnum):
    """What an answer says of the situation as a whole."""

    SOLVABLE = "solvable"
    IMPOSSIBLE = "impossible"
    CONTESTED = "contested"
    OPEN = "open"
    NONE = "none"
    """Nothing was said that can be read."""


_VERDICTS: Final[Mapping[str, Verdict]] = {
    **{verdict.value: verdict for verdict in Verdict if verdict is not Verdict.NONE},
    **dict.fromkeys(("solved", "yes", "possible"), Verdict.SOLVABLE),
    **dict.fromkeys(("unsolvable", "insoluble", "infeasible", "no"), Verdict.IMPOSSIBLE),
}
_DENIED: Final = re.compile(r"\bnot (solvable|possible|impossible)\b")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: a verb, the things it is done with, what it is done to, and a value where one is needed."""

    do: str
    things: tuple[str, ...] = ()
    value: str = ""

    def __str__(self) -> str:
        parts = [*self.things, *([repr(self.value)] if self.value else [])]
        return f"{self.do}({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in the plan form."""

    verdict: Verdict = Verdict.NONE
    plan: tuple[Step, ...] = ()
    others: tuple[tuple[Step, ...], ...] = ()
    """Further plans that would work as well."""
    conflict: tuple[str, ...] = ()
    """Why it cannot be done: the things that stand against each other."""
    assumption: str = ""
    """What everybody takes for granted and nobody laid down."""
    crux: str = ""
    """What the answer turns on, where it is contested."""
    uncertain: tuple[str, ...] = ()
    claims: Mapping[str, str] = field(default_factory=dict)
    """Figures of a design, by name."""
    because: tuple[str, ...] = ()
    words: int = 0
    """Length of the whole answer in tokens, about."""

    @property
    def is_silent(self) -> bool:
        """Whether nothing was answered."""
        return self.verdict is Verdict.NONE and not self.plan


def read_answer(text: str) -> Answer | None:
    """The answer in a text: its last JSON object that has a verdict or a plan. None where there is none."""
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
    """The outermost JSON objects of a text, the last first."""
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
    """Where the last braces begin that are tried; an answer stands at the end of its text."""
    at = len(text)
    for _ in range(MOST_BRACES):
        before = text.rfind("{", 0, at)
        if before < 0:
            break
        at = before
    return at


def _verdict(data: Mapping[str, Any]) -> Verdict:
    """The verdict an answer gives; one that gives several gives none."""
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
    """A value as one line of text; what is no plain value is written out."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict | list):
        try:
            value = " ".join(str(each) for each in (value.values() if isinstance(value, dict) else value))
        except RecursionError:
            return ""
    # half a character cannot be written into any file
    legible = str(value)[: 4 * LONGEST].encode("utf-8", "replace").decode("utf-8")
    return " ".join(legible.split())[:LONGEST]


def _claims(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {str(name)[:80]: _text(each) for name, each in list(value.items())[:MOST_TEXTS]}
