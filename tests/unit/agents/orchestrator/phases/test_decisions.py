"""What a human decides, carried on from every gate."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.classification import ClassificationReport, EthicalReview
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Option
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import ImpossibilityMirage, SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, GALILEO, NEWTON, SOCRATES, Phase
from support.dossiers import build_accepted_seed
from support.scripted_runs import (
    add_tied_dispute,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)

IN_ORDER = list(Phase)
MISSPELT = ImpossibilityMirage(looks_impossible="The the door is shut.", excluded_by_model="a way around it")

# fmt: off
FAILING: dict[Phase, tuple[str, type[LabelledModel], dict[str, Any]]] = {
    Phase.SEED:     (ATHENA,   SeedDocument,         {"category_match": ""}),
    Phase.VALIDATE: (NEWTON,   PhysicsReport,        {"confidence": 0.4}),
    Phase.GROUND:   (GALILEO,  GroundingReport,      {"confidence": 0.4}),
    Phase.CLASSIFY: (SOCRATES, ClassificationReport, {"ethics": EthicalReview(checklist=(), status="FAIL")}),
    Phase.REFINE:   ("",       ReadinessVote,        {"vote": "DISCARD", "notes": "no"}),
    Phase.DOCUMENT: (ATHENA,   SeedDocument,         {"impossibility_mirage": MISSPELT}),
}
# fmt: on


def failing_in(phase: Phase, option: Option, *, times: int) -> Player:
    """The cast, with work that a gate passes to a human, who decides as said."""
    agent, kind, fields = FAILING[phase]
    return change_fields(make_obliging_player(option), agent, kind, times=times, **fields)


@pytest.mark.parametrize("phase", IN_ORDER)
def test_resolve_lets_a_scenario_go_on_from_any_gate(phase: Phase) -> None:
    story = run_scenario(failing_in(phase, Option.RESOLVE, times=3 * 5 if phase is Phase.REFINE else 3))
    # a text that DOCUMENT sends back is validated again
    assert (list(dict.fromkeys(story.phases)), len(story.human_asks)) == (IN_ORDER, 1)


@pytest.mark.parametrize("phase", IN_ORDER)
def test_redesign_leads_back_to_seed_from_any_gate_and_on_to_the_end(phase: Phase) -> None:
    times = {Phase.SEED: 3, Phase.REFINE: 15, Phase.DOCUMENT: 3}.get(phase, 1)
    story = run_scenario(failing_in(phase, Option.REDESIGN, times=times))
    upto = [each for each in Phase if each not in IN_ORDER[IN_ORDER.index(phase) + 1 :]]
    # a text that DOCUMENT sends back is validated again, twice before a human is asked
    corrected = [Phase.VALIDATE, Phase.DOCUMENT] * 2 if phase is Phase.DOCUMENT else []
    expected = IN_ORDER if phase is Phase.SEED else [*upto, *corrected, *IN_ORDER]
    assert (story.phases, story.end.is_accepted) == (expected, True)


@pytest.mark.parametrize("phase", IN_ORDER)
def test_a_second_redesign_is_none(phase: Phase) -> None:
    story = run_scenario(failing_in(phase, Option.REDESIGN, times=99))
    assert (story.end.is_accepted, story.end.dossier.redesigns, len(story.human_asks)) == (False, 1, 2)


@pytest.mark.parametrize("phase", IN_ORDER)
def test_discard_ends_a_scenario_at_any_gate(phase: Phase) -> None:
    end = run_scenario(failing_in(phase, Option.DISCARD, times=99)).end
    assert (end.discarded_in, end.documents, end.split_into) == (phase, None, ())


def list_readings(end: CreationOutcome) -> list[str]:
    """The readings of the halves of a split scenario."""
    return [brief.reading.text for brief in end.split_into if brief.reading is not None]


@pytest.mark.parametrize("phase", IN_ORDER)
def test_split_makes_two_briefs_at_any_gate(phase: Phase) -> None:
    end = run_scenario(failing_in(phase, Option.SPLIT, times=99)).end
    assert list_readings(end) == [
        f"ATHENA: as handed in: {build_accepted_seed().concept_summary.concept}",
        f"ORCHESTRATOR: as the objection requires: {end.dossier.reviews[-1].question}",
    ]
    assert len({brief.seed for brief in end.split_into}) == 2


def test_the_halves_of_a_split_dispute_take_the_readings_of_its_parties() -> None:
    end = run_scenario(add_tied_dispute(make_obliging_player(Option.SPLIT))).end
    assert list_readings(end) == [
        "GALILEO: not `The scenario is KS.`: The claim is wrong.",
        "ATHENA: `The scenario is KS.`: The claim stands.",
    ]


def test_a_redesign_after_a_dispute_names_the_positions() -> None:
    story = run_scenario(add_tied_dispute(make_obliging_player(Option.REDESIGN)))
    (redesign,) = [ask for ask in story.asks if ask.key == "SEED/ATHENA/seed/2"]
    (note,) = redesign.assignment.context["notes"]
    assert "GALILEO: not `The scenario is KS.`: The claim is wrong.; ATHENA: `The scenario is KS.`" in note


def test_a_half_is_not_split_again() -> None:
    (half, _) = run_scenario(failing_in(Phase.GROUND, Option.SPLIT, times=99)).end.split_into
    end = run_scenario(failing_in(Phase.GROUND, Option.SPLIT, times=99), half).end
    assert (end.split_into, end.discarded_in) == ((), Phase.GROUND)


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (NEWTON, PhysicsReport),
        (GALILEO, GroundingReport),
        (SOCRATES, ClassificationReport),
        (ATHENA, ReviewMemo),
    ],
    ids=["VALIDATE", "GROUND", "CLASSIFY", "REFINE"],
)
def test_an_agent_that_calls_for_a_human_gets_one(agent: str, kind: type[LabelledModel]) -> None:
    story = run_scenario(
        change_fields(make_obliging_player(), agent, kind, times=1, escalation="somebody should see this")
    )
    assert [ask.assignment.context["disagreement"]["question"] for ask in story.human_asks] == [
        "somebody should see this"
    ]


def test_a_decision_of_the_other_side_is_carried_out_in_a_tied_arbitration() -> None:
    story = run_scenario(add_tied_dispute(revise_every_time(make_obliging_player(prevails="CHALLENGER"))))
    assert ("REFINE/ATHENA/seed/2" in story.keys, story.end.is_accepted) == (True, True)
