"""`im eval` and `im score` from the command line, against a provider on this machine, killed and run again."""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from subprocess import Popen, run
from typing import Any

import pytest

from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.evaluation.results import Results, RunState
from impossible_moments.evaluation.runs.answer_collection import LEDGER, RunConditions
from impossible_moments.evaluation.runs.baselines import BASELINES
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.store import LedgerStore
from support.eval_commands import (
    NOTHING_SCORED,
    answer_correctly,
    find_scenario_id,
    kill_when,
    read_results,
    run_command,
    run_failing_command,
    start_command,
    wait_for_output,
)
from support.model_conversations import SECRET
from support.model_players import PRICES
from support.providers.conversation import Question
from support.providers.conversation import Reply as Said
from support.providers.server import Server, serve_provider
from support.scored_scenarios import (
    build_answer,
    build_right_answer,
    create_published_folder,
    load_published_keys,
    load_scenarios,
)


def numbers(results: Results) -> dict[str, list[Any]]:
    return {
        each.scenario_id: [(run.state, run.score, run.components, run.executed) for run in each.runs]
        for each in results.scenarios
    }


# baselines


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_runs_without_a_key(tmp_path: Path, name: str) -> None:
    shown = run_command(
        "eval", "--model", f"builtin:{name}", "--runs", "1", "--output", tmp_path / "results.json"
    )
    results = read_results(tmp_path / "results.json")
    assert f"builtin:{name}: IM-Score" in shown
    assert (len(results.scenarios), results.model) == (8, f"builtin:{name}")


def test_the_specifications_path_takes_its_flags(tmp_path: Path) -> None:
    flags = ["--model", "builtin:solver", "--scenarios", str(create_published_folder()), "--runs", "1"]
    command = [sys.executable, "-m", "impossible_moments.evaluation.evaluator", *flags]
    done = run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "builtin:solver: IM-Score" in done.stdout
    assert len(read_results(tmp_path / "results.json").scenarios) == 8


def test_json_is_one_document_with_the_figures_of_the_file(tmp_path: Path) -> None:
    shown = run_command(
        "eval", "--model", "builtin:solver", "--runs", "1", "--json", "--output", tmp_path / "r.json"
    )
    data, results = json.loads(shown), read_results(tmp_path / "r.json")
    assert data["im_score"] == results.im_score
    assert data["unscored"] == results.unscored
    assert data["results"] == str(tmp_path / "r.json")


def test_score_and_eval_give_equal_numbers_for_the_same_answers(tmp_path: Path) -> None:
    run_command("eval", "--model", "builtin:random", "--runs", "2", "--output", tmp_path / "evaluated.json")
    evaluated = read_results(tmp_path / "evaluated.json")
    lines = [
        json.dumps({"scenario_id": each.scenario_id, "answer": run.answer})
        for each in evaluated.scenarios
        for run in each.runs
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run_command("score", tmp_path / "answers.jsonl", "--output", tmp_path / "scored.json")
    scored = read_results(tmp_path / "scored.json")
    assert numbers(scored) == numbers(evaluated)
    assert (scored.im_score, scored.im_profile) == (evaluated.im_score, evaluated.im_profile)


def test_the_order_of_answers_changes_no_score(tmp_path: Path) -> None:
    lines = [
        json.dumps({"scenario_id": name, "answer": build_right_answer(key)})
        for name, key in load_published_keys().items()
    ]
    for name, order in (("one", lines), ("other", lines[::-1])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(order), encoding="utf-8")
        run_command("score", tmp_path / f"{name}.jsonl", "--output", tmp_path / f"{name}.json")
    assert numbers(read_results(tmp_path / "one.json")) == numbers(read_results(tmp_path / "other.json"))


def test_an_answer_with_half_a_character_is_kept_for_review(tmp_path: Path) -> None:
    line = {"scenario_id": "IM-0001", "answer": build_answer({"do": "answer", "value": "\ud800"})}
    (tmp_path / "answers.jsonl").write_text(json.dumps(line), encoding="utf-8")
    path = tmp_path / "r.json"
    run_command("score", tmp_path / "answers.jsonl", "--output", path, ends_with=NOTHING_SCORED)
    run = read_results(path).scenarios[0].runs[0]
    assert run.answer
    assert (run.state, run.score) == (RunState.REVIEW, None)


# asking nobody


def test_a_dry_run_asks_nobody_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES, encoding="utf-8")
    with serve_provider(answer_correctly) as server:
        shown = run_command(
            "eval", "--model", f"openai:small-1@{server.openai_url}", "--runs", "2", "--dry-run", "--json",
            "--output", tmp_path / "r.json", "--prices", tmp_path / "prices.yaml",
        )  # fmt: skip
        assert server.requests == []
    data = json.loads(shown)
    assert data["calls"] == 16
    assert float(data["cost"]) == pytest.approx(
        (2.5 * data["input_tokens"] + 10 * data["output_tokens"]) / 1e6
    )
    assert {path.name for path in tmp_path.iterdir()} == {"prices.yaml"}


# killed


def begun(server: Server, folder: Path) -> Popen[str]:
    """`im eval` in a process of its own."""
    return start_command(
        "eval", "--model", f"openai:small-1@{server.openai_url}", "--runs", "3", "--temperature", "0.3",
        "--output", folder / "results.json",
    )  # fmt: skip


def kept_in(folder: Path, server: Server) -> int:
    """How many answers the ledger holds."""
    conditions = RunConditions(f"openai:small-1@{server.openai_url}", temperature=0.3)
    with LedgerStore(folder / LEDGER) as store:
        return len(store.read_and_wait(partial(list_answers, scenario=conditions.name)))


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_and_repeats_only_what_was_under_way(tmp_path: Path) -> None:
    answered: Counter[str] = Counter()

    def counting(question: Question) -> Said:
        answered[find_scenario_id(question.messages[0].text)] += 1
        return answer_correctly(question)

    with serve_provider(counting, latency=0.3) as server:
        kill_when(begun(server, tmp_path), when=lambda: answered.total() >= 9)
        assert not (tmp_path / "results.json").exists()
        before, kept = len(server.requests), kept_in(tmp_path / ".results", server)
        wait_for_output(begun(server, tmp_path))
        asked = len(server.requests)
    whole = 3 * len(load_scenarios())
    # eight are asked at once: no more than those can have been under way
    assert before - 8 <= kept <= before < whole
    assert asked == before + whole - kept
    results = read_results(tmp_path / "results.json")
    assert [len(each.runs) for each in results.scenarios] == [3] * len(load_scenarios())
    assert results.temperature_asked == 0.3


# what the user must mend


def test_a_wrong_key_is_one_sentence_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    with serve_provider(answer_correctly, key=SECRET) as server:
        told = run_failing_command(
            ["eval", "--model", f"openai:small-1@{server.openai_url}", "--scenarios", str(create_published_folder()),
             "--output", str(tmp_path / "r.json")],
            capsys, monkeypatch,
        )  # fmt: skip
    assert "does not accept the key" in told
    assert "sk-wrong" not in told


EVAL = [
    "eval",
    "--scenarios",
    "FOLDER",
    "--output",
    "TMP/r.json",
    "--runs",
    "1",
    "--model",
    "builtin:quitter",
]
SCORE = ["score", "TMP/answers.jsonl", "--scenarios", "FOLDER", "--output", "TMP/r.json"]
BAD: dict[str, tuple[list[str], str, str]] = {
    "no folder": (["eval", "--scenarios", "TMP/nowhere"], "", "No such folder"),
    "empty folder": (["eval", "--scenarios", "TMP"], "", "contains no public documents"),
    "no keys": ([*EVAL, "--rubrics", "TMP"], "", "IM-0001_mechanics.json. Answers can only be scored"),
    "no baseline": ([*EVAL[:-1], "builtin:nobody"], "", "is not a built-in model"),
    "no baseline, dry": ([*EVAL[:-1], "builtin:nobody", "--dry-run"], "", "is not a built-in model"),
    "no model": ([*EVAL[:-1], "nobody"], "", "is not a model reference"),
    "no presentation": ([*EVAL, "--presentation", "odd"], "", "`odd` is not one of blind, full"),
    "no presentation, dry": (
        [*EVAL, "--presentation", "odd", "--dry-run"],
        "",
        "`odd` is not one of blind, full",
    ),
    "no form, dry": ([*EVAL, "--answer", "odd", "--dry-run"], "", "`odd` is not one of plan, free"),
    "output is a folder": ([*EVAL, "--output", "TMP"], "", "is a folder"),
    "output in a file": (
        [*EVAL, "--output", "TMP/answers.jsonl/r.json"],
        "x",
        "Cannot write results to the folder",
    ),
    "no prices": ([*EVAL, "--prices", "TMP/nowhere.yaml"], "", "nowhere.yaml"),
    "no answers": (SCORE, "\n\n", "answers.jsonl is empty"),
    "no file": (["score", "TMP/nowhere.jsonl", *SCORE[2:]], "", "No such file"),
    "no JSON": (SCORE, '{"scenario_id": "IM-0001", "answer": ""}\noops\n', "line 2 is not a JSON object"),
    "a list": (SCORE, "[1]", "line 1 is not a JSON object"),
    "deep": (SCORE, "[" * 100_000, "line 1 is not a JSON object"),
    "strange scenario": (
        SCORE,
        '{"scenario_id": "IM-9999", "answer": ""}',
        "answers IM-9999, which is not in",
    ),
    "nameless scenario": (SCORE, '{"answer": ""}', "answers a scenario without an ID"),
}


@pytest.mark.parametrize(("arguments", "content", "told"), BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence_and_status_2(
    arguments: list[str], content: str, told: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if content:
        (tmp_path / "answers.jsonl").write_text(content, encoding="utf-8")
    filled = [
        each.replace("TMP", str(tmp_path)).replace("FOLDER", str(create_published_folder()))
        for each in arguments
    ]
    assert told in run_failing_command(filled, capsys, monkeypatch)
    assert not (tmp_path / "r.json").exists()


def test_a_file_that_is_no_text_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "answers.jsonl").write_bytes(b"\xff\xfe\x00")
    arguments = ["score", str(tmp_path / "answers.jsonl"), "--scenarios", str(create_published_folder())]
    assert "cannot be read as text" in run_failing_command(arguments, capsys, monkeypatch)


def test_the_spending_limit_stops_the_run_and_more_money_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    (tmp_path / "prices.yaml").write_text(PRICES, encoding="utf-8")
    with serve_provider(answer_correctly) as server:
        command: list[str | Path] = [
            "eval", "--model", f"openai:small-1@{server.openai_url}", "--runs", "2",
            "--output", tmp_path / "r.json", "--prices", tmp_path / "prices.yaml",
        ]  # fmt: skip
        with pytest.raises(ImpossibleMomentsError, match="spending limit"):
            run_command(*command, "--spending-limit", "0.07")
        paid = server.bill.requests
        run_command(*command, "--spending-limit", "9")
        assert 0 < paid < 2 * len(load_scenarios()) == server.bill.requests
