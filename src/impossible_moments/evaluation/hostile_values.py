"""Hostile answers about values: wrong ones, values of a puzzle in wrong places, and two answers to one question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.puzzle_answers import list_options_of_unknowns
from impossible_moments.evaluation.hostile_answers import AttackKind, HostileAnswer, format_answer
from impossible_moments.evaluation.menus import build_action_menu
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.evaluation.runs.menu_baselines import CodeFinder
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.mechanics.records import CluesPuzzle, parse_call, strip_quotes

VALUE_FACTORS: Final = (0.1, 0.5, 0.8, 1.25, 2.0, 10.0)
"""The factors by which the values of working plans are changed."""
MOST_ORDERS: Final = 12
"""The most orders in which the values of one puzzle are tried."""
FEWEST_PLACES: Final = 2
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_MISPLACED: Final = ("answer {}", "Enter {}", "Press {} and open", "The code is {}", "Dial {}.")
"""Steps that state values of a puzzle."""


def generate_value_attacks(key: AnswerKey) -> Iterator[HostileAnswer]:
    """Generate working plans with another value, with values in wrong places and with two values at once."""
    for name, outcome in key.analysis.outcomes.items():
        if not outcome.reaches_goal:
            continue
        calls = tuple(move.text for move in key.analysis.plans[name] if move.verb != "challenge")
        for place, call in enumerate(calls):
            for other in _iterate_other_values(call, key):
                changed = (*calls[:place], other, *calls[place + 1 :])
                yield HostileAnswer(AttackKind.WRONG_VALUES, _format_calls(changed, key), meant=changed)
                yield from _state_both(calls, place, other, key)
            yield from _misplace_values(calls, place, key)
        yield from _give_two_verdicts(calls, key)


def _format_calls(calls: tuple[str, ...], key: AnswerKey) -> str:
    return format_answer("solvable", [convert_call_to_step(each, key) for each in calls])


def _iterate_other_values(call: str, key: AnswerKey) -> Iterator[str]:
    parsed = parse_call(call)
    if parsed.verb == "choose":
        name, _, value = parsed.arguments[0].partition("=")
        found = _NUMBER.search(value)
        if found is None:
            return
        for factor in VALUE_FACTORS:
            scaled = float(found[0]) * factor
            changed = f"{scaled:.6g}" if "." in found[0] else f"{scaled:.0f}"
            if changed == found[0]:
                continue
            yield f"choose({name.strip()}={_NUMBER.sub(changed, value, count=1).strip()})"
    elif parsed.verb == "answer":
        right = strip_quotes(parsed.arguments[1])
        prefix = f"{parsed.arguments[0]}."
        others = [each.removeprefix(prefix) for each in key.wording.answers if each.startswith(prefix)]
        if not others and "=" not in right:
            # a code or a word, which is changed by a letter or two
            others += [right[::-1], f"{right}0", right[1:]]
        for other in others:
            if other and other != right and "'" not in other:
                yield f"answer({parsed.arguments[0]}, '{other}')"


def _state_both(calls: tuple[str, ...], place: int, other: str, key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield a plan with the right value and another one: as two steps, as alternatives, as two answers and from the menu."""
    steps = [_join_step(each, key) for each in calls]
    wrong = (*calls[:place], other, *calls[place + 1 :])
    both = (steps[place], _join_step(other, key))
    for first, second in (both, both[::-1]):
        for pair in ([first, second], [f"{first} or {second}"], [f"{first}, and if that fails {second}"]):
            text = format_answer("solvable", [*steps[:place], *pair, *steps[place + 1 :]])
            yield HostileAnswer(AttackKind.TWO_ANSWERS, text, meant=wrong)
    # the last form counts
    text = f"{_format_calls(calls, key)}\n{_format_calls(wrong, key)}"
    yield HostileAnswer(AttackKind.TWO_ANSWERS, text, meant=wrong)
    codes = CodeFinder(build_action_menu(key), key)
    for order in ((calls[place], other), (other, calls[place])):
        plan = codes.find_plan_codes((*calls[:place], *order, *calls[place + 1 :]))
        text = format_answer("solvable", plan)
        yield HostileAnswer(AttackKind.TWO_ANSWERS, text, AnswerForm.MENU, meant=wrong)


def _join_step(call: str, key: AnswerKey) -> str:
    step = convert_call_to_step(call, key)
    things = " ".join(step.get("with", ()))
    return " ".join(filter(None, (str(step["do"]), things, str(step.get("value", "")))))


def _gives_right_answer(call: str, key: AnswerKey) -> bool:
    parsed = parse_call(call)
    return parsed.verb == "answer" and key.analysis.world.puzzles[parsed.arguments[0]].accepts_answer(
        strip_quotes(parsed.arguments[1])
    )


def _misplace_values(calls: tuple[str, ...], place: int, key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield the values of a puzzle with several unknowns in other places, with their names and as a list."""
    parsed = parse_call(calls[place])
    if parsed.verb != "answer":
        return
    pairs = [part.partition("=")[::2] for part in strip_quotes(parsed.arguments[1]).split(",") if "=" in part]
    if len(pairs) < FEWEST_PLACES:
        return
    names, values = zip(*((name.strip(), value.strip()) for name, value in pairs), strict=True)
    steps = [_join_step(each, key) for each in calls]
    orders = sorted(set(permutations(values)) - {values})
    for order in islice(orders, MOST_ORDERS):
        named = ", ".join(f"{name}={value}" for name, value in zip(names, order, strict=True))
        wrong = f"answer({parsed.arguments[0]}, '{named}')"
        if _gives_right_answer(wrong, key):
            continue
        lists = (", ".join(order), "-".join(order), " then ".join(order), "".join(order))
        # a list is wrong only if each value could be meant in its place
        for words in (named, *(lists if _fit_places(parsed.arguments[0], names, order, key) else ())):
            for form in _MISPLACED:
                text = format_answer("solvable", [*steps[:place], form.format(words), *steps[place + 1 :]])
                yield HostileAnswer(AttackKind.MISPLACED, text, can_hold=False)


def _fit_places(puzzle: str, names: tuple[str, ...], values: tuple[str, ...], key: AnswerKey) -> bool:
    """Return whether each unknown of a puzzle may have the value in its place."""
    form = next(each for each in key.analysis.world.record.puzzles if each.name == puzzle)
    if not isinstance(form, CluesPuzzle):
        return True
    options = list_options_of_unknowns(form)
    return all(value in options.get(name, ()) for name, value in zip(names, values, strict=True))


def _give_two_verdicts(calls: tuple[str, ...], key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield a working plan together with another verdict, and with two verdicts at once."""
    steps = [_join_step(each, key) for each in calls]
    verdicts = ["impossible", "open", "solvable impossible", "solvable or contested or impossible"]
    if key.status not in {"CT", "OF", "MT"}:
        for verdict in verdicts:
            text = format_answer(verdict, steps, conflict=list(key.wording.conditions.values()))
            yield HostileAnswer(AttackKind.TWO_ANSWERS, text, can_hold=False)
