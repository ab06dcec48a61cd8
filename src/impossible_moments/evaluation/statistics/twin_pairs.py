"""Twins: two scenarios of one situation, one solvable and one impossible.

A model that always or never finds a solution is right on one of the two at most. A pair therefore counts only
if both are right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product
from pathlib import Path
from statistics import fmean
from typing import Final

from impossible_moments.domain.vocabulary import IMPOSSIBLE_STATUS, SOLVABLE_STATUSES
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.results import EvaluationRun, Results, ScenarioResult
from impossible_moments.evaluation.statistics.resampling import (
    MeanEstimate,
    Measurement,
    estimate_mean,
    get_scenario_family,
)
from impossible_moments.scenarios import ScenarioRegistry

SIMILARITY_THRESHOLD: Final = 0.7
"""The share of things that two scenarios of one situation have in common."""


class TwinOutcome(StrEnum):
    """Which scenarios of a pair were answered correctly, by the best run of each."""

    BOTH = "both right"
    SOLVABLE = "only the solvable one right"
    IMPOSSIBLE = "only the impossible one right"
    NEITHER = "neither right"
    UNSCORED = "one or both without a score"


@dataclass(frozen=True, slots=True)
class TwinPair:
    """A pair of twins and its joint score."""

    solvable: ScenarioResult
    impossible: ScenarioResult

    @property
    def outcome(self) -> TwinOutcome:
        """Which of the two have a passed run."""
        if self.solvable.best is None or self.impossible.best is None:
            return TwinOutcome.UNSCORED
        found = tuple(
            any(run.passed for run in _list_scored_runs(each)) for each in (self.solvable, self.impossible)
        )
        return {
            (True, True): TwinOutcome.BOTH,
            (True, False): TwinOutcome.SOLVABLE,
            (False, True): TwinOutcome.IMPOSSIBLE,
            (False, False): TwinOutcome.NEITHER,
        }[found[0], found[1]]

    @property
    def score(self) -> float | None:
        """The lower of the two scores if both are right, else 0; None if one was not scored."""
        if self.solvable.best is None or self.impossible.best is None:
            return None
        return min(self.solvable.best, self.impossible.best) if self.outcome is TwinOutcome.BOTH else 0.0

    @property
    def mean(self) -> float | None:
        """The mean joint score over every pair of runs.

        A model that guesses gains little here by many runs.
        """
        pair_scores = [
            _score_run_pair(*runs)
            for runs in product(_list_scored_runs(self.solvable), _list_scored_runs(self.impossible))
        ]
        return fmean(pair_scores) if pair_scores else None


@dataclass(frozen=True)
class JointFigures:
    """The joint figures of an evaluation over its pairs."""

    pairs: int
    score: MeanEstimate
    """The mean over the scored pairs, by best runs."""
    by_means: MeanEstimate
    counts_by_outcome: Mapping[TwinOutcome, int]
    """The number of pairs by outcome. Every outcome is included."""

    def compute_share(self, outcome: TwinOutcome) -> float | None:
        """Return the share of scored pairs with an outcome, or None for `UNSCORED` or if there are none."""
        scored_pairs = self.pairs - self.counts_by_outcome[TwinOutcome.UNSCORED]
        return (
            self.counts_by_outcome[outcome] / scored_pairs
            if scored_pairs and outcome is not TwinOutcome.UNSCORED
            else None
        )


def load_declared_twins(folder: Path) -> Mapping[str, str]:
    """Return the twin of each scenario that the registry of a folder declares."""
    return {
        name: each.twin for name, each in ScenarioRegistry(folder).entries.items() if each.twin is not None
    }


def find_twins(
    keys: Mapping[str, AnswerKey], declared_twins: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """Return the twin of each scenario that has one.

    Declared twins come first. The remaining scenarios are paired by the similarity of their things, most
    similar first.
    """
    found: dict[str, str] = {}
    for one, other in (
        *_list_declared_pairs(keys, declared_twins or {}),
        *_list_similar_pairs_of_opposite_status(keys),
    ):
        if one not in found and other not in found:
            found |= {one: other, other: one}
    return found


def add_twin_ids_to_results(
    results: Results, keys: Mapping[str, AnswerKey], declared_twins: Mapping[str, str] | None = None
) -> Results:
    """Return the results with the twin of each scenario filled in."""
    found = find_twins(keys, declared_twins)
    scenarios = tuple(
        each.model_copy(update={"twin": found.get(each.scenario_id)}) for each in results.scenarios
    )
    return results.model_copy(update={"scenarios": scenarios})


def list_twin_pairs(results: Results) -> tuple[TwinPair, ...]:
    """Return the pairs of an evaluation, in the order of their solvable scenarios.

    The two scenarios must name each other and have opposite statuses.
    """
    known = results.per_scenario
    return tuple(
        TwinPair(each, other)
        for each in results.scenarios
        if _strip_status_subtype(each.status) in SOLVABLE_STATUSES
        and (other := known.get(each.twin or "")) is not None
        and other.twin == each.scenario_id
        and _strip_status_subtype(other.status) == IMPOSSIBLE_STATUS
    )


def compute_joint_figures(results: Results) -> JointFigures:
    """Compute the joint figures of an evaluation."""
    pairs = list_twin_pairs(results)
    counts = Counter(each.outcome for each in pairs)
    return JointFigures(
        len(pairs),
        estimate_mean(_create_pair_measurement(each, each.score) for each in pairs if each.score is not None),
        estimate_mean(_create_pair_measurement(each, each.mean) for each in pairs if each.mean is not None),
        {way: counts[way] for way in TwinOutcome},
    )


def _create_pair_measurement(pair: TwinPair, value: float | None) -> Measurement:
    assert value is not None, "only scored pairs are measured"
    return Measurement(get_scenario_family(pair.solvable), 1, value)


def _list_scored_runs(result: ScenarioResult) -> tuple[EvaluationRun, ...]:
    return tuple(run for run in result.runs if run.score is not None)


def _score_run_pair(first: EvaluationRun, second: EvaluationRun) -> float:
    if not (first.passed and second.passed):
        return 0.0
    return min(first.score or 0.0, second.score or 0.0)


def _list_declared_pairs(
    keys: Mapping[str, AnswerKey], declared_twins: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for one, other in sorted(declared_twins.items()):
        if (
            declared_twins.get(other) == one
            and one < other
            and one in keys
            and other in keys
            and _have_opposite_statuses(keys[one], keys[other])
        ):
            yield one, other


def _list_similar_pairs_of_opposite_status(keys: Mapping[str, AnswerKey]) -> list[tuple[str, str]]:
    labels = {name: _collect_thing_labels(key) for name, key in keys.items()}
    found = [
        (-_compute_label_set_similarity(labels[one], labels[other]), one, other)
        for one, other in combinations(sorted(keys), 2)
        if _have_opposite_statuses(keys[one], keys[other])
    ]
    return [(one, other) for likeness, one, other in sorted(found) if -likeness >= SIMILARITY_THRESHOLD]


def _have_opposite_statuses(first: AnswerKey, second: AnswerKey) -> bool:
    statuses = {first.status, second.status}
    return IMPOSSIBLE_STATUS in statuses and bool(statuses & SOLVABLE_STATUSES)


def _collect_thing_labels(key: AnswerKey) -> frozenset[str]:
    return frozenset(thing.label for thing in key.analysis.world.things.values() if thing.own)


def _compute_label_set_similarity(first: frozenset[str], second: frozenset[str]) -> float:
    union = first | second
    return len(first & second) / len(union) if union else 0.0


def _strip_status_subtype(status: str) -> str:
    """Return a status without its subtype."""
    return status.partition("-")[0]
