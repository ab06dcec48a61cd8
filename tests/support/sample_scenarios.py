"""A small benchmark by the built-in cast: a solvable, a simple, a contested and an impossible scenario."""

from __future__ import annotations

from pathlib import Path

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import Category, Status, Tier
from impossible_moments.pipeline.pipeline import Pipeline

BRIEFS: tuple[tuple[Category, Tier, Status], ...] = (
    ("The Locked Room", "SPARK", "KS"),
    ("The Misdirection", "SPARK", "DG"),
    ("The Babel Problem", "FRACTURE", "CT"),
    ("The Cascade", "FRACTURE", "PX"),
)
SOLVABLE, SIMPLE, CONTESTED, IMPOSSIBLE = "IM-0001", "IM-0002", "IM-0003", "IM-0004"


def create_benchmark(folder: Path) -> Path:
    """Publish the four scenarios in a folder."""
    pipeline = Pipeline(output=folder)
    for category, tier, status in BRIEFS:
        brief = GenerationBrief(category=category, difficulty_tier=tier, solution_status=status, seed=3)
        assert pipeline.generate(brief).documents is not None
    return folder
