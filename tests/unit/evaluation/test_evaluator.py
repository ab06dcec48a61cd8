"""The evaluator: what was asked, what was answered, what it is worth and how it was asked, all in the results."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.evaluator import Evaluator, build_results
from impossible_moments.evaluation.results import Results, RunState
from impossible_moments.evaluation.run_scoring import score_run
from impossible_moments.evaluation.runs.answer_collection import Reply, RunConditions
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.llm import call_pacing
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from support.model_conversations import BOTH_PROTOCOLS, QUICK, SECRET
from support.model_players import PRICES, build_model_name
from support.providers import faults
from support.providers.conversation import Question
from support.providers.conversation import Reply as Said
from support.providers.faults import Plan, plan_always
from support.providers.server import Server, serve_provider
from support.scored_scenarios import (
    build_answer,
    build_golden_key,
    build_right_answer,
    build_step,
    create_published_folder,
    load_published_keys,
    load_scenarios,
)


def knowing(question: Question) -> Said:
    """A model that knows the right answer to every scenario."""
    prompt = question.messages[0].text
    scenario = next(each for each in load_scenarios() if each.sections["Scenario"] in prompt)
    return Said(text=f"Let me think.\n{build_right_answer(load_published_keys()[scenario.scenario_id])}")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)


def evaluator(server: Server, folder: Path, protocol: str = "openai", **more: Any) -> Evaluator:
    (folder / "prices.yaml").write_text(PRICES, encoding="utf-8")
    usual: dict[str, Any] = {"runs_per_scenario": 1, "api_key": SECRET, "prices": folder / "prices.yaml"}
    return Evaluator(
        create_published_folder() / "evaluation",
        build_model_name(server, protocol),
        output=folder / "kept",
        **{**usual, **more},
    )


def evaluated(folder: Path, plan: Plan | None = None, **more: Any) -> Results:
    with serve_provider(knowing, faults=plan) as server:
        return evaluator(server, folder, **more).evaluate(load_scenarios())


# a whole run


@BOTH_PROTOCOLS
def test_a_model_that_knows_every_answer_passes_whatever_can_be_executed(
    tmp_path: Path, protocol: str
) -> None:
    results = evaluated(tmp_path, protocol=protocol)
    for each in results.scenarios:
        assert (each.pass_rate is None) == (each.status == "OF")
        assert each.pass_rate in {1, None}


def test_the_bill_is_in_the_results_to_the_token(tmp_path: Path) -> None:
    with serve_provider(knowing) as server:
        mine = evaluator(server, tmp_path, runs_per_scenario=2)
        results = mine.evaluate(load_scenarios())
        bill = server.bill
    runs = [run for each in results.scenarios for run in each.runs]
    assert sum(run.input_tokens for run in runs) == bill.input_tokens
    assert sum(run.output_tokens for run in runs) == bill.output_tokens
    assert Decimal(results.cost or 0) == mine.budget.spent > 0


@BOTH_PROTOCOLS
@pytest.mark.parametrize("temperature", [0.0, 0.7, None])
def test_the_temperature_that_is_asked_for_is_sent_and_recorded(
    tmp_path: Path, protocol: str, temperature: float | None
) -> None:
    with serve_provider(knowing) as server:
        results = evaluator(server, tmp_path, protocol, temperature=temperature).evaluate(
            load_scenarios()[:1]
        )
        (request,) = server.requests
    assert results.temperature_asked == temperature
    assert request.body is not None
    assert request.body.get("temperature") == temperature


def test_a_model_is_coached_by_no_system_prompt_and_may_write_4096_tokens(tmp_path: Path) -> None:
    seen: list[Question] = []

    def listening(question: Question) -> Said:
        seen.append(question)
        return knowing(question)

    with serve_provider(listening) as server:
        evaluator(server, tmp_path).evaluate(load_scenarios()[:1])
    assert [(each.system, each.tools, each.max_tokens, len(each.messages)) for each in seen] == [
        ("", (), 4096, 1)
    ]


def test_a_program_has_no_temperature(tmp_path: Path) -> None:
    mine = Evaluator(
        create_published_folder() / "evaluation", "builtin:quitter", output=tmp_path, runs_per_scenario=1
    )
    assert mine.evaluate(load_scenarios()).temperature_asked is None


def test_results_survive_being_written(tmp_path: Path) -> None:
    results = evaluated(tmp_path)
    assert Results.model_validate_json(results.model_dump_json()) == results


def test_the_order_of_scenarios_changes_no_number(tmp_path: Path) -> None:
    mine = Evaluator(
        create_published_folder() / "evaluation", "builtin:random", output=tmp_path, runs_per_scenario=1
    )
    one, other = mine.evaluate(load_scenarios()), mine.evaluate(load_scenarios()[::-1])
    assert one.per_scenario == other.per_scenario
    assert one.im_score == other.im_score


# failures


@BOTH_PROTOCOLS
@pytest.mark.parametrize(
    "fault", [faults.INTERNAL, faults.CONTEXT, faults.Break.HTML], ids=["500", "overflow", "page"]
)
def test_a_providers_failure_is_unscored_with_its_reason_and_never_0(
    tmp_path: Path, protocol: str, fault: faults.Fault
) -> None:
    results = evaluated(tmp_path, plan_always(fault), protocol=protocol)
    runs = [run for each in results.scenarios for run in each.runs]
    assert {(run.state, run.score, run.components) for run in runs} == {(RunState.UNSCORED, None, None)}
    assert all(run.note.endswith(".") for run in runs)
    assert (results.im_score, results.unscored) == (None, len(load_scenarios()))


def test_what_failed_is_asked_again_and_only_that(tmp_path: Path) -> None:
    broken = [load_scenarios()[2].sections["Scenario"]]

    def breaking(_number: int, question: Question) -> faults.Fault | None:
        return faults.CONTEXT if any(each in question.messages[0].text for each in broken) else None

    with serve_provider(knowing, faults=breaking) as server:
        first = evaluator(server, tmp_path).evaluate(load_scenarios())
        asked = len(server.requests)
        broken.clear()
        again = evaluator(server, tmp_path).evaluate(load_scenarios())
        assert len(server.requests) == asked + 1
    assert first.scenarios[2].runs[0].state is RunState.UNSCORED
    assert again.scenarios[2].runs[0].passed
    assert again.scenarios[:2] + again.scenarios[3:] == first.scenarios[:2] + first.scenarios[3:]


@BOTH_PROTOCOLS
@pytest.mark.parametrize(
    ("fault", "flag"),
    [(faults.TRUNCATED, "truncated"), (faults.FILTERED, "refused")],
    ids=["cut", "filtered"],
)
def test_a_refusal_and_a_cut_are_answers_and_flagged(
    tmp_path: Path, protocol: str, fault: faults.Fault, flag: str
) -> None:
    results = evaluated(tmp_path, plan_always(fault), protocol=protocol)
    runs = [run for each in results.scenarios for run in each.runs]
    assert [run.flags[0] for run in runs] == [flag] * len(runs)
    assert {(run.state, run.score) for run in runs} == {(RunState.UNSCORED, None)}


def test_a_wrong_key_stops_everything(tmp_path: Path) -> None:
    with pytest.raises(ModelFailure) as raised:
        evaluated(tmp_path, plan_always(faults.WRONG_KEY))
    assert raised.value.kind is FailureKind.WRONG_KEY


def test_no_key_is_found_out_before_anybody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    mine = Evaluator(create_published_folder() / "evaluation", "openai:gpt-4o", output=tmp_path / "kept")
    with pytest.raises(ModelFailure, match="there is no key for openai:gpt-4o"):
        mine.evaluate(load_scenarios())


def test_spending_stops_below_the_limit_and_what_was_paid_for_is_kept(tmp_path: Path) -> None:
    with serve_provider(knowing, latency=0.02) as server:
        poor = evaluator(server, tmp_path, runs_per_scenario=3, spending_limit=Decimal("0.08"))
        with pytest.raises(ModelFailure) as raised:
            poor.evaluate(load_scenarios())
        paid = server.bill.requests
        assert raised.value.kind is FailureKind.SPENDING
        assert 0 < poor.budget.spent <= Decimal("0.08")
        evaluator(server, tmp_path, runs_per_scenario=3).evaluate(load_scenarios())
        assert 0 < paid < server.bill.requests == 3 * len(load_scenarios())


def test_a_limit_without_a_price_is_refused(tmp_path: Path) -> None:
    with serve_provider(knowing) as server:
        mine = evaluator(server, tmp_path, spending_limit=Decimal(1))
        mine.model_under_test = mine.model_under_test.replace("small-1", "unheard-of")
        with pytest.raises(ModelFailure, match="its price is not known"):
            mine.evaluate(load_scenarios())
        assert server.requests == []


# runs


def test_an_instruments_failure_has_no_score() -> None:
    run = score_run(1, Reply("", failure="the provider is down."), build_golden_key("blast_room"))
    assert (run.state, run.score, run.note) == (RunState.UNSCORED, None, "the provider is down.")


def test_a_free_answer_that_is_read_in_part_is_for_review_and_never_0() -> None:
    run = score_run(
        1, Reply("I would break the window with the chair."), build_golden_key("blast_room"), AnswerForm.FREE
    )
    assert (run.state, run.score, run.components) == (RunState.REVIEW, None, None)


def test_half_a_character_in_an_answer_can_be_written() -> None:
    text = (
        build_answer(build_step("answer", value="\ud800"))
        .encode("utf-8", "surrogatepass")
        .decode("utf-8", "surrogatepass")
    )
    for written in (text, json.dumps(json.loads(text))):
        assert score_run(1, Reply(written), build_golden_key("the_vacuum_lamp")).model_dump_json()


def test_flags_of_the_reply_and_of_the_score_stand_together() -> None:
    run = score_run(1, Reply("", flags=("refused",)), build_golden_key("blast_room"))
    assert (run.flags, run.state, run.score) == (("refused", "silent"), RunState.UNSCORED, None)


def test_a_run_that_is_missing_is_left_out() -> None:
    replies = {("IM-0001", 2): Reply("")}
    results = build_results(
        load_scenarios()[:1], load_published_keys(), replies, RunConditions("m", runs=3), library=""
    )
    assert [run.number for run in results.scenarios[0].runs] == [2]


# what is not there


def test_scenarios_without_keys_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"No such file: .*IM-0001_mechanics\.json\."):
        Evaluator(tmp_path, "builtin:quitter", output=tmp_path).evaluate(load_scenarios())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "im-mechanics/1"}', "\0"])
def test_keys_that_cannot_be_read_are_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "IM-0001_mechanics.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        Evaluator(tmp_path, "builtin:quitter", output=tmp_path).evaluate(load_scenarios()[:1])
    assert "\n" not in str(raised.value)


def test_a_form_that_is_cut_off_is_not_read_as_sentences() -> None:
    for key in load_published_keys().values():
        whole = build_right_answer(key)
        for length in (len(whole) // 2, len(whole) - 1):
            run = score_run(1, Reply(whole[:length]), key)
            assert (run.state, run.score, run.flags) == (RunState.UNSCORED, None, ("unreadable",))
