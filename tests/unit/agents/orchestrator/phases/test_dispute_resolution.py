"""Vetoes and lost challenges in whole runs: who is halted, who revises, and who validates the revision."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.scripted_players import Player, wrap_player_with_vetoes
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import ChallengeResponse, Option, VetoReview
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase
from support.golden_dossiers import build_validated_dossier
from support.scripted_runs import (
    ScenarioRun,
    add_tied_dispute,
    build_challenge,
    build_evidence,
    build_veto,
    change_deliverables,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)

IN_ORDER = list(Phase)
BACK_FROM_VALIDATE = [Phase.SEED, Phase.VALIDATE, *IN_ORDER]


UNPROVED = build_veto(proof=(build_evidence("the timing seems tight"),))


def vetoes_of(story: ScenarioRun) -> list[str]:
    return [case.outcome for case in story.end.dossier.vetoes]


def test_a_veto_without_proof_becomes_a_challenge() -> None:
    story = run_scenario(wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, UNPROVED))
    assert [(case.challenger, case.challenge.claim) for case in story.end.dossier.challenges] == [
        (NEWTON, UNPROVED.claim)
    ]


def test_a_veto_with_proof_halts_until_it_is_lifted() -> None:
    story = run_scenario(
        wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto())
    )
    assert story.keys[1:7] == [
        "VALIDATE/NEWTON/physics/1",
        "VALIDATE/EULER/mathematics/1",
        "VALIDATE/ATHENA/revision/2",
        "VALIDATE/NEWTON/veto-review/1",
        "VALIDATE/NEWTON/physics/2",
        "VALIDATE/EULER/mathematics/2",
    ]


def test_a_lifted_veto_lets_the_scenario_be_accepted() -> None:
    story = run_scenario(
        wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto())
    )
    assert (vetoes_of(story), story.end.is_accepted) == (["LIFTED"], True)


def test_a_challenge_of_the_version_before_a_lifted_veto_is_logged_and_not_answered() -> None:
    challenge = build_challenge(ATHENA)
    player = change_fields(
        wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto()),
        EULER,
        MathematicsReport,
        times=1,
        challenges=(challenge,),
    )
    story = run_scenario(player)
    (case,) = story.end.dossier.challenges
    assert (case.challenger, case.outcome, case.response) == (EULER, "LOGGED", "")
    assert "a veto led to a revision since" in case.method
    assert story.end.is_accepted


def test_a_veto_that_is_not_lifted_sends_the_scenario_back_to_seed() -> None:
    unsatisfied = change_fields(
        revise_every_time(make_obliging_player()), NEWTON, VetoReview, satisfied=False
    )
    assert (
        run_scenario(wrap_player_with_vetoes(unsatisfied, NEWTON, build_veto())).phases == BACK_FROM_VALIDATE
    )


def test_a_scenario_is_sent_back_to_seed_once_and_then_a_human_decides() -> None:
    unsatisfied = change_fields(
        revise_every_time(make_obliging_player(Option.DISCARD)), NEWTON, VetoReview, satisfied=False
    )
    story = run_scenario(wrap_player_with_vetoes(unsatisfied, NEWTON, build_veto(), times=2))
    assert (vetoes_of(story), len(story.human_asks)) == (["RETURNED", "DISCARDED"], 1)


def test_what_returned_and_was_redesigned_is_not_called_vetoed() -> None:
    unsatisfied = change_fields(
        revise_every_time(make_obliging_player()), NEWTON, VetoReview, satisfied=False
    )
    joint = run_scenario(
        wrap_player_with_vetoes(unsatisfied, NEWTON, build_veto())
    ).end.dossier.find_latest_deliverable(JointAssessment)
    assert joint is not None
    assert joint.status == "VALIDATED"


def test_a_third_veto_of_one_agent_goes_to_a_human() -> None:
    story = run_scenario(
        wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto(), times=3)
    )
    assert [ask.assignment.context["disagreement"]["trigger"] for ask in story.human_asks] == [
        "An agent has raised more than 2 vetoes"
    ]


def test_a_veto_raised_again_after_it_was_lifted_is_heard_again() -> None:
    assert vetoes_of(
        run_scenario(
            wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto(), times=2)
        )
    ) == [
        "LIFTED",
        "LIFTED",
    ]


def test_a_veto_in_refine_has_its_revision_validated_by_both() -> None:
    vetoing_memo = change_fields(
        revise_every_time(make_obliging_player()), NEWTON, ReviewMemo, times=1, vetoes=(build_veto(),)
    )
    keys = run_scenario(vetoing_memo).keys
    assert {"REFINE/NEWTON/physics/2", "REFINE/EULER/mathematics/2"} <= set(keys)


def forbidding_everything(player: Player) -> Player:
    """ATHENA's last revision leaves no way at all, and the reports are about that from then on."""
    reports = {
        type(entry.deliverable): entry.deliverable for entry in build_validated_dossier("sealed_cage").entries
    }
    is_paradox = False

    def answer(ask: Ask) -> LabelledModel:
        nonlocal is_paradox
        reply = player(ask)
        is_paradox = is_paradox or ask.key == "VALIDATE/ATHENA/revision/4"
        return reports.get(ask.returns, reply) if is_paradox else reply

    return answer


def test_a_vetoed_scenario_that_computes_as_a_paradox_goes_on_as_one() -> None:
    unsatisfied = change_fields(
        revise_every_time(make_obliging_player()), NEWTON, VetoReview, satisfied=False
    )
    story = run_scenario(
        forbidding_everything(wrap_player_with_vetoes(unsatisfied, NEWTON, build_veto(), times=2))
    )
    assert (vetoes_of(story), story.end.is_accepted) == (["RETURNED", "RECLASSIFIED"], True)


def test_a_reclassified_scenario_is_published_as_a_paradox() -> None:
    unsatisfied = change_fields(
        revise_every_time(make_obliging_player()), NEWTON, VetoReview, satisfied=False
    )
    documents = run_scenario(
        forbidding_everything(wrap_player_with_vetoes(unsatisfied, NEWTON, build_veto(), times=2))
    ).end.documents
    assert documents is not None
    assert documents.metadata.status == "PX"


# lost challenges


@pytest.mark.parametrize(
    ("challenger", "kind", "challenged", "revision"),
    [
        (NEWTON, PhysicsReport, ATHENA, "VALIDATE/ATHENA/seed/2"),
        (GALILEO, GroundingReport, ATHENA, "VALIDATE/ATHENA/seed/2"),
        (GALILEO, GroundingReport, NEWTON, "VALIDATE/NEWTON/physics/2"),
        (NEWTON, ReviewMemo, ATHENA, "REFINE/ATHENA/seed/2"),
        (ATHENA, ReviewMemo, GALILEO, "REFINE/GALILEO/grounding/2"),
        (ATHENA, ReviewMemo, SOCRATES, "REFINE/SOCRATES/reveal/2"),
        (SOCRATES, ClassificationReport, ATHENA, "REFINE/ATHENA/seed/2"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_who_accepts_a_challenge_revises_what_it_handed_in(
    challenger: str, kind: type[LabelledModel], challenged: str, revision: str
) -> None:
    disputed = change_fields(
        revise_every_time(make_obliging_player()),
        challenger,
        kind,
        times=1,
        challenges=(build_challenge(challenged),),
    )
    assert revision in run_scenario(disputed).keys


def test_who_defends_a_claim_and_prevails_revises_nothing() -> None:
    assert (
        "REFINE/ATHENA/seed/2"
        not in run_scenario(add_tied_dispute(make_obliging_player(prevails="CHALLENGED"))).keys
    )


def test_a_revision_that_breaks_an_earlier_gate_is_held_to_it_again() -> None:
    disputed = change_fields(
        revise_every_time(make_obliging_player(Option.DISCARD)),
        NEWTON,
        ReviewMemo,
        times=1,
        challenges=(build_challenge(ATHENA),),
    )

    def unsure_in_refine(reply: PhysicsReport, ask: Ask) -> LabelledModel:
        refining = ask.assignment.phase is Phase.REFINE
        return reply.model_copy(update={"confidence": 0.4}) if refining else reply

    story = run_scenario(change_deliverables(disputed, NEWTON, PhysicsReport, unsure_in_refine))
    assert story.end.discarded_in is Phase.REFINE


# requests for revision in REFINE


@pytest.mark.parametrize(
    ("addressee", "key"),
    [
        (ATHENA, "REFINE/ATHENA/seed/2"),
        (NEWTON, "REFINE/NEWTON/physics/2"),
        (GALILEO, "REFINE/GALILEO/grounding/2"),
        (SOCRATES, "REFINE/SOCRATES/reveal/2"),
    ],
)
def test_a_request_for_revision_reaches_whom_it_is_addressed_to(addressee: str, key: str) -> None:
    asking = change_fields(
        revise_every_time(make_obliging_player()),
        "",
        ReadinessVote,
        times=5,
        vote="REVISE",
        changes=("more",),
        addressed_to=addressee,
    )
    assert key in run_scenario(asking).keys


def test_a_response_is_asked_of_the_challenged_agent_alone() -> None:
    disputed = change_fields(
        make_obliging_player(), GALILEO, ReviewMemo, times=1, challenges=(build_challenge(NEWTON),)
    )
    assert [ask.agent for ask in run_scenario(disputed).asks if ask.returns is ChallengeResponse] == [NEWTON]


def test_from_the_reveal_on_every_agent_reads_the_disputes_of_all_phases() -> None:
    player = wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto())
    challenge = build_challenge(ATHENA, claim="The table is pushed at 3.5 m/s")
    story = run_scenario(change_fields(player, EULER, MathematicsReport, times=1, challenges=(challenge,)))

    for ask in story.asks:
        disputes = ask.assignment.context.get("disputes", [])
        is_open = ask.assignment.phase in {Phase.REFINE, Phase.DOCUMENT}
        assert [each["kind"] for each in disputes] == (["veto", "challenge"] if is_open else [])
    (memo,) = story.list_asks_to(GALILEO, ReviewMemo)
    veto, _ = memo.assignment.context["disputes"]
    assert veto["evidence"] == ("violated: conservation of energy", "calculation: F = 30 N < 40 N")
    assert veto["outcome"] == "LIFTED"


def test_the_demand_after_a_lost_challenge_names_challenger_claim_evidence_and_proposal() -> None:
    challenge = build_challenge(ATHENA, recommendation="Give the table a smooth floor.")
    player = change_fields(
        revise_every_time(make_obliging_player()), NEWTON, PhysicsReport, times=1, challenges=(challenge,)
    )
    story = run_scenario(player)
    (revision,) = story.list_asks_to(ATHENA, SeedDocument)[1:]
    (demand,) = revision.assignment.context["demands"]
    assert (demand["demanded_by"], demand["subject"]) == (NEWTON, challenge.claim)
    assert demand["evidence"] == "F = 30 N < 40 N"
    assert demand["proposal"] == "Give the table a smooth floor."
    assert "the challenge ended ACCEPTED. You answered: The objection is right." in demand["demand"]
