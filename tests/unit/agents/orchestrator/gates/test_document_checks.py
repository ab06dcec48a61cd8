"""The gate of DOCUMENT refuses what is empty: rows, sentences, unexplained fields and traces without content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from impossible_moments.agents.orchestrator.gates.checks import document_checks
from impossible_moments.agents.orchestrator.gates.gate_case import GateCase, GateResources
from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.dossier import DisagreementLogEntry, Dossier
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.library import load_everyday_library, load_research_works
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.metadata import AgentVersion, ClockReadings
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.dossiers import make_full_dossier
from support.gate_faults import build_example_documents

DOSSIER = make_full_dossier(Phase.DOCUMENT)


def make_case(documents: ScenarioDocuments | None = None, dossier: Dossier = DOSSIER) -> GateCase:
    resources = GateResources(
        SeedComputationCache(load_everyday_library()), TfidfEmbedder(), load_research_works()
    )
    return GateCase(dossier, resources, documents or build_example_documents())


def list_deficiencies(check: Callable[[GateCase], object], case: GateCase) -> list[str]:
    return [each.text for each in check(case)]  # type: ignore[attr-defined]  # a check yields deficiencies


def change_public_line(start: str, line: str) -> ScenarioDocuments:
    documents = build_example_documents()
    lines = [line if each.startswith(start) else each for each in documents.public.split("\n")]
    assert lines != documents.public.split("\n")
    return replace(documents, public="\n".join(lines))


def add_public_row(heading: str, row: str) -> ScenarioDocuments:
    documents = build_example_documents()
    before, _, after = documents.public.partition(f"# {heading}\n")
    head, _, rows = after.partition("--- |\n")
    return replace(documents, public=f"{before}# {heading}\n{head}--- |\n{row}\n{rows}")


def test_the_example_passes() -> None:
    case = make_case()
    for check in (
        document_checks.check_public_document_complete,
        document_checks.check_evaluation_document_complete,
        document_checks.check_metadata_complete,
        document_checks.check_traces_complete,
        document_checks.check_document_style,
    ):
        assert list_deficiencies(check, case) == []


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("Common Wrong Answers", "| — | — |"),
        ("Agent Capabilities", "| Body | an ordinary adult |"),
        ("Available Objects", "| A rope | — | — | — | — |"),
        ("Available Objects", "| A rope | 2 kg | 3 m | hemp | as told above |"),
        ("Environment", "| Place | as told above |"),
    ],
)
def test_a_row_that_states_nothing_is_refused(heading: str, row: str) -> None:
    (text,) = list_deficiencies(
        document_checks.check_public_document_complete, make_case(add_public_row(heading, row))
    )
    assert text.startswith(f"A row of {heading} states nothing")


def test_an_object_may_state_its_rule_in_place_of_a_mass() -> None:
    documents = add_public_row("Available Objects", "| The council | — | — | — | votes at noon |")
    assert list_deficiencies(document_checks.check_public_document_complete, make_case(documents)) == []


def test_a_sentence_is_no_outcome() -> None:
    documents = change_public_line("**Correct Outcome**", "**Correct Outcome**: Throw the chair")
    (text,) = list_deficiencies(document_checks.check_public_document_complete, make_case(documents))
    assert "`Throw the chair`, which is none of" in text


def test_one_sentence_does_not_explain_the_impossibility() -> None:
    documents = build_example_documents()
    before, _, after = documents.public.partition("## Why This Looks Impossible\n")
    _, _, rest = after.partition("\n## Common")
    short = f"{before}## Why This Looks Impossible\n\nIt is shut.\n\n## Common{rest}"
    (found,) = document_checks.check_public_document_complete(make_case(replace(documents, public=short)))
    assert found.addressee == ATHENA
    assert found.demand is not None
    assert found.demand.subject == document_checks.TEXT
    assert "has 1 sentence, and 2 to 3 are needed" in found.text


def test_a_step_without_a_reason_is_refused() -> None:
    documents = build_example_documents()
    before, _, after = documents.evaluation.partition("### Step-by-step Solution\n")
    spoiled = f"{before}### Step-by-step Solution\n\n| Step | Rationale |\n| --- | --- |\n| 1 | — |\n{after}"
    texts = list_deficiencies(
        document_checks.check_evaluation_document_complete, make_case(replace(documents, evaluation=spoiled))
    )
    assert texts == ["A row of Step-by-step Solution leaves a cell empty: 1 | —."]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"absent": {}}, "twin"),
        ({"stamps": ClockReadings(created="now", missing="")}, "stamps compute_seconds"),
        ({"agent_versions": {NEWTON: AgentVersion(model="m", prompt="p", missing="")}}, "NEWTON tokens"),
    ],
)
def test_an_empty_field_needs_a_reason(changes: dict[str, object], name: str) -> None:
    documents = build_example_documents()
    spoiled = replace(documents, metadata=documents.metadata.model_copy(update=changes))
    (text,) = list_deficiencies(document_checks.check_metadata_complete, make_case(spoiled))
    assert name in text


def test_a_trace_without_a_decision_is_refused() -> None:
    dossier = DOSSIER.add_deliverable(Phase.DOCUMENT, EULER, _change_trace(decisions=()))
    (found,) = document_checks.check_traces_complete(make_case(dossier=dossier))
    assert found.addressee == EULER
    assert "a key decision" in found.text


def test_a_party_to_a_dispute_states_its_confidence_in_the_resolution() -> None:
    entry = DisagreementLogEntry("the mass", (EULER, NEWTON), "debate", "UPHELD")
    dossier = replace(DOSSIER, disagreements=(entry,)).add_deliverable(
        Phase.DOCUMENT, EULER, _change_trace(resolution_confidence=None)
    )
    (found,) = document_checks.check_traces_complete(make_case(dossier=dossier))
    assert found.addressee == EULER
    assert "resolved correctly" in found.text


def _change_trace(**changes: object) -> AgentTrace:
    trace = DOSSIER.find_latest_deliverable(AgentTrace, EULER)
    assert trace is not None
    return trace.model_copy(update=changes)
