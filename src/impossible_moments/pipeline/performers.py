"""Performers that answer asks: a script, the built-in cast, language models, or a mixture."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from impossible_moments.agents import Player
from impossible_moments.agents.adapters import BuiltinAdapter
from impossible_moments.agents.orchestrator import Ask, Reader
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.pipeline.ask_rounds import PerformedAsk, Performer

if TYPE_CHECKING:
    from impossible_moments.agents.adapters import LanguageModelAdapter


class ScriptedPerformer:
    """A performer that answers from a script."""

    def __init__(self, player: Player, name: str = "script") -> None:
        self._player, self._name = player, name

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the script's answer to an ask."""
        return PerformedAsk(self._player(ask), model=self._name)


class BuiltinPerformer:
    """A performer for the built-in cast.

    One thread does its computations, so that leases are renewed meanwhile.
    """

    def __init__(self, adapter: BuiltinAdapter | None = None) -> None:
        self.adapter = adapter or BuiltinAdapter()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cast")

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the deliverable of the built-in role."""
        reply = await asyncio.get_running_loop().run_in_executor(self._thread, self.adapter.answer, ask)
        return PerformedAsk(reply, model=self.adapter.model)

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise if no blueprint can meet a brief."""
        self.adapter.require_feasible_brief(brief)

    @property
    def reader(self) -> Reader:
        """The reader that tries to solve the public document."""
        return self.adapter.cast.find_document_shortcoming


class LanguageModelPerformer:
    """A performer for language models."""

    def __init__(self, adapter: LanguageModelAdapter) -> None:
        self.adapter = adapter

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the model's deliverable with its usage and every look-up it made."""
        consulted = await self.adapter.answer(ask)
        bill = consulted.bill
        usage: dict[str, Any] = {
            "tokens": bill.input_tokens + bill.output_tokens,
            "input_tokens": bill.input_tokens,
            "output_tokens": bill.output_tokens,
            "requests": bill.requests,
            "context_window_usage": self.adapter.compute_context_window_share(ask.agent, bill.largest_prompt),
            "cost": None if bill.cost is None else str(bill.cost),
            "estimated": bill.estimated,
            "tries": consulted.tries,
            "faults": list(consulted.faults),
            "look_ups": [dict(each) for each in consulted.look_ups],
        }
        return PerformedAsk(
            consulted.deliverable,
            usage=usage,
            model=str(self.adapter.models[ask.agent]),
            prompt_hash=self.adapter.configuration.prompt_versions[ask.agent],
        )

    async def close(self) -> None:
        """Close the connections of this run."""
        await self.adapter.exchange.close()


@dataclass(frozen=True)
class RolePerformer:
    """A performer for a mixed cast, in which each role has its own performer."""

    performers: Mapping[str, Performer]

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the answer of the role's performer."""
        return await self.performers[ask.agent].perform(ask)

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise if the designer of this cast cannot meet a brief."""
        designer = self.performers[ATHENA]
        if isinstance(designer, BuiltinPerformer):
            designer.require_feasible_brief(brief)

    @property
    def reader(self) -> Reader | None:
        """The reader of the designer. It knows only the situations of the built-in designer."""
        return getattr(self.performers[ATHENA], "reader", None)

    async def close(self) -> None:
        """Close everything that the performers hold open."""
        for performer in {id(each): each for each in self.performers.values()}.values():
            if isinstance(performer, LanguageModelPerformer):
                await performer.close()
