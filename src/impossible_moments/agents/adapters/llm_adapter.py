"""The adapter that answers asks with language models. Deliverables are recomputed before they count."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from impossible_moments.agents.adapters import citation_review
from impossible_moments.agents.adapters.condensing import LONGEST_READ, RECORD, condensed, read_on_demand
from impossible_moments.agents.adapters.seed_review import completed, faults_of
from impossible_moments.agents.configuration import Configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.prompt_sections import SHORT
from impossible_moments.agents.prompting import Prompt, prompt_for
from impossible_moments.agents.tools.toolbox import tools_for
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.knowledge.bibliography import research
from impossible_moments.mechanics.library import Library
from impossible_moments.models.consultation import HAND_IN, Consulted, Reviewed, Task, consult
from impossible_moments.models.exchange import Exchange
from impossible_moments.models.instruments import Instrument
from impossible_moments.models.references import ModelReference
from impossible_moments.models.spending import Allowance, Purse

MOST_WRITTEN: Final = 16_000
"""Largest number of tokens in one answer, which common models can write."""
ROUNDS: Final = 3
"""How often a gate can return a phase. The token budget of an agent applies to each round."""
READ: Final = "read"


@dataclass
class LanguageModelAdapter:
    """Adapter that answers asks with language models, one model for each agent."""

    models: Mapping[str, ModelReference]
    configuration: Configuration
    library: Library
    exchange: Exchange
    purse: Purse = field(default_factory=Purse)
    _allowances: dict[tuple[str, str, str], Allowance] = field(default_factory=dict)

    async def answer(self, ask: Ask) -> Consulted[Labelled]:
        """Ask the model of the agent and return the result of the consultation."""
        line = await self.exchange.line(self.models[ask.agent])
        task = await asyncio.to_thread(self.task, ask)
        return await consult(task, line, allowance=self._allowance(ask), purse=self.purse)

    def task(self, ask: Ask) -> Task[Labelled]:
        """Build the consultation task of an ask: prompt, tools and review."""
        prompt = self.prompt(ask)
        return Task(
            prompt.system,
            prompt.user,
            ask.returns,
            tuple(self._instruments(ask)),
            self._review(ask),
        )

    def prompt(self, ask: Ask) -> Prompt:
        """Build the prompt of an ask with a condensed context."""
        return prompt_for(ask, self.configuration, context=condensed(ask), tool=HAND_IN)

    def share_of_window(self, agent: str, tokens: int) -> float | None:
        """Return the share of the model's context window that a prompt used, or None if it is not known."""
        window = self.exchange.prices.window(self.models[agent])
        return None if not window else round(tokens / window, 4)

    def _allowance(self, ask: Ask) -> Allowance:
        given = ask.assignment
        key = (given.scenario_id, str(given.phase), ask.agent)
        if key not in self._allowances:
            whole = given.token_budget * ROUNDS
            self._allowances[key] = Allowance(whole, min(given.token_budget, MOST_WRITTEN))
        return self._allowances[key]

    def _instruments(self, ask: Ask) -> list[Instrument]:
        view = ask.assignment.context
        record = _record_in(view)
        found = [
            Instrument(tool.name, tool.description, tool.call)
            for tool in tools_for(ask.agent, ask.assignment.phase, record, self.library)
            if ask.returns.__name__ not in SHORT
        ]
        if "on_demand" in condensed(ask):
            found.append(
                Instrument(
                    READ,
                    "Read a field of a document that the context names under `on_demand`.",
                    _reader(view),
                )
            )
        return found

    def _review(self, ask: Ask) -> Any:  # noqa: ANN401 - a function of the deliverable that the ask returns
        if ask.returns is SeedDocument:
            return self._seed_review(ask)
        return _grounding_review if ask.returns is GroundingReport else None

    def _seed_review(self, ask: Ask) -> Callable[[SeedDocument], Reviewed[SeedDocument]]:
        wanted = (ask.assignment.context.get("brief") or {}).get("solution_status")

        def review(seed: SeedDocument) -> Reviewed[SeedDocument]:
            whole, found = completed(seed, self.library)
            return Reviewed(whole, tuple(faults_of(whole, found, wanted)))

        return review


def _grounding_review(report: GroundingReport) -> Reviewed[GroundingReport]:
    whole = citation_review.marked(report, research())
    return Reviewed(whole, tuple(citation_review.faults_of(whole)))


def _record_in(view: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the latest mechanics record in a view, or None if the view shows none."""
    for section in reversed(view.get("sections", ())):
        record = section["fields"].get(RECORD)
        if isinstance(record, dict):
            return record
    return None


def _reader(view: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a tool function
    def read(author: str, document: str, field: str = "") -> dict[str, str]:
        """Return a field of a document.

        Args:
            author: who handed it in, such as NEWTON
            document: which document, such as PhysicsReport
            field: which field of it, such as claims; left out, the names of its fields

        """
        text = json.dumps(read_on_demand(view, author, document, field), ensure_ascii=False)
        if len(text) > LONGEST_READ:
            text = f"{text[:LONGEST_READ]} ... ({len(text) - LONGEST_READ:,} more characters)"
        return {"value": text}

    return read
