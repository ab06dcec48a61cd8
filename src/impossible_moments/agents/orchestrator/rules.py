"""The rules of one scenario: everything a flow needs besides the dossier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.configuration import Configuration
from impossible_moments.agents.orchestrator.context.token_budgets import TokenBudgets
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.gates.gate_case import GateResources as Judging
from impossible_moments.agents.orchestrator.gates.gate_case import Reader
from impossible_moments.agents.orchestrator.gates.gate_limits import GateLimits
from impossible_moments.agents.orchestrator.protocols.dispute_panel import DisputePanel as Disputing
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES, QualityGate
from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.thresholds import CONFIDENCE, LOWEST_CONFIDENCE
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.library import load_research_works
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios import ScenarioDocuments
from impossible_moments.scenarios.similarity import Corpus, Embedder


class DraftCache:
    """A cache of the documents of the newest dossier, used by the gate and then for publication."""

    def __init__(self) -> None:
        self._last: tuple[Dossier, ScenarioDocuments] | None = None

    def get_documents(
        self, dossier: Dossier, build_documents: Callable[[Dossier], ScenarioDocuments]
    ) -> ScenarioDocuments:
        """Return the documents of a dossier, calling `build_documents` only if the dossier has changed.

        Notes do not count as a change.
        """
        without_notes = dossier.replace_notes(())
        if self._last is None or self._last[0] != without_notes:
            self._last = without_notes, build_documents(without_notes)
        return self._last[1]


@dataclass(frozen=True)
class ScenarioRules:
    """The rules of one scenario, created anew for each so that no computed result is shared."""

    configuration: Configuration
    desk: AskDesk
    gate_resources: Judging
    dispute_panel: Disputing
    gates: Mapping[str, QualityGate]
    drafts: DraftCache = field(default_factory=DraftCache)

    @property
    def library(self) -> Library:
        """The library that everything is computed with."""
        return self.dispute_panel.library

    def list_agents_in_phase(self, phase: Phase) -> tuple[str, ...]:
        """Return the agents that take part in a phase."""
        return self.configuration.list_agents_in_phase(phase)


def build_scenario_rules(
    configuration: Configuration,
    library: Library,
    embedder: Embedder,
    *,
    corpus: Corpus | None = None,
    taken: frozenset[str] = frozenset(),
    reader: Reader | None = None,
) -> ScenarioRules:
    """Build the rules in force for one scenario.

    `corpus` and `taken` describe the existing scenarios, and `reader` tries to solve the public document.
    """
    roster = configuration.roster
    policy, budgets = build_context_policy(configuration), TokenBudgets()
    for name, entry in roster.items():
        budgets = budgets.limit_agent_budget(name, entry.max_token_budget)
    gates = configuration.gates
    limits = GateLimits(
        confidence=_compute_confidence_thresholds(configuration),
        timing_margin=gates.timing_margin,
        similarity=gates.similarity,
        attempts=dict(gates.attempts),
    )
    return ScenarioRules(
        configuration,
        AskDesk(policy, budgets),
        Judging(
            SeedComputationCache(library), embedder, load_research_works(), corpus, taken, limits, reader
        ),
        Disputing(
            library,
            agents=tuple(roster),
            vetoers=configuration.vetoers,
            challenges_per_agent=configuration.limits.challenges_per_agent,
            vetoes_per_agent=configuration.limits.vetoes_per_agent,
            redesigns=configuration.limits.redesigns,
        ),
        PHASE_GATES,
    )


def build_context_policy(configuration: Configuration) -> ContextPolicy:
    """Build the context policy of the enabled agents."""
    policy = ContextPolicy()
    for name, entry in configuration.roster.items():
        if name not in ROLES:
            policy = policy.add_agent(name, entry.context_policy)
        elif entry.context_policy:
            policy = policy.narrow_for_agent(name, entry.context_policy)
    return policy


def _compute_confidence_thresholds(configuration: Configuration) -> dict[str, float]:
    """Return each agent's confidence threshold, never below the specification's."""
    return {
        name: max(entry.confidence_threshold, CONFIDENCE.get(name, LOWEST_CONFIDENCE))
        for name, entry in configuration.roster.items()
    }
