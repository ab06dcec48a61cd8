"""Parsing of statuses, tiers and categories in the headers of imported documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, get_args

from impossible_moments.domain.vocabulary import (
    CATEGORIES,
    STATUSES,
    TIERS,
    Status,
    Subtype,
    Tier,
)

# fmt: off
_FIRST_WORDS: Final[Mapping[str, Status]] = {
    "KNOWN":       "KS", "SOLVABLE":   "KS", "SOLVED":     "KS",
    "CONTESTED":   "CT", "DISPUTED":   "CT",
    "OPEN":        "OF", "FRONTIER":   "OF", "UNSOLVED":   "OF",
    "PARADOX":     "PX", "IMPOSSIBLE": "PX", "PROVEN":     "PX", "PROOF": "PX",
    "METAMORPHIC": "MT",
    "DEGENERATE":  "DG", "TRIVIAL":    "DG",
}
_TIERS_BY_EASE: Final[Mapping[str, Tier]] = {
    "EASY": "SPARK", "MEDIUM": "FRACTURE", "MODERATE": "FRACTURE", "HARD": "RUPTURE",
    "EXPERT": "SINGULARITY", "VERY HARD": "SINGULARITY",
}
# fmt: on
_SUBTYPES: Final[Mapping[str, str]] = {each.upper(): each for each in get_args(Subtype)}
_LONGEST: Final = 200
"""Maximum characters of a header value that are parsed."""


def parse_status(text: str) -> str | None:
    """Return the status in a header value, with its subtype if given; None if it is unknown."""
    words = re.findall(r"[A-Z]+", text[:_LONGEST].upper())
    if not words:
        return None
    subtype = _SUBTYPES.get("-".join(words[:2]))
    if subtype is not None:
        return subtype
    return words[0] if words[0] in STATUSES else _FIRST_WORDS.get(words[0])


def parse_tier(text: str) -> Tier | None:
    """Return the tier in a header value, given by name, number or difficulty word; None if it is unknown."""
    value = text[:_LONGEST].upper().strip()
    first = re.match(r"[A-Z]+", value)
    for tier in TIERS:
        if first is not None and first[0] == tier:
            return tier
    number = re.match(r"(?:TIER\s*)?([1-5])\b", value)
    if number is not None:
        return TIERS[int(number[1]) - 1]
    return next((tier for ease, tier in _TIERS_BY_EASE.items() if value.startswith(ease)), None)


def parse_category(text: str) -> str | None:
    """Return the category in a header value, by name or by its first word; None if it is unknown."""
    value = _normalize_category_name(re.sub(r"\(.*", "", text[:_LONGEST]))
    exact = next((each for each in CATEGORIES if _normalize_category_name(each) == value), None)
    if exact is not None or not value:
        return exact
    return next(
        (each for each in CATEGORIES if _normalize_category_name(each).split()[0] == value.split()[0]), None
    )


def _normalize_category_name(name: str) -> str:
    """Return a category name in lower case without the article."""
    return " ".join(re.findall(r"[a-z]+", name.lower())).removeprefix("the ").strip()
