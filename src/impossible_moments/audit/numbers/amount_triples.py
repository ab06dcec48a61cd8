"""Check of amounts in one sentence that are related by their units, such as a power, a time and an energy.

Without a printed formula the amounts may belong to different things, so the findings are notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, split_sentences
from impossible_moments.audit.numbers.amounts import Amount, find_amounts, is_amount_continuation
from impossible_moments.audit.numbers.body_scale import GRAVITY
from impossible_moments.audit.numbers.equations import CalculationMistake, normalize_math_text
from impossible_moments.mechanics.language import LENGTH, MASS, PLAIN, TEMPERATURE, TIME, parse_unit

ALLOWED_FACTOR: Final = 1.5
ALLOWED_WEIGHT_FACTOR: Final = 1.12
FORCE: Final = parse_unit("N").dimension
SPEED: Final = LENGTH / TIME
_FALLING: Final = re.compile(
    r"\b(?:fall|falls|falling|fell|drop|drops|dropped|free-fall|plummet\w*)\b", re.IGNORECASE
)
_SLOWED_FALL: Final = re.compile(
    r"\b(?:terminal|drag|parachute|air resistance|slow\w*|water level|voltage|pressure|temperature|moon|lunar|mars|martian|viscous|sink\w*)\b",
    re.IGNORECASE,
)
_WEIGHT_JOIN: Final = re.compile(
    r"\s?(?:\(|=|,? or |/)\s?(?:about |approximately |roughly |a force of |~|=)*"
)
_SPREAD_AMOUNTS: Final = re.compile(
    r"\b(?:each|per|every|average|peak|maximum|minimum|up to|at least|versus|vs|while|whereas|but|instead|if)\b|=",
    re.IGNORECASE,
)


def find_inconsistent_amounts(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all sentences with inconsistent products, falls or weights."""
    for line in document.lines:
        if not re.search(r"\d", line.text):
            continue
        for cell in normalize_math_text(line.text).split("|"):
            for sentence in split_sentences(cell):
                found = [each for each in find_amounts(sentence) if each.unit and each.dimension != PLAIN]
                yield from _check_product(line.number, sentence, found)
                yield from _check_height_against_fall(line.number, sentence, found)
                yield from _check_weight(line.number, sentence, found)


def _check_product(number: int, text: str, amounts: list[Amount]) -> Iterator[CalculationMistake]:
    """Check exactly three amounts of which one is the product of the others."""
    if (
        len(amounts) != 3  # noqa: PLR2004
        or _SPREAD_AMOUNTS.search(text)
        or any(is_amount_continuation(text, each) for each in amounts)
    ):
        return
    if len({each.dimension for each in amounts}) != len(amounts) or any(
        min(each.si) <= 0 for each in amounts
    ):
        return
    for first, second, product in permutations(amounts):
        if product.dimension != first.dimension * second.dimension or TEMPERATURE in (
            first.dimension,
            second.dimension,
        ):
            continue
        low, high = first.si[0] * second.si[0], first.si[1] * second.si[1]
        if high * ALLOWED_FACTOR < product.si[0] or low > product.si[1] * ALLOWED_FACTOR:
            right = _format_range((low, high), product)
            yield CalculationMistake(
                number,
                text.strip(),
                right,
                f"{_quote_amount(text, first)} and {_quote_amount(text, second)} give {right}, not {_quote_amount(text, product)}",
            )
        return


def _check_height_against_fall(number: int, text: str, amounts: list[Amount]) -> Iterator[CalculationMistake]:
    """Check a height against the speed or the time of a fall from it."""
    heights = [each for each in amounts if each.dimension == LENGTH]
    if len(heights) != 1 or not _FALLING.search(text) or _SLOWED_FALL.search(text) or heights[0].si[0] <= 0:
        return
    low, high = heights[0].si
    for kind, ends in (
        (SPEED, ((2 * GRAVITY * low) ** 0.5, (2 * GRAVITY * high) ** 0.5)),
        (TIME, ((2 * low / GRAVITY) ** 0.5, (2 * high / GRAVITY) ** 0.5)),
    ):
        stated = [each for each in amounts if each.dimension == kind]
        if len(stated) != 1 or (kind == TIME and len(amounts) != 2):  # noqa: PLR2004 - a height and a time
            continue
        if ends[1] * ALLOWED_FACTOR < stated[0].si[0] or ends[0] > stated[0].si[1] * ALLOWED_FACTOR:
            right = _format_range(ends, stated[0])
            yield CalculationMistake(
                number,
                text.strip(),
                right,
                f"a fall of {_quote_amount(text, heights[0])} gives {right}, not {_quote_amount(text, stated[0])}",
            )


def _check_weight(number: int, text: str, amounts: list[Amount]) -> Iterator[CalculationMistake]:
    """Check a mass against its weight, as in `80 kg (650 N)`."""
    for first, second in pairwise(amounts):
        if {first.dimension, second.dimension} != {MASS, FORCE} or not _WEIGHT_JOIN.fullmatch(
            text[first.end : second.start]
        ):
            continue
        mass, force = (first, second) if first.dimension == MASS else (second, first)
        if min(mass.si) <= 0 or re.search(
            r"\b(?:moon|lunar|mars|martian|buoy\w*|net|drag|thrust|friction)\b", text, re.IGNORECASE
        ):
            continue
        low, high = GRAVITY * mass.si[0], GRAVITY * mass.si[1]
        if high * ALLOWED_WEIGHT_FACTOR < force.si[0] or low > force.si[1] * ALLOWED_WEIGHT_FACTOR:
            right = _format_range((low, high), force)
            yield CalculationMistake(
                number,
                text[first.start : second.end],
                right,
                f"{_quote_amount(text, mass)} weighs {right}, not {_quote_amount(text, force)}",
            )


def _quote_amount(text: str, amount: Amount) -> str:
    return text[amount.start : amount.end].strip()


def _format_range(ends: tuple[float, float], unit_source: Amount) -> str:
    return (
        " to ".join(f"{end / unit_source.factor:.3g}" for end in dict.fromkeys(ends)) + f" {unit_source.unit}"
    )
