"""Every row of the protocols' tables is passed in a whole run, and a published trace shows where each protocol ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Final

import pytest

from impossible_moments.agents.orchestrator.documents.trace_parts.breakthrough_log import (
    render_breakthrough_log,
)
from impossible_moments.agents.orchestrator.protocols import (
    breakthrough_protocol,
    challenge_protocol,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.agents.orchestrator.protocols.breakthrough_protocol import record_verification
from impossible_moments.agents.scripted_players import Player, wrap_player_with_vetoes
from impossible_moments.domain.disputes import Ballot, Option, VetoReview
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON, SOCRATES
from support.scripted_runs import (
    ScenarioRun,
    add_tied_dispute,
    build_veto,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)
from unit.agents.orchestrator.phases.test_dispute_resolution import forbidding_everything
from unit.agents.orchestrator.phases.test_protocol_states import (
    CHALLENGES,
    PROPOSAL,
    VETOES,
    propose,
    vetoing,
)

Transition = tuple[str, str]
PROTOCOLS: Final[Mapping[str, ModuleType]] = {
    "challenge": challenge_protocol,
    "veto": veto_protocol,
    "escalation": escalation_protocol,
    "breakthrough": breakthrough_protocol,
}


class RecordingTable(dict[Transition, str]):
    """A table of transitions that remembers which rows were read."""

    def __init__(self, rows: Mapping[Transition, str]) -> None:
        super().__init__(rows)
        self.passed: set[Transition] = set()

    def __getitem__(self, key: Transition) -> str:
        self.passed.add(key)
        return super().__getitem__(key)

    def get(self, key: Transition, default: str | None = None) -> str | None:  # type: ignore[override]  # one signature
        self.passed.add(key)
        return super().get(key, default)


def unrevised() -> Player:
    """NEWTON vetoes, and ATHENA hands in the same document again."""
    return wrap_player_with_vetoes(make_obliging_player(Option.RESOLVE), NEWTON, build_veto(), times=2)


def fundamental() -> Player:
    return vetoing(correctable=False)


def unconfirmed(option: Option) -> Player:
    """NEWTON's veto in REFINE stands, and EULER does not confirm it."""
    player = change_fields(
        revise_every_time(make_obliging_player(option)), NEWTON, VetoReview, satisfied=False
    )
    player = change_fields(player, NEWTON, ReviewMemo, times=1, vetoes=(build_veto(),))
    return change_fields(player, EULER, Ballot, choice="CHALLENGED")


def paradox() -> Player:
    return forbidding_everything(
        wrap_player_with_vetoes(
            change_fields(revise_every_time(make_obliging_player()), NEWTON, VetoReview, satisfied=False),
            NEWTON,
            build_veto(),
            times=2,
        )
    )


def refused() -> Player:
    return change_fields(make_obliging_player(), SOCRATES, ReviewMemo, times=1, breakthrough=PROPOSAL)


def _iterate_players() -> Iterator[Callable[[], Player]]:
    yield from CHALLENGES.values()
    yield from VETOES.values()
    yield from (unrevised, fundamental, paradox, refused, lambda: vetoing(times=3))
    for option in Option:
        yield lambda option=option: unconfirmed(option)  # type: ignore[misc]  # a default binds the option
        yield lambda option=option: add_tied_dispute(make_obliging_player(option))  # type: ignore[misc]


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, RecordingTable]:
    found = {name: RecordingTable(module.TRANSITIONS) for name, module in PROTOCOLS.items()}
    for name, module in PROTOCOLS.items():
        monkeypatch.setattr(module, "TRANSITIONS", found[name])
    return found


@pytest.mark.slow
def test_every_transition_is_passed_in_a_whole_run(tables: dict[str, RecordingTable]) -> None:
    for build_player in _iterate_players():
        run_scenario(build_player())
    propose(NEWTON, PhysicsReport, survives=False)
    candidate = propose(NEWTON, PhysicsReport).end.dossier.breakthroughs[0]
    for is_proved in (True, False):  # after the run, by experts
        record_verification(candidate, is_proved=is_proved, method="a test", verifiers=("A", "B"))
    missing = {name: sorted(table.keys() - table.passed) for name, table in tables.items()}
    assert missing == {name: [] for name in PROTOCOLS}


def get_trace(run: ScenarioRun) -> str:
    assert run.end.documents is not None
    return run.end.documents.trace


def read_log(trace: str, heading: str) -> str:
    return trace.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("state", [state for state in CHALLENGES if state != "ESCALATED"])
def test_a_published_trace_shows_the_end_of_a_challenge(state: str) -> None:
    log = read_log(get_trace(run_scenario(CHALLENGES[state]())), "Disagreement Log")
    assert f"| {state} |" in log


def test_a_published_trace_shows_an_escalated_challenge_and_the_human_decision() -> None:
    trace = get_trace(run_scenario(add_tied_dispute(make_obliging_player(Option.RESOLVE))))
    assert "| ESCALATED |" in read_log(trace, "Disagreement Log")
    assert "| RESOLVE | it was looked at |" in read_log(trace, "Human Review Log")


@pytest.mark.parametrize("state", ["LIFTED", "DOWNGRADED", "RETURNED"])
def test_a_published_trace_shows_the_end_of_a_veto(state: str) -> None:
    log = read_log(get_trace(run_scenario(VETOES[state]())), "Veto Log")
    assert f"| {state}" in log


def test_a_published_trace_shows_a_reclassified_veto() -> None:
    log = read_log(get_trace(run_scenario(paradox())), "Veto Log")
    assert "| RECLASSIFIED: the mechanics compute as PX |" in log


def test_a_published_trace_shows_that_a_veto_was_not_confirmed() -> None:
    trace = get_trace(run_scenario(unconfirmed(Option.RESOLVE)))
    assert "CHALLENGED 1, CHALLENGER 1; unanimous of 2 needs 2" in read_log(trace, "Veto Log")
    assert "| RESOLVE |" in read_log(trace, "Human Review Log")


def test_a_published_trace_shows_a_redesign_by_a_human() -> None:
    trace = get_trace(run_scenario(add_tied_dispute(make_obliging_player(Option.REDESIGN))))
    assert "| REDESIGN |" in read_log(trace, "Human Review Log")


@pytest.mark.parametrize(("survives", "state"), [(True, "CANDIDATE"), (False, "REJECTED")])
def test_the_log_of_an_open_frontier_shows_the_state_of_a_proposal(state: str, *, survives: bool) -> None:
    dossier = propose(NEWTON, PhysicsReport, survives=survives).end.dossier
    assert f"| {state} |" in render_breakthrough_log(dossier)


def test_a_published_trace_shows_a_refused_proposal_with_the_reason() -> None:
    log = read_log(get_trace(run_scenario(refused())), "Breakthrough Log")
    assert "| REFUSED: the scenario is KS, and only OF scenarios wait for a solution |" in log
