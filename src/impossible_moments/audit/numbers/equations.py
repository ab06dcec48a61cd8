"""Check of explicit equations in a text: products, quotients, powers, sums, conversions, chains.

Prose omits units, rounds, and mixes in words. An equation is reported only if no interpretation of it is
correct: with units if both sides have them, with the printed numbers alone, or with the numbers taken as SI.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, MarkdownLine
from impossible_moments.audit.numbers.amounts import Amount, find_amounts
from impossible_moments.audit.numbers.expression_values import ExpressionValue, UnreadableExpression
from impossible_moments.audit.numbers.expressions import ExpressionReader
from impossible_moments.mechanics.language import PLAIN, TEMPERATURE, TIME

TOLERANCE: Final = 0.02
FULL_TURN: Final = 2 * math.pi
"""Radians of a full turn. Turns and radians are both dimensionless."""
MOST_BLUR: Final = 0.12
FARTHEST_LEFT: Final = 240
MOST_STARTS: Final = 40
SMALL_COUNT: Final = 20
_EQUALS: Final = re.compile(r"(?<![=<>!~:+*/-])(?:=|≈)(?![=>])|(?<=[\d\w)] )~=(?= )")
_LEFT_EDGE: Final = re.compile(r"[=≈|;]|: |, |\. |\? |--|—|\bwhere\b|\bis\b|\bso\b|\bwith\b|\bthen\b|→|->")
_START: Final = re.compile(
    r"(?<![\w.,])(?<!\d:)(?:[~$]*[\d.]|\(|sqrt|√|pi\b|π|exp\(|ln\(|log10\(|cos\(|sin\(|tan\()"
)
_BEFORE: Final = re.compile(
    r"(?:[-+*/^×·÷−–(√]|\b[xX]|\b(?:half|twice|double|triple|third|quarter|of|per|root|by|and|cos|sin|tan|log|ln|log10|exp|sqrt|times|minus|plus))\s*$"
)
_BEFORE_BRACKET: Final = re.compile(r"(?:[\w%]|[)\]])\s*$")
_BEFORE_FUNCTION: Final = re.compile(r"(?:\d|[)\]]|\b(?!(?:is|so|to|or|and|the|at)\b)\w{1,3})\s*$")
_BEFORE_NUMBER: Final = re.compile(r"\d\s$|\d:$")
_AND: Final = re.compile(r"(?:,|=[^=]*)\s+and\s+$")
"""An `and` that begins a second equation, unlike that of `between 5 and 7`."""
_BULLET: Final = re.compile(r"^[\s|>]*[-*+•]\s+")
_DIAGRAM_LINE: Final = re.compile(
    r"\b(?:maps?|scaled?|drawings?|drawn|blueprints?|charts?|represents?)\b", re.IGNORECASE
)
"""Words about maps and drawings, where a centimetre may represent a kilometre."""
_LEADING_TEXT: Final = re.compile(
    r"(?:\s|\*|~|≈|\b(?:approximately|approx\.?|about|roughly|around|only|just|a|an|nearly|almost)\b)*"
)
_CONTINUATION: Final = re.compile(r"\s*(?:[*/^×·÷+]|[xX]\s|[-−]\s?[\d(]|\(|:\d|\d)")
_FOREIGN_UNIT: Final = re.compile(
    r"[ -]?(?!(?:x|X|and|per|the|in|of|on|so|is|for|to|as|at|by|or|if|a|an|we|it|no|new|but|not|men|all|low|far|too|I|A|The|This|At|In|If|"
    r"Valid|Yes|No|For|So)\b)(?:(?:nano|micro|milli|kilo|mega|giga|pico|arc)[a-z-]+|[A-Za-zµμ]{1,3}\b|[A-Za-z]*[A-Z][A-Za-z]*)"
)
"""Word after a number that may be an unknown unit."""
_OPEN_NOTE: Final = re.compile(r"\s*\(\s*[A-Za-z~≈$]|\s*\(\s*[\d.,]+\s*(?:[A-Za-z%]|x|-)")


@dataclass(frozen=True, slots=True)
class CalculationMistake:
    """Wrong calculation with its line, the printed text and the correct result."""

    line: int
    printed: str
    correct: str
    what: str


def find_wrong_equations(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all wrong equations of a document."""
    for line in document.lines:
        if not any(sign in line.text for sign in "=≈"):
            continue
        text = normalize_math_text(line.text)
        yield from _check_equations(line, text)


_BOLD: Final = re.compile(r"(?<![\d)m])\*\*|\*\*(?!-?\d)")
"""Two asterisks that mark bold text, unlike the power in `2**10`."""


def normalize_math_text(text: str) -> str:
    """Return text without bold marks, code marks and LaTeX commands between numbers and signs."""
    text = _BOLD.sub("", text)
    for mark, plain in (
        ("\\times", "x"),
        ("\\approx", "≈"),
        ("\\cdot", "*"),
        ("`", ""),
        ("\u00a0", " "),
        ("\u202f", ""),
    ):
        text = text.replace(mark, plain)
    return text


def _check_equations(line: MarkdownLine, text: str) -> Iterator[CalculationMistake]:
    for sign in _EQUALS.finditer(text):
        left_start = _find_left_edge(text, sign.start())
        mistake = None
        for hyphen in (True, False):
            left = _parse_left_side(text, left_start, sign.start(), hyphen_is_range=hyphen)
            right = _parse_right_side(text, sign.end(), hyphen_is_range=hyphen)
            if left is None or right is None or _DIGIT_ROW.search(text[left[0] : right.end]):
                mistake = None
                break
            start, value, numbers = left
            found = _compare_sides(line, text[start : right.end], value, right)
            # Report the first of two interpretations, in which a hyphen between numbers means a range.
            mistake = (mistake or found) if found is not None else None
            if mistake is not None and _is_converted_by_number(numbers, value, right):
                mistake = None
            if mistake is None or not (value.si[0] != value.si[1] or right.is_range):
                break
        if mistake is not None:
            yield mistake


def _find_left_edge(text: str, end: int) -> int:
    """Return the earliest position at which the left side of an equation may begin."""
    first = max(0, end - FARTHEST_LEFT)
    last = first
    for match in _LEFT_EDGE.finditer(text, first, end):
        last = match.end()
    return last


def _parse_left_side(
    text: str, first: int, end: int, *, hyphen_is_range: bool
) -> tuple[int, ExpressionValue, tuple[float, ...]] | None:
    """Parse the longest expression that ends at the equals sign.

    Return its start, its value and its numbers without unit, or None.
    """
    for attempt, match in enumerate(_START.finditer(text, first, end)):
        if attempt >= MOST_STARTS:
            return None
        start = match.start()
        reader = ExpressionReader(text[:end], start, hyphen_is_range)
        try:
            value = reader.parse_expression()
        except (UnreadableExpression, RecursionError):
            continue
        if text[reader.at : end].strip():
            continue
        before = _AND.sub(", ", _BULLET.sub("", text[:start])[-200:])
        if _BEFORE.search(before[-24:]) and not _is_whole_equation_bracketed(before, text[start:end]):
            return None
        if _is_part_of_larger_expression(before[-24:], text[start:end], value):
            return None
        return start, value, tuple(each.low for each in reader.amounts if not each.unit)
    return None


def _is_part_of_larger_expression(before: str, rest: str, value: ExpressionValue) -> bool:
    """Return whether the text before belongs to the expression or the expression is a remark.

    Examples are `1 1/2`, `2 (3 + 4)` and `F cos(30)`, and the remark in `1 kg (2.2 lb)`.
    """
    if rest.startswith("("):
        return bool(re.search(r"(?:\d|\b(?!(?:is|so|to|or|at)\b)\w{1,2})\s*$", before)) or (
            value.operations == 0 and bool(_BEFORE_BRACKET.search(before))
        )
    if rest[:1].isdigit() or rest[:1] in ".~$":
        return bool(_BEFORE_NUMBER.search(before))
    return bool(_BEFORE_FUNCTION.search(before))


def _is_whole_equation_bracketed(before: str, rest: str) -> bool:
    """Return whether the bracket before an expression encloses the whole equation and not an operand."""
    return (
        before.rstrip().endswith("(")
        and rest.count("(") >= rest.count(")")
        and not re.search(r"(?:[-+*/^×·÷−√]|\b[xX]|cos|sin|tan|log|ln|exp|sqrt|log10)\s*\(\s*$", before[-24:])
    )


@dataclass(frozen=True, slots=True)
class _RightSide:
    value: ExpressionValue
    end: int
    half_step: float
    tolerance: float
    is_whole: bool
    unit: str
    factor: float

    @property
    def is_range(self) -> bool:
        return self.value.si[0] != self.value.si[1]


def _parse_right_side(text: str, start: int, *, hyphen_is_range: bool) -> _RightSide | None:
    lead = _LEADING_TEXT.match(text, start)
    at = lead.end() if lead is not None else start
    words = text[start:at].lower()
    reader = ExpressionReader(text, at, hyphen_is_range)
    try:
        value = reader.parse_expression()
    except (UnreadableExpression, RecursionError):
        return None
    if _CONTINUATION.match(text, reader.at) and not _OPEN_NOTE.match(text, reader.at):
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
    return _RightSide(
        value,
        reader.at,
        last.half_step if single else 0.0,
        max(tolerance, last.tolerance if single else 0.0),
        last.is_whole and single,
        last.unit if single else "",
        last.factor if single and last.unit else 1.0,
    )


def _compare_sides(
    line: MarkdownLine, right_text: str, left: ExpressionValue, right: _RightSide
) -> CalculationMistake | None:
    both_measured = left.dimension is not None and left.dimension == right.value.dimension
    if left.operations == 0 and (not _is_unit_conversion(left, right) or _DIAGRAM_LINE.search(line.text)):
        return None
    if left.noun and right.unit and not both_measured:
        return None  # the word may be a unit: 10^6 Da = 1.66e-18 kg
    tolerance = max(TOLERANCE, right.tolerance) + min(
        left.blur + (right.value.blur if not right.half_step else 0.0), MOST_BLUR
    )
    if left.exact and right.is_whole and not right.tolerance and left.operations and not left.factors:
        tolerance = 0.0
    half = right.half_step
    if both_measured and left.dimension != PLAIN:
        if is_same_range(left.si, right.value.si, tolerance, half * right.factor):
            return None
    elif _has_agreeing_interpretation(left, right, tolerance, half):
        return None
    if (
        both_measured
        and left.dimension == PLAIN
        and right.unit
        and _has_agreeing_interpretation(left, right, tolerance, half)
    ):
        return None
    if _is_rounded_count(left, right) or _has_agreeing_unit(left, right, line, tolerance):
        return None
    if both_measured and _is_turn_conversion(left, right, tolerance):
        return None
    low, high = (each / right.factor for each in left.si) if both_measured else left.bare
    correct = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
    printed_text = right_text.strip()
    return CalculationMistake(
        line.number,
        printed_text,
        f"{correct} {right.unit}".strip(),
        f"`{printed_text}` is wrong: the left side is {correct} {right.unit}".strip(),
    )


def _is_unit_conversion(left: ExpressionValue, right: _RightSide) -> bool:
    """Return whether both sides state one amount in two different units."""
    measured = left.dimension == right.value.dimension and left.dimension not in {None, PLAIN, TEMPERATURE}
    return measured and bool(left.factors) and bool(right.unit) and left.factors[0] != right.factor


def _is_converted_by_number(numbers: tuple[float, ...], left: ExpressionValue, right: _RightSide) -> bool:
    """Return whether a number without unit converts one unit into the other, as in `90 s / 60 = 1.5 min`."""
    tolerance = max(TOLERANCE, right.tolerance) + min(left.blur, MOST_BLUR)
    if (
        left.dimension is None
        or left.dimension != right.value.dimension
        or not left.si[0]
        or not left.bare[0]
    ):
        return False
    if not is_same_range(left.bare, right.value.bare, tolerance, right.half_step):
        return False
    ratio = abs(left.bare[0] * right.factor / left.si[0])
    known = [abs(each) for each in numbers[:6] if each]
    products = (math.prod(some) for count in (1, 2, 3) for some in combinations(known, count))
    return any(min(abs(each / ratio - 1), abs(each * ratio - 1)) <= TOLERANCE for each in products)


def _is_turn_conversion(left: ExpressionValue, right: _RightSide, tolerance: float) -> bool:
    """Return whether turns are converted to radians or back, as in `100 rpm = 10.5 rad/s`."""
    if left.dimension != PLAIN / TIME:
        return False
    return any(
        is_same_range(
            (left.si[0] * turn, left.si[1] * turn), right.value.si, tolerance, right.half_step * right.factor
        )
        for turn in (FULL_TURN, 1 / FULL_TURN)
    )


def _has_agreeing_interpretation(
    left: ExpressionValue, right: _RightSide, tolerance: float, half_step: float
) -> bool:
    """Return whether the numbers agree as printed, in SI, or scaled by factors of the printed units."""
    if is_same_range(left.bare, right.value.bare, tolerance, half_step):
        return True
    if is_same_range(left.si, right.value.si, tolerance, half_step * right.factor):
        return True
    factors = (*left.factors, *right.value.factors)[:5]
    for count in range(1, len(factors) + 1):
        for combination in combinations(factors, count):
            scale = 1.0
            for factor in combination:
                scale *= factor
            for each in (scale, 1 / scale if scale else 1.0):
                scaled = (left.bare[0] * each, left.bare[1] * each)
                if is_same_range(scaled, right.value.bare, tolerance, half_step):
                    return True
    return (
        bool(right.unit)
        and right.unit in {"%", "percent"}
        and is_same_range((left.bare[0] * 100, left.bare[1] * 100), right.value.bare, tolerance, half_step)
    )


def _has_agreeing_unit(
    left: ExpressionValue, right: _RightSide, line: MarkdownLine, tolerance: float
) -> bool:
    """Return whether the left side agrees after scaling to another unit of the same dimension in the line."""
    if not right.unit or left.dimension == right.value.dimension:
        return False
    for other in find_amounts(normalize_math_text(line.text)):
        if other.dimension == right.value.dimension and other.factor != right.factor:
            for scale in (other.factor / right.factor, right.factor / other.factor):
                scaled = (left.bare[0] * scale, left.bare[1] * scale)
                if is_same_range(scaled, right.value.bare, tolerance, right.half_step):
                    return True
    return False


def is_same_range(
    left: tuple[float, float], right: tuple[float, float], tolerance: float, half_step: float
) -> bool:
    """Return whether two ranges agree within a relative tolerance and half a printed step.

    A single number agrees with a range that contains it.
    """

    def is_near(a: float, b: float) -> bool:
        return abs(a - b) <= half_step * 1.001 + tolerance * max(abs(a), abs(b)) + 1e-12 * max(abs(a), abs(b))

    if left[0] != left[1] and right[0] != right[1]:
        return is_near(left[0], right[0]) and is_near(left[1], right[1])
    if left[0] != left[1]:
        return (
            left[0] - half_step - tolerance * abs(left[0])
            <= right[0]
            <= left[1] + half_step + tolerance * abs(left[1])
        )
    if right[0] != right[1]:
        return (
            right[0] - half_step - tolerance * abs(right[0])
            <= left[0]
            <= right[1] + half_step + tolerance * abs(right[1])
        )
    return is_near(left[0], right[0])


def _is_rounded_count(left: ExpressionValue, right: _RightSide) -> bool:
    """Return whether a small count was rounded up or down, as in 7 / 2 = 4 trips."""
    printed_value = right.value.bare[0]
    return (
        right.is_whole
        and not right.unit
        and not left.exact
        and printed_value < SMALL_COUNT
        and abs(left.bare[0] - printed_value) < 1
    )


_DIGIT_ROW: Final = re.compile(r"\d-\d+-\d")
