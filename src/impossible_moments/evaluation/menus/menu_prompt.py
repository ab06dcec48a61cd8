"""The instructions for an answer from the menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.evaluation.menus.action_menu import ActionMenu, MenuLine

INSTRUCTIONS: Final = """\
Think first, as long as you need. Then end with one JSON object, and write nothing after it:

{{"verdict": "solvable" | "impossible" | "contested" | "open",
 "plan": [LINE, ...],
 "other_plans": [[LINE, ...], ...],
 "assumption": P,
 "conflict": [C, ...],
 "crux": U,
 "claims": {{"NAME": "NUMBER UNIT"}}}}

Leave out fields that do not apply. A LINE is the code of an action below, such as "{example}"; where a value is asked for, write it \
after the code, such as "{example}=40". The actions are carried out in your order, exactly as they are written. Some of them lead nowhere.

- solvable: give the plan. If there are further independent ways, give them in other_plans. If it can be solved only by dropping an \
assumption that the text suggests and no stated fact imposes, name that statement in assumption.
- impossible: name in conflict the conditions that cannot all be met.
- contested: the answer depends on something that is disputed. Name it in crux, give the plan that is best for one position, and in \
other_plans the one that is best for the other.
- open: no solution is known, and nothing rules one out. If you propose a design, explain it before the JSON object, and give its \
figures in claims, by their names in the text.

{lists}
"""
LISTS: Final = """\
Actions:
{actions}

Statements that may be an assumption:
{premises}

Conditions:
{conditions}

What the answer may depend on:
{uncertainties}
"""


def render_menu_instructions(menu: ActionMenu) -> str:
    """Return the menu with the instructions for an answer."""
    example = menu.lines[0].code if menu.lines else "A1"
    return INSTRUCTIONS.format(example=example, lists=render_menu_lists(menu))


def render_menu_lists(menu: ActionMenu) -> str:
    """Return the actions, statements, conditions and uncertainties with their codes."""
    return LISTS.format(
        actions="\n".join(map(_format_line, menu.lines)),
        premises=_format_sentences(menu.premises),
        conditions=_format_sentences(menu.conditions),
        uncertainties=_format_sentences(menu.uncertainties),
    )


def _format_line(line: MenuLine) -> str:
    if not line.takes_value:
        return f"{line.code}: {line.text}"
    unit = {"": "", "plain": " (a number)", "percent": " (in percent)"}.get(
        line.unit or "", f" (in {line.unit})"
    )
    return f"{line.code}=VALUE: {line.text}{unit}"


def _format_sentences(sentences: Mapping[str, str]) -> str:
    return "\n".join(f"{code}: {text}" for code, text in sentences.items()) or "(none)"
