"""GALILEO, the research scientist of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.galileo.grounding_report import (
    build_grounding_report,
    load_habits_and_skills,
)
from impossible_moments.agents.builtin.galileo.performance_prediction import build_insight_chain
from impossible_moments.agents.builtin.role import Role, complete_score_reasons
from impossible_moments.blueprints import score_domain_bridge
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import AMPLE_TIME, Profile
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.domain.vocabulary import GALILEO, TIERS


class Galileo(Role):
    """The agent that grounds scenarios in research."""

    name = GALILEO

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the grounding report."""
        return {GroundingReport: lambda view: build_grounding_report(self.require_seed_document(view))}

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write whether the grounding and the prediction still hold."""
        seed = self.require_seed_document(view)
        report = build_grounding_report(seed)
        blind = view.find_document(ClassificationReport)
        claimed = str((seed.mechanics.get("status") or {}).get("claim", ""))
        text = f"The grounding holds: {', '.join(dict.fromkeys(each.construct_tested for each in report.constructs))}. "
        text += f"A system that answers at once is expected to score {report.predicted.direct_answer:.0f}, one with tools {report.predicted.agentic:.0f}."
        if blind is not None and not claimed.startswith(blind.status):
            text += f" That the blind reader took it for {blind.status} is evidence for the lower end of the prediction."
        return ReviewMemo(text=text, concerns=report.recommendations, confidence=report.confidence)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by how rarely each habit is broken, and by the strength of distractors."""
        seed = self.require_seed_document(view)
        habits, _ = load_habits_and_skills()
        shares = [
            habits[each.fixedness_type].share for each in seed.insight_chain if each.fixedness_type in habits
        ]
        chain = build_insight_chain(shares)
        rarest = min(shares, default=0.8)
        strong = sum(each.strength == "strong" for each in seed.distractor_inventory)
        tempting_distractors = sum(each.strength != "weak" for each in seed.distractor_inventory)
        domains = {each.domain for each in seed.insight_chain if each.domain}
        scores = {
            "I": 5
            if rarest <= 0.2  # noqa: PLR2004 - an insight this rare rebuilds the frame
            else _score_by_thresholds_above_value(chain.compute_share_finding_all(), (0.55, 0.3, 0.15, 0.0)),
            "D": 1
            if not seed.distractor_inventory
            else min(2 + (strong > 0) + (tempting_distractors > 2), 4),  # noqa: PLR2004
            "C": _score_by_thresholds_above_value(rarest, (0.7, 0.55, 0.4, 0.25)),
            "B": score_domain_bridge(domains),
            "T": self._score_time_pressure(view) if seed.mechanics.get("deadline") else 1,
            "X": min(1 + len(seed.wrong_answers), 2 + (strong > 0) + (strong > 1)),
        }
        profile = Profile(**scores)
        reasons = {
            "I": f"p^N = {chain.compute_share_finding_all():.2f}",
            "C": f"the rarest insight is found by a share of {rarest:.2f}",
        }
        return profile, complete_score_reasons(profile, reasons)

    def _score_time_pressure(self, view: AssignmentView) -> int:
        """Score time pressure by the share of the deadline that EULER found left."""
        report = view.find_document(MathematicsReport)
        return 3 if report is None or report.margin is None or report.margin < AMPLE_TIME else 2

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether it tests anything."""
        seed = self.require_seed_document(view)
        weak = distractor.strength == "weak" and TIERS.index(seed.concept_summary.difficulty_tier) > 1
        alone = len(seed.distractor_inventory) == 1
        if weak and alone:
            return DistractorFinding(
                name=distractor.name,
                verdict="too weak",
                strength=distractor.strength,
                remark="It is the only lure, and no approach tries it: it tests nothing.",
            )
        return DistractorFinding(
            name=distractor.name,
            verdict="right",
            strength=distractor.strength,
            remark="It tests whether what nearly fits is given up.",
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the constructs and citations."""
        report = build_grounding_report(self.require_seed_document(view))
        decisions = (
            Decision(
                description=f"Mapped {len(report.constructs)} constructs with {len(report.cited_keys)} works.",
                confidence=0.85,
            ),
            Decision(
                description=f"Predicted {report.predicted.direct_answer:.0f} to {report.predicted.agentic:.0f} of 100 by kind of system.",
                confidence=0.65,
            ),
        )
        return f"Merit {report.merit}. {report.compositional_chain}", decisions

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the prediction as the weakest point."""
        return (
            "The predicted scores: shares for single insights are drawn from studies of other tasks.",
            "Scores of models on scenarios of this blueprint.",
        )


def _score_by_thresholds_above_value(value: float, steps: tuple[float, ...]) -> int:
    """Return 1 plus the number of steps that the value is below."""
    return 1 + sum(value < step for step in steps)
