"""Check that no two scenarios are copies, have the same solution, or are the two halves of a twin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from impossible_moments.audit.documents import extract_essence
from impossible_moments.domain.solution_signatures import SolutionSignature, compute_solution_signature
from impossible_moments.domain.thresholds import SIMILARITY
from impossible_moments.production.quality.quality_report import QualityCheck, build_check
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios
from impossible_moments.scenarios.similarity import find_near_duplicates, load_wordllama_embedder


def check_distinctness(released: ReleasedScenarios) -> QualityCheck:
    """Compare all texts, and the solutions of composed scenarios of one place.

    Composed scenarios of one place share their words. They count as different if other jobs solve them.
    """
    essences = [
        extract_essence(name, text)
        for name in released.scenarios
        if (text := released.read_text(f"public/{name}.md")) is not None
    ]
    pairs = find_near_duplicates(essences, load_wordllama_embedder(), SIMILARITY)
    problems = [
        f"{pair.first} and {pair.second} have a similarity of {pair.cosine:.2f}, and less than {SIMILARITY} is wanted"
        for pair in pairs
        if pair.why == "copy" and not _are_of_one_place(released, pair.first, pair.second)
    ]
    problems += _find_equal_solutions(released)
    problems += _find_twins(released)
    return build_check("distinctness", f"{len(essences)} texts compared in pairs", problems)


def _are_of_one_place(released: ReleasedScenarios, first: str, second: str) -> bool:
    places = {released.entries[name].place for name in (first, second)}
    return len(places) == 1 and None not in places


def _find_equal_solutions(released: ReleasedScenarios) -> Iterator[str]:
    holders: dict[tuple[str, SolutionSignature], list[str]] = defaultdict(list)
    for name, record in released.records.items():
        place = released.entries[name].place
        signature = compute_solution_signature(record) if isinstance(record, Mapping) else None
        if place is not None and signature is not None:
            holders[place, signature].append(name)
    for (place, _), names in holders.items():
        if len(names) > 1:
            yield f"{', '.join(names)} of the place {place} are solved by the same jobs"


def _find_twins(released: ReleasedScenarios) -> Iterator[str]:
    for name, entry in released.entries.items():
        if entry.twin is not None and entry.twin in released.entries and name < entry.twin:
            yield f"{name} and {entry.twin} are twins; a set holds one of them unless twins are wanted"
