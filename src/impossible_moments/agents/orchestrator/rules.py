"""The rules of one scenario: everything a flow needs besides the dossier."""

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
    """A cache of the documents of the newest dossier, used by the gate and then for publication."""

    def __init__(self) -> None:
        self._last: tuple[Dossier, Documents] | None = None

    def of(self, dossier: Dossier, build: Callable[[Dossier], Documents]) -> Documents:
        """Return the documents of a dossier, calling `build` only if the dossier has changed.

        Notes do not count as a change.
        """
        read = dossier.noting(())
        if self._last is None or self._last[0] != read:
            self._last = read, build(read)
        return self._last[1]


@dataclass(frozen=True)
class Rules:
    """The rules of one scenario, created anew for each so that no computed result is shared."""

    configuration: Configuration
    desk: Desk
    judging: Judging
    disputing: Disputing
    gates: Mapping[str, QualityGate]
    drafts: Drafts = field(default_factory=Drafts)

    @property
    def library(self) -> Library:
        """The library that everything is computed with."""
        return self.disputing.library

    def agents_in(self, phase: Phase) -> tuple[str, ...]:
        """Return the agents that take part in a phase."""
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
    """Build the rules in force for one scenario.

    `registry` and `taken` describe the existing scenarios, and `reader` tries to solve the public document.
    """
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
    """Return each agent's confidence threshold, never below the specification's."""
    return {
        name: max(entry.confidence_threshold, CONFIDENCE.get(name, LOWEST_CONFIDENCE))
        for name, entry in configuration.roster.items()
    }
