"""The ask desk: builds asks from a dossier, so that every agent's context has passed the context policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from impossible_moments.agents.orchestrator.flow import Ask, Assignment, Flow, request_answer, request_answers
from impossible_moments.agents.orchestrator.open_points import describe_answers_for, describe_points_for
from impossible_moments.agents.orchestrator.revision_history import describe_last_revision, describe_rounds
from impossible_moments.agents.orchestrator.revision_subjects import (
    asks_for_corrections,
    list_revision_subjects,
)
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.category_definitions import CATEGORY_DEFINITIONS
from impossible_moments.domain.classification import InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import Phase

if TYPE_CHECKING:
    from impossible_moments.agents.orchestrator.context.token_budgets import TokenBudgets
    from impossible_moments.agents.orchestrator.context_manager import ContextPolicy

R = TypeVar("R", bound=LabelledModel)


_HOME_PHASES: Final[Mapping[type[LabelledModel], Phase]] = {
    PhysicsReport: Phase.VALIDATE,
    MathematicsReport: Phase.VALIDATE,
    GroundingReport: Phase.GROUND,
}
"""The phase whose budget a report has, also if it is asked for again in a later one."""
_JUDGES_REVISIONS: Final = frozenset(
    {PhysicsReport, MathematicsReport, GroundingReport, InformedClassification, ReviewMemo}
)
"""The deliverables that are handed in again after a revision and judge what it changed."""
_ANSWERS_POINTS: Final = frozenset({ReviewMemo, RefinementBallot, AgentTrace})
"""The deliverables with a field for answers to open points."""


@dataclass(frozen=True)
class AskDesk:
    """Builder of all asks, with the context policy and the token budgets in force."""

    policy: ContextPolicy
    budgets: TokenBudgets

    def build_ask(
        self, dossier: Dossier, agent: str, phase: Phase, topic: str, task: str, returns: type[LabelledModel]
    ) -> Ask:
        """Build an ask whose context holds only what the agent may read in this phase.

        `topic` names the ask within phase and agent. An agent that is asked again, after a revision or in the
        next attempt, is asked under the same topic, and the number of earlier answers completes the key.
        """
        earlier = sum(
            1
            for entry in dossier.entries
            if entry.author == agent and isinstance(entry.deliverable, returns.counted_as or returns)
        )
        view = self.policy.build_view(dossier, agent, phase)
        view = self._add_revision_course(view, dossier, agent, phase, returns)
        view = {**view, **_describe_points(dossier, agent, returns)}
        if returns is SeedDocument and "brief" in view:
            view["category"] = str(CATEGORY_DEFINITIONS[dossier.brief.category])
        context = self.budgets.shorten_view_to_budget(view, agent, phase)
        assignment = Assignment(
            agent=agent,
            phase=phase,
            scenario_id=dossier.brief.scenario_id,
            task=task,
            context=context,
            returns=returns.__name__,
            token_budget=max(
                self.budgets.get_budget(agent, phase),
                self.budgets.get_budget(agent, _HOME_PHASES.get(returns, phase)),
            ),
            whole_context=None if context is view else view,
        )
        return Ask(f"{phase}/{agent}/{topic}/{earlier + 1}", assignment, returns)

    def _add_revision_course(
        self, view: dict[str, Any], dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]
    ) -> dict[str, Any]:
        """Return the view with what its reader may know of revisions, if the deliverable is about them.

        `subjects` are the names that a correction may have as its subject, `last_revision` is what the last
        revision answered and changed, and `rounds` are all revisions in short form.
        """
        seed = dossier.find_latest_deliverable(SeedDocument)
        shows_sketch = any("solution_sketch" in section["fields"] for section in view["sections"])
        if seed is None or not shows_sketch:
            return view
        if asks_for_corrections(returns):
            view = {**view, "subjects": "; ".join(list_revision_subjects(seed))}
        if returns in _JUDGES_REVISIONS:
            last = describe_last_revision(dossier, self.policy.list_visible_contents(agent, phase), agent)
            return {**view, "last_revision": last} if last is not None else view
        rounds = describe_rounds(dossier) if returns is AgentTrace else []
        return {**view, "rounds": rounds} if rounds else view

    def ask_agent(
        self, dossier: Dossier, agent: str, phase: Phase, topic: str, task: str, returns: type[R]
    ) -> Flow[R]:
        """Ask one agent and return its deliverable."""
        return (
            yield from request_answer(self.build_ask(dossier, agent, phase, topic, task, returns), returns)
        )

    def ask_agents(
        self,
        dossier: Dossier,
        agents: tuple[str, ...],
        phase: Phase,
        topic: str,
        tasks: dict[str, str],
        returns: type[R],
    ) -> Flow[dict[str, R]]:
        """Ask several agents at once and return their deliverables by agent. None sees another's answer."""
        questions = tuple(
            self.build_ask(dossier, agent, phase, topic, tasks[agent], returns) for agent in agents
        )
        replies = yield from request_answers(questions, returns)
        return dict(zip(agents, replies, strict=True))


def _describe_points(dossier: Dossier, agent: str, returns: type[LabelledModel]) -> dict[str, Any]:
    """Return the points that an agent has to answer, and before it votes the answers to its own points."""
    points = describe_points_for(dossier, agent) if returns in _ANSWERS_POINTS else []
    answers = describe_answers_for(dossier, agent) if returns is RefinementBallot else []
    found = {"open_points": points, "answered_points": answers}
    return {name: entries for name, entries in found.items() if entries}
