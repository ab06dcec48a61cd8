"""EULER, the mathematician of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.euler.calculations import find_failing_approaches
from impossible_moments.agents.builtin.euler.feasibility import check_computed_feasibility
from impossible_moments.agents.builtin.euler.mathematics_report import build_mathematics_report
from impossible_moments.agents.builtin.euler.record_workings import RecordWorkings
from impossible_moments.agents.builtin.euler.timing_budget import run_with_slowest_times
from impossible_moments.agents.builtin.role import Role, complete_score_reasons
from impossible_moments.blueprints import FIXEDNESS, score_domain_bridge
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import (
    ADEQUATE_TIME,
    AMPLE_TIME,
    NEAR_MISS,
    Profile,
    score_time_pressure_of_late_approaches,
)
from impossible_moments.domain.disputes import VetoReview
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport
from impossible_moments.domain.vocabulary import EULER
from impossible_moments.mechanics.records import Library


class Euler(Role):
    """The agent that checks the mathematics of a scenario by computation."""

    name = EULER

    def __init__(self, library: Library) -> None:
        self.library = library

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the mathematics report."""
        return {
            MathematicsReport: lambda view: build_mathematics_report(
                self._build_workings(view), self.library
            ),
            FeasibilityCheck: lambda view: check_computed_feasibility(view, self.require_seed_document(view)),
        }

    def _build_workings(self, view: AssignmentView) -> RecordWorkings:
        return RecordWorkings(self.require_seed_document(view), self.library)

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write whether the record computes as claimed, is fragile, and has sufficient margins."""
        workings = self._build_workings(view)
        plan = workings.main_plan
        concerns: list[str] = []
        text = f"Computed again after the reveal the record is {workings.status}, as claimed."
        if workings.status != workings.claimed_status:
            text = (
                f"Computed again the record is {workings.status}, and {workings.claimed_status} is claimed."
            )
            concerns.append(text)
        if plan is not None and plan.outcome.time_margin is not None:
            margin = plan.outcome.time_margin
            text += f" {margin:.0%} of the deadline is left."
            if margin < ADEQUATE_TIME:
                concerns.append(f"Only {margin:.0%} of the deadline is left at stated values.")
            slow = run_with_slowest_times(workings, plan)
            if slow is not None and slow.is_late:
                concerns.append("With every assumed time at its slow end at once the plan comes too late.")
        if workings.status == "KS-Fragile":
            text += " It is fragile, and says so."
        return ReviewMemo(text=text, concerns=tuple(concerns), confidence=0.9)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by executed plans: calls that carry an insight, near misses, and time left."""
        seed, workings = self.require_seed_document(view), self._build_workings(view)
        traps = list(find_failing_approaches(workings))
        near_misses = [
            name
            for name, end, margin in traps
            if end == "late" or (margin is not None and abs(margin) <= NEAR_MISS)
        ]
        partly_executed = self._find_partly_executed_approaches(workings)
        dependent_insights = sum(bool(each.depends_on) for each in seed.insight_chain)
        late = sum(end == "late" for _, end, _ in traps)
        plan = workings.main_plan
        left = plan.outcome.time_margin if plan is not None else None
        has_clock = seed.mechanics.get("deadline") is not None
        scores = {
            "I": 5
            if workings.status == "OF"
            else min(len(seed.insight_chain) + (1 if dependent_insights else 0), 4) or 1,
            "D": min(1 + len(seed.distractor_inventory), 3) + (1 if len(near_misses) > 2 else 0),  # noqa: PLR2004 - several near misses
            "C": max((FIXEDNESS.get(each.fixedness_type, 1) for each in seed.insight_chain), default=1),
            "B": score_domain_bridge({each.domain for each in seed.insight_chain if each.domain}),
            "T": _score_time_pressure(late, len(traps), left) if has_clock else 1,
            "X": 1 if not traps else min(2 + len(set(near_misses) | partly_executed), 3 + (len(traps) > 3)),  # noqa: PLR2004 - up to three traps do not justify the highest level
        }
        reasons = {
            "X": f"{len(traps)} approaches fail, {len(near_misses)} of them narrowly, {len(partly_executed)} after a call that worked",
            "T": f"{late} approaches fail by the clock alone",
        }
        profile = Profile(**scores)
        return profile, complete_score_reasons(profile, reasons)

    def _find_partly_executed_approaches(self, workings: RecordWorkings) -> set[str]:
        if workings.analysis is None:
            return set()
        return {
            name
            for name, outcome in workings.analysis.outcomes.items()
            if not outcome.reaches_goal and any(not step.inserted for step in outcome.steps)
        }

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether a plan that uses it reaches the goal."""
        workings = self._build_workings(view)
        world = workings.analysis.world if workings.analysis is not None else None
        names = (
            {name for name, thing in world.things.items() if thing.label == distractor.name}
            if world is not None
            else set()
        )
        using = [plan for plan in workings.plans if any(names & set(move.arguments) for move in plan.moves)]
        if using:
            remark = (
                f"The plan {' then '.join(move.text for move in using[0].moves)} reaches the goal with it."
            )
            return DistractorFinding(
                name=distractor.name,
                verdict="enables a solution",
                strength=distractor.strength,
                remark=remark,
            )
        return DistractorFinding(
            name=distractor.name,
            verdict="right",
            strength=distractor.strength,
            remark="No plan that reaches the goal uses it.",
        )

    def review_vetoed_revision(self, view: AssignmentView) -> VetoReview:
        """Report satisfaction if a new report on the revised seed document raises no veto."""
        again = build_mathematics_report(self._build_workings(view), self.library)
        if again.vetoes:
            return VetoReview(satisfied=False, reason=again.vetoes[0].proof[0].text)
        return VetoReview(
            satisfied=True,
            reason="Computed anew, the revised record is consistent and is what it claims to be.",
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize what was computed."""
        workings = self._build_workings(view)
        reason = workings.verdict.reason if workings.verdict is not None else "it could not be read"
        decisions = [Decision(description=f"Confirmed {workings.status}.", confidence=0.92)]
        if workings.main_plan is not None and workings.main_plan.outcome.time_margin is not None:
            decisions.append(
                Decision(
                    description=f"Margin {workings.main_plan.outcome.time_margin:.0%} of the deadline.",
                    confidence=0.9,
                )
            )
        return f"The record computes as {workings.status}: {reason}.", tuple(decisions)

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the assumed times as the weakest point."""
        return (
            "Durations that are estimates: a plan's margin is only as good as they are.",
            "Measured times for the steps that are estimates.",
        )


def _score_time_pressure(late_approaches: int, traps: int, left: float | None) -> int:
    """Score time pressure: 2 for a soft deadline, 3 for a window, 4 or 5 if approaches fail by time alone."""
    if late_approaches:
        return score_time_pressure_of_late_approaches(late_approaches, traps)
    return 2 if left is not None and left >= AMPLE_TIME else 3
