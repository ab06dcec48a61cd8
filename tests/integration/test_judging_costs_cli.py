"""What judging costs, from the command line: told apart from the answers, estimated before, stopped by the limit."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from impossible_moments.evaluation.results import Results
from impossible_moments.llm import call_pacing
from impossible_moments.llm.model_failures import ModelFailure
from support.eval_commands import read_results, run_command, run_failing_command
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
from support.providers.conversation import Reply
from support.providers.server import serve_provider
from support.scored_scenarios import create_published_folder, load_scenarios

WHOLE = 8
"""Scenarios."""


@pytest.fixture(autouse=True)
def _with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)


# counted


def test_results_say_what_answers_and_what_judges_cost_also_when_nobody_was_asked_again(
    tmp_path: Path,
) -> None:
    with serve_provider(create_talkative_provider()) as server:
        command = build_free_answer_command(server, tmp_path, "--prices", write_prices(tmp_path))
        shown = run_command(*command)
        first = read_results(tmp_path / "r.json")
        run_command(*command)
        again = json.loads(run_command(*command, "--json"))
        answers = server.bill.input_tokens - 2 * WHOLE * 2_000, server.bill.output_tokens - 2 * WHOLE * 400
    assert first.judge_cost is not None
    assert first.cost is not None
    assert Decimal(first.judge_cost) == 2 * WHOLE * REPLY_COST
    assert Decimal(first.cost) == (Decimal("2.5") * answers[0] + 10 * answers[1]) / 1_000_000
    assert (again["cost"], again["judge_cost"]) == (first.cost, first.judge_cost)
    assert f"judges ${2 * WHOLE * REPLY_COST:.4f}" in shown


def test_without_a_price_the_judges_cost_is_not_known_and_never_nothing(tmp_path: Path) -> None:
    with serve_provider(create_talkative_provider()) as server:
        shown = run_command(*build_free_answer_command(server, tmp_path))
    assert read_results(tmp_path / "r.json").judge_cost is None
    assert "unknown price" in shown


def test_results_of_before_are_still_read() -> None:
    old = {"model": "m", "scenarios": [], "judges": ["a", "b"], "cost": "1.5"}
    results = Results.model_validate(old)
    assert (results.cost, results.judge_cost, results.translator) == ("1.5", None, "")


def test_the_limit_stops_judges_and_what_was_judged_is_written_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = create_talkative_provider()
    with serve_provider(house) as server:
        write_answer_lines(
            tmp_path, [(each.scenario_id, f"I wait for {each.title}.") for each in load_scenarios()]
        )
        command = [
            "score", str(tmp_path / "answers.jsonl"), "--answer", "free", "--output", str(tmp_path / "r.json"),
            "--scenarios", str(create_published_folder()), "--prices", str(write_prices(tmp_path)), *build_judge_options(server),
        ]  # fmt: skip
        told = run_failing_command([*command, "--spending-limit", "0.15"], capsys, monkeypatch)
        first, asked = read_results(tmp_path / "r.json"), house.count_judge_requests()
        run_command(*command, "--spending-limit", "9")
    assert "could exceed the spending limit" in told
    assert 0 < asked < 2 * WHOLE == house.count_judge_requests()
    runs = [run for each in first.scenarios for run in each.runs]
    assert 0 < first.unscored < WHOLE
    assert {run.note for run in runs if run.score is None} == {
        "the spending limit was reached before judges could score it; raise the limit and run again, stored verdicts are reused"
    }
    assert f"The spending limit was reached: {first.unscored} answers" in first.judge_note
    assert Decimal(first.judge_cost or 0) == asked * REPLY_COST <= Decimal("0.15")
    final = read_results(tmp_path / "r.json")
    assert (final.unscored, final.judge_note) == (0, "")
    assert Decimal(final.judge_cost or 0) == 2 * WHOLE * REPLY_COST


def test_the_limit_covers_answers_and_judges_together(tmp_path: Path) -> None:
    house = create_talkative_provider()
    with serve_provider(house) as server:
        command = build_free_answer_command(
            server, tmp_path, "--prices", write_prices(tmp_path), "--spending-limit", "0.2"
        )
        with pytest.raises(ModelFailure, match="spending limit"):
            run_command(*command)
    results = read_results(tmp_path / "r.json")
    assert house.asked["small-1"] == WHOLE
    assert 0 < house.count_judge_requests() < 2 * WHOLE
    assert 0 < Decimal(results.cost or 0) + Decimal(results.judge_cost or 0) <= Decimal("0.2")


# asking nobody


def test_a_dry_run_tells_answers_judges_and_the_third_apart_and_asks_nobody(tmp_path: Path) -> None:
    with serve_provider(create_talkative_provider()) as server:
        three = build_judge_options(server, *JUDGES, "judge-3")
        command: list[str | Path] = [
            "eval",
            "--model",
            *list_model_names(server, "small-1"),
            "--runs",
            "2",
            "--dry-run",
        ]
        command += ["--output", tmp_path / "r.json", "--prices", write_prices(tmp_path), *three]
        shown, data = run_command(*command), json.loads(run_command(*command, "--json"))
        everything = json.loads(run_command(*command, "--json", "--answer", "free"))
        assert server.requests == []
    # of the eight scenarios one is open; the contested one has wording and is scored without judges
    assert [each["calls"] for each in data["judges"]] == [2, 2]
    assert [each["calls"] for each in data["if_they_differ"]] == [2]
    assert (data["calls"], data["judged"], data["reviews"]) == (16, 2, 14)
    assert [each["calls"] for each in everything["judges"]] == [16, 16]
    shares = [data, *data["judges"], *data["if_they_differ"]]
    for each in shares:
        dollars = (2.5 * each["input_tokens"] + 10 * each["output_tokens"]) / 1e6
        assert float(each["cost"]) == pytest.approx(dollars)
    assert Decimal(data["whole_cost"]) == sum(Decimal(each["cost"]) for each in shares)
    assert f"If the judges disagree, {three[-1]}: 2 calls" in " ".join(shown.split())
    assert {path.name for path in tmp_path.iterdir()} == {"prices.yaml"}


def test_the_estimate_of_judges_holds_what_they_are_really_sent(tmp_path: Path) -> None:
    long = "I look around, and then I act on what I see. " * 100
    with serve_provider(ScriptedProvider(lambda _question: Reply(text=long))) as server:
        command = build_free_answer_command(server, tmp_path)
        expected = json.loads(run_command(*command, "--dry-run", "--json"))["judges"][0]["input_tokens"]
        run_command(*command)
        sent = [each for each in server.requests if (each.body or {}).get("model") == "judge-1"]
    assert len(sent) == WHOLE
    really = sum(len(json.dumps(each.body, ensure_ascii=False)) for each in sent) / 4
    assert 0.8 * really < expected < 1.2 * really


UNFIT: dict[str, tuple[list[str], str]] = {
    "one judge": (["--judge", "openai:a"], "a panel needs at least 2 models, all different"),
    "one judge, dry": (
        ["--judge", "openai:a", "--dry-run"],
        "a panel needs at least 2 models, all different",
    ),
    "no judge": (["--judge", "nobody", "--judge", "openai:a"], "is not a model reference"),
    "no key": (["--judge", "anthropic:a", "--judge", "openai:a"], "there is no key for anthropic:a"),
    "no price": (
        ["--judge", "openai:a", "--judge", "openai:b", "--spending-limit", "5"],
        "its price is not known",
    ),
    "translator of menus": (["--translator", "openai:a", "--answer", "menu"], "add --answer free"),
}


@pytest.mark.parametrize(("options", "told"), UNFIT.values(), ids=UNFIT)
def test_what_judges_lack_is_said_before_anybody_is_asked(
    options: list[str], told: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with serve_provider(create_talkative_provider()) as server:
        command = [
            "eval",
            "--model",
            *list_model_names(server, "small-1"),
            "--scenarios",
            str(create_published_folder()),
        ]
        command += ["--output", str(tmp_path / "r.json"), *options]
        assert told in run_failing_command(command, capsys, monkeypatch)
        assert server.requests == []
    assert not (tmp_path / "r.json").exists()
