"""What a revision of the seed document changed, and which deliverables were about the version before it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import (
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import Phase

D = TypeVar("D", bound=LabelledModel)


class SeedPart(StrEnum):
    """The parts of a seed document that other deliverables rest on."""

    TEXT = "the text that solvers read"
    MECHANICS = "the mechanics record"
    DESIGN = "insights, distractors, sketch and claims"


ALL_PARTS: Final = frozenset(SeedPart)
# fmt: off
RESTS_ON: Final[Mapping[type[LabelledModel], frozenset[SeedPart]]] = {
    # A deliverable expires when a part changes that it rests on.
    PhysicsReport:          ALL_PARTS,
    MathematicsReport:      ALL_PARTS,
    FeasibilityCheck:       ALL_PARTS,
    JointAssessment:        ALL_PARTS,
    GroundingReport:        ALL_PARTS,
    ClassificationReport:   frozenset({SeedPart.TEXT}),
    InformedClassification: ALL_PARTS,
    ReviewMemo:             ALL_PARTS,
    CalibrationVote:        ALL_PARTS,
    DistractorReview:       ALL_PARTS,
    StatusVote:             ALL_PARTS,
    DesignVote:             ALL_PARTS,
    ReadinessVote:          ALL_PARTS,
}
# fmt: on


def find_changed_parts(before: SeedDocument, after: SeedDocument) -> frozenset[SeedPart]:
    """Return the parts in which two seed documents differ. A changed confidence or note is no change."""
    return frozenset(part for part in SeedPart if _extract_part(before, part) != _extract_part(after, part))


def is_expired(dossier: Dossier, kind: type[LabelledModel], author: str | None = None) -> bool:
    """Return whether every deliverable of a kind is about an older version of what it rests on.

    Also true if there is none since the scenario began, or began anew.
    """
    current = collect_current_deliverables(dossier, kind)
    return not current if author is None else author not in current


def collect_current_deliverables(dossier: Dossier, kind: type[D]) -> dict[str, D]:
    """Return each author's newest deliverable of a kind that is about what it rests on as it now stands."""
    judged: dict[str, tuple[D, SeedDocument]] = {}
    seed: SeedDocument | None = None
    for entry in dossier.entries:
        if isinstance(entry.deliverable, SeedDocument):
            seed = entry.deliverable
            if entry.phase is Phase.SEED:
                judged = {}  # the scenario began anew
        elif isinstance(entry.deliverable, kind) and seed is not None:
            judged[entry.author] = entry.deliverable, seed
    if seed is None:
        return {}
    return {
        author: deliverable
        for author, (deliverable, about) in judged.items()
        if about is seed or not find_changed_parts(about, seed) & RESTS_ON[kind]
    }


def _extract_part(seed: SeedDocument, part: SeedPart) -> object:
    match part:
        case SeedPart.TEXT:
            return seed.to_visible_data(frozenset({ContentLabel.NARRATIVE}))
        case SeedPart.MECHANICS:
            return seed.mechanics
        case _:
            sketch = seed.solution_sketch
            return (
                seed.insight_chain,
                seed.distractor_inventory,
                seed.wrong_answers,
                seed.open_questions,
                sketch.steps,
                sketch.claims,
                sketch.impossibility_proof,
                sketch.evaluation_criteria,
            )
