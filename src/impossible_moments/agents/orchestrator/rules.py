"""The rules a scenario is made by: everything a flow needs besides the dossier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from impossible_moments.agents.configuration import Configuration
from impossible_moments.agents.orchestrator.computed import Computations
from impossible_moments.agents.orchestrator.context_budget import Budgets
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.desk import Desk
from impossible_moments.agents.orchestrator.gate_checks.case import Bench as Judging
from impossible_moments.agents.orchestrator.gate_checks.case import Reader
from impossible_moments.agents.orchestrator.gate_checks.limits import CONFIDENCE, LOWEST_CONFIDENCE, Limits
from impossible_moments.agents.orchestrator.protocols.bench import Bench as Disputing
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES, QualityGate
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.knowledge.bibliography import research
from impossible_moments.mechanics.library import Library
from impossible_moments.scenarios.documents import Documents
from impossible_moments.scenarios.embedding import Embedder
from impossible_moments.scenarios.similarity import Essence


class Drafts:
    """The documents of the dossier as it last stood: the gate looks at them, and then they are handed out."""

    def __init__(self) -> None:
        self._last: tuple[Dossier, Documents] | None = None

    def of(self, dossier: Dossier, build: Callable[[Dossier], Documents]) -> Documents:
        """The documents of a dossier."""
        read = dossier.noting(())
        if self._last is None or self._last[0] != read:
            self._last = read, build(read)
        return self._last[1]


@dataclass(frozen=True)
class Rules:
    """Made anew for every scenario, so that nothing computed for one is there for the next."""

    configuration: Configuration
    desk: Desk
    judging: Judging
    disputing: Disputing
    gates: Mapping[str, QualityGate]
    drafts: Drafts = field(default_factory=Drafts)

    @property
    def library(self) -> Library:
        """The library everything is computed within."""
        return self.disputing.library

    def agents_in(self, phase: Phase) -> tuple[str, ...]:
        """Who takes part in a phase."""
        return self.configuration.agents_in(phase)


def rules_for(
    configuration: Configuration,
    library: Library,
    embedder: Embedder,
    *,
    registry: tuple[Essence, ...] = (),
    taken: frozenset[str] = frozenset(),
    reader: Reader | None = None,
) -> Rules:
    """The rules in force for one scenario."""
    roster = configuration.roster
    policy, budgets = ContextPolicy(), Budgets()
    for name, entry in roster.items():
        if name not in ROLES:
            policy = policy.with_agent(name, entry.context_policy)
        elif entry.context_policy:
            policy = policy.narrowed(name, entry.context_policy)
        budgets = budgets.limited(name, entry.max_token_budget)
    gates = configuration.gates
    limits = Limits(
        confidence=_thresholds(configuration),
        timing_margin=gates.timing_margin,
        similarity=gates.similarity,
        attempts=dict(gates.attempts),
    )
    return Rules(
        configuration,
        Desk(policy, budgets),
        Judging(Computations(library), embedder, research(), registry, taken, limits, reader),
        Disputing(
            library,
            agents=tuple(roster),
            vetoers=frozenset(name for name, entry in roster.items() if entry.can_veto),
            challenges_per_agent=configuration.limits.challenges_per_agent,
            vetoes_per_agent=configuration.limits.vetoes_per_agent,
            redesigns=configuration.limits.redesigns,
        ),
        PHASE_GATES,
    )


def _thresholds(configuration: Configuration) -> dict[str, float]:
    """What each agent's own confidence must reach: never less than the specification says."""
    return {
        name: max(entry.confidence_threshold, CONFIDENCE.get(name, LOWEST_CONFIDENCE))
        for name, entry in configuration.roster.items()
    }
