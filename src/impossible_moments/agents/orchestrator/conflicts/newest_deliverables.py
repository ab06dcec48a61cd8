"""The newest deliverables of a scenario side by side, for comparison."""

from __future__ import annotations

from functools import cached_property

from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON
from impossible_moments.mechanics.records import Library


class NewestDeliverables:
    """The newest deliverable of each kind in a dossier."""

    def __init__(self, dossier: Dossier, library: Library) -> None:
        self.dossier = dossier
        self.seed = dossier.find_latest_deliverable(SeedDocument)
        self.physics = dossier.find_latest_deliverable(PhysicsReport)
        self.mathematics = dossier.find_latest_deliverable(MathematicsReport)
        self.joint = dossier.find_latest_deliverable(JointAssessment)
        self.grounding = dossier.find_latest_deliverable(GroundingReport)
        self.blind = dossier.find_latest_deliverable(ClassificationReport)
        self.informed = dossier.find_latest_deliverable(InformedClassification)
        self.evaluator = EvidenceEvaluator(self.seed, library)

    @cached_property
    def verdicts(self) -> dict[str, dict[str, str]]:
        """Each validator's verdict on each claim."""
        reports = {NEWTON: self.physics, EULER: self.mathematics}
        return {
            agent: {each.claim_id: str(each.verdict) for each in report.claims}
            for agent, report in reports.items()
            if report is not None
        }

    @property
    def approving_agents(self) -> tuple[str, ...]:
        """The agents that vote APPROVE without notes."""
        votes = self.dossier.find_latest_deliverable_by_author(ReadinessVote)
        return tuple(sorted(agent for agent, vote in votes.items() if vote.vote == "APPROVE"))
