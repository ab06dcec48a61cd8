"""Draws: the numbers and words of a blueprint that differ from scenario to scenario.

    sill: 2.6..3.2 by 0.05          a number on that grid
    hull: a lighter | a coaster     one of the choices
    fuse: = 1.4*$work round 5       computed from other draws, rounded to a multiple of the step
    bolts: 4                        a constant

`$sill` in any text stands for the drawn value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from impossible_moments.blueprints.random_streams import create_random_stream
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.language import (
    UNDEFINED,
    ExpressionError,
    compile_expression,
    parse_expression,
)
from impossible_moments.mechanics.numbers import PLAIN_NUMBER

REFERENCE: Final = re.compile(r"\$([a-z][a-z0-9_]*)")
MOST_STEPS: Final = 10_000
_GRID: Final = re.compile(rf"({PLAIN_NUMBER})\s*\.\.\s*({PLAIN_NUMBER})\s+by\s+({PLAIN_NUMBER})")
NOT_REDRAWN: Final[Mapping[str, Any]] = MappingProxyType({})
_RANGE_PATTERN: Final = re.compile(rf"{PLAIN_NUMBER}\s*\.\.\s*{PLAIN_NUMBER}")
_COMPUTED: Final = re.compile(rf"=\s*(?P<body>.+?)(?:\s+round\s+(?P<step>{PLAIN_NUMBER}))?", re.DOTALL)


class DrawError(ConfigurationError):
    """A draw that cannot be made. The message names the draw and the reason."""


def draw_values(
    draws: Mapping[str, str],
    *names: object,
    redraws: Mapping[str, int] = NOT_REDRAWN,
    fixed: Mapping[str, str] = NOT_REDRAWN,
) -> dict[str, str]:
    """Return the drawn value of each name, in the form in which it is written into a text.

    `names` identify the random stream. `redraws` says how often a name was drawn again, and `fixed` which value
    it is set to. All other names keep their values.
    """
    found: dict[str, str] = {}
    pending = dict(draws)
    while pending:
        ready = [name for name, text in pending.items() if not find_referenced_draws(text) & pending.keys()]
        if not ready:
            raise DrawError(
                f"the draws {', '.join(sorted(pending))} depend on each other; make one of them independent."
            )
        for name in ready:
            text = pending.pop(name)
            if name in fixed:
                found[name] = fixed[name]
                continue
            # negative numbers are put in brackets in formulas: -3 squared is 9
            known = {key: f"({value})" if value.startswith("-") else value for key, value in found.items()}
            stream_names = (*names, "anew", redraws[name]) if redraws.get(name) else names
            found[name] = _draw_value(
                name, substitute_draws(text, known if text.strip().startswith("=") else found), *stream_names
            )
    return found


def substitute_draws(text: str, values: Mapping[str, str]) -> str:
    """Return the text with each `$name` replaced by its drawn value."""

    def look_up_draw(match: re.Match[str]) -> str:
        if match[1] not in values:
            known = ", ".join(f"${name}" for name in sorted(values)) or "none"
            raise DrawError(
                f"the blueprint uses `${match[1]}`, which is not drawn; the draws are {known}. Write `{match[1]}: 2..3 by 0.5` "
                "(a range), `this | that` (a choice) or a fixed value in `draws` of the blueprint, the skin or the variant, "
                "or a sentence in `texts`."
            )
        return values[match[1]]

    return REFERENCE.sub(look_up_draw, text)


def find_referenced_draws(text: str) -> frozenset[str]:
    """Return the names of the draws that a text refers to."""
    return frozenset(REFERENCE.findall(text))


def _draw_value(name: str, text: str, *names: object) -> str:
    text = text.strip()
    if grid := _GRID.fullmatch(text):
        return _draw_from_grid(name, *map(Decimal, grid.groups()), names=names)
    if formula := _COMPUTED.fullmatch(text):
        return _compute_formula(name, formula["body"], formula["step"])
    if _RANGE_PATTERN.fullmatch(text):
        raise DrawError(
            f"the draw `{name}: {text}` has no valid grid; write `low..high by step`, as in `2.6..3.2 by 0.05`."
        )
    choices = [choice.strip() for choice in text.split("|")]
    if not all(choices):
        raise DrawError(f"the draw `{name}: {text}` offers an empty choice; write `this | that`.")
    return choices[0] if len(choices) == 1 else create_random_stream(*names, name).choice(choices)


def _draw_from_grid(
    name: str, low: Decimal, high: Decimal, step: Decimal, *, names: tuple[object, ...]
) -> str:
    if step <= 0 or high < low or (high - low) / step > MOST_STEPS:
        raise DrawError(
            f"the draw `{name}: {low}..{high} by {step}` has no valid grid; write `low..high by step`, as in `2.6..3.2 by 0.05`."
        )
    return _format_decimal(
        low + step * create_random_stream(*names, name).randint(0, int((high - low) / step))
    )


def _compute_formula(name: str, body: str, step: str | None) -> str:
    try:
        value = compile_expression(parse_expression(body), _reject_name_without_dollar_sign)([])
    except ExpressionError as problem:
        raise DrawError(f"the draw `{name} = {body}` cannot be parsed: {problem}.") from None
    except UNDEFINED:
        raise DrawError(f"the draw `{name} = {body}` has no value.") from None
    if isinstance(value, bool | str):
        raise DrawError(f"the draw `{name} = {body}` is not a number.")
    if step is None:
        return _format_decimal(Decimal(f"{value:.6g}"))
    step_size = Decimal(step)
    if not step_size:
        raise DrawError(
            f"the draw `{name} = {body}` is rounded to multiples of zero; name a step, as in `round 0.5`."
        )
    return _format_decimal((Decimal(value) / step_size).to_integral_value() * step_size)


def _reject_name_without_dollar_sign(name: str) -> int:
    raise DrawError(
        f"`{name}` is not allowed in a draw; write `${name}` for the value drawn under that name."
    )


def _format_decimal(value: Decimal) -> str:
    text = f"{value + 0:f}" if value else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def is_computed_draw(text: str) -> bool:
    """Return whether a draw is computed from others."""
    return text.strip().startswith("=")


def has_several_values(text: str) -> bool:
    """Return whether drawing again can give another value: a grid with steps, or several choices."""
    text = text.strip()
    if is_computed_draw(text):
        return False
    if grid := _GRID.fullmatch(text):
        low, high, step = map(Decimal, grid.groups())
        return low + step <= high
    return len(set(map(str.strip, text.split("|")))) > 1


def fit_value_to_draw(text: str, value: float) -> str | None:
    """Return the value of a draw's grid that is nearest to a number, or None if its range excludes the number."""
    grid = _GRID.fullmatch(text.strip())
    if grid is None:
        return None
    low, high, step = map(Decimal, grid.groups())
    wanted = Decimal(f"{value:.12g}")
    if not low <= wanted <= high:
        return None
    return _format_decimal(low + ((wanted - low) / step).to_integral_value() * step)


def is_numeric_draw(text: str) -> bool:
    """Return whether a draw gives a number of a grid, one of several numbers, or always the same number."""
    return _GRID.fullmatch(text.strip()) is not None or all(
        re.fullmatch(PLAIN_NUMBER, choice.strip()) for choice in text.split("|")
    )
