"""Tests of episodes: acts are carried out one by one, observed in words, and scored as a plan."""

from __future__ import annotations

import json

import pytest

from impossible_moments.evaluation.episodes import (
    ActionEpisode,
    EpisodeState,
    build_episode_task,
    interpret_transcript,
    limit_restarts,
)
from impossible_moments.evaluation.interpretation import score_interpreted_answer
from unit.evaluation.test_menus import code_of, worded_key


def test_an_episode_is_solved_act_by_act() -> None:
    episode = ActionEpisode(worded_key())
    first = episode.act(code_of(episode.menu, "tie(magnet, lace)"))
    second = episode.act(code_of(episode.menu, "fish(magnet, keys)"))

    assert (
        first.text
        == "Done: Tie a fridge magnet to a boot lace. It took 60 s. 60 s have passed, 7 min are left."
    )
    assert (second.state, episode.calls) == (EpisodeState.SOLVED, ["tie(magnet, lace)", "fish(magnet, keys)"])


def test_an_act_that_does_not_work_says_what_would_have_to_hold() -> None:
    episode = ActionEpisode(worded_key())
    found = episode.act(code_of(episode.menu, "reach_down(keys)"))

    assert found.text.startswith("It does not work: it would have to hold that an arm reaches down 1.2 m.")
    assert (found.is_valid, episode.invalid_acts, episode.state) == (False, 1, EpisodeState.RUNNING)


def test_time_that_is_over_ends_the_episode() -> None:
    episode = ActionEpisode(worded_key())
    found = episode.wait(8 * 60 + 1)

    assert (found.state, episode.act("A1").is_valid) == (EpisodeState.FAILED, False)


@pytest.mark.parametrize("line", ["", "A999", "tie(magnet, lace)", "=", "A1=" + "9" * 500])
def test_any_text_is_answered(line: str) -> None:
    episode = ActionEpisode(worded_key())

    assert episode.act(line).text


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e300])
def test_a_wait_without_sense_is_refused(seconds: float) -> None:
    assert not ActionEpisode(worded_key()).wait(seconds).is_valid


def test_an_episode_ends_after_its_last_act() -> None:
    episode = ActionEpisode(worded_key())
    for _ in range(200):
        episode.act("A999")

    assert episode.state is EpisodeState.FINISHED
    assert len(episode.acts) == 60


def test_a_transcript_scores_as_the_plan_that_was_carried_out() -> None:
    menu = ActionEpisode(worded_key()).menu
    acts = [
        code_of(menu, "reach_down(keys)"),
        code_of(menu, "tie(magnet, lace)"),
        code_of(menu, "fish(magnet, keys)"),
    ]
    answer, episode = interpret_transcript(json.dumps({"verdict": "solvable", "plan": acts}), worded_key())
    found = score_interpreted_answer(answer, worded_key())

    assert episode is not None
    assert (episode.state, episode.invalid_acts) == (EpisodeState.SOLVED, 1)
    assert found.components is not None
    assert found.components.outcome == 100
    assert found.components.efficiency < 100


def test_the_tools_of_a_model_act_in_the_episode() -> None:
    episode = ActionEpisode(worded_key())
    task = build_episode_task(episode, "the situation")
    tools = {tool.name: tool.call for tool in task.tools}
    tools["act"](code_of(episode.menu, "tie(magnet, lace)"))

    assert set(tools) == {"look", "act", "wait"}
    assert "Done so far: Tie a fridge magnet to a boot lace." in tools["look"]()
    assert "the situation" in task.user
    assert "Tie a fridge magnet to a boot lace" in task.user


def test_a_restart_begins_again_and_is_counted() -> None:
    menu = ActionEpisode(worded_key()).menu
    acts = [
        code_of(menu, "reach_down(keys)"),
        "restart",
        code_of(menu, "tie(magnet, lace)"),
        code_of(menu, "fish(magnet, keys)"),
    ]
    text = json.dumps({"verdict": "solvable", "plan": acts, "restarts_allowed": 1})
    answer, episode = interpret_transcript(text, worded_key())
    _, strict = interpret_transcript(limit_restarts(text, 0), worded_key())

    assert episode is not None
    assert strict is not None
    assert (episode.restarts, episode.invalid_acts, len(episode.acts)) == (1, 1, 4)
    assert (strict.restarts, strict.invalid_acts) == (0, 2)
    assert score_interpreted_answer(answer, worded_key()).score == 100


def test_a_failed_episode_can_begin_again_only_if_it_may() -> None:
    strict, lenient = ActionEpisode(worded_key()), ActionEpisode(worded_key(), 1)
    for episode in (strict, lenient):
        episode.wait(8 * 60 + 1)

    assert (strict.restart().state, lenient.restart().state) == (EpisodeState.FAILED, EpisodeState.RUNNING)
    assert "restart" in {tool.name for tool in build_episode_task(lenient, "").tools}
