"""What each deliverable asks for: recommendations, concerns, corrections, objections, conditions and demands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from impossible_moments.domain.additional_agent_reports import FurtherReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.open_points import PointKind
from impossible_moments.domain.refinement import (
    APPROVING_VOTES,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.validation import (
    ClaimVerdict,
    FeasibilityCheck,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import ATHENA, ROLES, Tier


@dataclass(frozen=True, slots=True)
class RaisedPoint:
    """Something that a deliverable asks for."""

    kind: PointKind
    text: str
    addressee: str = ATHENA

    @property
    def words(self) -> str:
        """The text for comparison: two points of one author with the same words are the same point."""
        return normalize_words(self.text)


def normalize_words(text: str) -> str:
    """Return a text in a form in which spaces, case and a final full stop do not matter."""
    return " ".join(text.casefold().split()).rstrip(".")


def list_raised_points(deliverable: LabelledModel, tier: Tier) -> tuple[RaisedPoint, ...]:
    """Return what a deliverable asks for, in order, without empty texts."""
    return tuple(each for each in _iterate_raised_points(deliverable, tier) if each.words)


def _iterate_raised_points(deliverable: LabelledModel, tier: Tier) -> Iterator[RaisedPoint]:
    match deliverable:
        case PhysicsReport() | MathematicsReport() as report:
            yield from _iterate_report_points(report)
        case FeasibilityCheck() as check:
            yield from (RaisedPoint("correction", str(each)) for each in check.corrections_needed)
            yield from (RaisedPoint("concern", each) for each in check.disagreements)
        case GroundingReport() as grounding:
            yield from (RaisedPoint("concern", each) for each in grounding.validity_concerns)
            yield from (RaisedPoint("recommendation", each) for each in grounding.recommendations)
        case FurtherReport() as further:
            changes = (each for each in further.required_changes if each.applies_at(tier))
            yield from (RaisedPoint("demand", each.text) for each in changes)
        case ReviewMemo() as memo:
            yield from (RaisedPoint("concern", each) for each in memo.concerns)
            yield from (RaisedPoint("correction", str(each)) for each in memo.corrections)
            yield from (RaisedPoint("recommendation", each) for each in memo.suggestions)
        case DistractorReview() as review:
            amiss = (each for each in review.findings if each.verdict != "right")
            yield from (
                RaisedPoint("objection", f"{each.name} is {each.verdict}: {each.remark}") for each in amiss
            )
        case DesignVote() as vote if False in {
            vote.approves_name,
            vote.approves_style,
            vote.approves_objects,
        }:
            yield RaisedPoint("objection", vote.suggestion)
        case ReadinessVote() as ready:
            yield from _iterate_vote_points(ready)


def _iterate_report_points(report: PhysicsReport | MathematicsReport) -> Iterator[RaisedPoint]:
    for claim in report.claims:
        if claim.verdict == "INVALID":
            reason = claim.reasoning if isinstance(claim, ClaimVerdict) else claim.calculation
            yield RaisedPoint("demand", f"{claim.claim_id} is INVALID: {reason}")
    yield from (RaisedPoint("correction", str(each)) for each in report.corrections_needed)
    if isinstance(report, PhysicsReport):
        yield from (RaisedPoint("concern", each) for each in report.concerns)
    else:
        yield from (RaisedPoint("recommendation", each) for each in report.parameter_adjustments)


def _iterate_vote_points(vote: ReadinessVote) -> Iterator[RaisedPoint]:
    if vote.vote == "APPROVE":
        return
    addressee = vote.addressed_to if vote.addressed_to in ROLES else ATHENA
    kind: PointKind = "condition" if vote.vote in APPROVING_VOTES else "demand"
    yield from (RaisedPoint(kind, each, addressee) for each in vote.changes or (vote.notes,))
