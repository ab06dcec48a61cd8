"""Values that a solver writes with a line of the menu."""

from __future__ import annotations

import math

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.chosen_options import find_nearest_option
from impossible_moments.evaluation.answers.puzzle_answers import iterate_puzzle_answers
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
    return format_choose_call(quantity, number, key)


def format_choose_call(quantity: Quantity, number: float, key: AnswerKey) -> str:
    """Return the call that sets a decision to a number in the unit of its wording.

    If the decision offers single values, the number means the nearest one within the tolerance of the wording.
    """
    wording = key.wording.values[quantity.name]
    unit = wording.unit or "plain"
    is_share = unit == "percent" and not _is_measured_in_percent(quantity)
    scale = 0.01 if is_share else 1.0
    measure = parse_unit(unit) if not is_share and unit != "plain" else None
    chosen = find_nearest_option(number * scale, quantity, measure, float(wording.tolerance or 0) * scale)
    return f"choose({quantity.name}={chosen:.10g}{f'[{unit}]' if measure is not None else ''})"


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
