"""Design reviews (1.4, level 4): a structural flaw that a human names is put to ATHENA when all agents see everything."""

from __future__ import annotations

from impossible_moments.domain.disputes import Option
from impossible_moments.domain.dossier import AgentNote, DesignReview, Dossier, RevisionDemand
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, HUMAN, Phase


def add_design_review_notes(dossier: Dossier) -> Dossier:
    """Return the dossier with a revision that ATHENA owes for each open design review."""
    noted = [note.demand for note in dossier.notes if note.demand is not None]
    notes = tuple(
        AgentNote(
            ATHENA,
            f"A human finds a structural flaw of the design: {review.flaw} It showed in this question: {review.question}",
            Phase.REFINE,
            author=HUMAN,
            owed=True,
            demand=demand,
        )
        for review in dossier.design_reviews
        if _is_open(dossier, review) and (demand := _build_demand(review)) not in noted
    )
    return dossier.replace_notes((*dossier.notes, *notes)) if notes else dossier


def describe_design_review(dossier: Dossier, review: DesignReview) -> str:
    """Return what followed from a design review, for the log."""
    if review.decision is not Option.RESOLVE:
        return f"structural flaw; the decision {review.decision} answers it"
    revision = _find_revision_phase(dossier, review)
    if revision is None:
        return "structural flaw; the scenario was not revised after it"
    return f"structural flaw; ATHENA revised the design in {revision}"


def _is_open(dossier: Dossier, review: DesignReview) -> bool:
    """Return whether the scenario goes on, and ATHENA has not revised it for this review."""
    return review.decision is Option.RESOLVE and _find_revision_phase(dossier, review) is None


def _find_revision_phase(dossier: Dossier, review: DesignReview) -> Phase | None:
    demand = _build_demand(review)
    for entry in dossier.entries:
        if isinstance(entry.deliverable, SeedDocument) and any(
            note.demand == demand for note in entry.answered_notes
        ):
            return entry.phase
    return None


def _build_demand(review: DesignReview) -> RevisionDemand:
    return RevisionDemand(HUMAN, review.flaw, evidence=review.question)
