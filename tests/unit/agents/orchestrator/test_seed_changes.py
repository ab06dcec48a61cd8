"""Which deliverables a revision of the seed document expires."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.seed_changes import (
    RESTS_ON,
    SeedPart,
    find_changed_parts,
    is_expired,
)
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, Phase
from support.dossiers import build_accepted_seed, make_full_dossier


def _revise(**changes: Any) -> SeedDocument:
    return build_accepted_seed().model_copy(update=changes)


def _revise_text() -> SeedDocument:
    scenario = build_accepted_seed().scenario
    return _revise(scenario=scenario.model_copy(update={"position": "You stand by the door."}))


def _revise_record() -> SeedDocument:
    return _revise(mechanics={**build_accepted_seed().mechanics, "title": "Another room"})


@pytest.mark.parametrize(
    ("revised", "parts"),
    [
        (_revise_text(), {SeedPart.TEXT}),
        (_revise_record(), {SeedPart.MECHANICS}),
        (_revise(distractor_inventory=()), {SeedPart.DESIGN}),
        (_revise(category_match="It fits well."), set()),
    ],
    ids=["text", "record", "design", "nothing that others read"],
)
def test_the_changed_parts_are_named(revised: SeedDocument, parts: set[SeedPart]) -> None:
    assert find_changed_parts(build_accepted_seed(), revised) == parts


@pytest.mark.parametrize("kind", [PhysicsReport, GroundingReport, ReviewMemo, ReadinessVote])
def test_a_changed_record_expires_reports_memos_and_votes(kind: type[LabelledModel]) -> None:
    dossier = make_full_dossier(Phase.REFINE)
    assert not is_expired(dossier, kind)

    assert is_expired(dossier.add_deliverable(Phase.REFINE, ATHENA, _revise_record()), kind)


@pytest.mark.parametrize(("revised", "expired"), [(_revise_text(), True), (_revise_record(), False)])
def test_the_blind_classification_expires_with_the_text_alone(
    revised: SeedDocument, *, expired: bool
) -> None:
    dossier = make_full_dossier(Phase.REFINE).add_deliverable(Phase.REFINE, ATHENA, revised)

    assert is_expired(dossier, ClassificationReport) is expired


def test_a_redesign_expires_everything_even_if_the_seed_is_the_same() -> None:
    dossier = make_full_dossier(Phase.REFINE).add_deliverable(Phase.SEED, ATHENA, build_accepted_seed())

    assert all(is_expired(dossier, kind) for kind in RESTS_ON)
