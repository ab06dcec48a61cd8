"""The evaluator of IM-Reach: programs and stored answers, budgets, and answers that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.evaluation.reach import ReachEvaluator, ReachItem, ReachResults
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.llm import ThinkingBudget
from impossible_moments.scenarios import Scenario
from support.eval_commands import answer_correctly
from support.model_conversations import SECRET
from support.providers.conversation import Question, Reply
from support.providers.server import serve_provider
from support.scored_scenarios import load_published_keys, load_scenarios


@dataclass
class PublishedItems:
    """A source that shows one published scenario at every level."""

    name: str = "one published scenario"
    levels: tuple[int, ...] = (1, 2, 3)
    scenario: Scenario = field(default_factory=lambda: load_scenarios()[0])

    def draw_item(self, level: int, seed: int) -> ReachItem:
        return ReachItem(self.scenario, load_published_keys()[self.scenario.scenario_id], level, seed)


def measure(folder: Path, model: str, **fields: Any) -> ReachResults:
    load_published_keys()  # published before an event loop runs
    return ReachEvaluator(PublishedItems(), model, folder, items=4, **fields).measure()


def test_a_program_that_gives_up_is_below_all_levels(tmp_path: Path) -> None:
    found = measure(tmp_path, "builtin:quitter")
    (point,) = found.points

    assert (found.model, found.items_asked, found.answer_form) == ("builtin:quitter", 4, "menu")
    assert (point.solved, point.scored) == (0, 4)
    assert point.level is not None
    assert point.level < 1
    assert (point.tokens, point.thinking_tokens) == (None, None)


def test_a_model_is_asked_under_each_budget_and_stored_answers_are_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", SECRET)
    budgets = (ThinkingBudget(0), ThinkingBudget(1_000))
    with serve_provider(answer_correctly) as server:
        model = f"local:small-1@{server.openai_url}"
        first = measure(tmp_path, model, budgets=budgets, answer=AnswerForm.PLAN)
        asked = len(server.requests)
        prompts = {str(each.body) for each in server.requests}
        again = measure(tmp_path, model, budgets=budgets, answer=AnswerForm.PLAN)
        assert len(server.requests) == asked

    assert first.points == again.points
    assert [each.thinking_asked for each in first.points] == ["none", "1000"]
    assert all("no setting" in each.thinking_sent[0] for each in first.points)
    assert all(each.level is not None and each.level > 3 for each in first.points)
    assert all(each.tokens for each in first.points)
    assert any("Answer at once" in each for each in prompts)
    assert any("at most about 1000 tokens" in each for each in prompts)


def test_an_answer_that_cannot_be_read_is_not_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", SECRET)

    def ramble(_question: Question) -> Reply:
        return Reply(text="Let me think about this for a while.")

    with serve_provider(ramble) as server:
        (point,) = measure(tmp_path, f"local:small-1@{server.openai_url}", answer=AnswerForm.PLAN).points

    assert [each.passed for each in point.items] == [False] * 4
