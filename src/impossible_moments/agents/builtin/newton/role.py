"""NEWTON, the physicist of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.newton.environment_effects import find_environment_effects
from impossible_moments.agents.builtin.newton.feasibility import check_physical_feasibility
from impossible_moments.agents.builtin.newton.human_limits import (
    compute_quantities_of_weakest_person,
    evaluate_claim,
)
from impossible_moments.agents.builtin.newton.physics_report import build_physics_report
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.role import Role, complete_score_reasons
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import VetoReview
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor, PhysicalClaim, SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck, PhysicsReport
from impossible_moments.domain.vocabulary import NEWTON
from impossible_moments.mechanics.records import Library

_COUNTERINTUITIVE_TYPES = frozenset({"scale intuition", "inversion", "frame"})
"""Habits of thought that physics contradicts."""


class Newton(Role):
    """The agent that checks the physics of a scenario against the library."""

    name = NEWTON

    def __init__(self, library: Library) -> None:
        self.library = library

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the physics report."""
        return {
            PhysicsReport: lambda view: build_physics_report(self._read_seed_facts(view)),
            FeasibilityCheck: check_physical_feasibility,
        }

    def _read_seed_facts(self, view: AssignmentView) -> SeedFacts:
        return SeedFacts(self.require_seed_document(view), self.library)

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write the physical concerns that remain once everything is visible."""
        facts = self._read_seed_facts(view)
        report = build_physics_report(facts)
        effects = list(find_environment_effects(facts))
        text = f"Physically the scenario is {report.feasibility}."
        text += f" The place matters: {effects[0]}" if effects else " Nothing about the place bears on it."
        text += " The grounding names no physical effect that was not looked at."
        return ReviewMemo(text=text, concerns=report.concerns[:3], confidence=report.confidence)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by claims, habits that physics contradicts, and fields that are combined."""
        seed = self.require_seed_document(view)
        insights = seed.insight_chain
        fields = {each.domain for each in insights if each.domain}
        deepest = max(
            (self._compute_insight_depth(seed, number) for number in range(1, len(insights) + 1)), default=1
        )
        strong = [each for each in seed.distractor_inventory if each.strength == "strong"]
        contrary = [each for each in insights if each.fixedness_type in _COUNTERINTUITIVE_TYPES]
        framed = any(each.fixedness_type == "frame" for each in insights)
        scores = {
            "I": 5 if framed else min(max(len(insights), deepest + 1 if deepest > 1 else 1), 4),
            "D": min(1 + min(len(seed.distractor_inventory), 2) + (len(strong) > 1), 5),
            "C": 5
            if framed
            else 4
            if contrary
            else 2
            if all(
                each.fixedness_type in {"functional fixedness", "overlooked property"} for each in insights
            )
            else 3,
            "B": min(max(len(fields), 1) + (len(fields) > 2), 5),  # noqa: PLR2004 - three fields or more score higher
            "T": 3 if seed.mechanics.get("deadline") else 1,
            "X": min(2 + len(strong), 4) if seed.wrong_answers else 1,
        }
        profile = Profile(**scores)
        reasons = {
            "C": f"{len(contrary)} insights go against what bodies seem to do",
            "B": f"fields: {', '.join(sorted(fields)) or 'one'}",
        }
        return profile, complete_score_reasons(profile, reasons)

    def _compute_insight_depth(self, seed: SeedDocument, number: int, depth_below: int = 0) -> int:
        """Return the length of the longest dependency chain that ends at an insight, itself included."""
        if depth_below > len(seed.insight_chain) or not 0 < number <= len(seed.insight_chain):
            return 0
        return 1 + max(
            (
                self._compute_insight_depth(seed, each, depth_below + 1)
                for each in seed.insight_chain[number - 1].depends_on
            ),
            default=0,
        )

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: which claims it would satisfy instead of the thing that the plan uses."""
        facts = self._read_seed_facts(view)
        world = facts.world
        named = (
            [name for name, thing in world.things.items() if thing.label == distractor.name]
            if world is not None
            else []
        )
        remark = "It meets none of the claims that the plan rests on."
        if named:
            satisfied_claims = [
                claim.claim_id
                for claim in facts.seed.solution_sketch.claims
                if self._can_substitute_in_claim(claim, named[0], facts)
            ]
            if satisfied_claims:
                remark = (
                    f"It would meet {', '.join(satisfied_claims)}, and not all that is asked of one thing."
                )
        return DistractorFinding(
            name=distractor.name, verdict="right", strength=distractor.strength, remark=remark
        )

    def _can_substitute_in_claim(self, claim: PhysicalClaim, name: str, facts: SeedFacts) -> bool:
        for thing in facts.own_things:
            if thing.kind == "object" and f"{thing.name}." in claim.expression and thing.name != name:
                instead = claim.model_copy(
                    update={"expression": claim.expression.replace(f"{thing.name}.", f"{name}.")}
                )
                return evaluate_claim(instead, facts) is True
        return False

    def review_vetoed_revision(self, view: AssignmentView) -> VetoReview:
        """Report satisfaction if a new report on the revised seed document raises no veto."""
        again = build_physics_report(self._read_seed_facts(view))
        if again.vetoes:
            return VetoReview(satisfied=False, reason=again.vetoes[0].proof[0].text)
        return VetoReview(
            satisfied=True, reason="Everything that the plan rests on can exist as it is now stated."
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the checks against the library."""
        facts = self._read_seed_facts(view)
        report = build_physics_report(facts)
        checked = len(report.material_properties)
        decisions = (
            Decision(description=f"Held {checked} things against what they are made of.", confidence=0.9),
            Decision(
                description=f"Judged {len(report.claims)} claims for the person as stated and for the weakest admitted.",
                confidence=0.85,
            ),
        )
        return f"Feasibility: {report.feasibility}. {' '.join(report.edge_cases[:1])}", decisions

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the quantities that are not stated."""
        facts = self._read_seed_facts(view)
        assumed = len(compute_quantities_of_weakest_person(facts.engine)) if facts.engine is not None else 0
        return (
            f"{assumed} figures of the person are the library's and not the scenario's.",
            "Stated figures for whoever acts, and a trial with the real things.",
        )
