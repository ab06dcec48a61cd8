"""Critical deliverables whose author is so unsure that a human must decide (1.7.5c, 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.thresholds import LOWEST_CONFIDENCE
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import Phase

# fmt: off
CRITICAL_DELIVERABLES: Final[Mapping[Phase, tuple[type[LabelledModel], ...]]] = {
    Phase.SEED:     (SeedDocument,),
    Phase.VALIDATE: (SeedDocument, PhysicsReport, MathematicsReport),
    Phase.GROUND:   (GroundingReport,),
    Phase.CLASSIFY: (ClassificationReport,),
    # The confidences of votes feed the consensus engine, and its tallies say which votes decide.
    Phase.REFINE:   (SeedDocument, PhysicsReport, MathematicsReport, GroundingReport, InformedClassification, ReviewMemo),
    Phase.DOCUMENT: (),
}
"""The deliverables of each phase on which a decision rests."""
# fmt: on


@dataclass(frozen=True, slots=True)
class LowConfidenceDeliverable:
    """A critical deliverable with a confidence below the threshold."""

    author: str
    kind: str
    confidence: float

    def __str__(self) -> str:
        return f"{self.author} is unsure of its {self.kind}: {self.confidence:.2f} < {LOWEST_CONFIDENCE}"


def find_low_confidence_deliverables(dossier: Dossier, phase: Phase) -> tuple[LowConfidenceDeliverable, ...]:
    """Return the newest critical deliverables of a phase with a confidence below 0.5, sorted by author and kind.

    The expected low confidence of an open frontier's sketch, which no agent has solved, does not count.
    """
    found = []
    for kind in CRITICAL_DELIVERABLES[phase]:
        if kind is SeedDocument and dossier.brief.solution_status == "OF":
            continue
        for author, deliverable in dossier.find_deliverable_of_phase_by_author(kind, phase).items():
            confidence = getattr(deliverable, "confidence", None)
            if isinstance(confidence, float) and confidence < LOWEST_CONFIDENCE:
                found.append(LowConfidenceDeliverable(author, kind.__name__, confidence))
    return tuple(sorted(found, key=lambda each: (each.author, each.kind)))
