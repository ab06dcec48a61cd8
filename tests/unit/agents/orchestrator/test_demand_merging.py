"""Demands that two agents make alike are answered once, and nobody answers its own vote."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.demand_merging import merge_equal_demands
from impossible_moments.domain.dossier import AgentNote, RevisionDemand
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from support.dossiers import build_accepted_seed
from support.scripted_runs import change_fields, make_obliging_player, revise_every_time, run_scenario


def _note(
    author: str, subject: str, *, proposal: str = "Name the chair.", problem: str = "It is vague."
) -> AgentNote:
    demand = RevisionDemand(author, problem, subject, proposal=proposal)
    return AgentNote(ATHENA, f"{author}: {problem}", Phase.VALIDATE, demand=demand)


def test_the_same_proposal_for_the_same_subject_is_one_demand() -> None:
    notes = (_note(NEWTON, "step 2"), _note(EULER, "S2", problem="Which chair?"), _note(EULER, "S1"))
    merged = merge_equal_demands(notes, build_accepted_seed())
    demands = [each.demand for each in merged if each.demand is not None]
    assert [each.demanded_by for each in demands] == ["NEWTON, EULER", "EULER"]
    assert demands[0].demand == "It is vague. Which chair?"


def test_different_proposals_stay_apart() -> None:
    notes = (_note(NEWTON, "S2"), _note(EULER, "S2", proposal="Remove it."))
    assert merge_equal_demands(notes, build_accepted_seed()) == notes


def test_an_agent_does_not_answer_its_own_vote() -> None:
    player = revise_every_time(make_obliging_player())
    for agent in (ATHENA, NEWTON):
        player = change_fields(
            player,
            agent,
            ReadinessVote,
            times=1,
            vote="REVISE",
            changes=("Shorten it.",),
            addressed_to=ATHENA,
        )
    story = run_scenario(player)
    (revision,) = [ask for ask in story.list_asks_to(ATHENA, SeedDocument) if ask.key.startswith("REFINE")]
    demands = revision.assignment.context["demands"]
    assert [each["demanded_by"] for each in demands if "Shorten it." in each["demand"]] == [NEWTON]
