"""Breakthrough candidates: the note of an open-frontier scenario, and the log of all proposals."""

from __future__ import annotations

from impossible_moments.domain.dossier import BreakthroughCase, Dossier
from impossible_moments.scenarios.markdown import bullets, inline, joined, table


def candidate_note(dossier: Dossier) -> str:
    """Render the note of 4.4 for every proposal that survived its reviews."""
    return joined(*(_note(case) for case in dossier.breakthroughs if case.survived))


def breakthrough_log(dossier: Dossier) -> str:
    """Render all proposals with their reviews."""
    cases = dossier.breakthroughs
    rows = (
        (
            case.phase,
            case.proposed_by,
            case.breakthrough.proposal,
            case.breakthrough.novelty,
            "survived" if case.survived else "refused",
        )
        for case in cases
    )
    reviews = [
        f"{case.proposed_by}, review by {reviewer}: {text}"
        for case in cases
        for reviewer, text in sorted(case.reviews.items())
    ]
    return joined(
        candidate_note(dossier),
        table(("Phase", "Proposed by", "Proposal", "Novelty", "Reviews"), rows),
        bullets(reviews) if reviews else "",
    )


def _note(case: BreakthroughCase) -> str:
    proposal = inline(case.breakthrough.proposal).rstrip(".")
    return f"BREAKTHROUGH CANDIDATE: {case.proposed_by} proposed {proposal}. Awaiting expert verification."
