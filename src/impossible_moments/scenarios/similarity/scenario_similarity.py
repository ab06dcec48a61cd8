"""Similarity of scenarios: copies by text, repeated recipes by signature, repeated ideas by insights.

Texts are compared by narrative, object names and solution line, with a weight of one third each. Tables are
left out: they are so much alike that all scenarios would look similar. The cosine of texts finds copies and
edits, but not the same idea in different words. Signatures and insights find those. Similar insights alone
never reject a scenario: they are reported as pairs for a reader to compare.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.domain.thresholds import SIMILARITY
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.similarity.embedding import (
    EmbeddedLines,
    Embedder,
    Vectors,
    compute_line_agreement,
    embed_texts,
    normalize_rows,
    split_into_chunks,
)

REVIEWED: Final = 3
"""How many nearest scenarios by insight are shown to a reader."""

BLOCK: Final = 1024
"""Rows per block. Two blocks and their product use less than 10 MB for vectors of length 256."""

_BATCH: Final = 256
_SLACK: Final = 1e-4
"""Upper bound of the single-precision error. Candidates are measured again in double precision."""
_DIGITS: Final = 6

_Likeness: TypeAlias = tuple[int, int, float]
"""Indices of two scenarios, and their cosine."""

Why: TypeAlias = Literal["copy", "same recipe", "same insight"]
_GRAVITY: Final[dict[Why, int]] = {"copy": 0, "same recipe": 1, "same insight": 2}


@dataclass(frozen=True, slots=True)
class ComparedScenario:
    """The parts of a scenario that are compared. Equal signatures that are not empty mean the same recipe."""

    name: str
    narrative: str
    objects: tuple[str, ...]
    solution: str
    insights: tuple[str, ...]
    signature: str = ""


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """The names of two similar scenarios, and why they are similar.

    The cosine compares the insights if `why` is `same insight`, else the texts.
    """

    first: str
    second: str
    cosine: float
    why: Why


@dataclass(frozen=True, slots=True)
class InsightNeighbour:
    """A scenario with similar insights. It is close if a reader should compare the two."""

    name: str
    cosine: float
    close: bool


@dataclass(frozen=True, slots=True)
class SimilarityThresholds:
    """Cosines at or above which texts are copies and insights are close."""

    copy: float
    insight: float


CALIBRATED: Final = {
    ("wordllama-l2_supercat-256", "4d243a4b2daee658"): SimilarityThresholds(copy=0.66, insight=0.43),
    ("hashed-tfidf", "a8ac6bdbc78b0ecc"): SimilarityThresholds(copy=0.46, insight=0.45),
}
"""Thresholds by name and fingerprint of the embedder. benchmarks/similarity.py repeats the measurement.

The thresholds were chosen on 60 of 120 published scenarios (1,770 unrelated pairs, 20 light and 20 moderate
edits by program) and checked on the other 60. None of the 1,770 unrelated pairs of texts and 1,711 pairs of
insights reaches a threshold, which says little about the millions of pairs in a large collection.

Share of 60 copies found, at the calibrated threshold and at the specified one:

- wordllama: light edits 100 % and 100 %, moderate edits 98 % and 58 %, another story around the same
  objects and answer 95 % and 25 %
- hashed-tfidf: 100 % and 67 %, 98 % and 0 %, 100 % and 2 %
- edited insights: 100 % with either embedder

The pooling and the rule of choice were selected on all 120 scenarios, so these figures are optimistic.
"""


def get_similarity_thresholds(embedder: Embedder) -> SimilarityThresholds:
    """Return the thresholds measured for an embedder, or the specified ones if it was not measured."""
    return CALIBRATED.get((embedder.name, embedder.fingerprint), SimilarityThresholds(SIMILARITY, SIMILARITY))


def get_copy_threshold(embedder: Embedder) -> float:
    """Return the cosine that best separates copies from unrelated scenarios with this embedder."""
    return get_similarity_thresholds(embedder).copy


def compute_scenario_vectors(scenarios: Sequence[ComparedScenario], embedder: Embedder) -> Vectors:
    """Return one row per scenario: the mean of its parts, each the mean of its chunks."""
    rows = [
        _average_part_vectors(scenarios[at : at + _BATCH], embedder)
        for at in range(0, len(scenarios), _BATCH)
    ]
    return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)


def find_near_duplicates(
    scenarios: Sequence[ComparedScenario], embedder: Embedder, threshold: float | None = None
) -> tuple[SimilarPair, ...]:
    """Return all similar pairs: copies, then equal recipes, then close insights, the most similar first.

    `threshold` replaces the calibrated cosine for copies. Raise `ConfigurationError` if it is out of range or
    if two scenarios have the same name.
    """
    limit = get_copy_threshold(embedder) if threshold is None else threshold
    if not 0 < limit <= 1:
        raise ConfigurationError(f"The similarity threshold must be above 0 and at most 1, not {limit}")
    ordered = sorted(scenarios, key=lambda each: each.name)
    for first, second in pairwise(ordered):
        if first.name == second.name:
            raise ConfigurationError(f"Two scenarios are named {first.name}; give each a different name")
    rows = compute_scenario_vectors(ordered, embedder)
    found = [
        *_build_similar_pairs(ordered, find_similar_rows(rows, limit), "copy"),
        *_build_similar_pairs(
            ordered,
            _compute_rounded_cosines_of_pairs(rows, _find_pairs_with_equal_signatures(ordered)),
            "same recipe",
        ),
        *_build_similar_pairs(ordered, _find_pairs_with_close_insights(ordered, embedder), "same insight"),
    ]
    return tuple(sorted(found, key=lambda pair: (_GRAVITY[pair.why], -pair.cosine, pair.first, pair.second)))


def find_nearest_by_text(
    essence: ComparedScenario, others: Sequence[ComparedScenario], embedder: Embedder
) -> tuple[str, float] | None:
    """Return the name and the cosine of the scenario with the most similar text, or None without others."""
    if not others:
        return None
    rows = compute_scenario_vectors([essence, *others], embedder).astype(np.float64)
    cosines = (rows[1:] @ rows[0]).tolist()
    return max(
        ((other.name, cosine) for other, cosine in zip(others, cosines, strict=True)),
        key=lambda each: (each[1], each[0]),
    )


def find_nearest_by_insight(
    essence: ComparedScenario, others: Sequence[ComparedScenario], embedder: Embedder, count: int = REVIEWED
) -> tuple[InsightNeighbour, ...]:
    """Return the other scenarios with the most similar insights, the most similar first.

    A scenario with the same name is the scenario itself and is skipped.
    """
    others = sorted((each for each in others if each.name != essence.name), key=lambda each: each.name)
    if not others:
        return ()
    cosines = _compute_rounded_agreement(
        _embed_insights([essence], embedder), _embed_insights(others, embedder)
    )[0].tolist()
    limit = get_similarity_thresholds(embedder).insight
    found = (
        InsightNeighbour(other.name, cosine, cosine >= limit)
        for other, cosine in zip(others, cosines, strict=True)
        if cosine > 0
    )
    return tuple(sorted(found, key=lambda each: (-each.cosine, each.name))[:count])


def find_similar_rows(rows: Vectors, limit: float, *, block: int = BLOCK) -> Iterator[_Likeness]:
    """Yield the indices and the cosine of all pairs of rows whose cosine reaches the limit.

    Only two blocks of rows are multiplied at a time, which limits the memory needed.
    """
    for top, left in _iterate_block_corners(len(rows), block):
        products = rows[top : top + block] @ rows[left : left + block].T
        first, second = np.nonzero(products >= limit - _SLACK)
        places = np.stack([first + top, second + left], axis=1)
        candidates = places[places[:, 0] < places[:, 1]]
        yield from (
            found for found in _compute_rounded_cosines_of_pairs(rows, candidates) if found[2] >= limit
        )


def _embed_insights(scenarios: Sequence[ComparedScenario], embedder: Embedder) -> EmbeddedLines:
    return EmbeddedLines.from_texts([each.insights for each in scenarios], embedder)


def _find_pairs_with_close_insights(
    ordered: Sequence[ComparedScenario], embedder: Embedder
) -> Iterator[_Likeness]:
    """Yield the pairs with close insights where one is among the nearest few of the other."""
    lines, limit = _embed_insights(ordered, embedder), get_similarity_thresholds(embedder).insight
    cosines = np.full((len(ordered), REVIEWED), -1.0)
    places = np.zeros((len(ordered), REVIEWED), np.intp)
    for top, left in _iterate_block_corners(len(lines), _BATCH):
        found = _compute_rounded_agreement(
            lines.select_owners(top, top + _BATCH), lines.select_owners(left, left + _BATCH)
        )
        if top == left:
            np.fill_diagonal(found, -1.0)
        else:
            _update_nearest(found.T, top, limit, cosines[left : left + _BATCH], places[left : left + _BATCH])
        _update_nearest(found, left, limit, cosines[top : top + _BATCH], places[top : top + _BATCH])
    rows, ranks = np.nonzero(cosines >= limit)
    close_pairs = zip(rows.tolist(), places[rows, ranks].tolist(), cosines[rows, ranks].tolist(), strict=True)
    yield from sorted({(min(one, other), max(one, other), cosine) for one, other, cosine in close_pairs})


def _update_nearest(
    found: NDArray[np.float64], at: int, limit: float, cosines: NDArray[np.float64], places: NDArray[np.intp]
) -> None:
    """Update `cosines` and `places` with nearer columns; `at` is the index of the first column found."""
    rows = np.nonzero(found.max(axis=1) >= limit)[0]
    columns = np.broadcast_to(np.arange(at, at + found.shape[1]), (len(rows), found.shape[1]))
    values = np.concatenate([cosines[rows], found[rows]], axis=1)
    # Blocks come from left to right and the sort is stable: among equals the first by name is kept.
    order = np.argsort(-values, axis=1, kind="stable")[:, :REVIEWED]
    cosines[rows] = np.take_along_axis(values, order, axis=1)
    places[rows] = np.take_along_axis(np.concatenate([places[rows], columns], axis=1), order, axis=1)


def _compute_rounded_agreement(left: EmbeddedLines, right: EmbeddedLines) -> NDArray[np.float64]:
    return np.minimum(1.0, np.round(compute_line_agreement(left, right), _DIGITS))


def _find_pairs_with_equal_signatures(ordered: Sequence[ComparedScenario]) -> NDArray[np.intp]:
    """Return the index pairs of scenarios with the same signature that is not empty."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(ordered):
        if each.signature:
            groups[each.signature].append(place)
    places = [pair for group in groups.values() for pair in combinations(group, 2)]
    return np.array(places, np.intp).reshape(-1, 2)


def _compute_rounded_cosines_of_pairs(rows: Vectors, places: NDArray[np.intp]) -> Iterator[_Likeness]:
    """Yield rounded cosines in double precision, which depend neither on the block nor on the input order."""
    for at in range(0, len(places), _BATCH):
        first, second = places[at : at + _BATCH].T
        cosines = (rows[first].astype(np.float64) * rows[second]).sum(axis=1)
        for one, other, cosine in zip(first.tolist(), second.tolist(), cosines, strict=True):
            yield one, other, min(1.0, round(float(cosine), _DIGITS))


def _iterate_block_corners(size: int, block: int) -> Iterator[tuple[int, int]]:
    """Yield the first row and column of each block on and above the diagonal."""
    for top in range(0, size, block):
        for left in range(top, size, block):
            yield top, left


def _average_part_vectors(scenarios: Sequence[ComparedScenario], embedder: Embedder) -> Vectors:
    """Return the mean vector of narrative, objects and solution of each scenario."""
    texts: list[str] = []
    owners: list[int] = []
    for place, each in enumerate(scenarios):
        for part, text in enumerate((each.narrative, ", ".join(each.objects), each.solution)):
            pieces = list(split_into_chunks(text))
            texts += pieces
            owners += [3 * place + part] * len(pieces)
    rows = embed_texts(texts, embedder)
    parts = np.zeros((3 * len(scenarios), rows.shape[1]))
    np.add.at(parts, np.array(owners, np.intp), rows)
    return normalize_rows(normalize_rows(parts).reshape(len(scenarios), 3, -1).sum(axis=1, dtype=np.float64))


def _build_similar_pairs(
    ordered: Sequence[ComparedScenario], similarities: Iterable[_Likeness], reason: Why
) -> Iterator[SimilarPair]:
    for first, second, cosine in similarities:
        yield SimilarPair(ordered[first].name, ordered[second].name, cosine, reason)
