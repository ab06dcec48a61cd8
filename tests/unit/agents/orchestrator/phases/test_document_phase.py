"""In DOCUMENT a misspelled text goes back to ATHENA, and both validators judge the corrected scenario."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.seed_changes import is_expired
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.refinement import ReadinessVote, RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, Phase
from support.scripted_runs import build_other_seed, change_deliverables, make_obliging_player, run_scenario


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


def test_agents_review_and_vote_again_if_the_correction_changes_what_they_voted_on() -> None:
    def correct_otherwise(reply: SeedDocument, ask: Ask) -> LabelledModel:
        if ask.assignment.phase is Phase.DOCUMENT:
            return build_other_seed()
        return misspell(reply, ask)

    run = run_scenario(change_deliverables(make_obliging_player(), ATHENA, SeedDocument, correct_otherwise))
    assert run.end.documents is not None
    for kind in (ReviewMemo, ReadinessVote):
        assert not is_expired(run.end.dossier, kind)
    assert len(run.list_asks_to(NEWTON, ReviewMemo)) == 2
    assert len(run.list_asks_to(NEWTON, RefinementBallot)) == 2
    assert run.phases[-2:] == [Phase.REFINE, Phase.DOCUMENT]


def test_a_good_text_is_asked_for_traces_alone() -> None:
    run = run_scenario(make_obliging_player())
    assert {ask.returns for ask in run.asks if ask.assignment.phase is Phase.DOCUMENT} == {AgentTrace}


def test_a_demand_of_an_earlier_gate_is_answered_by_a_revision_and_not_by_a_trace() -> None:
    def forget_claims_once(reply: SeedDocument, ask: Ask) -> LabelledModel:
        if ask.assignment.phase is not Phase.DOCUMENT:
            return misspell(reply, ask)
        if any("claim" in note for note in ask.assignment.context["notes"]):
            return reply
        sketch = reply.solution_sketch.model_copy(update={"claims": ()})
        return reply.model_copy(update={"solution_sketch": sketch})

    run = run_scenario(change_deliverables(make_obliging_player(), ATHENA, SeedDocument, forget_claims_once))
    corrections = [
        ask for ask in run.list_asks_to(ATHENA, SeedDocument) if ask.assignment.phase is Phase.DOCUMENT
    ]
    assert len(corrections) == 2
    assert run.end.documents is not None
    assert run.end.dossier.reviews == ()
