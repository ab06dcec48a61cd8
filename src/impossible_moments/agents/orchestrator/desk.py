"""The desk: makes asks out of a dossier, so that whatever an agent is given has passed the context policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from impossible_moments.agents.orchestrator.flow import Ask, Assignment, Flow, ask, together
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import Phase

if TYPE_CHECKING:
    from impossible_moments.agents.orchestrator.context_budget import Budgets
    from impossible_moments.agents.orchestrator.context_manager import ContextPolicy

R = TypeVar("R", bound=Labelled)


@dataclass(frozen=True)
class Desk:
    """Where every question is written."""

    policy: ContextPolicy
    budgets: Budgets

    def question(
        self, dossier: Dossier, agent: str, phase: Phase, topic: str, task: str, returns: type[Labelled]
    ) -> Ask:
        """An ask whose context is cut to what the agent may read in this phase.

        `topic` names it within phase and agent; an agent that is asked the same again (after a revision, in the next
        attempt) is asked under the same topic, and the number of earlier answers makes the key.
        """
        earlier = sum(
            1 for entry in dossier.entries if entry.author == agent and isinstance(entry.deliverable, returns)
        )
        context = self.budgets.fitted(self.policy.view(dossier, agent, phase), agent, phase)
        assignment = Assignment(
            agent=agent,
            phase=phase,
            scenario_id=dossier.brief.scenario_id,
            task=task,
            context=context,
            returns=returns.__name__,
            token_budget=self.budgets.of(agent, phase),
        )
        return Ask(f"{phase}/{agent}/{topic}/{earlier + 1}", assignment, returns)

    def ask(
        self, dossier: Dossier, agent: str, phase: Phase, topic: str, task: str, returns: type[R]
    ) -> Flow[R]:
        """Ask one agent."""
        return (yield from ask(self.question(dossier, agent, phase, topic, task, returns), returns))

    def ask_all(
        self,
        dossier: Dossier,
        agents: tuple[str, ...],
        phase: Phase,
        topic: str,
        tasks: dict[str, str],
        returns: type[R],
    ) -> Flow[dict[str, R]]:
        """Ask several agents at once; none sees another's answer."""
        questions = tuple(
            self.question(dossier, agent, phase, topic, tasks[agent], returns) for agent in agents
        )
        replies = yield from together(questions, returns)
        return dict(zip(agents, replies, strict=True))
