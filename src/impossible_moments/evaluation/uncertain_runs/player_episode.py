"""One episode as a player sees it: codes of acts go in, sentences come out. Transcripts are replayed and measured."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.evaluation.answers.answer_parser import find_answer_object
from impossible_moments.evaluation.uncertain_runs.uncertain_key import UncertainKey
from impossible_moments.mechanics.uncertain import WorldEpisode

MOST_ACTS: Final = 60
"""The most acts of an episode, those that cannot be done included."""
_LONGEST_CODE: Final = 40


@dataclass
class PlayerEpisode:
    """A running episode of one seeded world."""

    key: UncertainKey
    number: int
    acts: list[str] = field(default_factory=list)
    """Every act as the player wrote it."""
    invalid_acts: int = 0
    is_stopped: bool = False
    episode: WorldEpisode = field(init=False)

    def __post_init__(self) -> None:
        self.episode = self.key.begin_episode(self.number)

    @property
    def is_over(self) -> bool:
        """Whether no act is carried out any more."""
        return self.is_stopped or self.episode.is_over or len(self.acts) >= MOST_ACTS

    def look(self) -> str:
        """Return what is left, what was done, and what can be done now."""
        world, visible = self.key.world, self.episode.node.visible
        record = world.record
        stocks = [f"{visible[world.places[name]]} × {each.label}" for name, each in record.stocks.items()]
        marks = [each.yes if visible[world.places[name]] else each.no for name, each in record.marks.items()]
        done = [f"{each.code}: {each.see}" for each in self.episode.history]
        legal = ", ".join(world.list_legal_acts(visible)) or "nothing"
        return (
            f"{visible[0]} {record.clock.unit} are left. You have: {', '.join(stocks) or 'nothing to use up'}. "
            f"State: {', '.join(marks) or 'unchanged'}. Done so far: {'; '.join(done) or 'nothing'}. "
            f"{self._describe_ending() or f'You can do: {legal}.'}"
        )

    def act(self, code: str) -> str:
        """Carry out an act and return what is seen."""
        if self.is_over:
            return f"The episode is over. {self._describe_ending()}"
        name = code.strip().upper()[:_LONGEST_CODE]
        self.acts.append(name)
        if name not in self.key.world.record.acts:
            self.invalid_acts += 1
            return f"There is no act {name}. Nothing happens."
        obstacle = self.key.world.find_obstacle(name, self.episode.node.visible)
        if obstacle is not None:
            self.invalid_acts += 1
            return f"{name} cannot be done: {obstacle}. Nothing happens."
        see = self.episode.act(name)
        left = f"{self.episode.node.visible[0]} {self.key.world.record.clock.unit} are left."
        return f"{name}: {see}. {self._describe_ending() or left}"

    def stop(self) -> None:
        """End the episode."""
        self.is_stopped = True

    def to_text(self) -> str:
        """Return the transcript as the text of an answer."""
        return json.dumps({"world": self.number, "acts": self.acts})

    def _describe_ending(self) -> str:
        if self.episode.ending is not None:
            return f"The episode ends with {self.episode.ending}."
        if self.episode.is_over:
            return "Nothing more can be done. The episode ends with failure."
        return ""


@dataclass(frozen=True, slots=True)
class PlayedWorld:
    """What came of one episode."""

    is_success: bool
    loss: float
    """The probability of success that the acts gave away, each measured against the best act at its moment."""
    acts: int
    invalid_acts: int


def replay_transcript(text: str, key: UncertainKey, number: int) -> PlayedWorld | None:
    """Carry out the acts of a transcript again and measure them. Return None if there is no transcript."""
    data = find_answer_object(text, ("acts",))
    if data is None or not isinstance(data.get("acts"), list):
        return None
    player = PlayerEpisode(key, number)
    for act in data["acts"][:MOST_ACTS]:
        player.act(str(act))
    return measure_episode(player)


def measure_episode(player: PlayerEpisode) -> PlayedWorld:
    """Return success and loss of an episode as it stands."""
    solver, episode = player.key.policies.solver, player.episode
    losses = [
        solver.get_success(each.node) - solver.get_act_success(each.code, each.node)
        for each in episode.history
    ]
    if episode.ending is None:
        losses.append(solver.get_success(episode.node))
    return PlayedWorld(episode.is_success, max(sum(losses), 0.0), len(episode.history), player.invalid_acts)
