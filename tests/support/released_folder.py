"""A small folder of published scenarios, made once for each test process and copied for each test."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.pipeline import Pipeline

BRIEFS = (
    GenerationBrief(category="The Locked Room", difficulty_tier="FRACTURE", solution_status="KS", seed=3),
    GenerationBrief(category="The Cascade", difficulty_tier="FRACTURE", solution_status="PX", seed=4),
)


@cache
def _make_folder() -> Path:
    folder = Path(mkdtemp(prefix="released-"))
    results = Pipeline(output=folder).generate_all(BRIEFS)
    assert all(each.documents is not None for each in results), [each.reason for each in results]
    return folder


def copy_released_folder(target: Path) -> Path:
    """Copy the folder without its ledger and return the copy."""
    folder = target / "released"
    shutil.copytree(_make_folder(), folder, ignore=shutil.ignore_patterns("*.sqlite*", ".*"))
    return folder
