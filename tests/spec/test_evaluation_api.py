"""Specification 8.4: its second code block, executed word for word against a provider on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.scorer_attack import generate_winning_answers
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.pipeline import Pipeline
from support.providers.conversation import Question, Reply
from support.providers.server import serve_provider

pytestmark = pytest.mark.slow
BLOCK = (
    (Path(__file__).with_name("tables") / "evaluation_api.md")
    .read_text(encoding="utf-8")
    .partition("```python\n")[2]
    .partition("```")[0]
)
BRIEFS = [
    GenerationBrief(category="The Locked Room", difficulty_tier="FRACTURE", solution_status="KS"),
    GenerationBrief(category="The Ghost Machine", difficulty_tier="FRACTURE", solution_status="KS"),
]


@pytest.fixture
def executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """What the block ends with; nothing of it is changed but where the provider is."""
    made = Pipeline(output=tmp_path / "scenarios").generate_all(BRIEFS)
    keys = [
        AnswerKey.load(tmp_path / "scenarios/evaluation", each.scenario_id, load_everyday_library())
        for each in made
    ]

    def brain(question: Question) -> Reply:
        shown = question.messages[0].text
        key = next(key for key in keys if all(each in shown for each in _labels(key)))
        return Reply(text=f"I thought about it.\n{next(generate_winning_answers(key))}", finish="stop")

    with serve_provider(brain) as server:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-only-here")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        names: dict[str, Any] = {}
        exec(BLOCK, names)  # noqa: S102 - the specification's own block
    results = names["results"]
    assert isinstance(results, Results)
    return results


def _labels(key: AnswerKey) -> list[str]:
    things = key.analysis.world.things.values()
    return [thing.label.removeprefix("the ").removeprefix("a ") for thing in things if thing.own][1:3]


def test_the_block_gives_scores_for_right_answers(executed: Results) -> None:
    assert executed.im_score == pytest.approx(100, abs=8)
    assert executed.im_frontier == 0
    assert set(executed.per_scenario) == {"IM-0001", "IM-0002"}


def test_every_scenario_was_run_three_times_at_the_temperature_asked(executed: Results) -> None:
    assert {len(each.runs) for each in executed.scenarios} == {3}
    assert executed.temperature_asked == 0.7


def test_the_profile_has_the_categories_that_were_run(executed: Results) -> None:
    shown = {name for name, score in executed.im_profile.items() if score is not None}
    assert shown == {"The Locked Room", "The Ghost Machine"}
