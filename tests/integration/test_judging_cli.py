"""Judging from the command line: kept like answers, killed and run again."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.evaluation.judging.judgement_cache import CACHE_SCENARIO
from impossible_moments.evaluation.results import Results, RunState
from impossible_moments.evaluation.runs.answer_collection import LEDGER
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.llm import call_pacing
from support.eval_commands import (
    NOTHING_SCORED,
    answer_correctly,
    kill_when,
    read_results,
    run_command,
    start_command,
    wait_for_output,
)
from support.instruments import (
    JUDGES,
    REPLY_COST,
    ScriptedProvider,
    build_free_answer_command,
    build_judge_options,
    create_talkative_provider,
    list_model_names,
    write_answer_lines,
    write_prices,
)
from support.model_conversations import QUICK, SECRET
from support.providers import faults
from support.providers.conversation import Question
from support.providers.server import serve_provider
from support.scored_scenarios import load_scenarios

WHOLE = 8
"""Scenarios."""


@pytest.fixture(autouse=True)
def _with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)


def scores(results: Results) -> dict[str, list[Any]]:
    return {each.scenario_id: [run.score for run in each.runs] for each in results.scenarios}


# kept


def test_judging_again_asks_nobody_who_has_answered_and_gives_the_same(tmp_path: Path) -> None:
    house = create_talkative_provider()
    with serve_provider(house) as server:
        run_command(*build_free_answer_command(server, tmp_path))
        first, asked = read_results(tmp_path / "r.json"), house.asked.copy()
        run_command(*build_free_answer_command(server, tmp_path))
    assert asked == {"small-1": WHOLE, "judge-1": WHOLE, "judge-2": WHOLE}
    assert house.asked == asked
    again = read_results(tmp_path / "r.json")
    assert again.model_copy(update={"created": first.created}) == first
    assert None not in [score for each in scores(first).values() for score in each]


def test_what_is_kept_has_the_verdict_its_tokens_its_cost_and_its_times(tmp_path: Path) -> None:
    with serve_provider(create_talkative_provider()) as server:
        run_command(*build_free_answer_command(server, tmp_path, "--prices", write_prices(tmp_path)))
        judge = list_model_names(server, "judge-1")[0]
    with LedgerStore(tmp_path / ".r" / LEDGER) as store:
        rows = store.read_and_wait(partial(list_answers, scenario=CACHE_SCENARIO))
    assert len(rows) == 2 * WHOLE
    row = next(each for each in rows.values() if each.model == judge)
    assert json.loads(row.reply)["deliverable"]["lines"]
    assert (row.usage["tokens"], Decimal(row.usage["cost"])) == (2_400, REPLY_COST)
    assert 0 < row.started_at <= row.answered_at
    assert row.key == row.assignment_hash


def test_another_answer_is_another_question_and_so_is_another_judge(tmp_path: Path) -> None:
    house, said = (
        ScriptedProvider(answer_correctly),
        {each.scenario_id: "I wait and see." for each in load_scenarios()},
    )
    with serve_provider(house) as server:
        command: list[str | Path] = ["score", tmp_path / "answers.jsonl", "--answer", "free"]
        command += ["--output", tmp_path / "r.json"]
        write_answer_lines(tmp_path, said.items())
        run_command(*command, *build_judge_options(server))
        assert house.asked == dict.fromkeys(JUDGES, WHOLE)
        write_answer_lines(tmp_path, {**said, "IM-0001": "I do not wait at all."}.items())
        run_command(*command, *build_judge_options(server))
        assert house.asked == dict.fromkeys(JUDGES, WHOLE + 1)
        run_command(*command, *build_judge_options(server, "judge-1", "judge-3"))
    assert house.asked == {**dict.fromkeys(JUDGES, WHOLE + 1), "judge-3": WHOLE}
    assert (tmp_path / ".r" / LEDGER).is_file()


def test_the_same_answer_is_judged_once_however_often_it_was_given(tmp_path: Path) -> None:
    house = ScriptedProvider(answer_correctly)
    with serve_provider(house) as server:
        run_command(
            "eval", "--model", "builtin:canonical", "--runs", "3", "--output", tmp_path / "r.json", *build_judge_options(server)
        )  # fmt: skip
    open_runs = [
        run
        for each in read_results(tmp_path / "r.json").scenarios
        for run in each.runs
        if "judged" in run.flags
    ]
    assert len(open_runs) % 3 == 0
    assert house.count_judge_requests() == 2 * len(open_runs) // 3 > 0


def test_a_judge_that_failed_is_asked_again_and_only_that_one(tmp_path: Path) -> None:
    broken = ["judge-2"]
    house = create_talkative_provider()

    def breaking(_number: int, question: Question) -> faults.Fault | None:
        return faults.CONTEXT if question.model in broken else None

    with serve_provider(house, faults=breaking) as server:
        run_command(*build_free_answer_command(server, tmp_path), ends_with=NOTHING_SCORED)
        first = read_results(tmp_path / "r.json")
        broken.clear()
        run_command(*build_free_answer_command(server, tmp_path))
    runs = [run for each in first.scenarios for run in each.runs]
    assert {(run.state, run.score) for run in runs} == {(RunState.UNSCORED, None)}
    assert all("judge-2" in run.note and "judged" not in run.flags for run in runs)
    assert house.asked == {"small-1": WHOLE, "judge-1": WHOLE, "judge-2": WHOLE}
    assert read_results(tmp_path / "r.json").unscored == 0


def test_a_row_that_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    house = create_talkative_provider()
    with serve_provider(house) as server:
        run_command(*build_free_answer_command(server, tmp_path))
        with LedgerStore(tmp_path / ".r" / LEDGER) as store:
            store.commit_and_wait(
                lambda rows: rows.execute_change("UPDATE answers SET usage = '{}' WHERE returns = 'Verdict'")
            )
        run_command(*build_free_answer_command(server, tmp_path))
    assert house.count_judge_requests() == 4 * WHOLE
    assert read_results(tmp_path / "r.json").unscored == 0


# killed


@pytest.mark.slow
def test_judging_that_is_killed_goes_on_and_repeats_only_what_was_under_way(tmp_path: Path) -> None:
    house, runs = create_talkative_provider(), 3
    with serve_provider(house, latency=0.3) as server:
        kill_when(
            start_command(*build_free_answer_command(server, tmp_path, runs=runs)),
            when=lambda: house.count_judge_requests() >= 9,
        )
        assert not (tmp_path / "r.json").exists()
        sent = sum("judge" in str((each.body or {}).get("model")) for each in server.requests)
        with LedgerStore(tmp_path / ".r" / LEDGER) as store:
            kept = len(store.read_and_wait(partial(list_answers, scenario=CACHE_SCENARIO)))
        answered = house.count_judge_requests()
        wait_for_output(start_command(*build_free_answer_command(server, tmp_path, runs=runs)))
        again = house.count_judge_requests() - answered
        first = read_results(tmp_path / "r.json")
        wait_for_output(start_command(*build_free_answer_command(server, tmp_path, runs=runs)))
    # eight of each judge are under way at once, and no more than those are lost
    assert sent - 16 <= kept <= answered < 2 * runs * WHOLE
    assert again == 2 * runs * WHOLE - kept
    assert house.asked["small-1"] == runs * WHOLE
    assert scores(read_results(tmp_path / "r.json")) == scores(first)
    assert first.unscored == 0
