"""The dispute panel: the agents that take part in disputes, and what they may read of each."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.thresholds import CHALLENGES_PER_AGENT, REDESIGNS, VETOES_PER_AGENT
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import Library

OPEN_PHASES: Final = frozenset({Phase.REFINE, Phase.DOCUMENT})
"""The phases from the reveal on, in which everybody reads everything, including confidences."""

# fmt: off
LABELS_OF_WORK: Final[Mapping[str, Set[ContentLabel]]] = {
    # What an agent's claim or its evidence may reveal.
    ATHENA:   frozenset({ContentLabel.NARRATIVE, ContentLabel.SOLUTION}),
    NEWTON:   frozenset({ContentLabel.SOLUTION, ContentLabel.PHYSICS}),
    EULER:    frozenset({ContentLabel.SOLUTION, ContentLabel.MATHEMATICS}),
    GALILEO:  frozenset({ContentLabel.SOLUTION, ContentLabel.GROUNDING}),
    SOCRATES: frozenset({ContentLabel.NARRATIVE, ContentLabel.CLASSIFICATION}),
}
# fmt: on
_OTHERS: Final[Set[ContentLabel]] = frozenset({ContentLabel.SOLUTION, ContentLabel.EXTENSION})


@dataclass(frozen=True, slots=True)
class DisputePanel:
    """The agents of a scenario, those that may veto, the limits, and the library for computations."""

    library: Library
    agents: tuple[str, ...] = ROLES
    vetoers: frozenset[str] = frozenset({NEWTON, EULER})
    challenges_per_agent: int = CHALLENGES_PER_AGENT
    vetoes_per_agent: int = VETOES_PER_AGENT
    redesigns: int = REDESIGNS

    def __post_init__(self) -> None:
        for setting_name, setting, largest in (
            ("challenges per agent", self.challenges_per_agent, CHALLENGES_PER_AGENT),
            ("vetoes per agent", self.vetoes_per_agent, VETOES_PER_AGENT),
            ("redesigns", self.redesigns, REDESIGNS),
        ):
            if not 0 <= setting <= largest:
                raise ConfigurationError(
                    f"{setting} {setting_name} are set. Settings may tighten a limit but not loosen it: give 0 to {largest}."
                )

    def make_evidence_evaluator(self, dossier: Dossier) -> EvidenceEvaluator:
        """Make an evaluator with the mechanics of the newest seed."""
        return EvidenceEvaluator(dossier.find_latest_deliverable(SeedDocument), self.library)

    def list_outsiders_who_may_read_all(
        self, desk: AskDesk, phase: Phase, parties: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return the agents outside a dispute that may read everything its parties may reveal."""
        labels = frozenset[ContentLabel]().union(*(LABELS_OF_WORK.get(each, _OTHERS) for each in parties))
        return tuple(
            agent
            for agent in self.agents
            if agent not in parties and may_read(desk, agent, phase=phase, labels=labels)
        )


def may_read(desk: AskDesk, agent: str, *, phase: Phase, labels: Set[ContentLabel]) -> bool:
    """Return whether an agent may read all of some labels in a phase."""
    return labels <= desk.policy.list_visible_contents(agent, phase)


def list_labels_agent_may_reveal(agent: str) -> Set[ContentLabel]:
    """Return the labels that an agent's statements may reveal."""
    return LABELS_OF_WORK.get(agent, _OTHERS)


def add_private_notes(dossier: Dossier, *notes: AgentNote) -> Dossier:
    """Return the dossier with notes for one question, which no other agent reads."""
    return replace(dossier, notes=(*dossier.notes, *notes))
