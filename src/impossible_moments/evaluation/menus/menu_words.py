"""Answers from the menu in words, for judges: they read sentences, not codes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from impossible_moments.evaluation.answers.answer_parser import (
    LONGEST_TEXT,
    MOST_STEPS,
    MOST_TEXTS,
    find_answer_object,
)
from impossible_moments.evaluation.menus.action_menu import ActionMenu


def render_menu_answer_in_words(text: str, menu: ActionMenu) -> str:
    """Return an answer with the sentences of the menu in place of its codes, in the plan form.

    What the answer says before its JSON object is kept. A text without such an object is returned as it is.
    """
    data = find_answer_object(text)
    if data is None:
        return text
    words: dict[str, Any] = {"verdict": data.get("verdict")}
    if "plan" in data:
        words["plan"] = _render_plan(data["plan"], menu)
    if isinstance(data.get("other_plans"), list):
        words["other_plans"] = [_render_plan(plan, menu) for plan in data["other_plans"][:MOST_TEXTS]]
    for name, sentences in (("assumption", menu.premises), ("crux", menu.uncertainties)):
        if data.get(name):
            words[name] = _find_sentence(data[name], sentences)
    if data.get("conflict"):
        codes = data["conflict"] if isinstance(data["conflict"], list) else [data["conflict"]]
        words["conflict"] = [_find_sentence(code, menu.conditions) for code in codes[:MOST_TEXTS]]
    if isinstance(data.get("claims"), Mapping):
        words["claims"] = data["claims"]
    reasoning = text[: text.rfind("\n{")].strip() if "\n{" in text else ""
    answer = json.dumps(words, ensure_ascii=False, indent=1)
    return f"{reasoning}\n\n{answer}" if reasoning else answer


def _render_plan(plan: object, menu: ActionMenu) -> list[dict[str, str]]:
    lines = plan if isinstance(plan, list) else [plan]
    return [_render_line(str(each)[:LONGEST_TEXT], menu) for each in lines[:MOST_STEPS]]


def _render_line(text: str, menu: ActionMenu) -> dict[str, str]:
    code, _, value = text.partition("=")
    line = menu.by_code.get(code.strip().upper())
    step = {"do": line.text if line is not None else text}
    if line is not None and value:
        step["value"] = f"{value.strip()} {line.unit or ''}".strip()
    return step


def _find_sentence(code: object, sentences: Mapping[str, str]) -> str:
    text = str(code)[:LONGEST_TEXT]
    return sentences.get(text.strip().upper(), text)
