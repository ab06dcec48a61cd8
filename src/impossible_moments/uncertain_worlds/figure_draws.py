"""Draws of figures for a family, and the record that they give."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import Any

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.uncertain import FORMAT
from impossible_moments.uncertain_worlds.family_forms import FamilyForm, FigureDraw, SplitDraw

_HUNDRED = 100
_MOST_TRIALS = 10_000


def draw_figures(family: FamilyForm, stream: Random) -> dict[str, int | float]:
    """Return a value for every open figure of a family."""
    figures: dict[str, int | float] = {}
    for name, draw in family.draws.items():
        if isinstance(draw, SplitDraw):
            shares = _draw_split(draw, stream)
            figures |= {f"{name}_{value}": share for value, share in zip(draw.split, shares, strict=True)}
        else:
            figures[name] = _draw_from_range(draw, stream)
    return figures


def _draw_from_range(draw: FigureDraw, stream: Random) -> int | float:
    low, high, step = (Decimal(str(each)) for each in (draw.low, draw.high, draw.step))
    value = low + step * stream.randint(0, int((high - low) / step))
    return (
        int(value)
        if value == value.to_integral_value() and step == step.to_integral_value()
        else float(value)
    )


def _draw_split(draw: SplitDraw, stream: Random) -> list[float]:
    least, most = round(draw.least * _HUNDRED), round(draw.most * _HUNDRED)
    for _ in range(_MOST_TRIALS):
        parts = [stream.randint(least, most) for _ in draw.split[1:]]
        last = _HUNDRED - sum(parts)
        if least <= last <= most:
            return [part / _HUNDRED for part in (*parts, last)]
    raise ConfigurationError(
        f"No split of 1 into {len(draw.split)} parts from {draw.least:g} to {draw.most:g} was found; widen the range."
    )


def build_record_data(
    family: FamilyForm, skin_name: str, figures: Mapping[str, int | float]
) -> dict[str, Any]:
    """Return the record of a family with the words of a skin and with figures."""
    skin = family.skins[skin_name]
    # a word with the name of a figure hides it: `place_a` is then the name of the place, not its probability
    words = {**{name: f"{value:g}" for name, value in figures.items()}, **skin.words}

    def fill_text(text: str) -> str:
        try:
            return text.format_map(words)
        except (KeyError, ValueError, IndexError) as problem:
            raise ConfigurationError(
                f"The skin {skin_name} of {family.name} has no word for {problem} in `{text}`."
            ) from None

    def fill_value(value: object) -> object:
        match value:
            case str() if value.startswith("$"):
                if value[1:] not in figures:
                    raise ConfigurationError(f"{family.name} has no figure `{value[1:]}`.")
                return figures[value[1:]]
            case str():
                return fill_text(value)
            case list():
                return [fill_value(each) for each in value]
            case dict():
                return {name: fill_value(each) for name, each in value.items()}
        return value

    filled = {name: fill_value(value) for name, value in family.record.items()}
    return {
        "format": FORMAT,
        "title": skin.title,
        "category": family.category,
        "family": family.name,
        "skin": skin_name,
        "situation": [fill_text(each) for each in skin.situation],
        "goal": fill_text(skin.goal),
        "notes": [fill_text(each) for each in skin.notes],
        **filled,
    }
