"""The index of all publications of a folder: which of them a new scenario is compared with, without reading them.

The ledger holds what is compared and numbers it. The index holds a vector for each number and follows the ledger: what
is missing is embedded and appended. So a scenario costs the same whether ten or a hundred thousand exist.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger import LedgerStore, publications
from impossible_moments.pipeline.publishing.publication_essences import parse_essence
from impossible_moments.scenarios import parse_scenario_number
from impossible_moments.scenarios.similarity import (
    ComparedScenario,
    Corpus,
    CorpusFile,
    CorpusRows,
    Embedder,
    build_rows,
    compute_scenario_vectors,
    measure_scenarios,
    select_sizes,
)

_AT_ONCE: Final = 2_000
"""How many publications are embedded before they are written."""
_SAMPLES: Final = 8
_NUMBERED: Final = re.compile(r"IM-\d+")


class CorpusIndex:
    """The index of the publications of a folder."""

    def __init__(self, folder: Path, load_embedder: Callable[[], Embedder]) -> None:
        self._folder = folder
        self._load_embedder = load_embedder

    def build_corpus(self, store: LedgerStore, last: int, brief: GenerationBrief) -> Corpus:
        """Return the publications up to number `last` that the scenario of a brief is compared with.

        Relatives are left out: they are meant to be similar.
        """
        embedder = self._load_embedder()
        rows = self._read_rows(store, embedder)[:last]
        return Corpus(
            rows["vector"],
            select_sizes(rows),
            partial(_format_name, rows),
            partial(_find_positions, rows),
            partial(_load_scenario, store),
            frozenset(np.flatnonzero(_select_hidden(rows, brief)).tolist()),
        )

    def _read_rows(self, store: LedgerStore, embedder: Embedder) -> CorpusRows:
        """Return the rows of all publications, after those that were missing have been appended."""
        file = CorpusFile(self._folder, embedder, compute_scenario_vectors([_EMPTY], embedder).shape[1])
        rows = file.read()
        if not _agree_with_ledger(rows, store):
            file.clear()
            rows = file.read()
        while found := store.read_and_wait(
            partial(publications.list_publications, after=len(rows), most=_AT_ONCE)
        ):
            file.append(len(rows), _build_rows_of_publications(found, file, embedder))
            rows = file.read()
        return rows


_EMPTY: Final = ComparedScenario("", "", (), "", ())


def _agree_with_ledger(rows: CorpusRows, store: LedgerStore) -> bool:
    """Return whether rows belong to the publications of this ledger, judged by some of them."""
    places = {len(rows) - 1, *range(0, len(rows), max(len(rows) // _SAMPLES, 1))} if len(rows) else set()
    for place in sorted(places):
        publication = store.read_and_wait(partial(publications.get_publication_at, number=place + 1))
        if publication is None or publication.scenario != _format_name(rows, place):
            return False
    return True


def _build_rows_of_publications(
    publications: Sequence[publications.Publication], file: CorpusFile, embedder: Embedder
) -> CorpusRows:
    essences = [parse_essence(each) for each in publications]
    return build_rows(
        file.row_type,
        [_describe_publication(each) for each in publications],
        measure_scenarios(essences),
        compute_scenario_vectors(essences, embedder),
    )


def _describe_publication(publication: publications.Publication) -> tuple[int, int, int]:
    """Return the number of the scenario, that of its parent, and a code of its place."""
    metadata = json.loads(publication.metadata) if publication.metadata else {}
    parent, place = metadata.get("parent"), metadata.get("place")
    return (
        parse_scenario_number(publication.scenario),
        parse_scenario_number(parent) if parent else 0,
        _compute_place_code(place) if place else 0,
    )


def _compute_place_code(place: str) -> int:
    return zlib.crc32(place.encode()) or 1


def _select_hidden(rows: CorpusRows, brief: GenerationBrief) -> NDArray[np.bool_]:
    """Return for each row whether it does not count: the scenario itself, its relatives, and rows without a text."""
    hidden: NDArray[np.bool_] = rows["words"] == 0
    related = [brief.scenario_id] if brief.scenario_id else []
    if brief.composed is not None:
        hidden |= rows["place"] == _compute_place_code(brief.composed.place)
    elif brief.twin is not None:
        related.append(brief.twin.of)
    elif brief.variant is not None:
        related.append(brief.variant.of)
        hidden |= rows["parent"] == parse_scenario_number(brief.variant.of)
    hidden[_find_positions(rows, related)] = True
    return hidden


def _find_positions(rows: CorpusRows, names: Iterable[str]) -> list[int]:
    numbers = [parse_scenario_number(name) for name in names if _NUMBERED.fullmatch(name)]
    found: list[int] = np.flatnonzero(np.isin(rows["scenario"], numbers)).tolist()
    return found


def _format_name(rows: CorpusRows, position: int) -> str:
    return f"IM-{rows['scenario'][position]:04d}"


def _load_scenario(store: LedgerStore, position: int) -> ComparedScenario:
    publication = store.read_and_wait(partial(publications.get_publication_at, number=position + 1))
    assert publication is not None, "the index follows the ledger"
    return parse_essence(publication)
