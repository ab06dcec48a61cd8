"""Splitting of boxes: which side of a box to cut next, and where."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.interval_endpoints import Interval
from impossible_moments.mechanics.language.interval_evaluation import IntervalEvaluator, KnownValue
from impossible_moments.mechanics.language.scalar_evaluation import TOLERANCE, Value
from impossible_moments.mechanics.proofs.satisfiability_problem import SatisfiabilityProblem

Part: TypeAlias = dict[str, KnownValue]

SPANNING: Final = 100.0
"""A positive range whose ends differ by more than this factor is measured and cut on a logarithmic scale."""
_WORTH_TRIMMING: Final = 0.05  # share of a range that a trim must remove
_THINNEST_SHARE: Final = 2.0**-48  # share of the whole range: thinner parts are not cut again


@dataclass(frozen=True, slots=True)
class BoxCut:
    """A part of the box divided along one name: at a number, or by the values of a fact or a word."""

    name: str
    at: float | None
    values: tuple[bool | str, ...]
    parts: tuple[Part, ...]


def cut_part_along_widest_side(
    question: SatisfiabilityProblem, part: Part, names: Iterable[str]
) -> BoxCut | None:
    """Cut a part along its widest side, relative to the whole box; return None if it is too thin to cut."""
    widths = {name: _measure_relative_width(question, part, name) for name in sorted(names)}
    name = max(widths, key=widths.__getitem__, default=None)
    if name is None or widths[name] < _THINNEST_SHARE:
        return None
    if name in question.case_values:
        values = question.case_values[name]
        return BoxCut(name, None, values, tuple({**part, name: value} for value in values))
    low, high = _get_numeric_bounds(part, name)
    at = interpolate_range(low, high, by_factors=needs_logarithmic_scale(question.ranges[name]))
    if not low < at < high:
        return None
    return BoxCut(name, at, (), ({**part, name: (low, at)}, {**part, name: (at, high)}))


def cut_part_where_condition_fails(
    question: SatisfiabilityProblem, part: Part, names: Iterable[str]
) -> BoxCut | None:
    """Cut a part so that a condition such as `name <= limit` is false on one whole side.

    Return None if no condition excludes a side that is worth removing.
    """
    evaluator = IntervalEvaluator(part)
    for condition in names:
        tree = question.conditions[condition]
        if not isinstance(tree, ex.Comparison) or tree.operator in {"==", "!="}:
            continue
        less, more = (tree.left, tree.right) if tree.operator in {"<", "<="} else (tree.right, tree.left)
        for side, other, highest in ((less, more, True), (more, less, False)):
            found = _cut_at_limit(
                question, part, side, evaluator.compute_interval(other)[1 if highest else 0], highest=highest
            )
            if found is not None:
                return found
    return None


def _cut_at_limit(
    question: SatisfiabilityProblem, part: Part, side: ex.Expression, limit: float, *, highest: bool
) -> BoxCut | None:
    """Cut a part at the limit of a name; `highest` says that the limit is an upper one."""
    if not isinstance(side, ex.Name | ex.Property) or not math.isfinite(limit):
        return None
    name = side.name if isinstance(side, ex.Name) else side.path
    if not isinstance(part.get(name), tuple) or name not in question.ranges:
        return None
    low, high = _get_numeric_bounds(part, name)
    tolerance = 8 * TOLERANCE * (abs(limit) + max(abs(low), abs(high)))
    at = limit + tolerance if highest else limit - tolerance
    removed_width = high - at if highest else at - low
    if not low < at < high or removed_width < _WORTH_TRIMMING * (high - low):
        return None
    return BoxCut(name, at, (), ({**part, name: (low, at)}, {**part, name: (at, high)}))


def needs_logarithmic_scale(bounds: Interval) -> bool:
    """Return whether a range should be measured on a logarithmic scale."""
    return bounds[0] > 0 and bounds[1] / bounds[0] > SPANNING


def interpolate_range(low: float, high: float, *, by_factors: bool, share: float = 0.5) -> float:
    """Return the number a given share of the way from low to high, on a linear or logarithmic scale."""
    if by_factors:
        return min(max(low * math.exp(share * math.log(high / low)), low), high)
    return min(max(low + share * (high - low), low), high)


def compute_part_midpoint(question: SatisfiabilityProblem, part: Part) -> dict[str, Value]:
    """Return the midpoint of a part, with the first possible value of each fact and word."""
    return {name: _choose_central_value(question, part, name) for name in question.names}


def _choose_central_value(question: SatisfiabilityProblem, part: Part, name: str) -> Value:
    known = part.get(name)
    if isinstance(known, tuple):
        return float(interpolate_range(*known, by_factors=needs_logarithmic_scale(question.ranges[name])))
    return question.case_values[name][0] if known is None or isinstance(known, frozenset) else known


def _measure_relative_width(question: SatisfiabilityProblem, part: Part, name: str) -> float:
    """Return the width of a part along a name, relative to the whole box; infinite for an open fact."""
    known = part.get(name)
    if not isinstance(known, tuple):
        is_open = name in question.case_values and (known is None or isinstance(known, frozenset))
        return math.inf if is_open else 0.0
    low, high = question.ranges[name]
    if low == high:
        return 0.0
    if needs_logarithmic_scale((low, high)):
        return math.log(known[1] / known[0]) / math.log(high / low)
    return (known[1] - known[0]) / (high - low)


def _get_numeric_bounds(part: Part, name: str) -> Interval:
    known = part[name]
    assert isinstance(known, tuple)
    return known
