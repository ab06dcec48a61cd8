"""Every line of the specification's report structures, phases 1 to 6, has its field; and every tier its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, get_args

import pytest

from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote, ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from spec.transcribed import table

REPORTS: Final[dict[str, type[LabelledModel]]] = {
    each.__name__: each
    for each in (
        SeedDocument, PhysicsReport, MathematicsReport, JointAssessment, GroundingReport, ClassificationReport,
        CalibrationVote, ReadinessVote, AgentTrace,
    )
}  # fmt: skip
LINES: Final = table("report_structures")
TIERS: Final = table("tiers")


def _models(annotation: object) -> Iterator[type[LabelledModel]]:
    if isinstance(annotation, type) and issubclass(annotation, LabelledModel):
        yield annotation
    for each in get_args(annotation):
        yield from _models(each)


def _has(model: type[LabelledModel], path: str) -> bool:
    name, _, rest = path.partition(".")
    if name not in model.model_fields:
        return False
    return not rest or any(_has(inner, rest) for inner in _models(model.model_fields[name].annotation))


@pytest.mark.parametrize("line", LINES, ids=[f"{row['Report']}: {row['Field']}" for row in LINES])
def test_a_line_of_a_report_structure_has_its_field(line: dict[str, str]) -> None:
    assert _has(REPORTS[line["Report"]], line["Field"])


def test_every_report_of_the_six_phases_is_transcribed() -> None:
    assert {row["Report"] for row in LINES} == REPORTS.keys()


def _admits(cell: str, score: int) -> bool:
    if cell == "any":
        return True
    if cell.startswith("<="):
        return score <= int(cell[2:])
    if cell.startswith(">="):
        return score >= int(cell[2:])
    low, high = cell.split("-")
    return int(low) <= score <= int(high)


def test_all_profiles_that_match_a_tier_get_the_hardest_they_match() -> None:
    # a status that is never IMPOSSIBLE, so that the four bounded tiers alone decide
    for profile in product(range(1, 6), repeat=6):
        matching = [
            row["Tier"]
            for row in TIERS
            if all(_admits(row[name], score) for name, score in zip("IDCBTX", profile, strict=True))
        ]
        tier, exact = choose_difficulty_tier(profile, "KS")
        assert exact == bool(matching)
        assert not matching or tier == matching[-1]
