"""Answers from the menu, read exactly. The text is untrusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import (
    LONGEST_TEXT,
    MOST_STEPS,
    MOST_TEXTS,
    describe_unclear_verdict,
    find_answer_object,
    parse_verdict,
)
from impossible_moments.evaluation.interpretation import InterpretedAnswer, InterpretedStep, StepKind
from impossible_moments.evaluation.menus.action_menu import ActionMenu, LineKind, MenuLine
from impossible_moments.evaluation.menus.menu_values import (
    MenuValueError,
    build_answer_call,
    build_choose_call,
)

MOST_PLANS: Final = 5
_KINDS: Final = {LineKind.HARMLESS: StepKind.HARMLESS, LineKind.NEAR_MISS: StepKind.NEAR_MISS}


def interpret_menu_answer(text: str, menu: ActionMenu, key: AnswerKey) -> InterpretedAnswer:
    """Return the answer in the last JSON object of a text. It is empty if there is none."""
    data = find_answer_object(text)
    if data is None:
        return InterpretedAnswer(unread=("there is no JSON object with a verdict or a plan",))
    reader = _MenuReader(menu, key)
    plans = [reader.read_plan(each) for each in _as_list(data.get("other_plans"))[:MOST_PLANS]]
    premise = _as_code(data.get("assumption"))
    return InterpretedAnswer(
        verdict=parse_verdict(data),
        steps=reader.read_plan(data.get("plan")),
        other_plans=tuple(plan for plan in plans if plan),
        premises=frozenset({menu.premise_names[premise]} if premise in menu.premise_names else ()),
        names_decoy=premise in menu.premises and premise not in menu.premise_names,
        conflict=tuple(
            frozenset({menu.condition_names[code]} if code in menu.condition_names else ())
            for code in dict.fromkeys(map(_as_code, _as_list(data.get("conflict"))[:MOST_TEXTS]))
            if code
        ),
        names_crux=menu.uncertainty_names.get(_as_code(data.get("crux"))) == getattr(key.block, "crux", None)
        and hasattr(key.block, "crux"),
        unread=tuple(reader.problems),
        doubts=tuple(filter(None, (describe_unclear_verdict(data),))),
        offered=menu.offered,
        answer_tokens=-(-len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")) // 4),
    )


class _MenuReader:
    """Reads the lines of a plan, and collects what is not a line of the menu."""

    def __init__(self, menu: ActionMenu, key: AnswerKey) -> None:
        self.menu, self.key = menu, key
        self.problems: list[str] = []

    def read_plan(self, value: object) -> tuple[InterpretedStep, ...]:
        return tuple(self._read_line(each) for each in _as_list(value)[:MOST_STEPS])

    def _read_line(self, value: object) -> InterpretedStep:
        text = _as_text(value)
        code, _, given = text.partition("=")
        line = self.menu.by_code.get(code.strip().upper())
        if line is None:
            # a code that is not on the menu is a mistake of the solver and has no effect
            return InterpretedStep(text, StepKind.NEAR_MISS, reason="it is not a line of the menu")
        if line.kind in _KINDS:
            return InterpretedStep(text, _KINDS[line.kind])
        try:
            return InterpretedStep(text, StepKind.CALL, self._build_call(line, given.strip()))
        except MenuValueError as problem:
            return InterpretedStep(text, StepKind.NEAR_MISS, reason=str(problem))

    def _build_call(self, line: MenuLine, given: str) -> str:
        match line.kind:
            case LineKind.VALUE:
                return build_choose_call(line.call, given, self.key)
            case LineKind.ANSWER:
                return build_answer_call(line.call, given, self.key)
            case _:
                return line.call


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _as_text(value: object) -> str:
    if isinstance(value, Mapping):
        value = "=".join(str(each) for each in value.values())
    return str(value)[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")


def _as_code(value: object) -> str:
    return _as_text(value).strip().upper() if value is not None else ""
