"""Twins: two scenarios of one situation, one of which can be solved and the other not.

Somebody who always finds a way, or never, is right on one of the two. So a pair counts only if both are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.results import Results, ScenarioResult

ALIKE: Final = 0.7
"""The share of things that two scenarios of one situation have in common."""


@dataclass(frozen=True, slots=True)
class Twins:
    """A pair, and what both together earn."""

    solvable: str
    impossible: str
    score: float | None
    """The lower of the two scores if both passed, else 0; None where one was not scored."""


def twins(keys: Mapping[str, AnswerKey]) -> Iterator[tuple[str, str]]:
    """The pairs among some scenarios: the same things and doings, one with a way and one without."""
    for (one, first), (other, second) in combinations(sorted(keys.items()), 2):
        statuses = {first.status, second.status}
        if "PX" in statuses and statuses & {"KS", "DG"} and _alike(first, second) >= ALIKE:
            yield (other, one) if first.status == "PX" else (one, other)


def jointly(results: Results, pairs: Iterator[tuple[str, str]]) -> tuple[Twins, ...]:
    """Each pair with its joint score."""
    found = results.per_scenario
    return tuple(
        Twins(one, other, _joint(found[one], found[other]))
        for one, other in pairs
        if one in found and other in found
    )


def joint_score(pairs: tuple[Twins, ...]) -> float | None:
    """The mean over the pairs that were scored."""
    scores = [each.score for each in pairs if each.score is not None]
    return fmean(scores) if scores else None


def _joint(one: ScenarioResult, other: ScenarioResult) -> float | None:
    if one.best is None or other.best is None:
        return None
    both = any(run.passed for run in one.runs) and any(run.passed for run in other.runs)
    return min(one.best, other.best) if both else 0.0


def _alike(one: AnswerKey, other: AnswerKey) -> float:
    labels = [
        frozenset(thing.label for thing in key.analysis.world.things.values() if thing.own)
        for key in (one, other)
    ]
    whole = labels[0] | labels[1]
    return len(labels[0] & labels[1]) / len(whole) if whole else 0.0
