"""Uncertain worlds in evaluation: seeded episodes, written policies, success and regret against the exact optimum."""

from impossible_moments.evaluation.uncertain_runs.builtin_players import PLAYERS, find_player, play_world
from impossible_moments.evaluation.uncertain_runs.player_episode import (
    PlayedWorld,
    PlayerEpisode,
    measure_episode,
    replay_transcript,
)
from impossible_moments.evaluation.uncertain_runs.results_report import (
    build_uncertain_results_report,
    describe_summary,
)
from impossible_moments.evaluation.uncertain_runs.uncertain_evaluator import (
    UNCERTAIN_FORMS,
    WORLDS,
    UncertainEvaluator,
    score_episode,
    score_policy,
)
from impossible_moments.evaluation.uncertain_runs.uncertain_key import (
    UncertainKey,
)
from impossible_moments.evaluation.uncertain_runs.uncertain_prompts import (
    build_player_task,
    build_policy_prompt,
)
from impossible_moments.evaluation.uncertain_runs.uncertain_results import (
    UncertainResults,
    WorldRun,
    read_uncertain_results,
)

__all__ = [
    "PLAYERS",
    "UNCERTAIN_FORMS",
    "WORLDS",
    "PlayedWorld",
    "PlayerEpisode",
    "UncertainEvaluator",
    "UncertainKey",
    "UncertainResults",
    "WorldRun",
    "build_player_task",
    "build_policy_prompt",
    "build_uncertain_results_report",
    "describe_summary",
    "find_player",
    "measure_episode",
    "play_world",
    "read_uncertain_results",
    "replay_transcript",
    "score_episode",
    "score_policy",
]
