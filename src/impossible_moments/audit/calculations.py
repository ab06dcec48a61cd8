"""Every explicit calculation of a text, computed again: products, quotients, powers, sums, conversions, chains.

Prose leaves out units, rounds, and mixes words in. A calculation is reported only where no reading of it comes
out right: with units where both sides have them, with the printed numbers alone, or with the printed numbers
taken as SI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from impossible_moments.audit.amounts import Amount, amount_at, amounts
from impossible_moments.audit.arithmetic import Reader, Unreadable, Value
from impossible_moments.audit.markdown import Document, Line
from impossible_moments.mechanics.dimensions import PLAIN, TEMPERATURE

TOLERANCE: Final = 0.02
MOST_BLUR: Final = 0.12
FARTHEST_LEFT: Final = 240
MOST_STARTS: Final = 40
SMALL_COUNT: Final = 20
_EQUALS: Final = re.compile(r"(?<![=<>!~:+*/-])(?:=|≈)(?![=>])|(?<=[\d\w)] )~=(?= )")
_LEFT_EDGE: Final = re.compile(r"[=≈|;]|: |, |\. |\? |--|—|\bwhere\b|\bis\b|\bso\b|\bwith\b|\bthen\b|→|->")
_START: Final = re.compile(r"(?<![\w.,])(?:[~$(]*[\d.]|\(|sqrt|√|pi\b|π|exp\(|ln\(|log10\(|cos\(|sin\()")
_BEFORE: Final = re.compile(
    r"(?:[-+*/^×·÷−–(√]|\b[xX]|\b(?:half|twice|double|triple|third|quarter|of|per|root|by|and|cos|sin|tan|log|ln|log10|exp|sqrt|times|minus|plus))\s*$"
)
_LEAD: Final = re.compile(
    r"(?:\s|\*|~|≈|\b(?:approximately|approx\.?|about|roughly|around|only|just|a|an|nearly|almost)\b)*"
)
_CONTINUES: Final = re.compile(r"\s*(?:[*/^×·÷+]|[xX]\s|[-−]\s?[\d(]|\()")
_FOREIGN_UNIT: Final = re.compile(
    r"[ -]?(?!(?:x|X|and|per|the|in|of|on|so|is|for|to|as|at|by|or|if|a|an|we|it|no|new|but|not|men|all|low|far|too|I|A|The|This|At|In|If|"
    r"Valid|Yes|No|For|So)\b)(?:(?:nano|micro|milli|kilo|mega|giga|pico|arc)[a-z-]+|[A-Za-zµμ]{1,3}\b|[A-Za-z]*[A-Z][A-Za-z]*)"
)
"""What may be a unit the auditor does not know, behind a number."""
_OPEN_NOTE: Final = re.compile(r"\s*\(\s*[A-Za-z~≈$]|\s*\(\s*[\d.,]+\s*(?:[A-Za-z%]|x|-)")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A calculation that does not come out: where, what is printed, what it is."""

    line: int
    printed: str
    correct: str
    what: str


def mistakes(document: Document) -> Iterator[Mistake]:
    """All wrong calculations of a document."""
    for line in document.lines:
        if not any(sign in line.text for sign in "=≈("):
            continue
        text = tidied(line.text)
        yield from _equations(line, text)
        yield from _conversions(line, text)
        yield from _relations(line, text)
        yield from _explained(line, text)
        yield from _counted(line, text)


def tidied(text: str) -> str:
    """Text without the marks that stand between numbers and signs."""
    for mark, plain in (
        ("**", ""),
        ("\\times", "x"),
        ("\\approx", "≈"),
        ("\\cdot", "*"),
        ("`", ""),
        ("\u00a0", " "),
        ("\u202f", ""),
    ):
        text = text.replace(mark, plain)
    return text


def _equations(line: Line, text: str) -> Iterator[Mistake]:
    for sign in _EQUALS.finditer(text):
        left_start = _edge(text, sign.start())
        mistake = None
        for hyphen in (True, False):
            left = _left(text, left_start, sign.start(), hyphen_is_range=hyphen)
            right = _right(text, sign.end(), hyphen_is_range=hyphen)
            if left is None or right is None or _DIGIT_ROW.search(text[left[0] : right.end]):
                mistake = None
                break
            start, value = left
            mistake = _compared(line, text[start : right.end], value, right)
            if mistake is None or not (value.si[0] != value.si[1] or right.is_range):
                break
        if mistake is not None:
            yield mistake


def _edge(text: str, end: int) -> int:
    """Where the left side of an equation may begin at the earliest."""
    first = max(0, end - FARTHEST_LEFT)
    last = first
    for match in _LEFT_EDGE.finditer(text, first, end):
        last = match.end()
    return last


def _left(text: str, first: int, end: int, *, hyphen_is_range: bool) -> tuple[int, Value] | None:
    """The longest expression that ends at the sign, with its start."""
    for tried, match in enumerate(_START.finditer(text, first, end)):
        if tried >= MOST_STARTS:
            return None
        start = match.start()
        reader = Reader(text[:end], start, hyphen_is_range)
        try:
            value = reader.expression()
        except (Unreadable, RecursionError):
            continue
        if text[reader.at : end].strip():
            continue
        before = text[:start]
        if _BEFORE.search(before[-24:]) and not _opens(before, text[start:end]):
            return None
        return start, value
    return None


def _opens(before: str, rest: str) -> bool:
    """Whether the bracket before an expression encloses the whole equation and not an operand."""
    return (
        before.rstrip().endswith("(")
        and rest.count("(") >= rest.count(")")
        and not re.search(r"(?:[-+*/^×·÷−√]|\b[xX]|cos|sin|tan|log|ln|exp|sqrt|log10)\s*\(\s*$", before[-24:])
    )


@dataclass(frozen=True, slots=True)
class _Right:
    value: Value
    end: int
    half: float
    tolerance: float
    whole: bool
    unit: str
    factor: float

    @property
    def is_range(self) -> bool:
        return self.value.si[0] != self.value.si[1]


def _right(text: str, start: int, *, hyphen_is_range: bool) -> _Right | None:
    lead = _LEAD.match(text, start)
    at = lead.end() if lead is not None else start
    words = text[start:at].lower()
    reader = Reader(text, at, hyphen_is_range)
    try:
        value = reader.expression()
    except (Unreadable, RecursionError):
        return None
    if _CONTINUES.match(text, reader.at) and not _OPEN_NOTE.match(text, reader.at):
        return None
    if not reader.amounts or any(
        not each.unit and _FOREIGN_UNIT.match(text, each.end) for each in reader.amounts
    ):
        return None
    last: Amount = reader.amounts[-1]
    single = value.operations == 0
    tolerance = (
        0.15
        if re.search(r"rough|around|about|nearly|almost", words)
        else 0.05
        if re.search(r"approx|~|≈", words)
        else 0.0
    )
    return _Right(
        value,
        reader.at,
        last.half if single else 0.0,
        max(tolerance, last.tolerance if single else 0.0),
        last.whole and single,
        last.unit if single else "",
        last.factor if single and last.unit else 1.0,
    )


def _compared(line: Line, printed: str, left: Value, right: _Right) -> Mistake | None:
    both_measured = left.dimension is not None and left.dimension == right.value.dimension
    if left.operations == 0 and not _is_conversion(left, right):
        return None
    if left.noun and right.unit and not both_measured:
        return None  # the word may be a unit: 10^6 Da = 1.66e-18 kg
    tolerance = max(TOLERANCE, right.tolerance) + min(
        left.blur + (right.value.blur if not right.half else 0.0), MOST_BLUR
    )
    if left.exact and right.whole and not right.tolerance and left.operations and not left.factors:
        tolerance = 0.0
    half = right.half
    if both_measured and left.dimension != PLAIN:
        if _agree(left.si, right.value.si, tolerance, half * right.factor):
            return None
    elif _any_reading(left, right, tolerance, half):
        return None
    if (
        both_measured
        and left.dimension == PLAIN
        and right.unit
        and _any_reading(left, right, tolerance, half)
    ):
        return None
    if _rounded_to_count(left, right) or _in_another_unit(left, right, line, tolerance):
        return None
    low, high = (each / right.factor for each in left.si) if both_measured else left.bare
    correct = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
    shown = printed.strip()
    return Mistake(
        line.number,
        shown,
        f"{correct} {right.unit}".strip(),
        f"`{shown}` does not come out: the left side is {correct} {right.unit}".strip(),
    )


def _is_conversion(left: Value, right: _Right) -> bool:
    """Whether one amount is told in two units; the same unit twice is no equation but a remark."""
    measured = left.dimension == right.value.dimension and left.dimension not in {None, PLAIN, TEMPERATURE}
    return measured and bool(left.factors) and bool(right.unit) and left.factors[0] != right.factor


def _any_reading(left: Value, right: _Right, tolerance: float, half: float) -> bool:
    """Whether the printed numbers agree as they stand, taken as SI, or by the factors of the units that occur."""
    if _agree(left.bare, right.value.bare, tolerance, half):
        return True
    if _agree(left.si, right.value.si, tolerance, half * right.factor):
        return True
    factors = (*left.factors, *right.value.factors)[:5]
    for count in range(1, len(factors) + 1):
        for chosen in combinations(factors, count):
            scale = 1.0
            for factor in chosen:
                scale *= factor
            for each in (scale, 1 / scale if scale else 1.0):
                scaled = (left.bare[0] * each, left.bare[1] * each)
                if _agree(scaled, right.value.bare, tolerance, half):
                    return True
    return (
        bool(right.unit)
        and right.unit in {"%", "percent"}
        and _agree((left.bare[0] * 100, left.bare[1] * 100), right.value.bare, tolerance, half)
    )


def _in_another_unit(left: Value, right: _Right, line: Line, tolerance: float) -> bool:
    """Whether a number without unit stands for one that the line prints in another unit of the same measure."""
    if not right.unit or left.dimension == right.value.dimension:
        return False
    for other in amounts(tidied(line.text)):
        if other.dimension == right.value.dimension and other.factor != right.factor:
            for scale in (other.factor / right.factor, right.factor / other.factor):
                scaled = (left.bare[0] * scale, left.bare[1] * scale)
                if _agree(scaled, right.value.bare, tolerance, right.half):
                    return True
    return False


def _agree(left: tuple[float, float], right: tuple[float, float], tolerance: float, half: float) -> bool:
    def near(a: float, b: float) -> bool:
        return abs(a - b) <= half * 1.001 + tolerance * max(abs(a), abs(b)) + 1e-12 * max(abs(a), abs(b))

    if left[0] != left[1] and right[0] != right[1]:
        return near(left[0], right[0]) and near(left[1], right[1])
    if left[0] != left[1]:
        return (
            left[0] - half - tolerance * abs(left[0]) <= right[0] <= left[1] + half + tolerance * abs(left[1])
        )
    if right[0] != right[1]:
        return (
            right[0] - half - tolerance * abs(right[0])
            <= left[0]
            <= right[1] + half + tolerance * abs(right[1])
        )
    return near(left[0], right[0])


def _rounded_to_count(left: Value, right: _Right) -> bool:
    """Whether a small count was rounded up or down: 7 / 2 = 4 trips."""
    printed = right.value.bare[0]
    return (
        right.whole
        and not right.unit
        and not left.exact
        and printed < SMALL_COUNT
        and abs(left.bare[0] - printed) < 1
    )


_DIGIT_ROW: Final = re.compile(r"\d-\d+-\d")
_PAIR: Final = re.compile(
    r"\s?\(\s?(?:~|≈|=|or|about|approximately|roughly|i\.e\.,?|equivalent to)?\s*(?=[$\d.])"
)


def _conversions(line: Line, text: str) -> Iterator[Mistake]:
    """`162,000 J (45 Wh)`: one amount in two units."""
    for first in amounts(text):
        gap = _PAIR.match(text, first.end)
        if gap is None or not first.unit:
            continue
        second = amount_at(text, gap.end())
        if second is None or not second.unit or not re.match(r"\s?\)", text[second.end : second.end + 2]):
            continue
        if second.dimension != first.dimension or first.dimension == PLAIN or second.factor == first.factor:
            continue
        if "deg C" in (first.unit, second.unit):
            continue
        tolerance = 0.06 + max(first.tolerance, second.tolerance)
        half = second.half * second.factor + first.half * first.factor
        if not _agree(first.si, second.si, tolerance, half):
            correct = " to ".join(f"{end / second.factor:.4g}" for end in dict.fromkeys(first.si))
            shown = text[first.start : second.end + 1]
            yield Mistake(
                line.number,
                shown,
                f"{correct} {second.unit}",
                f"`{shown}`: the first amount is {correct} {second.unit}",
            )


_JOINED: Final = re.compile(
    r"\s*(?:of (?:force|load|power|energy|water|heat|pressure|air|flow|weight)\s+)?(?:over|for|at|x|×|/|across|spread over)\s+(?:an area of |a |about |approximately |roughly )?"
)
_BOUND_BY: Final = re.compile(r"\s?\(\s?(?:i\.e\.,? |or |about |approximately |roughly |= ?)?")
APART: Final = 1.5
"""How far a result beside its two amounts may be off: such remarks are rounded freely."""


def _relations(line: Line, text: str) -> Iterator[Mistake]:
    """`5-8 kN over 100 cm2 (50-80 kPa)`: two amounts and, in brackets, what they make."""
    found = list(amounts(text))
    for first, second, third in zip(found, found[1:], found[2:], strict=False):
        if not (first.unit and second.unit and third.unit) or min(*first.si, *second.si, *third.si) <= 0:
            continue
        if not _JOINED.fullmatch(text[first.end : second.start]) or not _BOUND_BY.fullmatch(
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
        if high * APART < third.si[0] or low > third.si[1] * APART:
            correct = " to ".join(f"{end / third.factor:.3g}" for end in dict.fromkeys((low, high)))
            shown = text[first.start : third.end]
            yield Mistake(
                line.number, shown, f"{correct} {third.unit}", f"`{shown}`: that makes {correct} {third.unit}"
            )


def _explained(line: Line, text: str) -> Iterator[Mistake]:
    """`2 m (3.5 m - 1.8 m)`: an amount and, in brackets, how it comes about."""
    for stated in amounts(text):
        gap = re.compile(r"\s?\(\s?(?=[\d~(])").match(text, stated.end)
        if gap is None or not stated.unit or stated.dimension in {PLAIN, TEMPERATURE}:
            continue
        reader = Reader(text, gap.end())
        try:
            value = reader.expression()
        except (Unreadable, RecursionError):
            continue
        if (
            value.operations == 0
            or value.dimension != stated.dimension
            or not re.match(r"\s?(?:[a-z-]+ ?){0,3}\)", text[reader.at : reader.at + 40])
        ):
            continue
        tolerance = TOLERANCE + stated.tolerance + min(value.blur, MOST_BLUR)
        if not _agree(value.si, stated.si, tolerance, stated.half * stated.factor):
            correct = " to ".join(f"{end / stated.factor:.4g}" for end in dict.fromkeys(value.si))
            shown = text[stated.start : reader.at + 1]
            yield Mistake(
                line.number,
                shown,
                f"{correct} {stated.unit}",
                f"`{shown}`: what stands in the brackets makes {correct} {stated.unit}",
            )


_EACH: Final = re.compile(
    r"(?P<count>\d{1,4}) (?P<noun>[a-z]{3,}?)s?\b[^.|()]{0,30}? at (?:~|about |approximately )?(?=[\d.])"
)


def _counted(line: Line, text: str) -> Iterator[Mistake]:
    """`60 min (10 bags at 5 min per bag)`: so many of a thing, each taking so much, and a total that is something else."""
    for match in _EACH.finditer(text):
        each = amount_at(text, match.end())
        if (
            each is None
            or not each.unit
            or not re.match(rf"\s?(?:per {match['noun']}|each|apiece)\b", text[each.end :])
        ):
            continue
        before = [amount for amount in amounts(text[: match.start()]) if amount.dimension == each.dimension]
        if not before or not re.fullmatch(r"\s?\(\s?", text[before[-1].end : match.start()]):
            continue
        total, count = before[-1], int(match["count"])
        low, high = each.si[0] * count, each.si[1] * count
        room = 0.05 + total.tolerance + each.tolerance
        if total.si[1] < low * (1 - room) or total.si[0] > high * (1 + room):
            correct = " to ".join(f"{end / total.factor:.4g}" for end in dict.fromkeys((low, high)))
            shown = text[total.start : each.end]
            yield Mistake(
                line.number, shown, f"{correct} {total.unit}", f"`{shown}`: that makes {correct} {total.unit}"
            )
