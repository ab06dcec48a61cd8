"""Documents say what was computed, and the same dossier gives the same bytes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.documents.metadata_record import IncompleteDossierError
from impossible_moments.audit.document_audit import audit_document
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Breakthrough, HumanDecision, Option, Veto
from impossible_moments.domain.dossier import BreakthroughCase, Dossier, HumanReview, VetoCase
from impossible_moments.domain.refinement import CalibrationVote
from impossible_moments.domain.scoring_rubrics import COMPONENTS, OUTCOME
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import EULER, NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import verify_record
from impossible_moments.mechanics.records.documents import parse_document
from impossible_moments.scenarios.documents import ScenarioDocuments, remove_clock_values
from impossible_moments.scenarios.metadata import AgentVersion, ClockReadings, compute_canary
from support.built_documents import BY_STATUS, build_golden_documents
from support.finished_dossiers import PROMPTS, build_finished_dossier

GOLDEN = Path(__file__).parents[4] / "golden/documents"
TEXTS = ("public", "evaluation", "trace")


def documented(dossier: Dossier) -> ScenarioDocuments:
    return build_documents(dossier, load_everyday_library(), prompts=PROMPTS)


def section(text: str, heading: str) -> str:
    return re.split(r"^#{2,3} ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("tier", TEXTS)
def test_a_document_reads_as_the_golden_one(tier: str) -> None:
    documents = build_golden_documents()
    text: str = getattr(documents, tier)
    text = text.replace(documents.metadata.library, "LIBRARY").replace(documents.metadata.canary, "CANARY")
    assert text == (GOLDEN / f"{tier}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("tier", TEXTS)
@pytest.mark.parametrize("name", BY_STATUS.values())
def test_the_auditor_finds_no_error_in_a_document_of_ours(name: str, tier: str) -> None:
    assert audit_document(getattr(build_golden_documents(name), tier), blind=True).errors == ()


@pytest.mark.parametrize(("status", "name"), BY_STATUS.items())
def test_the_status_is_the_computed_one(status: str, name: str) -> None:
    assert build_golden_documents(name).metadata.status == status


def test_the_same_dossier_gives_the_same_bytes() -> None:
    assert documented(build_finished_dossier()) == build_golden_documents()


def test_stamps_change_only_the_marked_lines_of_a_trace() -> None:
    stamps = ClockReadings(created="2026-02-16T00:00:00Z", pipeline_minutes=12.5, compute_seconds=3.0)
    stamped = build_documents(
        build_finished_dossier(), load_everyday_library(), prompts=PROMPTS, stamps=stamps
    )
    assert remove_clock_values(stamped.trace) == build_golden_documents().trace
    assert stamped.trace != build_golden_documents().trace


def test_stamps_stand_in_one_field_of_the_metadata() -> None:
    stamped = build_documents(
        build_finished_dossier(),
        load_everyday_library(),
        prompts=PROMPTS,
        stamps=ClockReadings(created="2026-02-16"),
    )
    assert stamped.metadata.comparable_copy == build_golden_documents().metadata


def test_the_mechanics_are_a_record_that_can_be_checked_again() -> None:
    report = verify_record(
        parse_document(build_golden_documents().mechanics, name="mechanics"), load_everyday_library()
    )
    assert report.verdict is not None
    assert report.verdict.status == "KS-Singular"


def test_the_public_document_holds_no_word_of_the_mechanics() -> None:
    assert "table_and_chair" not in build_golden_documents().public


@pytest.mark.parametrize("name", ["blast_room", "bore_that_sings", "whoever_is_on_it", "walking_pace"])
def test_printed_times_add_up_to_the_printed_running_time(name: str) -> None:
    rows = re.findall(
        r"^\| \d+ \| .* \| ([\d.]+) \w+ \| ([\d.]+) \w+ \| .* \|$",
        build_golden_documents(name).evaluation,
        re.MULTILINE,
    )
    running = 0.0
    for cost, cumulative in rows:
        running = float(cumulative) if float(cost) == float(cumulative) else round(running + float(cost), 6)
        assert running == float(cumulative)


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_two_or_three_variants_are_computed(name: str) -> None:
    rows = section(build_golden_documents(name).evaluation, "Counterfactual Variants").count("\n| ") - 2
    assert rows in {2, 3}


@pytest.mark.parametrize(("status", "name"), BY_STATUS.items())
def test_the_rubric_is_that_of_the_status(status: str, name: str) -> None:
    rubric = section(build_golden_documents(name).evaluation, "Scoring Rubric")
    lines = OUTCOME[status.partition("-")[0]]  # type: ignore[index]  # a main status
    assert [line.response for line in lines if line.response not in rubric] == []


def test_the_weights_of_the_components_make_a_whole() -> None:
    assert sum(component.weight for component in COMPONENTS) == pytest.approx(1.0)


def test_a_prompt_is_known_by_its_hash() -> None:
    versions = build_golden_documents().metadata.agent_versions
    assert len({version.prompt for version in versions.values()}) == 5


def test_a_version_names_its_model() -> None:
    versions = {NEWTON: AgentVersion(model="builtin", tokens=120, peak_context=0.5)}
    trace = build_documents(
        build_finished_dossier(), load_everyday_library(), prompts=PROMPTS, versions=versions
    ).trace
    assert "| NEWTON | builtin |" in trace


def test_the_canary_stands_in_every_document() -> None:
    documents = build_golden_documents()
    assert all(documents.metadata.canary in getattr(documents, tier) for tier in TEXTS)


def test_another_scenario_has_another_canary() -> None:
    dossier = build_finished_dossier()
    other = replace(dossier, brief=dossier.brief.model_copy(update={"scenario_id": "IM-0008"}))
    assert documented(other).metadata.canary != build_golden_documents().metadata.canary


def test_a_profile_that_matches_no_tier_has_the_nearest() -> None:
    dossier = build_finished_dossier()
    for agent in ("ATHENA", "GALILEO", "EULER", "NEWTON", "SOCRATES"):
        vote = CalibrationVote(profile=Profile(I=1, D=1, C=1, B=1, T=5, X=1), confidence=0.8)
        dossier = dossier.add_deliverable(Phase.REFINE, agent, vote)
    metadata = documented(dossier).metadata
    assert (metadata.tier, metadata.tier_match) == ("SPARK", "nearest")


def test_a_surviving_proposal_is_noted_in_the_words_of_the_specification() -> None:
    proposal = Breakthrough(proposal="a colder film", novelty="none tried it", physics="it holds")
    case = BreakthroughCase(Phase.VALIDATE, EULER, proposal, survived=True)
    documents = documented(replace(build_finished_dossier("ten_per_cent"), breakthroughs=(case,)))
    note = "BREAKTHROUGH CANDIDATE: EULER proposed a colder film. Awaiting expert verification."
    assert note in documents.evaluation
    assert note in documents.trace


def test_a_human_decision_is_logged() -> None:
    decision = HumanDecision(option=Option.RESOLVE, justification="good enough", reviewer="R. Reader")
    review = HumanReview(Phase.REFINE, "no majority", decision, "physics")
    documents = documented(replace(build_finished_dossier(), reviews=(review,)))
    assert "good enough" in section(documents.trace, "Human Review Log")
    assert documents.metadata.human_review_outcome == "REFINE: RESOLVE"


def test_vetoes_are_counted_by_their_end() -> None:
    veto = Veto(claim="it flies", law="gravity")
    cases = tuple(
        VetoCase(Phase.VALIDATE, NEWTON, veto, outcome) for outcome in ("LIFTED", "RETURNED", "DOWNGRADED")
    )
    counts = documented(replace(build_finished_dossier(), vetoes=cases)).metadata.vetoes
    assert (counts.issued, counts.lifted, counts.led_to_revision) == (3, 1, 1)


def test_a_record_that_cannot_be_read_is_documented_as_such() -> None:
    documents = documented(build_finished_dossier(mechanics={"format": "im-mechanics/1"}))
    assert "The mechanics could not be computed" in documents.evaluation


def test_an_empty_dossier_is_refused() -> None:
    brief = GenerationBrief(category="The Locked Room", difficulty_tier="SPARK", solution_status="KS")
    with pytest.raises(IncompleteDossierError, match="no seed document"):
        documented(Dossier.create_for_brief(brief))


def test_metadata_survives_json() -> None:
    metadata = build_golden_documents().metadata
    assert type(metadata).model_validate(json.loads(metadata.model_dump_json())) == metadata


def test_the_same_number_with_another_content_has_another_canary() -> None:
    seed = build_finished_dossier().find_latest_deliverable(SeedDocument)
    assert seed is not None
    changed = seed.model_copy(update={"correct_outcome": f"{seed.correct_outcome} Then rest."})
    canaries = {
        compute_canary("IM-0001", "everyday", each.model_dump_json()) for each in (seed, seed, changed)
    }
    assert len(canaries) == 2
