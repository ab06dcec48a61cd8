"""Quantities in text, and the relations and calculations that the text states between them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import PLAIN, Dimension, parse_unit_at
from impossible_moments.mechanics.numbers import parse_number_at

ROUNDING: Final = 0.02
"""How far a printed result may differ from the computed one, as a share of it."""
MOST_WORDS_BETWEEN: Final = 8
"""How many words may stand between a relation and the quantity that it relates."""

Compare: TypeAlias = Callable[[float, float], bool]


def _is_nearly_equal(left: float, right: float) -> bool:
    return abs(left - right) <= ROUNDING * max(abs(left), abs(right))


# fmt: off
_SIGNS: Final[Mapping[str, Compare]] = {
    "<=": operator.le, ">=": operator.ge, "≤": operator.le, "≥": operator.ge, "!=": operator.ne, "≠": operator.ne,
    "<": operator.lt, ">": operator.gt, "==": _is_nearly_equal, "=": _is_nearly_equal, "≈": _is_nearly_equal,
}
_WORDS: Final[Mapping[str, Compare]] = {
    r"exceeds?":                                                                     operator.gt,
    r"(?:is|are) (?:more|greater|larger|longer|higher|heavier|faster|hotter) than":  operator.gt,
    r"(?:is|are) (?:less|smaller|shorter|lower|lighter|slower|colder|fewer) than":   operator.lt,
    r"(?:is|are) above":                                                             operator.gt,
    r"(?:is|are|falls?) below":                                                      operator.lt,
    r"falls? short of":                                                              operator.lt,
    r"equals?":                                                                      _is_nearly_equal,
}
# fmt: on
_RELATION: Final = re.compile(
    "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
    + "|"
    + "|".join(rf"\b{words}\b" for words in _WORDS)
)
_OPERATOR: Final = re.compile(r"[+*/×·÷−–-]")
_WORD: Final = re.compile(r"[^\W\d_][\w']*")
_SENTENCE_END: Final = re.compile(r"[.;!?](?:\s|$)|\n")
_BELIEF: Final = re.compile(r"\s*(?:sure|certain|confident|convinced|likely|probable)\b", re.IGNORECASE)
"""`90 % sure` states no quantity of the scenario."""


@dataclass(frozen=True, slots=True)
class StatedQuantity:
    """A number in text with its dimension, in SI units."""

    value: float
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation between two sides that a text states, and whether it is true of the stated numbers."""

    dimension: Dimension
    holds: bool


@dataclass(frozen=True, slots=True)
class _Side:
    """Quantities joined by arithmetic signs. A side with other terms, such as letters, is incomplete."""

    value: float
    dimension: Dimension
    is_complete: bool


_Token: TypeAlias = StatedQuantity | Compare | str
"""A quantity, a relation, an arithmetic sign, or an empty text for any other word."""


def list_stated_quantities(text: str) -> tuple[StatedQuantity, ...]:
    """Return the quantities of a text in order."""
    return tuple(
        token
        for sentence in _SENTENCE_END.split(text)
        for token in _iterate_tokens(sentence)
        if isinstance(token, StatedQuantity)
    )


def list_stated_relations(text: str) -> tuple[StatedRelation, ...]:
    """Return the relations of a text whose two sides are quantities of one dimension."""
    return tuple(
        relation
        for sentence in _SENTENCE_END.split(text)
        for relation in _iterate_sentence_relations(tuple(_iterate_tokens(sentence)))
    )


def shows_computation(text: str) -> bool:
    """Return whether a text states a relation of two quantities or numbers that is true of them."""
    return any(relation.holds for relation in list_stated_relations(text))


def _iterate_tokens(sentence: str) -> Iterator[_Token]:
    at = 0
    while at < len(sentence):
        if (relation := _RELATION.match(sentence, at)) is not None:
            yield _find_comparison(relation[0])
            at = relation.end()
        elif sentence[at].isdigit() and (number := parse_number_at(sentence, at)) is not None:
            unit, at = parse_unit_at(sentence, number.end)
            if unit is None and sentence[at : at + 1] == "%":
                at += 1
            factor, dimension = (unit[0], unit[1]) if unit is not None else (1.0, PLAIN)
            if _BELIEF.match(sentence, at) is None:
                yield StatedQuantity(number.value * factor, dimension)
        elif (sign := _OPERATOR.match(sentence, at)) is not None:
            yield sign[0]
            at = sign.end()
        elif (word := _WORD.match(sentence, at)) is not None:
            yield ""
            at = word.end()
        else:
            at += 1


def _find_comparison(found: str) -> Compare:
    if found in _SIGNS:
        return _SIGNS[found]
    return next(compare for words, compare in _WORDS.items() if re.fullmatch(words, found))


def _iterate_sentence_relations(tokens: tuple[_Token, ...]) -> Iterator[StatedRelation]:
    places = [at for at, token in enumerate(tokens) if callable(token)]
    for number, at in enumerate(places):
        before = places[number - 1] + 1 if number else 0
        after = places[number + 1] if number + 1 < len(places) else len(tokens)
        compare = tokens[at]
        left = _build_side(tokens[before:at], nearest_last=True)
        right = _build_side(tokens[at + 1 : after], nearest_last=False)
        if not callable(compare) or left is None or right is None or left.dimension != right.dimension:
            continue
        is_checked = left.is_complete and right.is_complete
        yield StatedRelation(left.dimension, holds=not is_checked or compare(left.value, right.value))


def _build_side(tokens: tuple[_Token, ...], *, nearest_last: bool) -> _Side | None:
    """Return the chain of quantities nearest to a relation, or None if none is near."""
    ordered = tokens[::-1] if nearest_last else tokens
    start = next((at for at, token in enumerate(ordered) if isinstance(token, StatedQuantity)), None)
    if start is None or sum(token == "" for token in ordered[:start]) > MOST_WORDS_BETWEEN:
        return None
    end = start + 1
    while end + 1 < len(ordered) and _is_sign(ordered[end]) and isinstance(ordered[end + 1], StatedQuantity):
        end += 2
    is_complete = not any(_is_sign(token) for token in (*ordered[start - 1 : start], *ordered[end : end + 1]))
    chain = ordered[start:end]
    return _compute_chain(chain[::-1] if nearest_last else chain, is_complete=is_complete)


def _is_sign(token: _Token) -> bool:
    return isinstance(token, str) and token != ""


def _compute_chain(chain: tuple[_Token, ...], *, is_complete: bool) -> _Side | None:
    """Compute quantities joined by signs: products first, then sums of one dimension."""
    terms: list[tuple[float, Dimension]] = []
    sign = ""
    for token in chain:
        if isinstance(token, str):
            sign = token
            continue
        assert isinstance(token, StatedQuantity)
        if terms and sign in {"*", "×", "·", "/", "÷"}:
            value, dimension = terms.pop()
            if sign in {"/", "÷"}:
                if token.value == 0:
                    return None
                terms.append((value / token.value, dimension / token.dimension))
            else:
                terms.append((value * token.value, dimension * token.dimension))
            continue
        value = -token.value if sign in {"-", "−", "–"} else token.value
        terms.append((value, token.dimension))
    if len({dimension for _, dimension in terms}) != 1:
        return None
    return _Side(sum(value for value, _ in terms), terms[0][1], is_complete)
