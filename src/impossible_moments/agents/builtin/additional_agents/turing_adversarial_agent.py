"""TURING, the adversarial agent: attacks a scenario with common AI strategies and reports what they solve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.role import complete_score_reasons
from impossible_moments.domain.additional_agent_reports import RequiredChange
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.vocabulary import TIERS, parse_main_status
from impossible_moments.solver import STRATEGIES, KnownSituations, PublicText, StrategyAttempt

STRONGEST: Final = tuple(STRATEGIES)[-1]
"""The strategy whose status counts. The weak ones guess it."""
WEAK_STRATEGIES: Final = {"the first idea": TIERS[1:], "one step": TIERS}
"""Strategies so weak that a scenario tests little if they solve it, with the tiers that must withstand them."""
HASTY_STRATEGIES: Final = (*WEAK_STRATEGIES, "two steps", "a glance")
"""Strategies that search little. A plan of theirs that is shorter than the intended one is a shortcut."""
EASY_SCORE: Final = 1
"""The score of insight depth, counter-intuitive index and trap depth of a scenario that a weak strategy solves."""


class Turing(AdditionalRole):
    """The agent that tries to solve the public text, weakest strategy first."""

    name = "TURING"

    def __init__(self, situations: KnownSituations) -> None:
        self.situations = situations

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """Report the result of each strategy, and require a change if a weak one or a shortcut succeeds."""
        attempts = self._attack(view)
        if not attempts:
            return RoleAssessment("Nothing was shown to attack.", (), 0.6)
        lines = tuple(
            f"{name}: {' then '.join(each.plan)}, which {'works' if each.works else 'fails'}"
            if each.plan
            else f"{name}: no plan, says {each.status}"
            for name, each in attempts.items()
        )
        successful = [name for name, each in attempts.items() if each.works]
        summary = (
            f"Solved by {', '.join(successful)}." if successful else "No strategy finds a plan that works."
        )
        return RoleAssessment(
            summary, lines, 0.85, tuple(require_changes(attempts, _find_intended_plans(view)))
        )

    def _attack(self, view: AssignmentView) -> dict[str, StrategyAttempt]:
        fields = view.get_document_fields("SeedDocument")
        if "scenario" not in fields:
            return {}
        text = PublicText.from_seed_document(fields)
        return {name: attack(text, self.situations) for name, attack in STRATEGIES.items()}

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score by what was solved: a scenario that falls to a weak strategy needs no insight and has no trap."""
        profile, reasons = super().score_difficulty(view)
        tier = self.require_seed_document(view).concept_summary.difficulty_tier
        if not self.assess_scenario(view).list_changes_required_at(tier):
            return profile, reasons
        scores = dict.fromkeys(("I", "C", "X"), EASY_SCORE)
        lowered = profile.model_copy(update=scores)
        reason = "a weak strategy or a shortcut solves it"
        return lowered, {**reasons, **complete_score_reasons(lowered, dict.fromkeys(scores, reason))}


def require_changes(
    attempts: Mapping[str, StrategyAttempt], intended: tuple[tuple[str, ...], ...]
) -> Iterator[RequiredChange]:
    """Yield what must change because the scenario is too easy. A plan does not answer statuses other than KS."""
    if parse_main_status(attempts[STRONGEST].status) != "KS":
        return
    for name, tiers in WEAK_STRATEGIES.items():
        if attempts[name].works:
            calls = " then ".join(attempts[name].plan)
            yield RequiredChange(
                severity="high" if tiers == TIERS else "moderate",
                text=f"It is too easy: the strategy `{name}` solves it with {calls}. Make a failing plan more salient than this one, or the solution longer.",
                tiers=tiers,
            )
    shortest = min(map(len, intended), default=0)
    for name in HASTY_STRATEGIES:
        plan = attempts[name].plan
        if attempts[name].works and len(plan) < shortest:
            text = (
                f"The strategy `{name}` finds a shortcut of {len(plan)} calls where the sketch needs {shortest}: "
                f"{' then '.join(plan)}. Close it."
            )
            yield RequiredChange(severity="high", text=text)
            return


def _find_intended_plans(view: AssignmentView) -> tuple[tuple[str, ...], ...]:
    """Return the plans of the record that its status names as solutions, if the agent may see them."""
    if view.seed is None:
        return ()
    ways = (view.seed.mechanics.get("status") or {}).get("ways") or ()
    names = [ways] if isinstance(ways, str) else list(ways)
    plans = {
        str(each.get("name")): tuple(
            part.strip() for part in str(each.get("plan", "")).split(";") if part.strip()
        )
        for each in view.seed.mechanics.get("approaches") or ()
    }
    return tuple(plans[name] for name in names if plans.get(name))
