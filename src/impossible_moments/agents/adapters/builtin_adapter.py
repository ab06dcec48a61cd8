"""The adapter that answers asks with the built-in cast."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.builtin.cast import BuiltinCast, load_builtin_cast
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.gates.gate_case import Reader
from impossible_moments.domain.brief import GenerationBrief

NAME = "builtin"


class BuiltinAdapter:
    """Performer that answers asks with the programs of the built-in cast.

    One thread does their computations, so that leases are renewed meanwhile.
    """

    def __init__(self, cast: BuiltinCast | None = None) -> None:
        self.cast = cast or load_builtin_cast()
        self.model = f"{NAME}-{version('impossible-moments')}"
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cast")

    @property
    def reader(self) -> Reader:
        """The reader that tries to solve the public document."""
        return self.cast.find_document_shortcoming

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise `UnreachableBrief` if no blueprint can satisfy the brief."""
        self.cast.require_feasible_brief(brief)

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the deliverable of the agent that is asked."""
        reply = await asyncio.get_running_loop().run_in_executor(self._thread, self.cast.answer, ask)
        return PerformedAsk(reply, model=self.model)

    async def close(self) -> None:
        """Do nothing: the programs open nothing."""
