"""TURING, the adversarial agent: attacks a scenario with common AI strategies and reports what they solve."""

from __future__ import annotations

from impossible_moments.agents.builtin.further.further_role import Account, FurtherRole
from impossible_moments.agents.builtin.views import View
from impossible_moments.solving.baselines import STRATEGIES
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.text import PublicText

_WEAK = ("the first idea", "one step")
"""Strategies so weak that a scenario they solve tests little."""


class Turing(FurtherRole):
    """The agent that tries to solve the public text, weakest strategy first."""

    name = "TURING"

    def __init__(self, lore: Lore) -> None:
        self.lore = lore

    def account(self, view: View) -> Account:
        """Report the result of each strategy."""
        fields = view.fields("SeedDocument")
        if "scenario" not in fields:
            return Account("Nothing was shown to attack.", (), 0.6)
        text = PublicText.of_narrative(fields)
        attempts = {name: attack(text, self.lore) for name, attack in STRATEGIES.items()}
        lines = tuple(
            f"{name}: {' then '.join(each.plan)}, which {'works' if each.works else 'fails'}"
            if each.plan
            else f"{name}: no plan, says {each.status}"
            for name, each in attempts.items()
        )
        weak = [name for name in _WEAK if attempts[name].works]
        solved = [name for name, each in attempts.items() if each.works]
        summary = f"Solved by {', '.join(solved)}." if solved else "No strategy finds a plan that works."
        concern = f"It falls to {weak[0]}: it tests little." if weak else ""
        return Account(summary, lines, 0.85, concern)
