"""The evidence on the difficulty of a seed document, computed once and shown alike to every agent that votes on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.idea_approaches import find_idea_approaches
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.difficulty import (
    DifficultyEvidence,
    InsightFact,
    collect_difficulty_evidence,
    list_insight_calls,
)

DIFFICULTY_EVIDENCE: Final = "difficulty_evidence"
"""The entry of a context that holds the evidence."""


def compute_difficulty_figures(dossier: Dossier, computations: SeedComputationCache) -> dict[str, Any]:
    """Return the evidence as an entry of a context. It is empty if the record could not be executed."""
    seed = dossier.find_latest_deliverable(SeedDocument)
    evidence = None if seed is None else compute_seed_evidence(seed, computations)
    return {} if evidence is None else {DIFFICULTY_EVIDENCE: asdict(evidence)}


def compute_seed_evidence(
    seed: SeedDocument, computations: SeedComputationCache
) -> DifficultyEvidence | None:
    """Return the evidence of a seed document, or None if its record could not be executed."""
    report = computations.get_computation(seed).report
    if report.analysis is None or report.verdict is None:
        return None
    distractors = tuple(dict.fromkeys(_iterate_distractor_names(seed, report.analysis)))
    return collect_difficulty_evidence(
        report.analysis, report.verdict, _read_insights(seed, report.analysis), distractors
    )


def _read_insights(seed: SeedDocument, analysis: WorldAnalysis) -> tuple[InsightFact, ...]:
    """Return the insights with their calls. The insight chain and the record list them in the same order.

    If the numbers differ, no insight is known by its call, and none counts as needed.
    """
    calls = list_insight_calls(analysis.world.record)
    chain = seed.insight_chain
    if len(calls) != len(chain):
        calls = ("",) * len(chain)
    return tuple(
        InsightFact(each.fixedness_type, each.domain, each.depends_on, call)
        for each, call in zip(chain, calls, strict=True)
    )


def _iterate_distractor_names(seed: SeedDocument, analysis: WorldAnalysis) -> Iterator[str]:
    """Yield the thing or the approach of the record that each distractor stands for, else its own name."""
    labels = {thing.label.casefold(): name for name, thing in analysis.world.things.items() if thing.own}
    for distractor in seed.distractor_inventory:
        thing = labels.get(distractor.name.casefold())
        ideas = find_idea_approaches(distractor, seed, analysis.outcomes)
        yield thing or (ideas[0] if ideas else distractor.name)
