"""SOCRATES: reads blind, answers every question of the form, and accounts for what the reveal changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    NEWTON,
    SOCRATES,
    STATUSES,
    DifficultyDimension,
    Phase,
)
from support.planted_faults import (
    HEALTHY,
    build_dossier,
    build_healthy_seed,
    perform_role_once,
    replace_words,
    run_socrates,
)


def _read(sections: list[dict[str, Any]]) -> ClassificationReport:
    context = {"sections": sections, "notes": []}
    assignment = Assignment(SOCRATES, Phase.CLASSIFY, "IM-0001", "Classify.", context, "", 100_000)
    report = (
        load_builtin_cast().roles[SOCRATES].make_deliverable(AssignmentView(assignment), ClassificationReport)
    )
    assert isinstance(report, ClassificationReport)
    return report


def _section(author: str, deliverable: Any, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "author": author,
        "phase": None,
        "document": type(deliverable).__name__,
        "iteration": None,
        "fields": fields,
    }


@pytest.mark.parametrize("name", HEALTHY)
def test_title_and_apparent_impossibility_change_nothing(name: str) -> None:
    seed = build_healthy_seed(name)
    shown = seed.to_visible_data({ContentLabel.NARRATIVE, ContentLabel.APPEARANCE})
    assert shown["scenario"]["name"] == seed.scenario.name
    assert _read([_section(ATHENA, seed, shown)]) == _read([_section(ATHENA, seed, _narrative(seed))])


def _narrative(seed: SeedDocument) -> dict[str, Any]:
    return seed.to_visible_data({ContentLabel.NARRATIVE})


@pytest.mark.parametrize("name", HEALTHY)
def test_a_solution_in_the_assignment_changes_nothing(name: str) -> None:
    seed = build_healthy_seed(name)
    whole = seed.model_dump(mode="json")
    physics = perform_role_once(build_dossier(seed), NEWTON, Phase.VALIDATE, PhysicsReport)
    mathematics = perform_role_once(build_dossier(seed), EULER, Phase.VALIDATE, MathematicsReport)
    told = [
        _section(ATHENA, seed, whole),
        _section(NEWTON, physics, physics.model_dump(mode="json")),
        _section(EULER, mathematics, mathematics.model_dump(mode="json")),
    ]
    assert _read(told) == _read([_section(ATHENA, seed, _narrative(seed))])


def test_another_scenarios_solution_in_the_assignment_changes_nothing() -> None:
    seed, other = build_healthy_seed("cellar"), build_healthy_seed("no_step")
    misleading = {**other.model_dump(mode="json"), **_narrative(seed)}
    assert _read([_section(ATHENA, seed, misleading)]) == _read([_section(ATHENA, seed, _narrative(seed))])


def test_another_narrative_does_change_the_report() -> None:
    assert _read([_section(ATHENA, seed := build_healthy_seed("cellar"), _narrative(seed))]) != _read(
        [_section(ATHENA, seed, _narrative(build_healthy_seed("loft")))]
    )


def test_the_order_of_keys_in_the_assignment_changes_nothing() -> None:
    seed = replace_words("95 J", "5 J")(build_healthy_seed("cellar"))
    fields = _narrative(seed)
    ordered = json.loads(json.dumps(fields, sort_keys=True))
    assert ordered == fields
    assert _read([_section(ATHENA, seed, ordered)]) == _read([_section(ATHENA, seed, fields)])


@pytest.mark.parametrize("name", HEALTHY)
def test_the_justification_has_more_than_a_hundred_words(name: str) -> None:
    report = run_socrates(build_healthy_seed(name))
    assert len(report.justification.split()) > 100
    assert report.status in report.justification


@pytest.mark.parametrize("name", HEALTHY)
def test_the_ethical_review_answers_seven_questions_with_a_note_each(name: str) -> None:
    ethics = run_socrates(build_healthy_seed(name)).ethics
    assert len({answer.question for answer in ethics.checklist}) == 7
    assert all(answer.note.strip() for answer in ethics.checklist)
    assert ethics.status in {"PASS", "PASS-WITH-NOTES"}


@pytest.mark.parametrize("name", HEALTHY)
def test_each_of_the_six_scores_has_its_reason(name: str) -> None:
    report = run_socrates(build_healthy_seed(name))
    assert set(report.rationale) == {dimension.value for dimension in DifficultyDimension}
    assert all(reason.strip() for reason in report.rationale.values())


@pytest.mark.parametrize("name", HEALTHY)
def test_all_other_classes_are_rejected_with_a_reason(name: str) -> None:
    report = run_socrates(build_healthy_seed(name))
    assert [each.status for each in report.alternatives] == [
        each for each in STATUSES if each != report.status
    ]
    assert all(each.reason.strip() for each in report.alternatives)


@pytest.mark.parametrize(
    "rule",
    [
        "when the siren goes the boats come in",
        "at the siren every boat must come in, by order",
        "a siren means what the harbour master makes of it",
    ],
)
def test_a_premise_that_is_named_stands_in_the_text(rule: str) -> None:
    seed = replace_words("when the siren goes the boats come in", rule)(build_healthy_seed("cove"))
    report = run_socrates(seed)
    assert report.premise_named in seed.scenario.narrative


def _informed(name: str) -> tuple[ClassificationReport, InformedClassification]:
    seed = build_healthy_seed(name)
    blind = run_socrates(seed)
    dossier = build_dossier(seed).add_deliverable(Phase.CLASSIFY, SOCRATES, blind)
    informed = perform_role_once(dossier, SOCRATES, Phase.REFINE, InformedClassification)
    assert isinstance(informed, InformedClassification)
    return blind, informed


@pytest.mark.parametrize("name", HEALTHY)
def test_the_informed_report_tells_the_distance_from_the_blind_one(name: str) -> None:
    blind, informed = _informed(name)
    assert str(blind.profile) in informed.delta
    assert str(informed.profile) in informed.delta
    assert informed.delta.startswith("None in class") is (blind.status == informed.status)


def test_a_reading_that_was_wrong_is_told_with_both_classes() -> None:
    blind, informed = _informed("no_step")
    assert (blind.status, informed.status) == ("KS", "PX")
    assert "Read blind it was KS, and it is PX" in informed.delta
