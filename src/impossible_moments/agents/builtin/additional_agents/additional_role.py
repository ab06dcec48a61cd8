"""The base class of the additional agents: one report before REFINE, then the votes that all agents cast."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.role import Role, complete_score_reasons
from impossible_moments.domain.additional_agent_reports import (
    FURTHER_REPORTS,
    FurtherReport,
    Mutation,
    RequiredChange,
)
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.classification import InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.refinement import DistractorFinding, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.vocabulary import ATHENA, Tier


@dataclass(frozen=True, slots=True)
class RoleAssessment:
    """The assessment of an additional agent."""

    text: str
    findings: tuple[str, ...]
    confidence: float
    required_changes: tuple[RequiredChange, ...] = ()
    mutations: tuple[Mutation, ...] = ()

    def list_changes_required_at(self, tier: Tier) -> tuple[str, ...]:
        """Return the changes that ATHENA must make in a scenario of a tier."""
        return tuple(each.text for each in self.required_changes if each.applies_at(tier))


class AdditionalRole(Role):
    """Base class of agents that add a view of their own and leave the judgements to the five core agents."""

    @abstractmethod
    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """Assess what the agent is shown."""

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the functions that make the report of each phase. All contain the same assessment."""
        return {kind: partial(self._build_report, kind) for kind in FURTHER_REPORTS.values()}

    def _build_report(self, kind: type[FurtherReport], view: AssignmentView) -> LabelledModel:
        assessment = self.assess_scenario(view)
        return kind(
            text=assessment.text,
            findings=assessment.findings,
            required_changes=assessment.required_changes,
            mutations=assessment.mutations,
            confidence=assessment.confidence,
        )

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write the assessment again, now that everything is visible and revised."""
        assessment = self.assess_scenario(view)
        tier = self.require_seed_document(view).concept_summary.difficulty_tier
        return ReviewMemo(
            text=" ".join((assessment.text, *assessment.findings[:3])),
            concerns=assessment.list_changes_required_at(tier),
            confidence=assessment.confidence,
        )

    def vote_on_readiness(self, view: AssignmentView) -> ReadinessVote:
        """Vote REVISE as long as a required change has not been made, else vote as all agents do."""
        tier = self.require_seed_document(view).concept_summary.difficulty_tier
        changes = self.assess_scenario(view).list_changes_required_at(tier)
        if not changes:
            return super().vote_on_readiness(view)
        return ReadinessVote(vote="REVISE", changes=changes, addressed_to=ATHENA, confidence=0.8)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Return SOCRATES's scores, because difficulty is outside the expertise of the agent."""
        informed = view.find_document(InformedClassification)
        profile = informed.profile if informed is not None else Profile(I=3, D=3, C=3, B=3, T=3, X=3)
        return profile, complete_score_reasons(profile, dict.fromkeys("IDCBTX", "as SOCRATES has it"))

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Return a review without objections."""
        return DistractorFinding(
            name=distractor.name, verdict="right", strength=distractor.strength, remark="Nothing to add."
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the assessment."""
        assessment = self.assess_scenario(view)
        return assessment.text, (
            Decision(
                description="; ".join(assessment.findings[:2]) or assessment.text,
                confidence=assessment.confidence,
            ),
        )

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the limits of the catalogue and the library."""
        return "What lies outside the catalogue and the library.", "A review by an expert of the trade."
