"""The adapter that answers asks with language models. Deliverables are recomputed before they count."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from impossible_moments.agents.adapters import citation_review
from impossible_moments.agents.adapters.context_condensation import (
    LONGEST_READ,
    RECORD,
    condense_context,
    read_field_on_demand,
)
from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.adapters.seed_review import complete_seed_document, find_seed_faults
from impossible_moments.agents.agent_prompts import AgentPrompt, build_agent_prompt
from impossible_moments.agents.orchestrator.configuration import Configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.prompt_sections import SHORT
from impossible_moments.agents.tools.toolbox import build_agent_tools
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library import load_research_works
from impossible_moments.llm import (
    HAND_IN,
    ConnectionPool,
    ConsultationResult,
    ConsultationTask,
    ModelReference,
    ModelTool,
    ReviewedDeliverable,
    SpendingBudget,
    TokenAllowance,
)
from impossible_moments.mechanics.records import Library

MOST_WRITTEN: Final = 16_000
"""Largest number of tokens in one answer, which common models can write."""
ROUNDS: Final = 3
"""How often a gate can return a phase. The token budget of an agent applies to each round."""
READ: Final = "read"


@dataclass
class LanguageModelAdapter:
    """Performer that answers asks with language models, one model for each agent."""

    models: Mapping[str, ModelReference]
    configuration: Configuration
    library: Library
    exchange: ConnectionPool
    budget: SpendingBudget = field(default_factory=SpendingBudget)
    _allowances: dict[tuple[str, str, str], TokenAllowance] = field(default_factory=dict)

    @property
    def reader(self) -> None:
        """No reader: the built-in one knows only the situations of the built-in designer."""

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Accept every brief: what a model can design is not known before it is asked."""

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Return the deliverable of the agent's model with its usage and every look-up it made."""
        task = await asyncio.to_thread(self.build_task, ask)
        consulted = await self.exchange.consult(
            self.models[ask.agent], task, allowance=self._get_token_allowance(ask), budget=self.budget
        )
        return PerformedAsk(
            consulted.deliverable,
            usage=self._build_usage_record(ask.agent, consulted),
            model=str(self.models[ask.agent]),
            prompt_hash=self.configuration.prompt_versions[ask.agent],
        )

    async def close(self) -> None:
        """Close the connections of this run."""
        await self.exchange.close()

    def build_task(self, ask: Ask) -> ConsultationTask[LabelledModel]:
        """Build the consultation task of an ask: prompt, tools and review."""
        prompt = self.build_prompt(ask)
        return ConsultationTask(
            prompt.system,
            prompt.user,
            ask.returns,
            tuple(self._build_model_tools(ask)),
            self._select_deliverable_review(ask),
        )

    def build_prompt(self, ask: Ask) -> AgentPrompt:
        """Build the prompt of an ask with a condensed context."""
        return build_agent_prompt(ask, self.configuration, context=condense_context(ask), tool=HAND_IN)

    def _build_usage_record(
        self, agent: str, consulted: ConsultationResult[LabelledModel]
    ) -> dict[str, object]:
        bill = consulted.bill
        return {
            "tokens": bill.input_tokens + bill.output_tokens,
            "input_tokens": bill.input_tokens,
            "output_tokens": bill.output_tokens,
            "requests": bill.requests,
            "context_window_usage": self._compute_context_window_share(agent, bill.largest_prompt),
            "cost": None if bill.cost is None else str(bill.cost),
            "estimated": bill.estimated,
            "tries": consulted.tries,
            "faults": list(consulted.faults),
            "look_ups": [dict(each) for each in consulted.look_ups],
        }

    def _compute_context_window_share(self, agent: str, tokens: int) -> float | None:
        """Return the share of the model's context window that a prompt used, or None if it is not known."""
        window = self.exchange.prices.get_context_window(self.models[agent])
        return None if not window else round(tokens / window, 4)

    def _get_token_allowance(self, ask: Ask) -> TokenAllowance:
        assignment = ask.assignment
        key = (assignment.scenario_id, str(assignment.phase), ask.agent)
        if key not in self._allowances:
            total = assignment.token_budget * ROUNDS
            self._allowances[key] = TokenAllowance(total, min(assignment.token_budget, MOST_WRITTEN))
        return self._allowances[key]

    def _build_model_tools(self, ask: Ask) -> list[ModelTool]:
        view = ask.assignment.context
        record = _find_mechanics_record(view)
        found = [
            ModelTool(tool.name, tool.description, tool.call)
            for tool in build_agent_tools(ask.agent, ask.assignment.phase, record, self.library)
            if ask.returns.__name__ not in SHORT
        ]
        if "on_demand" in condense_context(ask):
            found.append(
                ModelTool(
                    READ,
                    "Read a field of a document that the context names under `on_demand`.",
                    _build_document_reader(view),
                )
            )
        return found

    def _select_deliverable_review(self, ask: Ask) -> Any:  # noqa: ANN401 - a function of the deliverable that the ask returns
        if ask.returns is SeedDocument:
            return self._build_seed_review(ask)
        return _review_grounding_report if ask.returns is GroundingReport else None

    def _build_seed_review(self, ask: Ask) -> Callable[[SeedDocument], ReviewedDeliverable[SeedDocument]]:
        requested_status = (ask.assignment.context.get("brief") or {}).get("solution_status")

        def review_seed_document(seed: SeedDocument) -> ReviewedDeliverable[SeedDocument]:
            completed, found = complete_seed_document(seed, self.library)
            return ReviewedDeliverable(completed, tuple(find_seed_faults(completed, found, requested_status)))

        return review_seed_document


def _review_grounding_report(report: GroundingReport) -> ReviewedDeliverable[GroundingReport]:
    marked = citation_review.mark_unverified_citations(report, load_research_works())
    return ReviewedDeliverable(marked, tuple(citation_review.find_citation_faults(marked)))


def _find_mechanics_record(view: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the latest mechanics record in a view, or None if the view shows none."""
    for section in reversed(view.get("sections", ())):
        record = section["fields"].get(RECORD)
        if isinstance(record, dict):
            return record
    return None


def _build_document_reader(view: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a tool function
    def read_document_field(author: str, document: str, field: str = "") -> dict[str, str]:
        """Return a field of a document.

        Args:
            author: the agent that handed it in, such as NEWTON
            document: the type of the document, such as PhysicsReport
            field: the name of a field, such as claims; without it, the names of all fields are returned

        """
        text = json.dumps(read_field_on_demand(view, author, document, field), ensure_ascii=False)
        if len(text) > LONGEST_READ:
            text = f"{text[:LONGEST_READ]} ... ({len(text) - LONGEST_READ:,} more characters)"
        return {"value": text}

    return read_document_field
