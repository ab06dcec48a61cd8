"""The context manager: views, narrowing, and further agents."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    HUMAN,
    NEWTON,
    ORCHESTRATOR,
    SOCRATES,
    Phase,
)
from impossible_moments.errors import ConfigurationError
from support.canaries import CanaryPlanter

BRIEF = GenerationBrief(category="The Locked Room", difficulty_tier="SPARK", solution_status="KS")
POLICY = ContextPolicy()


def made(model: type[LabelledModel]) -> LabelledModel:
    """A deliverable with something in every field, but without a breakthrough, which is part of the solution."""
    deliverable, _ = CanaryPlanter(Random(3)).plant(model)  # noqa: S311 - the same document each time
    return deliverable.model_copy(
        update={"breakthrough": None} if hasattr(deliverable, "breakthrough") else {}
    )


@pytest.fixture
def dossier() -> Dossier:
    """A scenario whose seed was revised once and validated twice."""
    found = Dossier.create_for_brief(BRIEF)
    handed_in: list[tuple[Phase, str, type[LabelledModel]]] = [
        (Phase.SEED, ATHENA, SeedDocument),
        (Phase.VALIDATE, NEWTON, PhysicsReport),
        (Phase.VALIDATE, EULER, MathematicsReport),
        (Phase.VALIDATE, ORCHESTRATOR, JointAssessment),
        (Phase.VALIDATE, ATHENA, SeedDocument),
        (Phase.VALIDATE, NEWTON, PhysicsReport),
    ]
    for phase, author, model in handed_in:
        found = found.add_deliverable(phase, author, made(model))
    return found.replace_notes(
        [AgentNote(ATHENA, "widen the door", Phase.VALIDATE), AgentNote(EULER, "add times", Phase.VALIDATE)]
    )


def documents(view: dict[str, Any]) -> list[tuple[str, str]]:
    return [(section["author"], section["document"]) for section in view["sections"]]


def test_athena_revises_in_validate_by_its_own_seed_and_its_notes(dossier: Dossier) -> None:
    assert documents(POLICY.build_view(dossier, ATHENA, Phase.VALIDATE)) == [(ATHENA, "SeedDocument")]


def test_athena_reads_the_brief_when_it_revises_in_validate(dossier: Dossier) -> None:
    assert POLICY.build_view(dossier, ATHENA, Phase.VALIDATE)["brief"]["solution_status"] == "KS"


def test_a_validator_reads_the_seed_and_its_own_report_only(dossier: Dossier) -> None:
    assert documents(POLICY.build_view(dossier, EULER, Phase.VALIDATE)) == [
        (EULER, "MathematicsReport"),
        (ATHENA, "SeedDocument"),
    ]


def test_an_older_version_of_a_document_is_not_shown(dossier: Dossier) -> None:
    (seed,) = POLICY.build_view(dossier, ATHENA, Phase.VALIDATE)["sections"]
    assert seed["iteration"] == 1


def test_sections_stand_in_the_order_in_which_they_were_handed_in(dossier: Dossier) -> None:
    assert documents(POLICY.build_view(dossier, SOCRATES, Phase.REFINE)) == [
        (EULER, "MathematicsReport"),
        (ORCHESTRATOR, "JointAssessment"),
        (ATHENA, "SeedDocument"),
        (NEWTON, "PhysicsReport"),
    ]


def test_socrates_reads_in_classify_what_a_solver_would(dossier: Dossier) -> None:
    (seed,) = POLICY.build_view(dossier, SOCRATES, Phase.CLASSIFY)["sections"]
    assert {name: list(seed["fields"][name]) for name in seed["fields"]} == {
        "scenario": ["narrative", "environment", "threat", "position", "objects", "capabilities"],
    }


def test_socrates_is_not_told_that_a_seed_was_revised(dossier: Dossier) -> None:
    (seed,) = POLICY.build_view(dossier, SOCRATES, Phase.CLASSIFY)["sections"]
    assert (seed["phase"], seed["iteration"]) == (None, None)


def test_the_joint_assessment_holds_words_of_both_and_neither_validator_reads_it_alone(
    dossier: Dossier,
) -> None:
    assert (ORCHESTRATOR, "JointAssessment") not in documents(
        POLICY.build_view(dossier, NEWTON, Phase.VALIDATE)
    )


def test_both_validators_read_both_parts_for_the_joint_assessment(dossier: Dossier) -> None:
    view = POLICY.open_for_joint_assessment().build_view(dossier, EULER, Phase.VALIDATE)
    assert (NEWTON, "PhysicsReport") in documents(view)


def test_the_joint_assessment_does_not_uncover_a_confidence(dossier: Dossier) -> None:
    view = POLICY.open_for_joint_assessment().build_view(dossier, EULER, Phase.VALIDATE)
    (physics,) = [each for each in view["sections"] if each["author"] == NEWTON]
    assert "confidence" not in physics["fields"]


def test_the_joint_assessment_shows_athena_no_report(dossier: Dossier) -> None:
    view = POLICY.open_for_joint_assessment().build_view(dossier, ATHENA, Phase.VALIDATE)
    assert documents(view) == [(ATHENA, "SeedDocument")]


def test_an_author_reads_even_what_wears_no_label_in_its_own_work(dossier: Dossier) -> None:
    (report,) = [
        each
        for each in POLICY.build_view(dossier, NEWTON, Phase.VALIDATE)["sections"]
        if each["author"] == NEWTON
    ]
    assert "confidence" in report["fields"]["challenges"][0]


@pytest.mark.parametrize(("phase", "is_read"), [(Phase.GROUND, False), (Phase.REFINE, True)])
def test_a_challenge_is_read_by_everybody_from_the_reveal_on(
    dossier: Dossier, phase: Phase, *, is_read: bool
) -> None:
    (report,) = [
        each for each in POLICY.build_view(dossier, GALILEO, phase)["sections"] if each["author"] == NEWTON
    ]
    assert ("challenges" in report["fields"]) is is_read


def test_a_note_is_given_to_its_addressee(dossier: Dossier) -> None:
    assert POLICY.build_view(dossier, EULER, Phase.VALIDATE)["notes"] == ["add times"]


def test_a_human_reads_the_confidences_that_nobody_else_may(dossier: Dossier) -> None:
    reports = POLICY.build_view(dossier, HUMAN, Phase.VALIDATE)["sections"]
    assert all("confidence" in each["fields"] for each in reports if each["author"] in {NEWTON, EULER})


def test_a_content_without_a_row_is_read_by_nobody() -> None:
    assert ContextPolicy({}).list_visible_contents(ATHENA, Phase.REFINE) == frozenset()


def test_a_matrix_that_shows_socrates_the_solution_is_refused() -> None:
    wider = {**ISOLATION_MATRIX[ContentLabel.SOLUTION], Phase.CLASSIFY: frozenset({SOCRATES})}
    with pytest.raises(ConfigurationError, match="SOCRATES may not read `solution` in CLASSIFY"):
        ContextPolicy({**ISOLATION_MATRIX, ContentLabel.SOLUTION: wider})


def test_narrowing_takes_away_what_is_not_named() -> None:
    policy = POLICY.narrow_for_agent(NEWTON, {Phase.VALIDATE: ["narrative"]})
    assert policy.list_visible_contents(NEWTON, Phase.VALIDATE) == {ContentLabel.NARRATIVE}


def test_narrowing_leaves_the_phases_that_are_not_named() -> None:
    policy = POLICY.narrow_for_agent(NEWTON, {Phase.VALIDATE: ["narrative"]})
    assert policy.list_visible_contents(NEWTON, Phase.REFINE) == POLICY.list_visible_contents(
        NEWTON, Phase.REFINE
    )


def test_narrowing_leaves_the_others() -> None:
    policy = POLICY.narrow_for_agent(NEWTON, {Phase.VALIDATE: []})
    assert policy.list_visible_contents(EULER, Phase.VALIDATE) == POLICY.list_visible_contents(
        EULER, Phase.VALIDATE
    )


def test_all_in_settings_means_all_that_the_matrix_allows() -> None:
    policy = POLICY.narrow_for_agent(SOCRATES, {Phase.CLASSIFY: ["all"]})
    assert policy.list_visible_contents(SOCRATES, Phase.CLASSIFY) == POLICY.list_visible_contents(
        SOCRATES, Phase.CLASSIFY
    )


def test_what_was_taken_away_cannot_be_given_back() -> None:
    narrow = POLICY.narrow_for_agent(GALILEO, {Phase.GROUND: ["narrative"]})
    with pytest.raises(ConfigurationError, match="settings can only narrow the matrix"):
        narrow.narrow_for_agent(GALILEO, {Phase.GROUND: ["narrative", "solution"]})


def test_settings_that_would_show_more_say_what_may_be_named() -> None:
    with pytest.raises(
        ConfigurationError, match="Allowed there: classification, narrative, socrates_confidence"
    ):
        POLICY.narrow_for_agent(SOCRATES, {Phase.CLASSIFY: ["solution"]})


def test_an_unknown_content_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        ConfigurationError, match=r"`answer` is not a content of a scenario\. The contents are narrative"
    ):
        POLICY.narrow_for_agent(SOCRATES, {Phase.CLASSIFY: ["answer"]})


def test_the_context_of_a_human_cannot_be_narrowed() -> None:
    with pytest.raises(ConfigurationError, match="only agents have a context policy"):
        POLICY.narrow_for_agent(HUMAN, {})


@pytest.mark.parametrize("name", ["SOCRATES", "socrates", "HUMAN", "ORCHESTRATOR"])
def test_a_further_agent_cannot_take_a_name_that_has_a_meaning(name: str) -> None:
    with pytest.raises(ConfigurationError, match="Choose another name"):
        POLICY.add_agent(name, {})


def test_a_further_agent_cannot_be_registered_twice() -> None:
    policy = POLICY.add_agent("DARWIN", {Phase.REFINE: ["narrative"]})
    with pytest.raises(ConfigurationError, match="Choose another name"):
        policy.add_agent("DARWIN", {Phase.REFINE: ["all"]})


def test_a_further_agent_reads_what_its_policy_names() -> None:
    policy = POLICY.add_agent("TURING", {Phase.CLASSIFY: ["narrative"], Phase.REFINE: ["all"]})
    assert policy.list_visible_contents("TURING", Phase.CLASSIFY) == {ContentLabel.NARRATIVE}


def test_a_further_agent_reads_in_refine_all_that_the_five_read() -> None:
    policy = POLICY.add_agent("TURING", {Phase.REFINE: ["all"]})
    assert policy.list_visible_contents("TURING", Phase.REFINE) == POLICY.list_visible_contents(
        SOCRATES, Phase.REFINE
    )


def test_a_further_agent_reads_nothing_in_a_phase_that_is_not_named() -> None:
    policy = POLICY.add_agent("TURING", {Phase.REFINE: ["all"]})
    assert policy.list_visible_contents("TURING", Phase.VALIDATE) == frozenset()


@pytest.mark.parametrize("content", ["solution", "physics", "mathematics", "grounding", "brief"])
def test_a_further_agent_is_as_blind_in_classify_as_socrates(content: str) -> None:
    with pytest.raises(ConfigurationError, match="in CLASSIFY"):
        POLICY.add_agent("TURING", {Phase.CLASSIFY: [content]})


def test_a_further_agent_cannot_be_given_a_confidence_before_refine() -> None:
    with pytest.raises(ConfigurationError, match="athena_confidence"):
        POLICY.add_agent("DARWIN", {Phase.SEED: ["athena_confidence"]})


@pytest.mark.parametrize("model", [SeedDocument, GroundingReport, ReviewMemo])
def test_whatever_a_further_agent_hands_in_is_unread_by_socrates_before_refine(
    model: type[LabelledModel],
) -> None:
    dossier = Dossier.create_for_brief(BRIEF).add_deliverable(Phase.GROUND, "DARWIN", made(model))
    assert POLICY.build_view(dossier, SOCRATES, Phase.CLASSIFY)["sections"] == []
