"""Values of a disputed quantity at which the choice between plans changes, compared with those that an answer states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations, pairwise
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation.plan_execution import execute_interpreted_plan
from impossible_moments.mechanics.checks import score_outcome_by_preference
from impossible_moments.mechanics.language import Unit, parse_unit
from impossible_moments.mechanics.records import Quantity

Score = Callable[[float], float | None]
"""How good a plan is at a value of the disputed quantity; None if it does not work there."""
SAMPLES: Final = 48
"""How many equal parts of the range are compared before a change is located."""
_BISECTIONS: Final = 24
BEYOND: Final = 1.0
"""How far beyond the ends a change is searched, as a share of the range."""
ROUNDING: Final = 0.05
"""Difference between a stated and a computed turning point that counts as rounding, relative to the value or to the range if that is smaller."""
RANGE_ROUNDING: Final = 0.01
"""The same relative to the range, for turning points near zero."""
_END_ROUNDING: Final = 0.01


class TurningStanding(StrEnum):
    """What the record says about a value at which an answer would choose otherwise."""

    HOLDS = "holds, or cannot be compared"
    OPEN = "for review"
    FALSE = "false"


@dataclass(frozen=True, slots=True)
class TurningPoints:
    """The values of a disputed quantity at which a plan begins or ceases to work, or to be better than another."""

    quantity: Quantity
    low: float
    high: float
    values: tuple[float, ...]
    chosen: Score | None = None
    """The plan that the answer chooses, if it has one."""
    others: tuple[Score, ...] = ()
    """The other plans, of the record and of the answer."""

    def convert_to_unit(self, value: float) -> float:
        """Return a value in the unit in which the situation states it."""
        unit = self.quantity.display_unit
        return value if unit is None else unit.from_si(value)

    def can_compare(self, amount: Amount) -> bool:
        """Return whether an amount may be a value of the quantity, by its dimension."""
        return any(True for _ in _iterate_readings(amount, self.quantity))

    def judge_limit(self, amount: Amount) -> TurningStanding:
        """Return whether an amount is a value at which the choice changes.

        An amount of another dimension is about another quantity and contradicts nothing. An end of the range often only tells
        the sides of the dispute apart, so that it is left open.
        """
        stated = tuple(_iterate_readings(amount, self.quantity))
        if not stated or not self.values:
            return TurningStanding.HOLDS
        width = abs(self.high - self.low)
        turns = [
            (each, max(ROUNDING * min(abs(each), width), RANGE_ROUNDING * width)) for each in self.values
        ]
        if _meets([*stated, *self._iterate_rests(stated)], turns) or self._is_within_gap(stated):
            return TurningStanding.HOLDS
        is_open = self._meets_end(stated) or self._is_beyond_search(stated)
        return TurningStanding.OPEN if is_open else TurningStanding.FALSE

    def judge_supposition(self, amount: Amount) -> TurningStanding:
        """Return whether another plan is better, or the chosen one fails, if the quantity has the value of an amount."""
        stated = tuple(_iterate_readings(amount, self.quantity))
        if self.chosen is None or not stated or self._meets_end(stated):
            return TurningStanding.HOLDS
        if any(map(self._is_chosen_otherwise, _iterate_ends(stated))):
            return TurningStanding.HOLDS
        # a share may be meant as the rest of the whole
        is_open = any(map(self._is_chosen_otherwise, _iterate_ends(self._iterate_rests(stated))))
        return TurningStanding.OPEN if is_open else TurningStanding.FALSE

    def _is_within_gap(self, stated: Iterable[_StatedRange]) -> bool:
        """Return whether no plan works at a value between two turning points: the choice may change anywhere there."""
        scores = (*self.others, *(() if self.chosen is None else (self.chosen,)))
        return bool(scores) and any(
            min(self.values) < value < max(self.values) and all(score(value) is None for score in scores)
            for value in _iterate_ends(stated)
        )

    def _is_beyond_search(self, stated: Iterable[_StatedRange]) -> bool:
        """Return whether a value lies where no change was searched."""
        margin = BEYOND * (self.high - self.low)
        return all(each.low > self.high + margin or each.high < self.low - margin for each in stated)

    def _is_chosen_otherwise(self, value: float) -> bool:
        assert self.chosen is not None
        score = self.chosen(value)
        return score is None or any(_compare(other(value), score) > 0 for other in self.others)

    def _meets_end(self, stated: Iterable[_StatedRange]) -> bool:
        """Return whether a value is an end of the range, without regard to how it is rounded."""
        width = abs(self.high - self.low)
        ends = [(each, _END_ROUNDING * min(abs(each), width)) for each in (self.low, self.high)]
        return _meets([replace(each, slack=0.0) for each in stated], ends)

    def _iterate_rests(self, stated: Iterable[_StatedRange]) -> Iterator[_StatedRange]:
        yield from (each.subtract_from_whole() for each in stated if self._is_share and each.is_share)

    @property
    def _is_share(self) -> bool:
        """Whether the quantity is a share of a whole, which an answer may give as the rest of it."""
        unit = self.quantity.display_unit
        return (unit is None or unit.dimension.is_plain) and self.low >= 0 and self.high <= 1


@dataclass(frozen=True, slots=True)
class _StatedRange:
    """What an amount states, in SI units, and how far it is rounded."""

    low: float
    high: float
    slack: float

    @property
    def is_share(self) -> bool:
        return 0 <= self.low <= self.high <= 1

    def subtract_from_whole(self) -> _StatedRange:
        return _StatedRange(1 - self.high, 1 - self.low, self.slack)


def _iterate_ends(stated: Iterable[_StatedRange]) -> Iterator[float]:
    for each in stated:
        yield from (each.low, each.high)


def _meets(stated: Iterable[_StatedRange], values: Iterable[tuple[float, float]]) -> bool:
    """Return whether a stated range overlaps a value with its rounding. A negative amount is often written without its sign."""
    known = tuple(values)
    return any(
        low - each.slack <= abs(value) + rounding and high + each.slack >= abs(value) - rounding
        for each in stated
        for low, high in [sorted((abs(each.low), abs(each.high)))]
        for value, rounding in known
    )


def find_turning_points(key: AnswerKey, plans: Iterable[Sequence[str]] = ()) -> TurningPoints | None:
    """Return the turning points of the crux of a contested scenario, for its listed plans and those of an answer.

    The first plan of the answer is the one that it chooses. Return None if the crux has no range of numbers.
    """
    quantity = key.analysis.world.quantities.get(getattr(key.block, "crux", ""))
    if quantity is None or quantity.low is None or quantity.high is None:
        return None
    listed = [_build_listed_score(key, quantity.name, name) for name in key.analysis.plans]
    stated = [_build_score_of_calls(key, quantity.name, tuple(calls)) for calls in plans if calls]
    values = tuple(_iterate_changes([*listed, *stated], list(_iterate_samples(quantity.low, quantity.high))))
    chosen = stated[0] if stated else None
    return TurningPoints(quantity, quantity.low, quantity.high, values, chosen, (*listed, *stated[1:]))


def _build_listed_score(key: AnswerKey, quantity: str, name: str) -> Score:
    executor, plan = key.analysis.executor, key.analysis.plans[name]

    def compute_score(value: float) -> float | None:
        outcome = executor.run_plan(plan, changes={quantity: value})
        return score_outcome_by_preference(executor, outcome) if outcome.reaches_goal else None

    return compute_score


def _build_score_of_calls(key: AnswerKey, quantity: str, calls: tuple[str, ...]) -> Score:
    def compute_score(value: float) -> float | None:
        executed = execute_interpreted_plan(calls, key, changes={quantity: value})
        if not executed.reaches_goal:
            return None
        return score_outcome_by_preference(key.analysis.executor, executed.outcome)

    return compute_score


def _iterate_samples(low: float, high: float) -> Iterator[float]:
    margin = BEYOND * (high - low)
    least = max(low - margin, 0.0) if low >= 0 else low - margin
    step = (high + margin - least) / SAMPLES
    values = {least + step * number for number in range(SAMPLES + 1)} | {low, high}
    yield from sorted(values)


def _iterate_changes(scores: Sequence[Score], samples: Sequence[float]) -> Iterator[float]:
    """Yield where a plan begins or ceases to work, and where the better one of two plans changes."""
    table = [{value: score(value) for value in samples} for score in scores]
    for score, found in zip(scores, table, strict=True):
        for first, second in pairwise(samples):
            if (found[first] is None) is not (found[second] is None):
                yield _bisect(partial(_is_failure, score), first, second)
    for one, other in combinations(range(len(scores)), 2):
        pair = (scores[one], scores[other])
        for first, second in pairwise(samples):
            ranks = [_compare(table[one][value], table[other][value]) for value in (first, second)]
            if ranks[0] != ranks[1]:
                yield _bisect(partial(_compare_at, *pair), first, second)


def _is_failure(score: Score, value: float) -> bool:
    """Return whether a plan fails at a value."""
    return score(value) is None


def _compare_at(one: Score, other: Score, value: float) -> int:
    """Return which of two plans is better at a value."""
    return _compare(one(value), other(value))


def _compare(one: float | None, other: float | None) -> int:
    """Return which of two plans is better: 1, -1, or 0 for neither. One that fails is worse than any other."""
    if one is None or other is None:
        return (one is not None) - (other is not None)
    return (one > other) - (one < other)


def _bisect(state: Callable[[float], object], first: float, second: float) -> float:
    """Return where a state changes between two values."""
    before = state(first)
    for _ in range(_BISECTIONS):
        middle = (first + second) / 2
        if state(middle) == before:
            first = middle
        else:
            second = middle
    return second


def _iterate_readings(amount: Amount, quantity: Quantity) -> Iterator[_StatedRange]:
    """Yield the ranges of the quantity, in SI units, that an amount may state.

    A number without unit is meant in the unit of the quantity, and so is one without that by which its unit is divided.
    A share may be given in percent.
    """
    unit = quantity.display_unit
    slack = amount.half_step + amount.tolerance / 2 * max(abs(amount.low), abs(amount.high))
    if unit is not None and not unit.dimension.is_plain:
        if amount.unit and amount.dimension == unit.dimension and not unit.offset:
            yield _StatedRange(*amount.si, slack * amount.factor)
        elif not amount.unit or amount.dimension == unit.dimension:
            # a scale with an offset is compared as printed
            yield _StatedRange(unit.to_si(amount.low), unit.to_si(amount.high), slack * unit.factor)
        else:
            yield from _read_without_divisor(amount, unit, slack)
    elif amount.dimension.is_plain:
        yield _StatedRange(*amount.si, slack * amount.factor)
        if not amount.unit and amount.low > 1:
            yield _StatedRange(amount.low / 100, amount.high / 100, slack / 100)


def _read_without_divisor(amount: Amount, unit: Unit, slack: float) -> Iterator[_StatedRange]:
    """Yield what an amount states if its unit is the one before the stroke, such as grams for grams a day."""
    before, stroke, _ = unit.text.partition("/")
    measure = parse_unit(before) if stroke and before.strip() not in {"", "1"} else None
    if measure is not None and amount.dimension == measure.dimension and not measure.offset:
        scale = amount.factor / measure.factor
        low, high = (unit.to_si(end * scale) for end in (amount.low, amount.high))
        yield _StatedRange(low, high, slack * scale * unit.factor)
