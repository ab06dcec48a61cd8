"""What goes wrong with a model or with its judges is told as what it is, in results and in the report, and never as a 0."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.reports.markdown_page import render_markdown
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState
from impossible_moments.llm import call_pacing
from support.eval_commands import answer_correctly
from support.instruments import ScriptedProvider, list_model_names
from support.model_conversations import QUICK, SECRET
from support.providers import faults
from support.providers.conversation import Brain, Question, Reply
from support.providers.faults import Fault
from support.providers.server import serve_provider
from support.scored_scenarios import create_published_folder, load_scenarios

OPEN = frozenset({"OF"})
"""What judges are asked about. A contested answer to a record with wording is computed completely."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_pacing, "RetryPolicy", lambda: QUICK)


def evaluated(
    folder: Path, under_test: Brain, broken: Mapping[str, Fault], **more: Any
) -> tuple[Results, ScriptedProvider]:
    """An evaluation with two judges, in which some models are broken."""
    house = ScriptedProvider(under_test)
    with serve_provider(house, faults=lambda _number, asked: broken.get(asked.model)) as server:
        mine = Evaluator(
            create_published_folder() / "evaluation",
            list_model_names(server, "small-1")[0],
            runs_per_scenario=1,
            output=folder / "kept",
            api_key=SECRET,
            judges=list_model_names(server, "judge-1", "judge-2"),
            **more,
        )
        return mine.evaluate(load_scenarios()), house


def runs_of(results: Results, statuses: frozenset[str] | None = None) -> list[EvaluationRun]:
    return [
        run for each in results.scenarios if statuses is None or each.status in statuses for run in each.runs
    ]


def reported(results: Results) -> str:
    """The report, in one line."""
    return " ".join(render_markdown(build_report_card(results)).split())


# the model under test


def test_a_storm_of_429_is_unscored_and_told_and_no_judge_reads_it(tmp_path: Path) -> None:
    results, house = evaluated(tmp_path, answer_correctly, {"small-1": faults.RATE_LIMIT})
    runs = runs_of(results)
    assert {(run.state, run.score, run.components) for run in runs} == {(RunState.UNSCORED, None, None)}
    assert all("refuses calls because there are too many" in run.note for run in runs)
    assert results.im_score is None
    assert house.count_judge_requests() == 0
    assert "refuses calls because there are too many" in reported(results)


def test_a_storm_that_passes_leaves_no_trace(tmp_path: Path) -> None:
    refused: set[str] = set()

    def once(_number: int, question: Question) -> Fault | None:
        asked = f"{question.model} {question.messages[0].text}"
        if asked in refused:
            return None
        refused.add(asked)
        return faults.RATE_LIMIT

    calm, _ = evaluated(tmp_path / "calm", answer_correctly, {})
    house = ScriptedProvider(answer_correctly)
    with serve_provider(house, faults=once) as server:
        stormy = Evaluator(
            create_published_folder() / "evaluation", list_model_names(server, "small-1")[0], runs_per_scenario=1,
            output=tmp_path / "stormy", api_key=SECRET, judges=list_model_names(server, "judge-1", "judge-2"),
        ).evaluate(load_scenarios())  # fmt: skip
    assert [run.score for run in runs_of(stormy)] == [run.score for run in runs_of(calm)]
    assert stormy.unscored == 0


SAID: dict[str, tuple[Fault, str]] = {
    "refused": (faults.REFUSED, "refused"),
    "refused partway": (faults.REFUSED_PARTWAY, "refused"),
    "filtered": (faults.FILTERED, "refused"),
    "truncated": (faults.TRUNCATED, "truncated"),
}


@pytest.mark.parametrize("form", ["plan", "free"])
@pytest.mark.parametrize(("fault", "flag"), SAID.values(), ids=SAID)
def test_what_the_model_itself_does_is_its_answer_and_flagged(
    tmp_path: Path, fault: Fault, flag: str, form: str
) -> None:
    results, _ = evaluated(tmp_path, _wordy, {"small-1": fault}, answer=form)
    runs = runs_of(results)
    assert all(flag in run.flags for run in runs)
    # a part of a free answer is judged, and everything else that cannot be read has no score
    judged = form == "free" and any(run.answer for run in runs)
    assert {run.state for run in runs} == {RunState.SCORED if judged else RunState.UNSCORED}
    assert f"| {flag} | {len(runs)} |" in reported(results)


def _wordy(_question: Question) -> Reply:
    return Reply(text="I look around first. Then I take what is at hand, and I act at once. " * 3)


# judges


BROKEN: dict[str, tuple[Fault, str]] = {
    "storm": (faults.RATE_LIMIT, "refuses calls because there are too many"),
    "refused": (faults.REFUSED, "refuses to answer"),
    "filtered": (faults.FILTERED, "refuses to answer"),
    "truncated": (faults.TRUNCATED, "used up its token budget before it finished"),
    "server error": (faults.INTERNAL, "failed several times"),
    "wrong key": (faults.WRONG_KEY, "does not accept the key"),
}


@pytest.mark.parametrize(("fault", "told"), BROKEN.values(), ids=BROKEN)
def test_a_judge_that_fails_leaves_unscored_what_was_open_and_nothing_else(
    tmp_path: Path, fault: Fault, told: str
) -> None:
    results, _ = evaluated(tmp_path, answer_correctly, {"judge-2": fault})
    left = runs_of(results, OPEN)
    assert [(run.state, run.score) for run in left] == [(RunState.UNSCORED, None)]
    assert all("judge-2" in run.note and told in run.note for run in left)
    assert all("judged" not in run.flags for run in left)
    assert all(run.components is not None for run in left), "what was executed is still told"
    others = [run for run in runs_of(results) if run not in left]
    assert all(run.state is RunState.SCORED for run in others)
    assert results.unscored == 1
    assert told in reported(results)


def test_where_both_judges_drown_in_a_storm_nothing_is_settled_and_nothing_is_0(tmp_path: Path) -> None:
    storm = {"judge-1": faults.RATE_LIMIT, "judge-2": faults.RATE_LIMIT}
    results, house = evaluated(tmp_path, _wordy, storm, answer="free")
    assert {(run.state, run.score) for run in runs_of(results)} == {(RunState.UNSCORED, None)}
    assert house.count_judge_requests() == 0
    assert (results.judge_kappa, results.judge_cost) == (None, None)
