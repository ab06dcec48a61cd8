"""The logs of a methodology trace: disagreements, vetoes, blind findings, votes and revisions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from impossible_moments.agents.orchestrator.context.status_policies import BlindFinding, get_status_policy
from impossible_moments.agents.orchestrator.documents.dispute_history import (
    format_evidence,
    format_response,
    format_votes,
    list_answered_challenges,
    list_veto_reviews,
)
from impossible_moments.agents.orchestrator.documents.seed_changes import describe_seed_changes
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier, DossierEntry
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.scenarios import join_paragraphs, render_bullet_list, render_table

NO_DISAGREEMENT = "No disagreement was logged: no challenge, no veto, no divided vote, and no confidence below its threshold."
_INTENDED = frozenset({BlindFinding.WELL_HIDDEN, BlindFinding.WELL_DISGUISED, BlindFinding.STRONG_MIRAGE})


def render_disagreement_log(dossier: Dossier) -> str:
    """Render the specification's table, then each challenge with evidence, response, votes and losing position."""
    if not dossier.disagreements:
        return NO_DISAGREEMENT
    rows = ((each.topic, ", ".join(each.agents), each.method, each.outcome) for each in dossier.disagreements)
    return join_paragraphs(
        render_table(("Disagreement", "Agents Involved", "Resolution Method", "Outcome"), rows),
        _render_challenges(dossier),
    )


def _render_challenges(dossier: Dossier) -> str:
    rows = [
        (
            f"{each.case.challenger} to {each.case.challenge.challenged}, {each.case.phase}",
            each.case.challenge.claim,
            f"{format_evidence(each.case.challenge.evidence).strip()} Confidence {each.case.challenge.confidence:g}.",
            format_response(each.response).strip(),
            format_votes(each.case) or "no vote was needed",
            each.case.losing_position or "none: no side lost a vote or a ruling",
        )
        for each in list_answered_challenges(dossier)
    ]
    heads = ("Challenge", "Claim", "Evidence", "Response", "Votes", "Losing position")
    return join_paragraphs("Each challenge in full:", render_table(heads, rows)) if rows else ""


def render_veto_log(dossier: Dossier) -> str:
    """Render every veto with the law, the proof, the reviews of revisions and the outcome."""
    rows = []
    for case in dossier.vetoes:
        reviews = [
            f"{'satisfied' if each.satisfied else 'not satisfied'}: {each.reason}"
            for each in list_veto_reviews(dossier, case)
        ]
        rows.append(
            (
                f"{case.raised_by}, {case.phase}",
                case.veto.claim,
                case.veto.law,
                format_evidence(case.veto.proof).strip() or "no proof was stated",
                case.veto.corrective_proposal or "none",
                "; ".join(reviews) or "no revision was reviewed",
                case.outcome,
            )
        )
    heads = ("Veto", "Claim", "Law", "Proof", "Proposal", "Review of the revision", "Outcome")
    return render_table(heads, rows) if rows else "No veto was raised."


def render_blind_findings(dossier: Dossier) -> str:
    """Render what the blind classification revealed about the design, and what followed."""
    blind = dossier.find_latest_deliverable(ClassificationReport)
    if blind is None:
        return "There is no blind classification."
    finding = get_status_policy(dossier.brief.solution_status).derive_blind_finding(blind)
    if finding is None:
        return (
            f"None: SOCRATES read the scenario blind as {blind.status}, which is not a reading that its status "
            f"{dossier.brief.solution_status} is meant to be mistaken for, nor a premise or a trivial answer seen too early."
        )
    revisions = sum(
        entry.phase is Phase.REFINE and isinstance(entry.deliverable, SeedDocument)
        for entry in dossier.entries
    )
    if finding in _INTENDED:
        consequence = "None was needed: it is what the design intends."
    elif revisions:
        consequence = f"ATHENA was told, and revised the scenario {revisions} {'time' if revisions == 1 else 'times'} in REFINE."
    else:
        consequence = "ATHENA was told in REFINE, and the scenario was not revised."
    return render_table(("Finding", "Meaning", "Consequence"), [(finding.name, finding.value, consequence)])


def render_readiness_votes(dossier: Dossier) -> str:
    """Render every vote on readiness, in order, with its confidence."""
    rows = [
        (
            entry.author,
            entry.iteration + 1,
            vote.vote,
            f"{vote.confidence:.2f}",
            vote.notes or "; ".join(vote.changes),
        )
        for entry in dossier.entries
        if isinstance(vote := entry.deliverable, ReadinessVote)
    ]
    return (
        render_table(("Agent", "Round", "Vote", "Confidence", "Notes"), rows)
        if rows
        else "No vote was taken."
    )


def render_revision_log(dossier: Dossier) -> str:
    """Render each revision of the scenario: what was demanded, by whom, and what changed."""
    seeds = [entry for entry in dossier.entries if isinstance(entry.deliverable, SeedDocument)]
    sections = [
        _render_revision(dossier, number, before, after)
        for number, (before, after) in enumerate(pairwise(seeds), 1)
    ]
    return join_paragraphs(*sections) or "The scenario was not revised after it was first handed in."


def _render_revision(dossier: Dossier, number: int, before: DossierEntry, after: DossierEntry) -> str:
    old, new = before.deliverable, after.deliverable
    assert isinstance(old, SeedDocument)
    assert isinstance(new, SeedDocument)
    changes = describe_seed_changes(old, new)
    return join_paragraphs(
        f"**Revision {number}**, in {after.phase}. Demanded:",
        render_bullet_list(_iterate_demands(dossier, after), empty_text="nothing that was recorded"),
        "Changed:",
        render_bullet_list(changes, empty_text="nothing"),
    )


def _iterate_demands(dossier: Dossier, revision: DossierEntry) -> Iterator[str]:
    for note in revision.answered_notes:
        yield f"{note.author}: {note.text}"
    if not revision.answered_notes:
        for case in dossier.vetoes:
            if case.phase is revision.phase:
                proposal = (
                    f" Proposal: {case.veto.corrective_proposal}" if case.veto.corrective_proposal else ""
                )
                yield f"{case.raised_by}, by veto: {case.veto.claim} ({case.veto.law}).{proposal}"
