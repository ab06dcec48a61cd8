"""Breakthrough candidates: the note of an open-frontier scenario, and the log of all proposals."""

from __future__ import annotations

from impossible_moments.domain.dossier import BreakthroughCase, Dossier
from impossible_moments.scenarios import escape_inline, join_paragraphs, render_bullet_list, render_table


def render_candidate_notes(dossier: Dossier) -> str:
    """Render the note of 4.4 for every proposal that survived its reviews."""
    return join_paragraphs(*(_format_candidate_note(case) for case in dossier.breakthroughs if case.survived))


def render_breakthrough_log(dossier: Dossier) -> str:
    """Render all proposals with their reviews."""
    cases = dossier.breakthroughs
    if not cases:
        return "No breakthrough was proposed."
    rows = (
        (
            case.phase,
            case.proposed_by,
            case.breakthrough.proposal,
            case.breakthrough.novelty,
            _describe_state(case),
        )
        for case in cases
    )
    reviews = [
        f"{case.proposed_by}, review by {reviewer}: {text}"
        for case in cases
        for reviewer, text in sorted(case.reviews.items())
    ]
    return join_paragraphs(
        render_candidate_notes(dossier),
        render_table(("Phase", "Proposed by", "Proposal", "Novelty", "State"), rows),
        render_bullet_list(reviews) if reviews else "",
    )


def _describe_state(case: BreakthroughCase) -> str:
    """Return the state in which the run left a proposal, with the reason of a refusal."""
    if case.state == "REFUSED":
        return f"REFUSED: {case.note}"
    return case.state or ("survived its reviews" if case.survived else "did not survive its reviews")


def _format_candidate_note(case: BreakthroughCase) -> str:
    proposal = escape_inline(case.breakthrough.proposal).rstrip(".")
    return f"BREAKTHROUGH CANDIDATE: {case.proposed_by} proposed {proposal}. Awaiting expert verification."
