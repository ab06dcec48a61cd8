"""Whole runs: plain words and garbage are never a 0, thinking is free, a safe plan is worth a gamble, means hold results only."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.evaluation.reports.markdown_page import render_markdown
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState, ScoreComponents
from impossible_moments.evaluation.run_scoring import score_run
from impossible_moments.evaluation.runs.answer_collection import Reply
from impossible_moments.evaluation.scoring import score_answer
from support.eval_commands import NOTHING_SCORED, read_results, run_command
from support.fair_answers import build_plan, draw_key, get_outcome, is_passed, score_plan
from support.model_conversations import SECRET
from support.providers.conversation import Question
from support.providers.conversation import Reply as Said
from support.providers.server import serve_provider
from support.sample_results import build_results, build_scenario

MANIFEST = "already_half_said/smudge_in_the_manifest/the_rest"
GLASSES = "one_unsung_property/oath_in_windhoek/in_plain_sight"
LARVAE = "cure_that_feeds/larvae_at_low_light/contested"
WARTS = "disputed_makeshift/tape_for_the_gala/contested"
GARBAGE = ("%%% 0x7f <<<", "<html><body>502 Bad Gateway</body></html>", '{"error": {"message": "overloaded"}}', "null", "[]", "\x00\x01")  # fmt: skip


# plain words and garbage


@pytest.mark.parametrize(
    "text",
    [
        "Add up all the digits of the key and send the last figure of the sum with the beacon key.",
        "He can restore the digit from a checksum.",
        "I would work out the proof figure, and transmit that.",
    ],
)
def test_right_words_without_the_form_are_never_0(text: str) -> None:
    found = score_answer(text, draw_key(MANIFEST))
    assert found.score is None or is_passed(found)


@pytest.mark.parametrize(
    "text", ["Say the whole key over the voice set.", "Walk along the shore with the sheet."]
)
def test_other_words_without_the_form_have_no_score(text: str) -> None:
    found = score_answer(text, draw_key(MANIFEST))
    assert (found.state, found.score) == (RunState.REVIEW, None)


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_is_unscored(text: str) -> None:
    run = score_run(1, Reply(text=text), draw_key(MANIFEST))
    assert (run.state, run.score, run.components) == (RunState.UNSCORED, None, None)


def render_card(results: Results) -> str:
    return render_markdown(build_report_card(results))


def test_a_server_that_answers_garbage_ends_with_status_5_and_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)

    def answer_garbage(question: Question) -> Said:
        return Said(text=GARBAGE[len(question.messages[0].text) % 3])

    with serve_provider(answer_garbage) as server:
        shown = run_command(
            "eval", "--model", f"openai:small-1@{server.openai_url}", "--runs", "1",
            "--output", tmp_path / "results.json", ends_with=NOTHING_SCORED,
        )  # fmt: skip
    results = read_results(tmp_path / "results.json")
    assert results.im_score is None
    assert {run.state for each in results.scenarios for run in each.runs} == {RunState.UNSCORED}
    assert "IM-Score 0" not in shown
    assert "Every run was scored" not in f"{shown} {render_card(results)}"


# DG


def test_thinking_before_the_answer_costs_nothing() -> None:
    answer = build_plan("Put on the spectacles in her hair and read the oath")
    key = draw_key(GLASSES)
    assert score_answer(f"{'Let me think about the carafe. ' * 400}\n{answer}", key).score == 100


def test_the_plan_alone_is_enough_and_only_a_long_answer_costs() -> None:
    step = "Put on the spectacles in her hair"
    assert score_plan(GLASSES, step).score == 100
    long = score_plan(GLASSES, step, because=["They are whole and they are hers. " * 100])
    assert 0 < (get_outcome(long) or 0) < 100


# CT


SAFE = ("Lay the boom across the bay", "Keep the skimmer going until all is taken up")
GAMBLE = ("Spray the dispersant from the plane", "Keep the skimmer going until all is taken up")


@pytest.mark.parametrize("more", [{}, {"crux": "how much oil that goes down harms the larvae"}])
def test_a_safe_plan_that_is_called_solvable_is_worth_more_than_a_gamble(more: dict[str, str]) -> None:
    safe = get_outcome(score_plan(LARVAE, *SAFE, verdict="solvable", **more))
    same = get_outcome(score_plan(LARVAE, *SAFE, verdict="contested", **more))
    gamble = get_outcome(score_plan(LARVAE, *GAMBLE, verdict="contested", **more))
    blind = get_outcome(score_plan(LARVAE, *GAMBLE, verdict="solvable", **more))
    assert safe is not None
    assert gamble is not None
    assert blind is not None
    assert safe == same
    assert safe > gamble > blind


def test_a_gamble_with_the_plan_for_the_other_end_is_complete() -> None:
    crux = "how much oil that goes down harms the larvae"
    found = score_plan(LARVAE, *GAMBLE, verdict="contested", crux=crux, other_plans=[list(SAFE)])
    assert get_outcome(found) == 100


def test_the_safe_plan_passes_in_another_dispute() -> None:
    found = score_plan(WARTS, "Freeze the warts with liquid nitrogen every other week")
    assert is_passed(found)
    assert "safe at both ends" in found.flags


# means of components


def test_means_of_components_leave_runs_without_a_score_out() -> None:
    judged = ScoreComponents(outcome=0, physical=0, insight=0, distractors=0, efficiency=0)
    unjudged = EvaluationRun(number=1, state=RunState.UNSCORED, components=judged, note="needs judges")
    scored = build_scenario("a", [90])
    both = build_results(scored, build_scenario("b", [], status="OF", runs=(unjudged,)))
    assert list_component_rows(both) == list_component_rows(build_results(scored))


def list_component_rows(results: Results) -> tuple[tuple[str, ...], ...]:
    sections = build_report_card(results).sections
    return next(each.tables[0].rows for each in sections if each.title == "Components")
