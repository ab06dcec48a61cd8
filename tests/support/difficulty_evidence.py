"""Evidence on the difficulty of seed documents, as the orchestrator computes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from impossible_moments.agents.orchestrator.difficulty_figures import (
    DIFFICULTY_EVIDENCE,
    compute_seed_evidence,
)
from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.difficulty import DifficultyEvidence


def collect_seed_evidence(seed: SeedDocument) -> DifficultyEvidence:
    """Return the evidence of a seed document whose record can be executed."""
    found = compute_seed_evidence(seed, SeedComputationCache(load_everyday_library()))
    assert found is not None
    return found


def build_evidence_context(seed: SeedDocument) -> dict[str, Any]:
    """Return the entry that the orchestrator adds to the contexts of asks about the difficulty."""
    return {DIFFICULTY_EVIDENCE: asdict(collect_seed_evidence(seed))}
