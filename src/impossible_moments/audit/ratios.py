"""Ratios and changes beside the two amounts they compare: `3 N, 40 times the 1 N limit`, `from 4 m to 6 m (a 20 % increase)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.amounts import Amount, amounts
from impossible_moments.audit.calculations import Mistake, tidied
from impossible_moments.audit.markdown import Document, sentences
from impossible_moments.mechanics.dimensions import PLAIN, TEMPERATURE

APART: Final = 1.6
"""How far a ratio told in passing may be off: such numbers are rounded freely."""
LEAST: Final = 1.2
"""Ratios below it are told as shares or differences, not as so many times."""
POINTS: Final = 8.0
"""Percent points a change may be off."""
_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_TIMES: Final = re.compile(
    rf"(?<![\w.,$-])~?(?P<low>{_NUMBER})(?:\s?(?:-|–|to)\s?(?P<high>{_NUMBER}))?(?:\s?[x×](?![\w×])(?!\s?[\d(~$.])|[\s-]times\b(?!\s*\d|\s+(?:a|per|each|in|every)\b))",
    re.IGNORECASE,
)
_CHANGE: Final = re.compile(
    rf"(?<![\w.,-])~?(?P<percent>{_NUMBER})\s?(?:%|percent) (?:(?P<up>increase|improvement|rise|gain|growth|higher|more)|"
    r"(?P<down>decrease|reduction|drop|decline|loss|lower|less))\b",
    re.IGNORECASE,
)
_FROM_TO: Final = re.compile(r"\bfrom\b[^.;]{0,60}$", re.IGNORECASE)
_TO: Final = re.compile(r"[^.;\d]{0,30}\b(?:to|down to|up to)\s+(?:about |approximately |roughly |only |~)*")
_COMPARES: Final = re.compile(
    r"\s*(?:(?:more|less|greater|larger|smaller|higher|lower|longer|shorter|heavier|lighter|stronger|weaker|faster|slower|better|worse)\s+)?"
    r"(?:than\b|the\b|below\b|above\b|over\b|your\b|its\b|of\b|as\b)",
    re.IGNORECASE,
)
_BLURS: Final = re.compile(
    r"\b(?:per|each|every|squared|cubed|area|volume|power of|factor|by|adds?|total|safety)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A ratio as it is printed."""

    low: float
    high: float
    start: int
    end: int


def misjudged(document: Document) -> Iterator[Mistake]:
    """All ratios and changes that their own two amounts contradict."""
    for line in document.lines:
        if not re.search(r"\d\s?[x×]|times|%|percent", line.text):
            continue
        for cell in tidied(line.text).split("|"):
            for sentence in sentences(cell):
                yield from _multiples(line.number, sentence)
                yield from _changes(line.number, sentence)


def _multiples(number: int, text: str) -> Iterator[Mistake]:
    claims = [_claim(match) for match in _TIMES.finditer(text)]
    if len(claims) != 1 or claims[0].low < LEAST or not claims[0].low <= claims[0].high:
        return
    claim = claims[0]
    found = [each for each in amounts(text) if each.end <= claim.start or each.start >= claim.end]
    pair = _pair(found, claim, text)
    if pair is None:
        return
    first, second = pair
    larger, smaller = (first, second) if first.si[0] >= second.si[0] else (second, first)
    low, high = larger.si[0] / smaller.si[1], larger.si[1] / smaller.si[0]
    if high * APART < claim.low or low > claim.high * APART:
        right = " to ".join(f"{each:.3g}" for each in dict.fromkeys((low, high)))
        shown = text[min(first.start, claim.start) : max(second.end, claim.end)]
        yield Mistake(number, shown, f"{right} times", f"`{shown}`: the one is {right} times the other")


def _claim(match: re.Match[str]) -> _Claim:
    low = float(match["low"].replace(",", ""))
    high = float(match["high"].replace(",", "")) if match["high"] else low
    return _Claim(low, high, match.start(), match.end())


def _pair(found: list[Amount], claim: _Claim, text: str) -> tuple[Amount, Amount] | None:
    """The two amounts a claim compares: the only two of their dimension in the sentence, one of them beside the claim."""
    measured = [each for each in found if each.unit and each.dimension not in {PLAIN, TEMPERATURE} and min(each.si) > 0]
    for kind in {each.dimension for each in measured}:
        like = [each for each in measured if each.dimension == kind]
        if len(like) != 2:  # noqa: PLR2004 - a comparison has two sides
            continue
        first, second = like
        between = text[claim.end : second.start] if second.start >= claim.end else ""
        if first.end <= claim.start and between and _COMPARES.match(between) and not _BLURS.search(between):
            return first, second
        before = text[second.end : claim.start] if second.end <= claim.start else None
        told = text[first.end : second.start]
        if before is not None and re.fullmatch(r"[^.;\d]{0,25}[(,]\s?(?:a |an |about |approximately |roughly |over |nearly )*", before) and (
            re.search(r"\b(?:vs\.?|versus|compared (?:to|with)|against|instead of|rather than)\b", told) or _to_follows(text, first, second)
        ):
            return first, second
    return None


def _to_follows(text: str, first: Amount, second: Amount) -> bool:
    """Whether the two are the ends of `from ... to ...`."""
    return bool(_FROM_TO.search(text[: first.start]) and _TO.fullmatch(text[first.end : second.start]))


def _changes(number: int, text: str) -> Iterator[Mistake]:
    """`from 4 m to 6 m (a 20 % increase)`."""
    for match in _CHANGE.finditer(text):
        found = [each for each in amounts(text[: match.start()]) if not (each.unit in {"%", "percent"})]
        if len(found) != 2:  # noqa: PLR2004 - before and after
            continue
        first, second = found
        if not (first.dimension == second.dimension or not first.unit) or not _to_follows(text, first, second):
            continue
        if first.is_range or second.is_range or min(first.low, second.low) <= 0:
            continue
        before, after = (first.si[0], second.si[0]) if first.unit else (first.low, second.low)
        change = 100 * (after / before - 1)
        said = float(match["percent"].replace(",", "")) * (1 if match["up"] else -1)
        # a fall by half is also told as half of what is left
        other = 100 * (before / after - 1)
        if min(abs(abs(change) - abs(said)), abs(abs(other) - abs(said))) > max(POINTS, 0.15 * abs(said)):
            shown = text[first.start : match.end()]
            yield Mistake(number, shown, f"{change:.3g} %", f"`{shown}`: that is a change of {change:.3g} %")
