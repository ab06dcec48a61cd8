"""TURING, the adversarial agent: attacks a scenario with common AI strategies and reports what they solve."""

from __future__ import annotations

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.solver import STRATEGIES, KnownSituations, PublicText

_WEAK_STRATEGIES = ("the first idea", "one step")
"""Strategies so weak that a scenario they solve tests little."""


class Turing(AdditionalRole):
    """The agent that tries to solve the public text, weakest strategy first."""

    name = "TURING"

    def __init__(self, situations: KnownSituations) -> None:
        self.situations = situations

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """Report the result of each strategy."""
        fields = view.get_document_fields("SeedDocument")
        if "scenario" not in fields:
            return RoleAssessment("Nothing was shown to attack.", (), 0.6)
        text = PublicText.from_seed_document(fields)
        attempts = {name: attack(text, self.situations) for name, attack in STRATEGIES.items()}
        lines = tuple(
            f"{name}: {' then '.join(each.plan)}, which {'works' if each.works else 'fails'}"
            if each.plan
            else f"{name}: no plan, says {each.status}"
            for name, each in attempts.items()
        )
        weak = [name for name in _WEAK_STRATEGIES if attempts[name].works]
        solving_strategies = [name for name, each in attempts.items() if each.works]
        summary = (
            f"Solved by {', '.join(solving_strategies)}."
            if solving_strategies
            else "No strategy finds a plan that works."
        )
        concern = f"It falls to {weak[0]}: it tests little." if weak else ""
        return RoleAssessment(summary, lines, 0.85, concern)
