"""In DOCUMENT a misspelled text goes back to ATHENA, and both validators judge the corrected scenario."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, Phase
from support.scripted_runs import change_deliverables, make_obliging_player, run_scenario


def misspell(reply: SeedDocument, ask: Ask) -> LabelledModel:
    if ask.assignment.phase is Phase.DOCUMENT:
        return reply
    mirage = reply.impossibility_mirage.model_copy(
        update={"looks_impossible": "Every corridr is shut. The clock runs."}
    )
    return reply.model_copy(update={"impossibility_mirage": mirage})


def test_a_misspelled_text_is_corrected_by_athena() -> None:
    run = run_scenario(change_deliverables(make_obliging_player(), ATHENA, SeedDocument, misspell))
    assert run.end.documents is not None
    corrections = [
        ask for ask in run.list_asks_to(ATHENA, SeedDocument) if ask.assignment.phase is Phase.DOCUMENT
    ]
    (correction,) = corrections
    assert any(
        "`corridr` is misspelled; did you mean `corridor`?" in note
        for note in correction.assignment.context["notes"]
    )
    assert "corridr" not in run.end.documents.public
    assert run.end.documents.metadata.revision_loops[Phase.DOCUMENT] == 1


def test_a_corrected_text_is_validated_again() -> None:
    run = run_scenario(change_deliverables(make_obliging_player(), ATHENA, SeedDocument, misspell))
    phases = [ask.assignment.phase for ask in run.list_asks_to(NEWTON, PhysicsReport)]
    assert phases == [Phase.VALIDATE, Phase.VALIDATE]


def test_a_good_text_is_asked_for_traces_alone() -> None:
    run = run_scenario(make_obliging_player())
    assert {ask.returns for ask in run.asks if ask.assignment.phase is Phase.DOCUMENT} == {AgentTrace}
