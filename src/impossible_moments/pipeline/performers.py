"""Performers without a model of their own: a script, and a cast in which each role has its own performer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from impossible_moments.agents import Player
from impossible_moments.agents.adapters import PerformedAsk, Performer
from impossible_moments.agents.orchestrator import Ask, Reader
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA


class ScriptedPerformer:
    """A performer that answers from a script or a recording."""

    def __init__(self, player: Player, name: str = "script") -> None:
        self._player, self._name = player, name

    @property
    def reader(self) -> None:
        """No reader: a script is not checked for whether its documents can be solved."""

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Accept every brief: what a script answers is not known before it is asked."""

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the script's answer to an ask."""
        return PerformedAsk(self._player(ask), model=self._name)

    async def close(self) -> None:
        """Do nothing: a script opens nothing."""


@dataclass(frozen=True)
class RolePerformer:
    """A performer for a mixed cast, in which each role has its own performer."""

    performers: Mapping[str, Performer]

    @property
    def reader(self) -> Reader | None:
        """The reader of the designer. It knows only the situations of the built-in designer."""
        return self.performers[ATHENA].reader

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise `UnreachableBrief` if the designer of this cast cannot meet the brief."""
        self.performers[ATHENA].require_feasible_brief(brief)

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the answer of the role's performer."""
        return await self.performers[ask.agent].perform(ask)

    async def close(self) -> None:
        """Close everything that the performers hold open."""
        for performer in {id(each): each for each in self.performers.values()}.values():
            await performer.close()
