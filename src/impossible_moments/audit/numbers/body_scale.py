"""Check of amounts stated in body lengths and body weights of a creature of unusual size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.amounts import Amount, find_amounts, parse_amount_at
from impossible_moments.audit.numbers.equations import CalculationMistake, normalize_math_text
from impossible_moments.mechanics.language import LENGTH, MASS, parse_unit
from impossible_moments.mechanics.numbers import LOOSE_NUMBER, RANGE_MARK, parse_digits

ALLOWED_FACTOR: Final = 1.6
NEAR_CHARACTERS: Final = 60
FAR_CHARACTERS: Final = 160
"""Most characters between a force and its body weights. A formula may be in between."""
GRAVITY: Final = 9.81
FORCE: Final = parse_unit("N").dimension
_STATED_VALUE: Final = r"\W{1,6}(?:is |of |about |approximately |~)*(?=[\d~])"
_BODY_LENGTH: Final = re.compile(
    rf"\bbody length\b{_STATED_VALUE}|\b(?:your|own) (?:scale|height|size|length)\b{_STATED_VALUE}|\bshrunk (?:down )?to (?:about |approximately |~)*(?=[\d~])|"
    r"\bat (?:your |a |the )?(?=\d[\d.]*[\s-]?[a-z]{2,12}[\s-](?:scale|height)\b)|"
    r"\byou are (?:now |only |just |about |approximately |~)*(?=\d[\d.]*\s?[a-z]+ (?:tall|long|high|in (?:height|length))\b)",
    re.IGNORECASE,
)
_BODY_MASS: Final = re.compile(rf"\b(?:body|your|own) (?:mass|weight)\b{_STATED_VALUE}", re.IGNORECASE)
_NUMBER: Final = rf"(?<![\w.,-])~?(?P<low>{LOOSE_NUMBER})(?:\s?{RANGE_MARK}\s?(?P<high>{LOOSE_NUMBER}))?"
_LENGTHS: Final = re.compile(
    _NUMBER + r"(?:\s?[x×]|\s?times)?(?: your| its| the)?(?: own)?[\s-]body[\s-]lengths?\b(?!\s?(?:per|/))",
    re.IGNORECASE,
)
_WEIGHTS: Final = re.compile(
    _NUMBER + r"(?:\s?[x×]|\s?times)(?: your| its| the)?(?: own)? body[\s-]?(?:weight|mass)\b", re.IGNORECASE
)
_OWN_SCALE: Final = re.compile(r"[\s-](?:scale|height|body|human|entity)\b", re.IGNORECASE)
_OTHERS: Final = re.compile(r"\b(?:human|person|people|normal-sized|adult)\b", re.IGNORECASE)


def find_wrong_body_multiples(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all amounts with a wrong number of body lengths or body weights."""
    texts = [(line.number, normalize_math_text(line.text)) for line in document.lines]
    if not any("body" in text.lower() for _, text in texts):
        return
    lengths = _collect_body_sizes(texts, _BODY_LENGTH, LENGTH)
    masses = _collect_body_sizes(texts, _BODY_MASS, MASS)
    for number, text in texts:
        for match in _LENGTHS.finditer(text) if lengths else ():
            amount = _find_amount_before(text, match.start(), LENGTH, NEAR_CHARACTERS)
            yield from _check_body_multiple(number, text, match, amount, lengths, "body lengths")
        for match in _WEIGHTS.finditer(text) if masses else ():
            force = _find_amount_before(text, match.start(), FORCE, FAR_CHARACTERS)
            weights = [GRAVITY * mass for mass in masses]
            yield from _check_body_multiple(number, text, match, force, weights, "body weights")


def _collect_body_sizes(
    texts: list[tuple[int, str]], pattern: re.Pattern[str], dimension: object
) -> list[float]:
    """Return all lengths or masses that the document states for the creature, in SI."""
    found = [
        parse_amount_at(text, match.end())
        for _, text in texts
        for match in pattern.finditer(text.replace(" | ", ": "))
    ]
    return [
        end
        for each in found
        if each is not None and each.dimension == dimension
        for end in each.si
        if end > 0
    ]


def _find_amount_before(text: str, end: int, dimension: object, distance: int) -> Amount | None:
    """Return the nearest amount of a dimension before a position, or None if other people are mentioned."""
    # Read a little more than the reach, so that no amount is cut.
    first = max(0, end - distance - NEAR_CHARACTERS)
    text_before = text[first:end]
    found = [
        each
        for each in find_amounts(text_before)
        if each.dimension == dimension and not _OWN_SCALE.match(text_before, each.end)
    ]
    if not found or len(text_before) - found[-1].end > distance:
        return None
    last = replace(found[-1], start=found[-1].start + first, end=found[-1].end + first)
    return last if min(last.si) > 0 and not _OTHERS.search(text[last.start : end + NEAR_CHARACTERS]) else None


def _check_body_multiple(
    number: int, text: str, match: re.Match[str], amount: Amount | None, sizes: list[float], measure_name: str
) -> Iterator[CalculationMistake]:
    if amount is None:
        return
    low = parse_digits(match["low"])
    high = parse_digits(match["high"]) if match["high"] else low
    possible = [(amount.si[0] / size, amount.si[1] / size) for size in sizes]
    if low > 0 and all(
        most * ALLOWED_FACTOR < low
        or least > high * ALLOWED_FACTOR
        or _is_far_at_both_ends(least, low, most, high)
        for least, most in possible
    ):
        right = " to ".join(f"{each:.3g}" for each in dict.fromkeys(possible[0]))
        printed = text[amount.start : match.end()]
        yield CalculationMistake(
            number, printed, f"{right} {measure_name}", f"`{printed}`: the amount is {right} {measure_name}"
        )


def _is_far_at_both_ends(factor: float, low: float, most: float, high: float) -> bool:
    """Return whether two ranges differ strongly at both ends in the same direction."""
    return (
        factor != most
        and low != high
        and (
            (low > 2 * ALLOWED_FACTOR * factor and high > 2 * ALLOWED_FACTOR * most)
            or (factor > 2 * ALLOWED_FACTOR * low and most > 2 * ALLOWED_FACTOR * high)
        )
    )
