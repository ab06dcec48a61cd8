"""A translator in a whole evaluation of records without wording: free answers are executed, and judges are asked only for what is still open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState
from impossible_moments.evaluation.runs.answer_collection import Reply as Given
from impossible_moments.llm import call_pacing
from support.eval_commands import read_results, run_command
from support.instruments import (
    REPLY_COST,
    STEPS,
    TRANSLATOR,
    ScriptedProvider,
    answer_in_plain_words,
    build_judge_options,
    build_plan_form,
    extract_answer,
    list_model_names,
    write_prices,
)
from support.model_conversations import QUICK, SECRET
from support.providers import faults
from support.providers.conversation import Message, Question, Reply
from support.providers.faults import Fault
from support.providers.server import Server, serve_provider
from support.scored_scenarios import create_unworded_folder, load_published_keys, load_scenarios

WHOLE = 8
"""Scenarios: one of them contested, one open."""


@pytest.fixture(autouse=True)
def _with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)


def evaluated(server: Server, folder: Path, *judges: str, **more: Any) -> Results:
    return Evaluator(
        create_unworded_folder() / "evaluation",
        list_model_names(server, "small-1")[0],
        runs_per_scenario=1,
        answer="free",
        output=folder / "kept",
        translator=list_model_names(server, TRANSLATOR)[0],
        judges=list_model_names(server, *judges),
        prices=write_prices(folder),
        **more,
    ).evaluate(load_scenarios())


def runs_by_status(results: Results) -> dict[str, EvaluationRun]:
    return {each.status: each.runs[0] for each in results.scenarios}


def test_free_answers_are_translated_executed_and_marked_and_the_translator_is_named(tmp_path: Path) -> None:
    house = ScriptedProvider(answer_in_plain_words)
    with serve_provider(house) as server:
        results = evaluated(server, tmp_path)
        assert results.translator == list_model_names(server, TRANSLATOR)[0]
    runs = runs_by_status(results)
    executed = [each for each in results.scenarios if each.status not in {"CT", "OF"}]
    assert len(executed) == WHOLE - 2
    assert [each.runs[0].state for each in executed] == [RunState.SCORED] * len(executed)
    assert all(each.runs[0].passed and "translated" in each.runs[0].flags for each in executed)
    assert all("for judges" not in each.runs[0].flags for each in executed)
    # what nobody can execute is not translated either
    assert house.asked == {"small-1": WHOLE, TRANSLATOR: WHOLE - 1}
    assert (runs["OF"].state, runs["OF"].flags) == (RunState.UNSCORED, ("for judges",))
    assert runs["CT"].components is not None
    assert runs["CT"].executed


def test_judges_are_asked_only_for_what_is_still_open(tmp_path: Path) -> None:
    house = ScriptedProvider(answer_in_plain_words)
    heard: list[Question] = []

    def listening(question: Question) -> Reply:
        if question.model == "judge-1":
            heard.append(question)
        return house(question)

    with serve_provider(listening) as server:
        results = evaluated(server, tmp_path, "judge-1", "judge-2")
    assert house.asked == {"small-1": WHOLE, TRANSLATOR: WHOLE - 1, "judge-1": 2, "judge-2": 2}
    assert results.unscored == 0
    runs = runs_by_status(results)
    assert {"translated", "judged"} <= set(runs["CT"].flags)
    assert runs["CT"].executed
    assert runs["CT"].note.startswith("its plan: ")
    # of the contested answer what its plan is worth is not asked, and its own words are judged
    contested = next(each for each in heard if "disputed quantity" in each.messages[0].text)
    assert "'Best known solution'" not in contested.messages[0].text
    assert "statements" not in contested.tools[0].schema["properties"]
    assert extract_answer(contested.messages[0].text) == runs["CT"].answer


def test_translations_are_kept_and_what_they_cost_is_told(tmp_path: Path) -> None:
    house = ScriptedProvider(answer_in_plain_words)
    with serve_provider(house) as server:
        first = evaluated(server, tmp_path, "judge-1", "judge-2")
        asked = house.asked.copy()
        again = evaluated(server, tmp_path, "judge-1", "judge-2")
    assert house.asked == asked
    assert first.translator_cost is not None
    assert Decimal(first.translator_cost) == (WHOLE - 1) * REPLY_COST
    assert Decimal(first.judge_cost or 0) == 4 * REPLY_COST
    assert again.model_copy(update={"created": first.created}) == first


def inventing(question: Question) -> dict[str, Any]:
    form = build_plan_form(question)
    return {**form, "plan": [*form["plan"], {"do": "take", "with": [], "quote": "after that I take it all"}]}


def solving(question: Question) -> dict[str, Any]:
    """It finds out a value that the answer does not give."""
    step = {"do": "answer", "with": [], "value": "first=1, second=7", "quote": STEPS}
    return {**build_plan_form(question), "plan": [step]}


def giving_in(_question: Question) -> dict[str, Any]:
    return {"verdict": "none", "plan": [], "inexpressible": STEPS}


def lazy(_question: Question) -> dict[str, Any]:
    return {"verdict": "solvable", "plan": []}


@pytest.mark.parametrize(
    ("translated", "told", "tries"),
    [
        (inventing, "was not translated faithfully", 3),
        (solving, "which is not in its quote", 3),
        (giving_in, "says that the form cannot hold", 1),
        (lazy, "found no step in it", 1),
    ],
)
def test_what_a_translator_cannot_do_goes_to_judges_and_is_never_0(
    tmp_path: Path, translated: Any, told: str, tries: int
) -> None:
    house = ScriptedProvider(answer_in_plain_words, translated=translated)
    with serve_provider(house) as server:
        alone = evaluated(server, tmp_path)
        judged = evaluated(server, tmp_path, "judge-1", "judge-2")
    runs = [each.runs[0] for each in alone.scenarios if each.status != "OF"]
    assert {(run.state, run.score, run.flags) for run in runs} == {(RunState.UNSCORED, None, ("for judges",))}
    assert all(told in run.note for run in runs)
    assert judged.unscored == 0
    assert house.asked["judge-1"] == WHOLE
    # that a form cannot hold it is an answer, and kept; what is not faithful is a failure, and is not
    again = 2 if tries > 1 else 1
    assert house.asked[TRANSLATOR] == again * tries * (WHOLE - 1)


FATAL: dict[str, Fault] = {
    "refusal": faults.REFUSED,
    "truncation": faults.TRUNCATED,
    "wrong schema": faults.WRONG_SCHEMA,
    "storm": faults.RATE_LIMIT,
}


@pytest.mark.parametrize("fault", FATAL.values(), ids=FATAL)
def test_a_translator_that_fails_leaves_the_answer_to_judges(tmp_path: Path, fault: Fault) -> None:
    house = ScriptedProvider(answer_in_plain_words)
    plan = lambda _number, question: fault if question.model == TRANSLATOR else None  # noqa: E731 - a plan
    with serve_provider(house, faults=plan) as server:
        alone = evaluated(server, tmp_path)
        judged = evaluated(server, tmp_path, "judge-1", "judge-2")
    runs = [each.runs[0] for each in alone.scenarios if each.status != "OF"]
    assert {(run.state, run.score) for run in runs} == {(RunState.UNSCORED, None)}
    assert all("it was not translated" in run.note for run in runs)
    assert (judged.unscored, house.asked["judge-2"]) == (0, WHOLE)


def test_the_limit_stops_translations_too_and_they_are_kept(tmp_path: Path) -> None:
    house = ScriptedProvider(answer_in_plain_words)
    with serve_provider(house) as server:
        mine = Evaluator(
            create_unworded_folder() / "evaluation", "builtin:quitter", answer="free", output=tmp_path / "kept",
            translator=list_model_names(server, TRANSLATOR)[0], spending_limit=Decimal("0.09"), prices=write_prices(tmp_path),
        )  # fmt: skip
        replies = free_replies()
        poor = mine.score(load_scenarios(), replies, model="m")
        assert mine.stopped is not None
        paid = house.asked[TRANSLATOR]
        mine.spending_limit, mine.budget.spent = None, Decimal(0)
        rich = mine.score(load_scenarios(), replies, model="m")
    assert 0 < paid < WHOLE - 1 == house.asked[TRANSLATOR]
    assert poor.unscored > rich.unscored == 2
    assert mine.stopped is None


def free_replies() -> Mapping[tuple[str, int], Given]:
    """Right answers in plain words, made elsewhere."""
    return {
        (each.scenario_id, 1): Given(answer_in_plain_words(asking(each.sections["Scenario"])).text)
        for each in load_scenarios()
    }


def asking(text: str) -> Question:
    return Question("m", "", (Message("user", text),), (), "none", None, "openai", {})


def test_score_translates_answers_made_elsewhere(tmp_path: Path) -> None:
    house = ScriptedProvider(answer_in_plain_words)
    rows = [
        json.dumps({"scenario_id": name, "answer": reply.text}) for (name, _), reply in free_replies().items()
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(rows), encoding="utf-8")
    with serve_provider(house) as server:
        command: list[str | Path] = ["score", tmp_path / "answers.jsonl", "--output", tmp_path / "r.json"]
        command += ["--translator", *list_model_names(server, TRANSLATOR), *build_judge_options(server)]
        run_command(*command, scenarios_in=create_unworded_folder())
        asked = house.asked.copy()
        run_command(*command, scenarios_in=create_unworded_folder())
    results = read_results(tmp_path / "r.json")
    assert house.asked == asked == {TRANSLATOR: WHOLE - 1, "judge-1": 2, "judge-2": 2}
    assert (results.answer_form, results.unscored) == ("free", 0)
    assert set(load_published_keys()) == set(results.per_scenario)
