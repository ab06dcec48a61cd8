"""Transcripts of episodes as answers: they are replayed act by act and scored as a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import LONGEST_TEXT, find_answer_object
from impossible_moments.evaluation.episodes.action_episode import MOST_ACTS, RESTART, ActionEpisode
from impossible_moments.evaluation.interpretation import InterpretedAnswer, InterpretedStep, StepKind
from impossible_moments.evaluation.menus import interpret_menu_answer

WAIT: Final = "wait"


@dataclass(frozen=True)
class EpisodeTranscript:
    """What the solver did, and what it said at the end."""

    acts: tuple[str, ...]
    ending: Mapping[str, Any]
    """The verdict and the statements of the solver, as in an answer from the menu."""
    restarts_allowed: int = 0
    """How often the episode could begin again."""

    def to_text(self) -> str:
        """Return the transcript as the text of an answer."""
        return json.dumps({**self.ending, "plan": list(self.acts), "restarts_allowed": self.restarts_allowed})


def parse_transcript(text: str) -> EpisodeTranscript | None:
    """Return the transcript in a text, or None if there is none. The text is untrusted."""
    data = find_answer_object(text)
    if data is None:
        return None
    acts = data.get("plan")
    restarts = data.get("restarts_allowed")
    return EpisodeTranscript(
        tuple(str(each)[:LONGEST_TEXT] for each in (acts if isinstance(acts, list) else [])[:MOST_ACTS]),
        {name: value for name, value in data.items() if name not in {"plan", "restarts_allowed"}},
        min(max(restarts, 0), MOST_ACTS)
        if isinstance(restarts, int) and not isinstance(restarts, bool)
        else 0,
    )


def limit_restarts(text: str, allowed: int) -> str:
    """Return a transcript that claims no more restarts than are allowed. Other texts are returned as they are."""
    transcript = parse_transcript(text)
    if transcript is None or transcript.restarts_allowed <= allowed:
        return text
    return replace(transcript, restarts_allowed=allowed).to_text()


def replay_transcript(transcript: EpisodeTranscript, key: AnswerKey) -> ActionEpisode:
    """Carry out the acts of a transcript again."""
    episode = ActionEpisode(key, transcript.restarts_allowed)
    for act in transcript.acts:
        name, _, value = act.partition("=")
        if act == RESTART:
            episode.restart()
        elif name == WAIT:
            try:
                episode.wait(float(value))
            except ValueError:
                episode.act(act)
        else:
            episode.act(act)
    episode.finish()
    return episode


def interpret_transcript(text: str, key: AnswerKey) -> tuple[InterpretedAnswer, ActionEpisode | None]:
    """Return the answer that a transcript amounts to, and the replayed episode."""
    transcript = parse_transcript(text)
    if transcript is None:
        return InterpretedAnswer(unread=("there is no transcript of an episode",)), None
    episode = replay_transcript(transcript, key)
    said = interpret_menu_answer(json.dumps({**transcript.ending, "plan": []}), episode.menu, key)
    steps = [InterpretedStep(call, StepKind.CALL, call) for call in episode.calls]
    steps += [InterpretedStep("", StepKind.NEAR_MISS)] * episode.useless_acts
    return (
        InterpretedAnswer(
            verdict=said.verdict,
            steps=tuple(steps),
            premises=said.premises,
            names_decoy=said.names_decoy,
            conflict=said.conflict,
            names_crux=said.names_crux,
            answer_tokens=said.answer_tokens,
            offered=said.offered,
        ),
        episode,
    )
