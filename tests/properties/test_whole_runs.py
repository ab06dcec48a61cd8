"""What every run does whatever its agents and humans answer: it ends, within bounds, and the same replies repeat it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impossible_moments.agents.orchestrator.conflicts.contradictions import CONTRADICTIONS
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_protocol,
    challenge_protocol,
    veto_protocol,
)
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON, ROLES, Phase
from support.dispute_cases import replay_replies
from support.reply_strategies import MOST_RAISED, draw_any_replies
from support.scripted_runs import ScenarioRun, build_rules, run_scenario

pytestmark = pytest.mark.slow

ATTEMPTS = 3
PASSES = 3
"""As designed, after a redesign, and after a reclassification."""
CLAIMS = 8
"""As many as a seed flags here at most."""

GOODNESS = (0.8, 0.9, 0.95, 0.97, 0.99)

orders = st.integers(0, 79)
"""So few that one run of each serves all properties."""


def player_of(order: int) -> Player:
    return draw_any_replies(Random(order), goodness=GOODNESS[order % len(GOODNESS)])  # noqa: S311 - no secret


@cache
def story_of(order: int) -> ScenarioRun:
    return run_scenario(player_of(order))


def most_asks(within: ScenarioRules) -> int:
    """The asks that a run can cost at most, where a report raises no more than our players do."""
    bench = within.dispute_panel
    agents = len(bench.agents)
    # what a round of reports can bring besides its findings, each report at its worst
    raised = (
        MOST_RAISED
        * (
            veto_protocol.compute_veto_ask_limit(bench)
            + challenge_protocol.compute_challenge_ask_limit(bench)
        )
        + breakthrough_protocol.MOST_ASKS
        + 1
    )
    detected = len(CONTRADICTIONS) * CLAIMS * challenge_protocol.compute_challenge_ask_limit(bench)
    # a revision lifts a veto and both judge again: as often as validators may veto
    judged = (1 + bench.vetoes_per_agent * len(bench.vetoers)) * (2 + 2 * raised + detected)
    mended = 1 + judged + 1 + (1 + raised + detected) + 1
    phases = {
        Phase.SEED: 1,
        Phase.VALIDATE: 1 + judged,
        Phase.GROUND: 1 + judged + 1 + raised + detected,
        Phase.CLASSIFY: 2,
        # twice mended, the distractors once more; reveal, memos, two calibrations, distractors, readiness
        Phase.REFINE: 3 * mended + judged + 1 + 5 * agents + (agents + 1) * raised + 2 * detected,
        Phase.DOCUMENT: agents,
    }
    return PASSES * sum(ATTEMPTS * asks + 1 for asks in phases.values())


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_every_run_ends_accepted_discarded_or_split_within_a_computed_number_of_asks(
    order: int,
) -> None:
    story = story_of(order)
    end = story.end
    ways = [end.is_accepted, end.discarded_in is not None and bool(end.reason)]
    assert (sum(ways), len(story.asks) <= most_asks(build_rules())) == (1, True)


@given(orders)
@settings(max_examples=80)
def test_no_phase_loops_more_often_than_its_gate_allows(order: int) -> None:
    dossier = story_of(order).end.dossier
    assert max((0, *dossier.loops.values())) <= ATTEMPTS * (1 + dossier.redesigns)


@given(orders)
@settings(max_examples=80)
def test_a_scenario_is_redesigned_at_most_once(order: int) -> None:
    assert story_of(order).end.dossier.redesigns <= 1


@given(orders)
@settings(max_examples=80)
def test_no_two_asks_of_a_run_have_one_key(order: int) -> None:
    keys = story_of(order).keys
    assert len(set(keys)) == len(keys)


@given(orders)
@settings(max_examples=15)
def test_the_same_replies_give_the_same_run(order: int) -> None:
    first = story_of(order)
    again = run_scenario(replay_replies(first.replies))
    asked = [[ask.assignment.to_data() for ask in story.asks] for story in (first, again)]
    assert (asked[0], first.end) == (asked[1], again.end)


@given(orders)
@settings(max_examples=80)
def test_the_phases_are_gone_through_in_order(order: int) -> None:
    # GROUND may send a revision back to the validators, who read it in their own phase; a revision in REFINE
    # repeats the phases that are about what it changed, and then REFINE goes on
    repeated = (Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY)
    back = {(phase, Phase.SEED) for phase in Phase} | {(Phase.GROUND, Phase.VALIDATE)}
    back |= {(Phase.REFINE, phase) for phase in repeated} | {(phase, Phase.REFINE) for phase in repeated}
    phases = story_of(order).phases
    assert set(pairwise(phases)) <= {*pairwise(Phase), *back}


# the invariants of 1.7, tried on runs that were accepted


def accepted_or_none(order: int) -> ScenarioRun | None:
    story = story_of(order)
    return story if story.end.is_accepted else None


@given(orders)
@settings(max_examples=80)
def test_every_claim_of_an_accepted_scenario_has_a_verdict_of_both_or_a_human(
    order: int,
) -> None:
    story = accepted_or_none(order)
    if story is None or story.end.dossier.reviews:
        return
    dossier = story.end.dossier
    seed = dossier.find_latest_deliverable(SeedDocument)
    physics, mathematics = (
        dossier.find_latest_deliverable(PhysicsReport, NEWTON),
        dossier.find_latest_deliverable(MathematicsReport, EULER),
    )
    assert seed is not None
    assert physics is not None
    assert mathematics is not None
    claims = {claim.claim_id for claim in seed.solution_sketch.claims}
    valid = [
        {each.claim_id for each in report.claims if each.verdict == "VALID"}
        for report in (physics, mathematics)
    ]
    assert claims <= valid[0] & valid[1]


@given(orders)
@settings(max_examples=80)
def test_every_accepted_scenario_has_a_trace_of_all_five(order: int) -> None:
    story = accepted_or_none(order)
    if story is None:
        return
    assert story.end.documents is not None
    traced = [agent for agent in ROLES if f"AGENT TRACE: {agent}" in story.end.documents.trace]
    assert traced == list(ROLES)


@given(orders)
@settings(max_examples=80)
def test_no_accepted_scenario_has_a_veto_that_nobody_settled(order: int) -> None:
    story = accepted_or_none(order)
    if story is None or story.end.dossier.reviews:
        return
    dossier = story.end.dossier
    raised = sum(
        len(getattr(entry.deliverable, "vetoes", ()))
        for entry in dossier.entries
        if entry.author in {NEWTON, EULER}
    )
    settled = [case for case in dossier.vetoes if case.outcome in {"LIFTED", "DOWNGRADED", "RETURNED"}]
    assert raised <= len(settled)


@given(orders)
@settings(max_examples=80)
def test_an_accepted_scenario_has_four_fifths_of_the_votes_or_a_human_behind_it(
    order: int,
) -> None:
    story = accepted_or_none(order)
    if story is None or any(review.phase is Phase.REFINE for review in story.end.dossier.reviews):
        return
    votes = story.end.dossier.find_latest_deliverable_by_author(ReadinessVote, Phase.REFINE)
    approving = [vote for vote in votes.values() if vote.vote.startswith("APPROVE")]
    assert len(approving) >= 4
