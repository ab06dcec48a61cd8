"""Near-duplicates: copies by their text, repeated recipes by their signature, repeated ideas by their insights.

A scenario is compared by its narrative, its object names and its solution line, a third each. Its tables are
left out: scenarios share them, and would all be alike. The cosine finds copies and edits of a text; the same
idea in new words it does not find. That is what signatures and insights are for, and insights alone never
refuse a scenario: they name pairs for a reader.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.embedding import (
    Embedder,
    Lines,
    Vectors,
    agreement,
    chunks,
    embedded,
    unit_rows,
)

SPECIFIED: Final = 0.85
"""The cosine from which the specification calls two scenarios the same."""

REVIEWED: Final = 3
"""How many of a scenario's nearest by insight a reader is shown."""

BLOCK: Final = 1024
"""Rows multiplied at a time: two blocks and their product stay under 10 MB for vectors of 256."""

_BATCH: Final = 256
_SLACK: Final = 1e-4
"""Products in single precision are off by less; what they let through is measured again in double."""
_DIGITS: Final = 6

_Likeness: TypeAlias = tuple[int, int, float]
"""The places of two scenarios, and their cosine."""

Why: TypeAlias = Literal["copy", "same recipe", "same insight"]
_GRAVITY: Final[dict[Why, int]] = {"copy": 0, "same recipe": 1, "same insight": 2}


@dataclass(frozen=True, slots=True)
class Essence:
    """What a scenario is compared by; equal signatures that are not empty mean the same recipe."""

    name: str
    narrative: str
    objects: tuple[str, ...]
    solution: str
    insights: tuple[str, ...]
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scenarios that are alike, by name, and why; the cosine is that of their insights if these are why."""

    first: str
    second: str
    cosine: float
    why: Why


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A scenario near to another by its insights; close if a reader should compare the two."""

    name: str
    cosine: float
    close: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    """The cosines from which texts are copies and insights are close."""

    copy: float
    insight: float


CALIBRATED: Final = {
    ("wordllama-l2_supercat-256", "4d243a4b2daee658"): Calibration(copy=0.66, insight=0.43),
    ("hashed-tfidf", "a8ac6bdbc78b0ecc"): Calibration(copy=0.46, insight=0.45),
}
"""By name and fingerprint of the embedder; benchmarks/similarity.py makes and repeats the measurement.

Chosen on 60 of 120 published scenarios (1,770 unrelated pairs, 20 light and 20 moderate edits by program) and
checked on the other 60: none of their 1,770 unrelated pairs of texts and 1,711 of insights reaches a threshold,
which says little of the millions of pairs in a large collection. Found of 60 copies, at the calibrated threshold
and at the specified one: with wordllama, light edits 100 % and 100 %, moderate 98 % and 58 %, another story round
the same objects and answer 95 % and 25 %; with hashed-tfidf 100 % and 67 %, 98 % and 0 %, 100 % and 2 %. Edited
insights: 100 % with either. Pooling and rule of choice were settled on all 120, so the figures flatter.
"""


def calibration(embedder: Embedder) -> Calibration:
    """The thresholds measured for an embedder, or the specified one for an embedder nobody measured."""
    return CALIBRATED.get((embedder.name, embedder.fingerprint), Calibration(SPECIFIED, SPECIFIED))


def calibrated_threshold(embedder: Embedder) -> float:
    """The cosine that best tells copies from unrelated scenarios with this embedder; SPECIFIED if nobody measured it."""
    return calibration(embedder).copy


def vectors(essences: Sequence[Essence], embedder: Embedder) -> Vectors:
    """A row for each essence: the mean of its parts, each the mean of its chunks; zero if it says nothing."""
    rows = [_mean_of_parts(essences[at : at + _BATCH], embedder) for at in range(0, len(essences), _BATCH)]
    return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)


def near_duplicates(
    essences: Sequence[Essence], embedder: Embedder, threshold: float | None = None
) -> tuple[Pair, ...]:
    """All pairs that are alike: copies first, then the same recipe, then close insights; the most alike first."""
    limit = calibrated_threshold(embedder) if threshold is None else threshold
    if not 0 < limit <= 1:
        raise ConfigurationError(f"a threshold of cosines lies above 0 and is at most 1, not {limit}")
    ordered = sorted(essences, key=lambda each: each.name)
    for one, other in pairwise(ordered):
        if one.name == other.name:
            raise ConfigurationError(f"two scenarios are called {one.name}: give each a name of its own")
    rows = vectors(ordered, embedder)
    found = [
        *_pairs(ordered, alike(rows, limit), "copy"),
        *_pairs(ordered, _measured(rows, _same_signature(ordered)), "same recipe"),
        *_pairs(ordered, _close_insights(ordered, embedder), "same insight"),
    ]
    return tuple(sorted(found, key=lambda pair: (_GRAVITY[pair.why], -pair.cosine, pair.first, pair.second)))


def nearest(
    essence: Essence, others: Sequence[Essence], embedder: Embedder, count: int = REVIEWED
) -> tuple[Neighbour, ...]:
    """The others whose insights are nearest, the nearest first; one of the same name is the scenario itself."""
    others = sorted((each for each in others if each.name != essence.name), key=lambda each: each.name)
    if not others:
        return ()
    cosines = _agreement(_insights([essence], embedder), _insights(others, embedder))[0].tolist()
    limit = calibration(embedder).insight
    found = (
        Neighbour(other.name, cosine, cosine >= limit)
        for other, cosine in zip(others, cosines, strict=True)
        if cosine > 0
    )
    return tuple(sorted(found, key=lambda each: (-each.cosine, each.name))[:count])


def alike(rows: Vectors, limit: float, *, block: int = BLOCK) -> Iterator[_Likeness]:
    """The places of all two rows whose cosine reaches the limit, and the cosine; memory for two blocks."""
    for top, left in _blocks(len(rows), block):
        products = rows[top : top + block] @ rows[left : left + block].T
        first, second = np.nonzero(products >= limit - _SLACK)
        places = np.stack([first + top, second + left], axis=1)
        candidates = places[places[:, 0] < places[:, 1]]
        yield from (found for found in _measured(rows, candidates) if found[2] >= limit)


def _insights(essences: Sequence[Essence], embedder: Embedder) -> Lines:
    return Lines.of([each.insights for each in essences], embedder)


def _close_insights(ordered: Sequence[Essence], embedder: Embedder) -> Iterator[_Likeness]:
    """Pairs with close insights that are among the nearest few of either side."""
    lines, limit = _insights(ordered, embedder), calibration(embedder).insight
    cosines = np.full((len(ordered), REVIEWED), -1.0)
    places = np.zeros((len(ordered), REVIEWED), np.intp)
    for top, left in _blocks(len(lines), _BATCH):
        found = _agreement(lines.part(top, top + _BATCH), lines.part(left, left + _BATCH))
        if top == left:
            np.fill_diagonal(found, -1.0)
        else:
            _keep_nearest(found.T, top, limit, cosines[left : left + _BATCH], places[left : left + _BATCH])
        _keep_nearest(found, left, limit, cosines[top : top + _BATCH], places[top : top + _BATCH])
    rows, ranks = np.nonzero(cosines >= limit)
    near = zip(rows.tolist(), places[rows, ranks].tolist(), cosines[rows, ranks].tolist(), strict=True)
    yield from sorted({(min(one, other), max(one, other), cosine) for one, other, cosine in near})


def _keep_nearest(
    found: NDArray[np.float64], at: int, limit: float, cosines: NDArray[np.float64], places: NDArray[np.intp]
) -> None:
    """Put into `cosines` and `places` what is nearer among the columns found, the first of which has the place `at`."""
    rows = np.nonzero(found.max(axis=1) >= limit)[0]
    columns = np.broadcast_to(np.arange(at, at + found.shape[1]), (len(rows), found.shape[1]))
    values = np.concatenate([cosines[rows], found[rows]], axis=1)
    # Blocks come from left to right and the sort is stable: of equals the first by name is kept.
    order = np.argsort(-values, axis=1, kind="stable")[:, :REVIEWED]
    cosines[rows] = np.take_along_axis(values, order, axis=1)
    places[rows] = np.take_along_axis(np.concatenate([places[rows], columns], axis=1), order, axis=1)


def _agreement(left: Lines, right: Lines) -> NDArray[np.float64]:
    return np.minimum(1.0, np.round(agreement(left, right), _DIGITS))


def _same_signature(ordered: Sequence[Essence]) -> NDArray[np.intp]:
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(ordered):
        if each.signature:
            groups[each.signature].append(place)
    places = [pair for group in groups.values() for pair in combinations(group, 2)]
    return np.array(places, np.intp).reshape(-1, 2)


def _measured(rows: Vectors, places: NDArray[np.intp]) -> Iterator[_Likeness]:
    """Cosines in double precision, rounded: they depend neither on the block nor on the order of the input."""
    for at in range(0, len(places), _BATCH):
        first, second = places[at : at + _BATCH].T
        cosines = (rows[first].astype(np.float64) * rows[second]).sum(axis=1)
        for one, other, cosine in zip(first.tolist(), second.tolist(), cosines, strict=True):
            yield one, other, min(1.0, round(float(cosine), _DIGITS))


def _blocks(size: int, block: int) -> Iterator[tuple[int, int]]:
    """Where the blocks on and above the diagonal begin."""
    for top in range(0, size, block):
        for left in range(top, size, block):
            yield top, left


def _mean_of_parts(essences: Sequence[Essence], embedder: Embedder) -> Vectors:
    texts: list[str] = []
    owners: list[int] = []
    for place, each in enumerate(essences):
        for part, text in enumerate((each.narrative, ", ".join(each.objects), each.solution)):
            pieces = list(chunks(text))
            texts += pieces
            owners += [3 * place + part] * len(pieces)
    rows = embedded(texts, embedder)
    parts = np.zeros((3 * len(essences), rows.shape[1]))
    np.add.at(parts, np.array(owners, np.intp), rows)
    return unit_rows(unit_rows(parts).reshape(len(essences), 3, -1).sum(axis=1, dtype=np.float64))


def _pairs(ordered: Sequence[Essence], likenesses: Iterable[_Likeness], why: Why) -> Iterator[Pair]:
    for first, second, cosine in likenesses:
        yield Pair(ordered[first].name, ordered[second].name, cosine, why)
