"""Whole runs with scripted casts: what a scenario goes through from its brief to its documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.scripted_players import Player, wrap_player_with_lies, wrap_player_with_vetoes
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, GALILEO, HUMAN, NEWTON, Phase
from impossible_moments.ledger import publications
from impossible_moments.ledger.leases import ScenarioState, list_scenario_rows
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing import duplicate_gate
from impossible_moments.pipeline.review_desk import ReviewDesk
from support.dossiers import BRIEF
from support.scripted_runs import (
    FALSE,
    Change,
    build_challenge,
    build_pipeline,
    build_seed_with_claim,
    build_veto,
    change_deliverables,
    change_fields,
    list_performed_asks,
    make_obliging_player,
    read_published_files,
    revise_every_time,
    run_scenario,
)

IN_ORDER = list(Phase)


# the obliging cast


def test_the_obliging_cast_gets_the_blast_room_accepted() -> None:
    assert run_scenario(make_obliging_player()).end.is_accepted


def test_the_six_phases_come_in_order() -> None:
    assert run_scenario(make_obliging_player()).phases == IN_ORDER


def test_the_same_replies_give_the_same_bytes() -> None:
    assert run_scenario(make_obliging_player()).bytes == run_scenario(make_obliging_player()).bytes


def test_the_same_replies_give_the_same_questions() -> None:
    first, second = (
        [
            ask.assignment.to_data()
            for ask in run_scenario(
                wrap_player_with_vetoes(revise_every_time(make_obliging_player()), NEWTON, build_veto())
            ).asks
        ]
        for _ in range(2)
    )
    assert first == second


def test_a_scenario_is_the_same_alone_and_after_another(tmp_path: Path) -> None:
    # the first was given up: what it computed, asked and argued must be gone
    alone, after = build_pipeline(tmp_path / "alone"), build_pipeline(tmp_path / "after")
    other = BRIEF.model_copy(update={"scenario_id": "IM-0002", "seed": 8})
    spoiled = change_fields(
        make_obliging_player(Option.DISCARD), NEWTON, PhysicsReport, times=1, escalation="this cannot be"
    )
    build_pipeline(tmp_path / "after", spoiled).generate(other)
    alone.generate(BRIEF)
    after.generate(BRIEF)
    assert read_published_files(tmp_path / "alone") == read_published_files(tmp_path / "after")


def test_two_seeds_side_by_side_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # the script designs the same room twice; that it is refused as a duplicate is tested elsewhere
    monkeypatch.setattr(duplicate_gate, "find_nearest_by_text", lambda *_: None)
    monkeypatch.setattr(publications, "list_scenarios_with_signature", lambda *_, **__: ())
    second = BRIEF.model_copy(update={"scenario_id": "IM-0002", "seed": 8})

    def named(reply: SeedDocument, ask: Ask) -> LabelledModel:
        told = reply.scenario.model_copy(update={"name": f"The Room of {ask.assignment.scenario_id}"})
        return reply.model_copy(update={"scenario": told})

    player = change_deliverables(make_obliging_player(), ATHENA, SeedDocument, named)
    both = build_pipeline(tmp_path, player, parallel_pipelines=2).generate_all([BRIEF, second])
    named_in = [
        [name for name in ("IM-0001", "IM-0002") if name in result.public_document + result.methodology_trace]
        for result in both
    ]
    assert named_in == [["IM-0001"], ["IM-0002"]]


def test_a_scenario_that_waits_is_discarded_if_the_same_was_published_meanwhile(tmp_path: Path) -> None:
    first, twin = BRIEF, BRIEF.model_copy(update={"scenario_id": "IM-0002"})
    waits = build_pipeline(
        tmp_path, change_fields(make_obliging_player(), NEWTON, PhysicsReport, times=1, escalation="look")
    )
    waits.generate(first)
    build_pipeline(tmp_path).generate(twin)
    decide(waits, first.scenario_id, Option.RESOLVE)
    asked = list_performed_asks(tmp_path)
    replacement = waits.generate(first)
    # its own run is not disturbed: it is replayed to its end, and only then compared
    assert [key for key in list_performed_asks(tmp_path)[len(asked) :] if key.startswith("SEED")] != []
    assert replacement.scenario_id == "IM-0003"
    assert replacement.replaced[0].startswith("IM-0001: It is too near to IM-0002")
    assert set(waits.registry.entries) == {"IM-0002"}


def test_what_was_published_before_a_scenario_began_counts_as_its_duplicate(tmp_path: Path) -> None:
    build_pipeline(tmp_path).generate(BRIEF)
    twin = BRIEF.model_copy(update={"scenario_id": "IM-0002"})
    assert build_pipeline(tmp_path).generate(twin).state is ScenarioState.AWAITING_HUMAN


def decide(made: Pipeline, scenario: str, option: Option) -> None:
    """Answer the open question of a scenario."""
    with made.open_ledger() as store:
        decision = HumanDecision(option=option, justification="so be it")
        ReviewDesk(store, SystemClock(), "test").record_decision(scenario, decision)


# a validator that lies


def test_a_false_claim_does_not_get_past_validation_whatever_all_say() -> None:
    # ATHENA plants it once the seed has been passed; NEWTON and EULER swear to it, and a human resolves
    story = run_scenario(wrap_player_with_lies(_false_once_validated(make_obliging_player()), NEWTON))
    assert (story.end.is_accepted, story.end.discarded_in) == (False, Phase.VALIDATE)


def test_a_human_cannot_resolve_a_false_claim() -> None:
    story = run_scenario(wrap_player_with_lies(_false_once_validated(make_obliging_player()), NEWTON))
    assert "no decision overrides a failed computation" in story.end.reason


def test_a_false_claim_planted_in_refine_does_not_get_out_of_it() -> None:
    player = change_fields(
        make_obliging_player(), NEWTON, ReviewMemo, times=1, challenges=(build_challenge(ATHENA),)
    )
    planted = change_deliverables(player, ATHENA, SeedDocument, _false_in({Phase.REFINE}))
    assert run_scenario(wrap_player_with_lies(planted, NEWTON)).end.discarded_in is Phase.REFINE


def _false_once_validated(player: Player) -> Player:
    """ATHENA's revisions in VALIDATE, which a first doubt of NEWTON's brings about, hold a false claim."""
    doubted = change_fields(player, NEWTON, PhysicsReport, times=1, feasibility="INVALID")
    return change_deliverables(doubted, ATHENA, SeedDocument, _false_in({Phase.VALIDATE}))


def _false_in(phases: set[Phase]) -> Change:
    def change(reply: SeedDocument, ask: Ask) -> LabelledModel:
        return build_seed_with_claim(FALSE) if ask.assignment.phase in phases else reply

    return change


# a scenario that becomes two


def at_ground(option: Option = Option.SPLIT) -> Player:
    """The cast, with a grounding that a human must look at, who decides as said."""
    return change_fields(make_obliging_player(option), GALILEO, GroundingReport, times=1, confidence=0.4)


def split_up(folder: Path) -> Pipeline:
    """A pipeline whose only scenario was split."""
    made = build_pipeline(folder, at_ground())
    made.generate(BRIEF)
    decide(made, BRIEF.scenario_id, Option.SPLIT)
    return made


def test_both_halves_are_enrolled_under_numbers_that_nobody_has(tmp_path: Path) -> None:
    taken = BRIEF.model_copy(update={"scenario_id": "IM-0011"})
    build_pipeline(tmp_path, at_ground()).generate(taken)
    assert split_up(tmp_path).generate(BRIEF).split_into == ("IM-0012", "IM-0013")


def test_halves_are_enrolled_once_however_often_one_looks(tmp_path: Path) -> None:
    made = split_up(tmp_path)
    first, second = made.generate(BRIEF), made.generate(BRIEF)
    with made.open_ledger() as store:
        rows = store.read_and_wait(list_scenario_rows)
    assert (first.split_into, len(rows)) == (second.split_into, 3)


def test_whoever_goes_on_runs_the_halves_too(tmp_path: Path) -> None:
    made = split_up(tmp_path)
    made.generate(BRIEF)
    states = {result.scenario_id: result.state for result in made.resume()}
    # they are two readings of one situation, so neither is the other's duplicate
    assert states == {"IM-0002": ScenarioState.ACCEPTED, "IM-0003": ScenarioState.ACCEPTED}


def test_a_human_is_named_in_no_ask_of_the_obliging_cast() -> None:
    assert HUMAN not in {ask.agent for ask in run_scenario(make_obliging_player()).asks}


def test_a_brief_with_a_subtype_is_the_same_brief() -> None:
    brief = GenerationBrief.model_validate({**BRIEF.model_dump(), "solution_status": "KS-Fragile"})
    assert run_scenario(make_obliging_player(), brief).bytes == run_scenario(make_obliging_player()).bytes
