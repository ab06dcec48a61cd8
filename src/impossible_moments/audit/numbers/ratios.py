"""Check of ratios, percent changes and safety factors against the two amounts they compare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, split_sentences
from impossible_moments.audit.numbers.amounts import Amount, find_amounts
from impossible_moments.audit.numbers.equations import CalculationMistake, normalize_math_text
from impossible_moments.mechanics.language import PLAIN, TEMPERATURE
from impossible_moments.mechanics.numbers import LOOSE_NUMBER, RANGE_MARK, parse_digits

ALLOWED_FACTOR: Final = 1.6
"""Allowed factor between a stated and the correct ratio. Ratios in prose are often rounded."""
ALLOWED_SAFETY_FACTOR: Final = 1.25
SMALLEST_RATIO: Final = 1.2
"""Least ratio that is checked. Smaller ratios are usually stated as shares or differences."""
POINTS: Final = 8.0
"""Allowed difference of a percent change, in percentage points."""
_TIMES: Final = re.compile(
    rf"(?<![\w.,$-])~?(?P<low>{LOOSE_NUMBER})(?:\s?{RANGE_MARK}\s?(?P<high>{LOOSE_NUMBER}))?(?:\s?[x×](?![\w×])(?!\s?[\d(~$.])|[\s-]times\b(?!\s*\d|\s+(?:a|per|each|in|every)\b))",
    re.IGNORECASE,
)
_CHANGE: Final = re.compile(
    rf"(?<![\w.,-])~?(?P<percent>{LOOSE_NUMBER})\s?(?:%|percent) (?:(?P<up>increase|improvement|rise|gain|growth|higher|more)|"
    r"(?P<down>decrease|reduction|drop|decline|loss|lower|less))\b",
    re.IGNORECASE,
)
_SAFETY_FACTOR: Final = re.compile(
    rf"\bsafety (?:factor|margin)s?(?: of| is|:| =)? ?(?:about |approximately |roughly |over |>|~)*(?P<low>{LOOSE_NUMBER})(?:\s?{RANGE_MARK}\s?(?P<high>{LOOSE_NUMBER}))?"
    r"(?:\s?[x×]|:1)?(?=[\s).,;]|$)(?!\s?%)",
    re.IGNORECASE,
)
_FROM_TO: Final = re.compile(r"\bfrom\b[^.;]{0,60}$", re.IGNORECASE)
_CHANGE_TO: Final = re.compile(
    r"[^.;\d]{0,30}\b(?:to|down to|up to)\s+(?:about |approximately |roughly |only |~)*"
)
_COMPARISON: Final = re.compile(
    r"\s*(?:(?:more|less|greater|larger|smaller|higher|lower|longer|shorter|heavier|lighter|stronger|weaker|faster|slower|better|worse)\s+)?"
    r"(?:than\b|the\b|below\b|above\b|over\b|your\b|its\b|of\b|as\b)",
    re.IGNORECASE,
)
MOST_CHARACTERS_BETWEEN: Final = 60
_CLAUSE_END: Final = re.compile(r"[.;:]\s|\b(?:but|while|and|when|if)\b")
_SAME_QUANTITY: Final = re.compile(
    r"[^.;:|]{0,30}?(?:is|are|was|,|--|—|\(|=|or)\s*(?:about |approximately |roughly |over |nearly |only |still |more than |~)*"
)
_REFERENCE: Final = re.compile(
    r"[^.;|]{0,50}[.;]\s(?:This|That|It|Which) (?:is|means|gives|exceeds)[^.;|\d]{0,30}", re.IGNORECASE
)
_OPENING_BRACKET: Final = re.compile(
    r"[^.;\d]{0,25}[(,]\s?(?:a |an |about |approximately |roughly |over |nearly )*"
)
_COMPARING_WORD: Final = re.compile(
    r"\b(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than)(?!\w)"
)
_VAGUE_WORDS: Final = re.compile(
    r"\b(?:per|each|every|squared|cubed|area|volume|power of|factor|by|adds?|total|safety)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _RatioClaim:
    """Stated ratio or range of ratios with its position."""

    low: float
    high: float
    start: int
    end: int


def find_wrong_ratios(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all ratios, changes and safety factors that contradict their two amounts."""
    for line in document.lines:
        if not re.search(r"\d\s?[x×]|times|%|percent|safety", line.text):
            continue
        for cell in normalize_math_text(line.text).split("|"):
            yield from _check_multiples(line.number, cell)
            for sentence in split_sentences(cell):
                yield from _check_percent_changes(line.number, sentence)
                yield from _check_safety_factor(line.number, sentence)


def _check_multiples(number: int, text: str) -> Iterator[CalculationMistake]:
    found: list[Amount] | None = None
    for match in _TIMES.finditer(text):
        claim = _parse_claim(match)
        if claim.low < SMALLEST_RATIO or claim.low > claim.high:
            continue
        found = _find_separate_amounts(text) if found is None else found
        pair = _find_compared_amounts(
            [each for each in found if each.end <= claim.start or each.start >= claim.end], claim, text
        )
        if pair is None:
            continue
        first, second = pair
        larger, smaller = (first, second) if first.si[0] >= second.si[0] else (second, first)
        low, high = larger.si[0] / smaller.si[1], larger.si[1] / smaller.si[0]
        if (
            high * ALLOWED_FACTOR < claim.low
            or low > claim.high * ALLOWED_FACTOR
            or _is_far_at_one_end(claim, low, high)
        ):
            right = " to ".join(f"{each:.3g}" for each in dict.fromkeys((low, high)))
            printed = text[min(first.start, claim.start) : max(second.end, claim.end)]
            yield CalculationMistake(number, printed, f"{right} times", f"`{printed}`: the ratio is {right}")


def _is_far_at_one_end(claim: _RatioClaim, low: float, high: float) -> bool:
    """Return whether two ranges differ strongly at one end although they overlap."""
    if claim.low == claim.high or low == high:
        return False
    return (
        max(claim.low / low, low / claim.low) > 2 * ALLOWED_FACTOR
        or max(claim.high / high, high / claim.high) > 2 * ALLOWED_FACTOR
    )


def _find_separate_amounts(text: str) -> list[Amount]:
    """Return all amounts of a text. `from 20 N to 60 N` gives two amounts, not a range."""
    found: list[Amount] = []
    for each in find_amounts(text):
        if (
            each.is_range
            and re.search(r"\bfrom\s+(?:about |approximately |~)?$", text[: each.start])
            and " to " in text[each.start : each.end]
        ):
            middle = text.index(" to ", each.start)
            found += [
                replace(each, high=each.low, end=middle),
                replace(each, low=each.high, start=middle + 4),
            ]
        else:
            found.append(each)
    return found


def _parse_claim(match: re.Match[str]) -> _RatioClaim:
    low = parse_digits(match["low"])
    high = parse_digits(match["high"]) if match["high"] else low
    return _RatioClaim(low, high, match.start(), match.end())


def _find_compared_amounts(
    amounts: list[Amount], claim: _RatioClaim, text: str
) -> tuple[Amount, Amount] | None:
    """Return the two amounts that a claim compares: one on each side of it, or both right before it."""
    before = [each for each in amounts if each.end <= claim.start]
    after = next((each for each in amounts if each.start >= claim.end and _is_positive_measure(each)), None)
    if after is not None:
        link = text[claim.end : after.start]
        comparable = [
            each for each in before if _is_positive_measure(each) and each.dimension == after.dimension
        ]
        if (
            comparable
            and _COMPARISON.match(link)
            and not _VAGUE_WORDS.search(link)
            and not _CLAUSE_END.search(link)
        ):
            text_between = text[comparable[-1].end : claim.start]
            if len(link) <= MOST_CHARACTERS_BETWEEN and (
                _SAME_QUANTITY.fullmatch(text_between) or _REFERENCE.fullmatch(text_between)
            ):
                return comparable[-1], after
    if len(before) > 1 and all(_is_positive_measure(each) for each in before[-2:]):
        first, second = before[-2:]
        text_between = text[first.end : second.start]
        is_compared = bool(_COMPARING_WORD.search(text_between)) or _is_from_to_pair(text, first, second)
        is_adjacent = len(text_between) <= MOST_CHARACTERS_BETWEEN and bool(
            _OPENING_BRACKET.fullmatch(text[second.end : claim.start])
        )
        if is_compared and is_adjacent and first.dimension == second.dimension:
            return first, second
    return None


def _is_positive_measure(amount: Amount) -> bool:
    return bool(amount.unit) and amount.dimension not in {PLAIN, TEMPERATURE} and min(amount.si) > 0


def _check_safety_factor(number: int, text: str) -> Iterator[CalculationMistake]:
    """Check a safety factor against the only two amounts of one dimension before it."""
    matches = list(_SAFETY_FACTOR.finditer(text))
    if len(matches) != 1:
        return
    claim = _parse_claim(matches[0])
    before = [each for each in find_amounts(text[: claim.start]) if _is_positive_measure(each)]
    if len(before) < 2 or before[-1].dimension != before[-2].dimension:  # noqa: PLR2004 - strength and load
        return
    first, second = before[-2:]
    if (
        sum(each.dimension == first.dimension for each in before) != 2  # noqa: PLR2004
        or claim.start - second.end > MOST_CHARACTERS_BETWEEN
    ):
        return
    larger, smaller = (first, second) if first.si[0] >= second.si[0] else (second, first)
    low, high = larger.si[0] / smaller.si[1], larger.si[1] / smaller.si[0]
    if high * ALLOWED_SAFETY_FACTOR < claim.low or low > claim.high * ALLOWED_SAFETY_FACTOR:
        right = " to ".join(f"{each:.3g}" for each in dict.fromkeys((low, high)))
        printed = text[first.start : claim.end]
        yield CalculationMistake(number, printed, right, f"`{printed}`: the safety factor is {right}")


def _is_from_to_pair(text: str, first: Amount, second: Amount) -> bool:
    """Return whether two amounts are the ends of `from ... to ...`."""
    return bool(_FROM_TO.search(text[: first.start]) and _CHANGE_TO.fullmatch(text[first.end : second.start]))


def _check_percent_changes(number: int, text: str) -> Iterator[CalculationMistake]:
    """Check a percent change, as in `from 4 m to 6 m (a 20 % increase)`."""
    matches = list(_CHANGE.finditer(text))
    if len(matches) > 1:  # it is unclear which amounts belong to which change
        return
    for match in matches:
        found = [
            each
            for each in _find_separate_amounts(text[: match.start()])
            if each.unit not in {"%", "percent"}
        ]
        if len(found) != 2:  # noqa: PLR2004 - before and after
            continue
        first, second = found
        if not (first.dimension == second.dimension or not first.unit) or not _is_from_to_pair(
            text, first, second
        ):
            continue
        if first.is_range or second.is_range or min(first.low, second.low) <= 0:
            continue
        before, after = (first.si[0], second.si[0]) if first.unit else (first.low, second.low)
        change = 100 * (after / before - 1)
        stated_percent = parse_digits(match["percent"]) * (1 if match["up"] else -1)
        # A decrease may also be stated relative to the final value.
        other = 100 * (before / after - 1)
        if min(abs(abs(change) - abs(stated_percent)), abs(abs(other) - abs(stated_percent))) > max(
            POINTS, 0.15 * abs(stated_percent)
        ):
            printed = text[first.start : match.end()]
            yield CalculationMistake(
                number, printed, f"{change:.3g} %", f"`{printed}`: the change is {change:.3g} %"
            )
