"""Episodes: a solver acts step by step in the world of a scenario and observes what happens."""

from impossible_moments.evaluation.episodes.action_episode import ActionEpisode, EpisodeState, Observation
from impossible_moments.evaluation.episodes.episode_answers import (
    EpisodeTranscript,
    interpret_transcript,
    limit_restarts,
    parse_transcript,
)
from impossible_moments.evaluation.episodes.episode_tools import EpisodeEnding, build_episode_task

__all__ = [
    "ActionEpisode",
    "EpisodeEnding",
    "EpisodeState",
    "EpisodeTranscript",
    "Observation",
    "build_episode_task",
    "interpret_transcript",
    "limit_restarts",
    "parse_transcript",
]
