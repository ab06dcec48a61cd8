"""Playing uncertain worlds: seeded episodes, replayed transcripts, exact policies, success and regret."""

from __future__ import annotations

import json
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import AnswerKey
from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.runs.answer_collection import Reply
from impossible_moments.evaluation.uncertain_runs import (
    PLAYERS,
    PlayerEpisode,
    UncertainKey,
    build_player_task,
    find_player,
    measure_episode,
    play_world,
    replay_transcript,
    score_episode,
    score_policy,
)
from impossible_moments.evaluation.uncertain_runs.builtin_players import write_policy
from impossible_moments.evaluation.uncertain_runs.uncertain_results import (
    estimate_mean_of_means,
    estimate_share,
)
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.uncertain import PolicyName
from support.uncertain_records import build_small_world, load_golden_world

GAMES = 400


@cache
def golden_key(name: str) -> UncertainKey:
    return UncertainKey("IM-0001", load_golden_world(name))


def small_key() -> UncertainKey:
    return UncertainKey("IM-0001", build_small_world())


@pytest.mark.parametrize("player", list(PolicyName))
@pytest.mark.parametrize("name", ["generator_in_the_hut", "four_coves"])
def test_success_and_regret_of_a_player_agree_with_the_exact_values(name: str, player: PolicyName) -> None:
    key = golden_key(name)
    value, optimum = key.policies.compute_value(player), float(key.optimum)
    played = [replay_transcript(play_world(player, key, number), key, number) for number in range(GAMES)]
    wins = [float(each.is_success) for each in played if each is not None]
    losses = [each.loss for each in played if each is not None]

    assert len(wins) == GAMES
    assert fmean(wins) == pytest.approx(value, abs=4 * sqrt(value * (1 - value) / GAMES))
    assert fmean(losses) == pytest.approx(optimum - value, abs=4 * stdev(losses) / sqrt(GAMES) + 1e-9)


def test_the_best_player_gives_nothing_away_in_any_world() -> None:
    key = golden_key("four_coves")
    played = [
        replay_transcript(play_world(PolicyName.OPTIMAL, key, number), key, number) for number in range(50)
    ]

    assert max(each.loss for each in played if each is not None) < 1e-9
    assert len({each.is_success for each in played if each is not None}) == 2


def test_a_world_is_fixed_by_scenario_and_number() -> None:
    world = load_golden_world("four_coves")
    hidden = [
        [UncertainKey(name, world).begin_episode(number).hidden_place for number in range(30)]
        for name in ("IM-0001", "IM-0001", "IM-0002")
    ]

    assert hidden[0] == hidden[1] != hidden[2]
    assert len(set(hidden[0])) > 3


def test_players_who_do_the_same_see_the_same() -> None:
    key = golden_key("four_coves")
    first, second = PlayerEpisode(key, 7), PlayerEpisode(key, 7)
    alone = first.act("LISTEN")
    second.act("CALL")

    # another act in between does not change what listening shows
    assert second.act("LISTEN").split(".")[0] == alone.split(".")[0]


def test_an_act_that_cannot_be_done_costs_nothing_and_says_why() -> None:
    player = PlayerEpisode(small_key(), 1)

    assert player.act("look") == "LOOK cannot be done: it needs that the lamp burns. Nothing happens."
    assert player.act("DANCE") == "There is no act DANCE. Nothing happens."
    assert (player.invalid_acts, player.episode.node) == (2, player.key.world.start)
    assert "20 minutes are left. You have: 1 × coins." in player.look()
    player.act("LIGHT")
    assert player.act("LIGHT") == "LIGHT cannot be done: it cannot be done again. Nothing happens."


def test_a_player_who_stops_loses_what_was_still_possible() -> None:
    player = PlayerEpisode(small_key(), 1)
    assert measure_episode(player).loss == pytest.approx(0.86)
    player.act("LEFT")

    assert measure_episode(player).loss == pytest.approx(0.26)
    assert player.act("RIGHT").startswith("The episode is over.")


def test_an_episode_has_a_limit_of_acts() -> None:
    player = PlayerEpisode(small_key(), 1)
    for _ in range(100):
        player.act("DANCE")

    assert (len(player.acts), player.is_over) == (60, True)


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"acts": 7}', '{"plan": []}'])
def test_a_text_without_a_transcript_is_unscored(text: str) -> None:
    run = score_episode(1, Reply(text), small_key())

    assert (run.success, run.loss) == (None, None)
    assert run.note


def test_a_transcript_counts_for_the_world_that_was_asked() -> None:
    # the number that a transcript states has no effect
    key = golden_key("four_coves")
    text = json.loads(play_world(PolicyName.OPTIMAL, key, 3))

    assert replay_transcript(json.dumps({**text, "world": 9}), key, 3) == replay_transcript(
        json.dumps(text), key, 3
    )


def test_a_policy_is_scored_exactly() -> None:
    key = golden_key("generator_in_the_hut")
    for name in (PolicyName.OPTIMAL, PolicyName.LOOKAHEAD, PolicyName.GREEDY, PolicyName.IGNORE):
        run = score_policy(1, Reply(f"I think so.\n{write_policy(name, key)}"), key)
        assert run.success == pytest.approx(key.policies.compute_value(name), abs=1e-12)
        assert run.loss == pytest.approx(float(key.optimum) - key.policies.compute_value(name), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing", "no JSON object with `policy`"),
        ('{"policy": {"do": "FLY"}}', "cannot be read: at , `FLY` is not an act"),
    ],
)
def test_a_policy_that_cannot_be_read_is_unscored(text: str, words: str) -> None:
    run = score_policy(1, Reply(text), small_key())

    assert run.success is None
    assert words in run.note


def test_the_random_player_has_no_policy_and_other_names_are_unknown() -> None:
    with pytest.raises(ConfigurationError, match="has no decision tree"):
        write_policy(PolicyName.RANDOM, small_key())
    with pytest.raises(ConfigurationError, match="builtin:optimal, builtin:lookahead"):
        find_player("builtin:solver")
    assert [find_player(f"builtin:{name}") for name in PLAYERS] == list(PolicyName)


def test_the_tools_of_a_model_act_in_the_episode() -> None:
    player = PlayerEpisode(small_key(), 1)
    task = build_player_task(player, "the situation")
    tools = {tool.name: tool.call for tool in task.tools}

    assert tools["act"]("LIGHT") == "LIGHT: light. 15 minutes are left."
    assert "Done so far: LIGHT: light." in tools["look"]()
    assert task.user == "the situation"


def test_the_evaluator_of_plans_refuses_policies_and_uncertain_records(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="Policies are for uncertain worlds only"):
        Evaluator(rubrics_path=tmp_path, answer="policy", output=tmp_path).evaluate(())
    record = build_small_world().record.model_dump(mode="json")
    with pytest.raises(ConfigurationError, match="IM-0001 is an uncertain world"):
        AnswerKey.from_record("IM-0001", record, load_everyday_library())


def test_intervals_cover_the_value() -> None:
    share = estimate_share(0, 20)
    mean = estimate_mean_of_means([[0.0, 0.2], [0.4, 0.4]])

    assert share.low == 0.0
    assert share.high == pytest.approx(0.1611, abs=1e-4)  # Wilson, 0 of 20
    assert mean is not None
    assert mean.value == pytest.approx(0.25)
    assert mean.low < 0.25 < mean.high
    assert estimate_mean_of_means([[], []]) is None
