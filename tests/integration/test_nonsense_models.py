"""Hostile models in all roles, through the real pipeline, ledger and gates: whatever they say, nothing breaks.

Every run is held to the same list (`nonsense.afterwards`): its end is a state, its calls are counted, what it published
is computed again, nothing lies elsewhere, and prompts and documents keep their form. `IM_NONSENSE_ROUNDS=10` plays more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from impossible_moments.domain.disputes import Option
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, SOCRATES
from impossible_moments.ledger.leases import ScenarioState
from support.nonsense.afterwards import check_everything
from support.nonsense.babblers import make_partly_random_model, make_random_model
from support.nonsense.chaos import ABUSES, make_abusive_model
from support.nonsense.injections import IN_NO_PROSE, INJECTIONS, MARK, make_injecting_model
from support.nonsense.liars import (
    Corruption,
    break_record,
    distort_quantity,
    keep_seed,
    make_approving_model,
    make_rejecting_model,
    replace_status,
)
from support.nonsense.lines import BRIEFS, HonestModel, build_response, phrase_seed, record_honest_model
from support.nonsense.meddlers import make_tool_misusing_model
from support.nonsense.stage import HostileRun, choose_mind_by_scenario, run_briefs

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("IM_NONSENSE_ROUNDS", "1"))
LIGHT = tuple(brief for brief in BRIEFS if brief.solution_status in {"CT", "DG"})
"""The stories that are computed in no time."""
PERSISTENT = (Option.RESOLVE,)
UNDECIDED = (Option.RESOLVE, Option.REDESIGN, Option.RESOLVE, Option.SPLIT, Option.DISCARD)
CUNNING = (EULER, GALILEO, NEWTON, SOCRATES)


def seeds(count: int) -> list[str]:
    return [f"seed {at}" for at in range(count * ROUNDS)]


def groups(names: Mapping[str, object], size: int) -> list[tuple[str, ...]]:
    """So many names at a time, which play side by side."""
    known = list(names)
    return [tuple(known[at : at + size]) for at in range(0, len(known), size)]


PAIRED = [(names, role) for names in groups(ABUSES, len(LIGHT)) for role in CUNNING]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> HonestModel:
    return record_honest_model(tmp_path_factory.mktemp("rehearsal"))


@pytest.fixture
def output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An output folder alone in its parent; whoever writes beside it, or where the process stands, is found out."""
    around, elsewhere = tmp_path / "around", tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (around / "scenarios").mkdir(parents=True)
    yield around / "scenarios"
    assert not list(elsewhere.iterdir())


def held(run: HostileRun) -> HostileRun:
    check_everything(run)
    return run


@pytest.mark.parametrize("seed", seeds(3))
def test_valid_json_without_sense_is_never_published(lines: HonestModel, output: Path, seed: str) -> None:
    run = held(
        run_briefs(make_random_model(lines, seed, honest_seed=False), BRIEFS, output, options=PERSISTENT)
    )
    assert ScenarioState.ACCEPTED not in run.counts_by_state


@pytest.mark.parametrize("seed", seeds(2))
def test_validators_without_sense_leave_an_honest_seed_in_a_state(
    lines: HonestModel, output: Path, seed: str
) -> None:
    held(run_briefs(make_random_model(lines, seed, honest_seed=True), LIGHT, output, options=UNDECIDED))


@pytest.mark.parametrize("seed", seeds(1))
def test_nonsense_now_and_then_publishes_only_what_holds(lines: HonestModel, output: Path, seed: str) -> None:
    held(run_briefs(make_partly_random_model(lines, seed, share=0.2), LIGHT, output, options=UNDECIDED))


def test_what_is_sworn_of_a_true_seed_is_published(lines: HonestModel, output: Path) -> None:
    run = held(run_briefs(make_approving_model(lines, "", keep_seed), LIGHT, output))
    assert run.counts_by_state == {ScenarioState.ACCEPTED: len(LIGHT)}, [each.error for each in run.results]


@pytest.mark.parametrize("corruption", [break_record, replace_status])
@pytest.mark.parametrize("seed", seeds(2))
def test_no_oath_and_no_human_publishes_a_record_that_fails(
    lines: HonestModel, output: Path, seed: str, corruption: Corruption
) -> None:
    run = held(run_briefs(make_approving_model(lines, seed, corruption), BRIEFS, output, options=PERSISTENT))
    assert set(run.counts_by_state) == {ScenarioState.DISCARDED}


@pytest.mark.parametrize("seed", seeds(2))
def test_a_bent_measure_is_published_only_where_the_status_still_computes(
    lines: HonestModel, output: Path, seed: str
) -> None:
    held(run_briefs(make_approving_model(lines, seed, distort_quantity), LIGHT, output, options=PERSISTENT))


def test_liars_stop_a_true_seed_and_a_human_is_asked(lines: HonestModel, output: Path) -> None:
    run = held(run_briefs(make_rejecting_model(lines), BRIEFS, output))
    assert run.counts_by_state == {ScenarioState.AWAITING_HUMAN: len(BRIEFS)}


@pytest.mark.parametrize("names", groups(INJECTIONS, len(LIGHT)), ids=" + ".join)
def test_injected_text_is_published_as_text(lines: HonestModel, output: Path, names: tuple[str, ...]) -> None:
    minds = {
        brief.scenario_id: make_injecting_model(lines, INJECTIONS[name], in_seeds=name not in IN_NO_PROSE)
        for brief, name in zip(LIGHT, names, strict=False)
    }
    run = held(run_briefs(choose_mind_by_scenario(minds), LIGHT[: len(names)], output))
    assert run.counts_by_state == {ScenarioState.ACCEPTED: len(names)}, [each.error for each in run.results]
    assert all(MARK in result.methodology_trace for result in run.results)


@pytest.mark.parametrize("in_seeds", [True, False])
@pytest.mark.parametrize("names", groups(INJECTIONS, len(LIGHT))[:: 6 // min(ROUNDS, 6)], ids=" + ".join)
def test_injections_in_the_place_of_everything_stay_data(
    lines: HonestModel, output: Path, names: tuple[str, ...], *, in_seeds: bool
) -> None:
    minds = {
        brief.scenario_id: make_injecting_model(lines, INJECTIONS[name], everywhere=True, in_seeds=in_seeds)
        for brief, name in zip(LIGHT, names, strict=False)
    }
    run = held(run_briefs(choose_mind_by_scenario(minds), LIGHT[: len(names)], output))
    assert ScenarioState.ACCEPTED not in run.counts_by_state


@pytest.mark.parametrize("names", groups(ABUSES, len(BRIEFS)), ids=" + ".join)
def test_no_abuse_of_the_protocol_breaks_a_run(
    lines: HonestModel, output: Path, names: tuple[str, ...]
) -> None:
    minds = {
        brief.scenario_id: make_abusive_model(lines, ABUSES[name])
        for brief, name in zip(BRIEFS, names, strict=False)
    }
    held(run_briefs(choose_mind_by_scenario(minds), BRIEFS[: len(names)], output))


@pytest.mark.parametrize(("names", "role"), PAIRED[:: 33 if ROUNDS == 1 else 1])
def test_one_role_that_abuses_the_protocol_breaks_no_run(
    lines: HonestModel, output: Path, names: tuple[str, ...], role: str
) -> None:
    minds = {
        brief.scenario_id: make_abusive_model(lines, ABUSES[name], only=role)
        for brief, name in zip(LIGHT, names, strict=False)
    }
    held(run_briefs(choose_mind_by_scenario(minds), LIGHT[: len(names)], output))


@pytest.mark.parametrize("seed", seeds(1))
def test_tools_answer_whatever_they_are_called_with(lines: HonestModel, output: Path, seed: str) -> None:
    run = held(run_briefs(make_tool_misusing_model(lines, seed), LIGHT, output))
    assert run.counts_by_state == {ScenarioState.ACCEPTED: len(LIGHT)}, [each.error for each in run.results]
    assert all("LOOK-UPS" in result.methodology_trace for result in run.results)


def test_an_honest_model_goes_on_where_a_hostile_one_failed(lines: HonestModel, output: Path) -> None:
    hostile = make_abusive_model(lines, ABUSES["the key in an error"], only=GALILEO)
    assert held(run_briefs(hostile, LIGHT, output)).counts_by_state == {ScenarioState.FAILED: len(LIGHT)}
    run = held(
        run_briefs(
            lambda question: build_response(phrase_seed(lines.build_honest_answer(question), question)),
            LIGHT,
            output,
        )
    )
    assert run.counts_by_state == {ScenarioState.ACCEPTED: len(LIGHT)}, [each.error for each in run.results]
    assert not any(question.phase in {"SEED", "VALIDATE"} for question in run.seen)


def test_the_same_nonsense_comes_to_the_same_end(lines: HonestModel, tmp_path: Path) -> None:
    def ends(name: str) -> list[tuple[str, ScenarioState, str]]:
        mind = make_partly_random_model(lines, "twice", share=0.1)
        run = run_briefs(mind, LIGHT, tmp_path / name / "scenarios")
        return sorted((each.scenario_id, each.state, each.reason) for each in run.results)

    assert ends("once") == ends("again")
