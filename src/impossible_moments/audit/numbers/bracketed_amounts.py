"""Check of amounts explained in brackets, such as `162,000 J (45 Wh)` or `2 m (3.5 m - 1.8 m)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, MarkdownLine
from impossible_moments.audit.numbers.amounts import find_amounts, is_amount_continuation, parse_amount_at
from impossible_moments.audit.numbers.equations import (
    FULL_TURN,
    MOST_BLUR,
    TOLERANCE,
    CalculationMistake,
    is_same_range,
    normalize_math_text,
)
from impossible_moments.audit.numbers.expression_values import UnreadableExpression
from impossible_moments.audit.numbers.expressions import ExpressionReader
from impossible_moments.mechanics.language import LENGTH, PLAIN, TEMPERATURE, TIME


def find_wrong_explanations(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all amounts that contradict their explanation in brackets or their restatement."""
    for line in document.lines:
        if "(" in line.text or " over " in line.text:
            text = normalize_math_text(line.text)
            yield from _check_conversions(line, text)
            yield from _check_products_and_quotients(line, text)
            yield from _check_bracketed_calculations(line, text)
            yield from _check_counted_totals(line, text)
        if " -- " in line.text or "equivalent to" in line.text or "i.e." in line.text:
            yield from _check_restated_amounts(line, normalize_math_text(line.text))
        if "%" in line.text:
            yield from _check_percentages(line, normalize_math_text(line.text))


_PAIR: Final = re.compile(
    r"\s?\(\s?(?:~|≈|=|or|about|approximately|roughly|i\.e\.,?|equivalent to)?\s*(?=[$\d.])"
)


def _check_conversions(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    """Check one amount in two units, as in `162,000 J (45 Wh)`."""
    for first in find_amounts(text):
        gap = _PAIR.match(text, first.end)
        if gap is None or not first.unit:
            continue
        second = parse_amount_at(text, gap.end())
        if second is None or not second.unit or not re.match(r"\s?\)", text[second.end : second.end + 2]):
            continue
        if second.dimension != first.dimension or first.dimension == PLAIN or second.factor == first.factor:
            continue
        if "deg C" in (first.unit, second.unit) or is_amount_continuation(text, first):
            continue
        tolerance = 0.06 + max(first.tolerance, second.tolerance)
        half = second.half_step * second.factor + first.half_step * first.factor
        in_turns = (first.si[0] * FULL_TURN, first.si[1] * FULL_TURN)
        if first.dimension == PLAIN / TIME and is_same_range(in_turns, second.si, tolerance, half):
            continue
        if not is_same_range(first.si, second.si, tolerance, half):
            correct = " to ".join(f"{end / second.factor:.4g}" for end in dict.fromkeys(first.si))
            printed = text[first.start : second.end + 1]
            yield CalculationMistake(
                line.number,
                printed,
                f"{correct} {second.unit}",
                f"`{printed}`: the first amount is {correct} {second.unit}",
            )


_JOINING_PHRASE: Final = re.compile(
    r"\s*(?:of (?:force|load|power|energy|water|heat|pressure|air|flow|weight)\s+)?(?:over|for|at|x|×|/|across|spread over)\s+(?:an area of |a |about |approximately |roughly )?"
)
_BOUND_BY: Final = re.compile(r"\s?[(=≈]\s?(?:i\.e\.,? |or |about |approximately |roughly |= ?)?")
ALLOWED_FACTOR: Final = 1.5
"""Allowed ratio between a stated and the correct result. Such remarks are often rounded."""


def _check_products_and_quotients(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    """Check a bracketed quotient or product of two amounts, as in `5-8 kN over 100 cm2 (50-80 kPa)`."""
    found = list(find_amounts(text))
    for first, second, third in zip(found, found[1:], found[2:], strict=False):
        if not (first.unit and second.unit and third.unit) or min(*first.si, *second.si, *third.si) <= 0:
            continue
        if not _JOINING_PHRASE.fullmatch(text[first.end : second.start]) or not _BOUND_BY.fullmatch(
            text[second.end : third.start]
        ):
            continue
        if third.dimension in {PLAIN, first.dimension, second.dimension}:
            continue
        if third.dimension == first.dimension / second.dimension:
            low, high = first.si[0] / second.si[1], first.si[1] / second.si[0]
        elif third.dimension == first.dimension * second.dimension:
            low, high = first.si[0] * second.si[0], first.si[1] * second.si[1]
        else:
            continue
        if high * ALLOWED_FACTOR < third.si[0] or low > third.si[1] * ALLOWED_FACTOR:
            correct = " to ".join(f"{end / third.factor:.3g}" for end in dict.fromkeys((low, high)))
            printed = text[first.start : third.end]
            yield CalculationMistake(
                line.number,
                printed,
                f"{correct} {third.unit}",
                f"`{printed}`: the result is {correct} {third.unit}",
            )


def _check_bracketed_calculations(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    """Check an amount against its bracketed calculation, as in `2 m (3.5 m - 1.8 m)`."""
    for stated in find_amounts(text):
        gap = re.compile(r"\s?\(\s?(?=[\d~(])").match(text, stated.end)
        if gap is None or not stated.unit or stated.dimension in {PLAIN, TEMPERATURE}:
            continue
        reader = ExpressionReader(text, gap.end())
        try:
            value = reader.parse_expression()
        except (UnreadableExpression, RecursionError):
            continue
        if (
            value.operations == 0
            or value.dimension != stated.dimension
            or not re.match(r"\s?(?:[a-z-]+ ?){0,3}\)", text[reader.at : reader.at + 40])
        ):
            continue
        tolerance = TOLERANCE + stated.tolerance + min(value.blur, MOST_BLUR)
        if not is_same_range(value.si, stated.si, tolerance, stated.half_step * stated.factor):
            correct = " to ".join(f"{end / stated.factor:.4g}" for end in dict.fromkeys(value.si))
            printed = text[stated.start : reader.at + 1]
            yield CalculationMistake(
                line.number,
                printed,
                f"{correct} {stated.unit}",
                f"`{printed}`: the calculation in brackets gives {correct} {stated.unit}",
            )


_PER_ITEM: Final = re.compile(
    r"(?P<count>\d{1,4}) (?P<noun>[a-z]{3,}?)s?\b[^.|()]{0,30}? at (?:~|about |approximately )?(?=[\d.])"
)


def _check_counted_totals(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    """Check a total against a bracketed count and unit amount, as in `60 min (10 bags at 5 min per bag)`."""
    for match in _PER_ITEM.finditer(text):
        each = parse_amount_at(text, match.end())
        if (
            each is None
            or not each.unit
            or not re.match(rf"\s?(?:per {match['noun']}|each|apiece)\b", text[each.end :])
        ):
            continue
        before = [
            amount for amount in find_amounts(text[: match.start()]) if amount.dimension == each.dimension
        ]
        if not before or not re.fullmatch(r"\s?\(\s?", text[before[-1].end : match.start()]):
            continue
        total, count = before[-1], int(match["count"])
        low, high = each.si[0] * count, each.si[1] * count
        tolerance = 0.05 + total.tolerance + each.tolerance
        if total.si[1] < low * (1 - tolerance) or total.si[0] > high * (1 + tolerance):
            correct = " to ".join(f"{end / total.factor:.4g}" for end in dict.fromkeys((low, high)))
            printed = text[total.start : each.end]
            yield CalculationMistake(
                line.number,
                printed,
                f"{correct} {total.unit}",
                f"`{printed}`: the total is {correct} {total.unit}",
            )


_SHARE_OF: Final = re.compile(r"\s?\(\s?(?:about |approximately |roughly )?")
_OF_PHRASE: Final = re.compile(
    r"\s?of (?:the |its |their |your )?(?:[A-Za-z-]+ ){0,4}?(?:of |at )?(?=[$€£~\d])"
)


def _check_percentages(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    """Check a percentage between a part and a whole, as in `$14.2M (22% of revenue of $111.6M)`."""
    found = list(find_amounts(text))
    for part, share, whole in zip(found, found[1:], found[2:], strict=False):
        if (
            share.unit not in {"%", "percent"}
            or part.dimension != whole.dimension
            or part.unit in {"%", "percent"}
        ):
            continue
        if not _SHARE_OF.fullmatch(text[part.end : share.start]) or not _OF_PHRASE.fullmatch(
            text[share.end : whole.start]
        ):
            continue
        if not part.unit and not (text[part.start] in "$€£" and text[whole.start] in "$€£"):
            continue
        low, high = (
            part.si[0] / whole.si[1] * 100 if whole.si[1] else 0.0,
            part.si[1] / whole.si[0] * 100 if whole.si[0] else 0.0,
        )
        if not is_same_range((low, high), (share.low, share.high), 0.1 + share.tolerance, share.half_step):
            printed = text[part.start : whole.end]
            yield CalculationMistake(
                line.number, printed, f"{low:.3g} %", f"`{printed}`: the share is {low:.3g} %"
            )


_RESTATED_AMOUNT: Final = re.compile(
    r"(?: [a-z]+){0,4}(?: --|,? i\.e\.,?|,? that is,?|,? equivalent to) (?:about |roughly |approximately )?"
)


def _check_restated_amounts(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    """Check an amount restated in another unit, as in `365 GWh/year of electricity -- roughly 170 MW`."""
    found = list(find_amounts(text))
    for first, second in pairwise(found):
        if (
            not (first.unit and second.unit)
            or first.dimension != second.dimension
            or first.factor == second.factor
        ):
            continue
        # A restated length is often a comparison, as in `30 cm to an ant, 30 m to you`.
        if first.dimension in {PLAIN, TEMPERATURE, LENGTH} or min(*first.si, *second.si) <= 0:
            continue
        if not _RESTATED_AMOUNT.fullmatch(text[first.end : second.start]):
            continue
        if first.si[1] * ALLOWED_FACTOR < second.si[0] or second.si[1] * ALLOWED_FACTOR < first.si[0]:
            correct = " to ".join(f"{end / second.factor:.3g}" for end in dict.fromkeys(first.si))
            printed = text[first.start : second.end]
            yield CalculationMistake(
                line.number,
                printed,
                f"{correct} {second.unit}",
                f"`{printed}`: the first amount is {correct} {second.unit}",
            )
