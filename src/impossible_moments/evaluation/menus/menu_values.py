"""Values that a solver writes with a line of the menu."""

from __future__ import annotations

import math

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.step_values import iterate_puzzle_answers
from impossible_moments.mechanics.language import parse_unit
from impossible_moments.mechanics.numbers import normalize_decimal_comma
from impossible_moments.mechanics.records import Quantity, parse_quantity_value


class MenuValueError(ValueError):
    """A value that the line does not take."""


def build_choose_call(name: str, given: str, key: AnswerKey) -> str:
    """Return the call that sets a decision to a written value. Raise `MenuValueError` for a bad one."""
    quantity = next(each for each in key.analysis.engine.decisions if each.name == name)
    unit = key.wording.values[name].unit or "plain"
    number = _parse_number(given.removesuffix("%").removesuffix(unit).strip())
    if number is None:
        raise MenuValueError(f"{given[:40]!r} is not a number in {unit}")
    if unit == "percent" and not _is_measured_in_percent(quantity):
        return f"choose({name}={number / 100:.10g})"
    return f"choose({name}={number:.10g})" if unit == "plain" else f"choose({name}={number:.10g}[{unit}])"


def _is_measured_in_percent(quantity: Quantity) -> bool:
    return quantity.display_unit is not None and str(quantity.display_unit) == "percent"


def _parse_number(text: str) -> float | None:
    try:
        number = float(normalize_decimal_comma(text))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def format_chosen_value(name: str, text: str, key: AnswerKey) -> str:
    """Return the value of a `choose` call in the unit in which the menu asks for it."""
    unit = key.wording.values[name].unit or "plain"
    quantity = parse_quantity_value(name, text)
    value = float(quantity.value) if isinstance(quantity.value, int | float) else 0.0
    if unit == "percent":
        return f"{value * 100:.10g}"
    return f"{value:.10g}" if unit == "plain" else f"{parse_unit(unit).from_si(value):.10g}"


def build_answer_call(puzzle: str, given: str, key: AnswerKey) -> str:
    """Return the call that answers a puzzle with a written value."""
    if not given:
        raise MenuValueError("the line needs a value after `=`")
    found = dict(iterate_puzzle_answers(given, key.analysis.world))
    return f"answer({puzzle}, '{found.get(puzzle, given).replace(chr(39), '')}')"
