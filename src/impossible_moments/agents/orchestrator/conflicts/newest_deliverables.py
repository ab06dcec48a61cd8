"""The newest deliverables of a scenario side by side, for comparison."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final

from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import DistractorReview, ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON
from impossible_moments.mechanics.records import Library

BLOCKING_DISTRACTOR_VERDICTS: Final = frozenset({"enables a solution", "unfair"})
"""The verdicts on a distractor that cannot stand beside an approval without notes."""


class NewestDeliverables:
    """The newest deliverable of each kind in a dossier.

    Judgements of a seed count only if they were handed in after the newest seed: validation reports, the joint
    assessment, distractor reviews, memos and readiness votes. Grounding and classification continue to apply.
    """

    def __init__(self, dossier: Dossier, library: Library) -> None:
        self.dossier = dossier
        self.seed = dossier.find_latest_deliverable(SeedDocument)
        current = _drop_entries_before_newest_seed(dossier)
        self.current = current
        """The dossier with only what was handed in after the newest seed."""
        self.physics = current.find_latest_deliverable(PhysicsReport)
        self.mathematics = current.find_latest_deliverable(MathematicsReport)
        self.joint = current.find_latest_deliverable(JointAssessment)
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
    def authors(self) -> frozenset[str]:
        """The agents that have handed in something."""
        return frozenset(entry.author for entry in self.dossier.entries)

    @property
    def approving_agents(self) -> tuple[str, ...]:
        """The agents that vote APPROVE without notes on the newest seed."""
        votes = self.current.find_latest_deliverable_by_author(ReadinessVote)
        return tuple(sorted(agent for agent, vote in votes.items() if vote.vote == "APPROVE"))

    @property
    def distractor_reviews(self) -> dict[str, DistractorReview]:
        """The reviews of the newest seed's distractors, sorted by agent."""
        return dict(sorted(self.current.find_latest_deliverable_by_author(DistractorReview).items()))

    def list_blocking_findings(self, agent: str) -> tuple[str, ...]:
        """Return what an agent's own newest deliverables hold against the scenario, each as a sentence."""
        found: list[str] = []
        if agent == NEWTON and self.physics is not None and self.physics.feasibility == "INVALID":
            found.append("its physics report calls the solution INVALID")
        found += [
            f"its report calls claim {claim} INVALID"
            for claim, verdict in sorted(self.verdicts.get(agent, {}).items())
            if verdict == "INVALID"
        ]
        if agent == EULER and self.mathematics is not None:
            if self.mathematics.margin is not None and self.mathematics.margin < 0:
                found.append(f"its timing budget misses the deadline by {-self.mathematics.margin:.1%}")
            if self.mathematics.dimensional_analysis == "ERRORS-FOUND":
                found.append("its dimensional analysis found errors")
        if agent == GALILEO and self.grounding is not None and self.grounding.merit == "LOW":
            found.append("its grounding report calls the merit LOW")
        review = self.distractor_reviews.get(agent)
        found += [
            f"its distractor review says of {each.name}: {each.verdict}"
            for each in (review.findings if review is not None else ())
            if each.verdict in BLOCKING_DISTRACTOR_VERDICTS
        ]
        return tuple(found)


def _drop_entries_before_newest_seed(dossier: Dossier) -> Dossier:
    places = [at for at, entry in enumerate(dossier.entries) if isinstance(entry.deliverable, SeedDocument)]
    return replace(dossier, entries=dossier.entries[places[-1] :]) if places else dossier
