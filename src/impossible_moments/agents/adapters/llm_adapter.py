"""The adapter that answers asks with language models. Deliverables are recomputed before they count."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from impossible_moments.agents.adapters import citation_review
from impossible_moments.agents.adapters.ballot_requests import build_revote_request
from impossible_moments.agents.adapters.context_condensation import (
    READ,
    RECORD,
    build_section_reader,
    condense_context,
)
from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.adapters.seed_patches import PatchError
from impossible_moments.agents.adapters.seed_requests import (
    SeedProposalRequest,
    SeedRevisionRequest,
    build_seed_request,
)
from impossible_moments.agents.agent_prompts import AgentPrompt, build_agent_prompt
from impossible_moments.agents.orchestrator.configuration import Configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.prompt_sections import SHORT
from impossible_moments.agents.tools.toolbox import build_agent_tools
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import MemoWithoutVetoes, RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck
from impossible_moments.domain.vocabulary import EULER, NEWTON
from impossible_moments.library import load_research_works
from impossible_moments.llm import (
    HAND_IN,
    ConnectionPool,
    ConsultationResult,
    ConsultationTask,
    FailureKind,
    ModelFailure,
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
_COMPUTE_FOR_MEMOS: Final = frozenset({NEWTON, EULER})
"""Agents whose review memo rests on computations. The memos of others are about what is in the context."""
CHECK_REVISION: Final = "check_revision"
CHECKS_REVISION: Final = (
    "Apply operations to your last seed document and return the findings, before you hand them in."
)


@dataclass
class LanguageModelAdapter:
    """Performer that answers asks with language models, one model for each agent."""

    models: Mapping[str, ModelReference]
    configuration: Configuration
    library: Library
    exchange: ConnectionPool
    budget: SpendingBudget = field(default_factory=SpendingBudget)
    _allowances: dict[tuple[str, str, str, int], TokenAllowance] = field(default_factory=dict)

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
        usage = self._build_usage_record(ask.agent, consulted)
        reply = consulted.deliverable
        if isinstance(reply, MemoWithoutVetoes):
            reply = reply.to_memo()
        if ask.returns is SeedDocument:
            request = build_seed_request(ask, self.library)
            usage |= request.describe_reply(reply)
            reply = await asyncio.to_thread(self._convert_to_seed, request, reply)
        if ask.returns is RefinementBallot and (revote := build_revote_request(ask)) is not None:
            reply = revote.convert_to_ballot(reply)
        return PerformedAsk(
            reply,
            usage=usage,
            model=str(self.models[ask.agent]),
            prompt_hash=self.configuration.prompt_versions[ask.agent],
        )

    async def close(self) -> None:
        """Close the connections of this run."""
        await self.exchange.close()

    def build_task(self, ask: Ask) -> ConsultationTask[LabelledModel]:
        """Build the consultation task of an ask: prompt, tools and review."""
        prompt, sent = self.build_prompt(ask), self._choose_sent_ask(ask)
        tools, review = self._build_model_tools(sent), _select_report_review(ask)
        if ask.returns is RefinementBallot and (revote := build_revote_request(ask)) is not None:
            review = revote.review
        if ask.returns is SeedDocument:
            request = build_seed_request(ask, self.library)
            review = request.review
            if isinstance(request, SeedRevisionRequest):
                # the seed is in the context, so that only its changes are checked and not a whole record
                tools = [tool for tool in tools if tool.name != "check_record"]
                tools.append(ModelTool(CHECK_REVISION, CHECKS_REVISION, request.check_revision))
        returns = sent.returns
        if returns is ReviewMemo and ask.agent not in self.configuration.vetoers:
            returns = MemoWithoutVetoes
        return ConsultationTask(prompt.system, prompt.user, returns, tuple(tools), review)

    def build_prompt(self, ask: Ask) -> AgentPrompt:
        """Build the prompt of an ask with a condensed context."""
        sent = self._choose_sent_ask(ask)
        return build_agent_prompt(
            sent, self.configuration, context=condense_context(sent), tool=HAND_IN, library=self.library
        )

    def _choose_sent_ask(self, ask: Ask) -> Ask:
        """Return the ask as it is sent: a seed as a proposal or a revision, a second ballot as its divided parts."""
        if ask.returns is RefinementBallot and (revote := build_revote_request(ask)) is not None:
            return revote.ask
        return build_seed_request(ask, self.library).ask if ask.returns is SeedDocument else ask

    def _convert_to_seed(
        self, request: SeedProposalRequest | SeedRevisionRequest, reply: LabelledModel
    ) -> SeedDocument:
        try:
            return request.convert_to_seed(reply)
        except PatchError as problem:
            raise ModelFailure(
                FailureKind.NO_DELIVERABLE, str(self.models[request.ask.agent]), str(problem)
            ) from None

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
        key = (assignment.scenario_id, str(assignment.phase), ask.agent, assignment.token_budget)
        if key not in self._allowances:
            total = assignment.token_budget * ROUNDS
            self._allowances[key] = TokenAllowance(total, min(assignment.token_budget, MOST_WRITTEN))
        return self._allowances[key]

    def _build_model_tools(self, ask: Ask) -> list[ModelTool]:
        view = ask.assignment.readable_context
        record = _find_mechanics_record(view)
        found = [
            ModelTool(tool.name, tool.description, tool.call)
            for tool in build_agent_tools(ask.agent, ask.assignment.phase, record, self.library)
            if (ask.returns.__name__ not in SHORT or ask.returns is FeasibilityCheck)
            and (ask.returns is not ReviewMemo or ask.agent in _COMPUTE_FOR_MEMOS)
        ]
        if "on_demand" in condense_context(ask):
            found.append(
                ModelTool(
                    READ,
                    "Read what the context lists under `on_demand`.",
                    build_section_reader(view, ask.assignment.phase),
                )
            )
        return found


def _select_report_review(ask: Ask) -> Any:  # noqa: ANN401 - a function of the deliverable that the ask returns
    return _review_grounding_report if ask.returns is GroundingReport else None


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
