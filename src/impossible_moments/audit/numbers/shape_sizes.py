"""Check of areas and volumes against a stated shape and size, as in `7 m2 (hemisphere, 1.5 m radius)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.amounts import Amount, find_amounts
from impossible_moments.audit.numbers.equations import CalculationMistake, normalize_math_text
from impossible_moments.mechanics.language import LENGTH

ALLOWED_FACTOR: Final = 1.3
MOST_LENGTHS: Final = 2
"""Most lengths of a round shape: diameter and length."""
AREA: Final = LENGTH * LENGTH
VOLUME: Final = AREA * LENGTH
_BRACKET: Final = re.compile(r"((?:[^|.;()]|\.(?=\d)){3,120})\(([^()]{3,120})\)")
_RADIUS: Final = re.compile(r"\bradius\b|\br\s?=", re.IGNORECASE)
_DIAMETER: Final = re.compile(r"\bdiam(?:eter)?\b|\bacross\b|\bdia\b", re.IGNORECASE)
_PI: Final = math.pi

Sizes = Callable[[float, float], tuple[float, ...]]
"""Function from a radius and a length to all areas or volumes that may be meant."""

# fmt: off
_SHAPES: Final[Mapping[str, tuple[Sizes, Sizes]]] = {
    #                       areas: whole, curved, cut                                        volumes
    r"hemispher\w+|dome":   (lambda r, _: (2 * _PI * r**2, 3 * _PI * r**2),                    lambda r, _: (2 / 3 * _PI * r**3,)),
    r"spher\w+|ball|globe": (lambda r, _: (4 * _PI * r**2, _PI * r**2),                        lambda r, _: (4 / 3 * _PI * r**3,)),
    r"cylind\w+|tube|pipe|barrel|drum|well|shaft":
                            (lambda r, h: (2 * _PI * r * h, 2 * _PI * r * (h + r), _PI * r * (2 * h + r), _PI * r**2, 2 * r * h),
                                                                                             lambda r, h: (_PI * r**2 * h,)),
    r"cone|conical":        (lambda r, h: (_PI * r * math.hypot(r, h), _PI * r * (r + math.hypot(r, h)), _PI * r * h, _PI * r**2),
                                                                                             lambda r, h: (_PI * r**2 * h / 3,)),
    r"circ(?:le|ular)|dis[ck]|round|parachute|hole|opening":
                            (lambda r, _: (_PI * r**2,),                                     lambda r, h: (_PI * r**2 * h,)),
}
# fmt: on


def find_wrong_shape_sizes(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all areas and volumes that contradict the shape beside them."""
    for line in document.lines:
        if "(" not in line.text:
            continue
        for match in _BRACKET.finditer(normalize_math_text(line.text)):
            for sizes, stated_text in ((match[2], match[1]), (match[1], match[2])):
                mistake = _check_shape_size(line.number, sizes, stated_text, match[0].strip())
                if mistake is not None:
                    yield mistake
                    break


def _check_shape_size(number: int, sizes: str, stated_text: str, printed: str) -> CalculationMistake | None:
    """Return a mistake if a shape with its sizes contradicts the area or volume beside it, else None."""
    named = next(
        (both for words, both in _SHAPES.items() if re.search(rf"\b(?:{words})\b", sizes, re.IGNORECASE)),
        None,
    )
    lengths = [each for each in find_amounts(sizes) if each.dimension == LENGTH]
    stated_amounts = [each for each in find_amounts(stated_text) if each.dimension in {AREA, VOLUME}]
    if (
        named is None
        or not 0 < len(lengths) <= MOST_LENGTHS
        or len(stated_amounts) != 1
        or len(list(find_amounts(sizes))) != len(lengths)
    ):
        return None
    stated = stated_amounts[0]
    if (
        not re.match(r"[\s,]*(?:[a-z]+\s*){0,4}$", stated_text[stated.end :], re.IGNORECASE)
        and stated_text[: stated.start].strip()
    ):
        return None
    areas, volumes = named
    possible = [
        size
        for radius, length in _enumerate_radius_and_length(sizes, lengths)
        for size in (areas if stated.dimension == AREA else volumes)(radius, length)
        if size > 0
    ]
    if not possible or min(stated.si) <= 0:
        return None
    low, high = stated.si
    if any(low / ALLOWED_FACTOR <= size <= high * ALLOWED_FACTOR for size in possible):
        return None
    right = possible[0] / stated.factor
    return CalculationMistake(
        number,
        printed,
        f"{right:.3g} {stated.unit}",
        f"`{printed}`: this shape has {right:.3g} {stated.unit}",
    )


def _enumerate_radius_and_length(text: str, lengths: list[Amount]) -> Iterator[tuple[float, float]]:
    """Yield all interpretations of the lengths as radius and length, at both ends of each range."""
    for radius, other in ((lengths[0], lengths[-1]), (lengths[-1], lengths[0])):
        halves = (
            (1.0,)
            if _RADIUS.search(text) and not _DIAMETER.search(text)
            else (0.5,)
            if _DIAMETER.search(text)
            else (1.0, 0.5)
        )
        for half in halves:
            for size in radius.si:
                for length in other.si if len(lengths) > 1 else (0.0,):
                    yield size * half, length
