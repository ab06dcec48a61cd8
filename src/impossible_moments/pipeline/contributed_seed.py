"""A performer that hands in a contributor's seed document as ATHENA's. Programs do everything else."""

from __future__ import annotations

from impossible_moments.agents.adapters import BuiltinAdapter, PerformedAsk
from impossible_moments.agents.orchestrator import Ask, Reader
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.errors import ConfigurationError


class ContributedSeedPerformer:
    """The built-in cast with a given seed document.

    The contributor makes the changes that a gate or a validator demands, so a request for a revision ends the run.
    """

    def __init__(self, seed: SeedDocument, programs: BuiltinAdapter) -> None:
        self._seed, self._programs = seed, programs

    @property
    def reader(self) -> Reader | None:
        """The reader of the built-in cast, if it knows the situation: one that was drawn from a blueprint."""
        return self._programs.reader if self._seed.drawn_as else None

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Accept every brief: it was made from the seed document."""

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the seed document when it is asked for, and otherwise the answer of the program of the agent."""
        if ask.returns is not SeedDocument:
            return await self._programs.perform(ask)
        notes = [str(note) for note in ask.assignment.context.get("notes", ())]
        if notes:
            listed = "\n".join(f"  - {note}" for note in notes)
            raise ConfigurationError(
                f"{ask.assignment.phase} asks for a changed design. Change the file and publish it again:\n{listed}"
            )
        return PerformedAsk(self._seed, model="contributed")

    async def close(self) -> None:
        """Close what the programs opened."""
        await self._programs.close()
