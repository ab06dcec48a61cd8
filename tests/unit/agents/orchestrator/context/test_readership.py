"""Readership: the isolation matrix applied to single documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from impossible_moments.agents.orchestrator.context.readership import VisiblePart, list_visible_parts
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import BreakthroughReview
from impossible_moments.domain.dossier import DossierEntry
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, HUMAN, NEWTON, ROLES, SOCRATES, Phase
from support.dossiers import BRIEF, make_full_dossier
from support.scripted_runs import build_challenge


def find_entry(kind: type[LabelledModel]) -> DossierEntry:
    return next(
        entry for entry in make_full_dossier(Phase.DOCUMENT).entries if isinstance(entry.deliverable, kind)
    )


def list_parts(entry: DossierEntry, reader: str, *fields: str) -> tuple[VisiblePart, ...]:
    wanted = frozenset(fields or type(entry.deliverable).model_fields)
    return list_visible_parts(ContextPolicy(), BRIEF, entry, fields=wanted, readers=[reader])


def test_socrates_reads_the_scenario_without_its_title_in_classify_and_everything_after_the_reveal() -> None:
    classify, *later = list_parts(find_entry(SeedDocument), SOCRATES)

    public = ("narrative", "environment", "threat", "position", "objects", "capabilities")
    assert (classify.phase, classify.shown) == (
        Phase.CLASSIFY,
        tuple(f"scenario.{name}" for name in public),
    )
    assert {"scenario.name", "impossibility_mirage"} <= set(classify.hidden)
    assert [(each.phase, each.hidden) for each in later] == [(Phase.REFINE, ()), (Phase.DOCUMENT, ())]


def test_a_validator_does_not_read_the_designer_s_confidence_before_the_reveal() -> None:
    parts = list_parts(find_entry(SeedDocument), NEWTON)

    assert [(each.phase, each.hidden) for each in parts] == [
        (Phase.VALIDATE, ("solution_sketch.confidence",)),
        (Phase.REFINE, ()),
        (Phase.DOCUMENT, ()),
    ]


def test_a_validator_reads_the_other_s_report_at_the_joint_assessment_without_its_confidence() -> None:
    parts = list_parts(find_entry(PhysicsReport), EULER)

    assert [(each.phase, each.hidden) for each in parts] == [
        (Phase.VALIDATE, ("confidence",)),
        (Phase.REFINE, ()),
        (Phase.DOCUMENT, ()),
    ]


def test_a_challenge_in_a_report_is_hidden_from_the_other_agents_before_the_reveal() -> None:
    entry = find_entry(PhysicsReport)
    report = entry.deliverable.model_copy(update={"challenges": (build_challenge(ATHENA),)})
    parts = list_parts(replace(entry, deliverable=report), EULER, "challenges")

    assert [each.phase for each in parts] == [Phase.REFINE, Phase.DOCUMENT]


def test_only_the_named_fields_count() -> None:
    parts = list_parts(find_entry(SeedDocument), NEWTON, "solution_sketch")

    assert all(each.startswith("solution_sketch") for part in parts for each in (*part.shown, *part.hidden))


def test_a_human_reads_everything_from_the_phase_of_the_document_on() -> None:
    parts = list_parts(find_entry(PhysicsReport), HUMAN)

    assert [each.phase for each in parts] == list(Phase)[1:]
    assert all(not each.hidden for each in parts)


@pytest.mark.parametrize("reader", ROLES)
def test_a_review_of_a_breakthrough_is_filed_nowhere_and_read_by_no_agent(reader: str) -> None:
    entry = DossierEntry(Phase.REFINE, ATHENA, BreakthroughReview(survives=True, text="It holds."))

    assert list_parts(entry, reader) == ()
