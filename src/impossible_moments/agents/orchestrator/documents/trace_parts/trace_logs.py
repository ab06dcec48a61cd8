"""The logs of a methodology trace: disagreements, vetoes, blind findings, votes and revisions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from impossible_moments.agents.orchestrator.context.status_policies import get_status_policy
from impossible_moments.agents.orchestrator.documents.trace_parts.dispute_history import (
    format_evidence,
    format_response,
    format_votes,
    list_answered_challenges,
    list_veto_reviews,
)
from impossible_moments.agents.orchestrator.documents.trace_parts.seed_differences import (
    describe_seed_differences,
)
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier, DossierEntry, RevisionDemand
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.scenarios import join_paragraphs, render_bullet_list, render_table

NO_DISAGREEMENT = "No disagreement was logged: no challenge, no veto, no divided vote, and no confidence below its threshold."


def render_disagreement_log(dossier: Dossier) -> str:
    """Render the specification's table, then each challenge with evidence, response, votes and losing position."""
    if not dossier.disagreements:
        return NO_DISAGREEMENT
    rows = ((each.topic, ", ".join(each.agents), each.method, each.outcome) for each in dossier.disagreements)
    return join_paragraphs(
        render_table(("Disagreement", "Agents Involved", "Resolution Method", "Outcome"), rows),
        _render_divided_votes(dossier),
        _render_challenges(dossier),
    )


def _render_divided_votes(dossier: Dossier) -> str:
    """Render the positions of the first vote on each decision that was voted on again."""
    rows = [
        (each.topic, " ".join(each.evidence))
        for each in dossier.disagreements
        if each.kind in {"calibration", "vote"} and each.evidence
    ]
    heads = ("Divided vote", "Positions in the first vote")
    return join_paragraphs("Each divided vote:", render_table(heads, rows)) if rows else ""


def _render_challenges(dossier: Dossier) -> str:
    rows = [
        (
            f"{each.case.challenger} to {each.case.challenge.challenged}, {each.case.phase}",
            each.case.challenge.claim,
            f"{format_evidence(each.case.challenge.evidence).strip()} Confidence {each.case.challenge.confidence:g}.",
            format_response(each).strip(),
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
                case.confirmation or "no confirmation was needed",
                f"{case.outcome}: {case.end_reason}" if case.end_reason else case.outcome,
            )
        )
    heads = ("Veto", "Claim", "Law", "Proof", "Proposal", "Review of the revision", "Confirmation", "Outcome")
    return render_table(heads, rows) if rows else "No veto was raised."


def render_blind_findings(dossier: Dossier) -> str:
    """Render what each blind classification revealed about the design, and what followed."""
    if dossier.blind_findings:
        rows = ((case.finding, case.consequence) for case in dossier.blind_findings)
        return render_table(("Finding", "Consequence"), rows)
    blind = dossier.find_latest_deliverable(ClassificationReport)
    if blind is None:
        return "There is no blind classification."
    finding = get_status_policy(dossier.brief.solution_status).derive_blind_finding(blind)
    if finding is not None:
        return render_table(
            ("Finding", "Consequence"), [(f"{finding.name}: {finding}", "no consequence is recorded")]
        )
    return (
        f"None: SOCRATES read the scenario blind as {blind.status}. That is neither a reading that a scenario of status "
        f"{dossier.brief.solution_status} is meant to provoke, nor a premise or a trivial answer seen too early."
    )


def render_vote_log(dossier: Dossier) -> str:
    """Render every counted vote, in order: positions with confidences, what was needed, and what was decided."""
    rows = [
        (
            f"{each.decision}: {each.subject}" if each.subject else each.decision,
            ", ".join(
                f"{agent} {choice}{_format_confidence(each.confidences.get(agent))}"
                for agent, choice in each.positions.items()
            ),
            f"{each.level}: {each.needed}",
            f"{each.winner or 'undecided'}{', after discussion' if each.discussed else ''}",
        )
        for each in dossier.votes
    ]
    notes = [
        f"{entry.author}, {vote.vote}: {vote.notes or '; '.join(vote.changes)}"
        for entry in dossier.entries
        if isinstance(vote := entry.deliverable, ReadinessVote) and (vote.notes or vote.changes)
    ]
    return join_paragraphs(
        render_table(("Decision", "Votes (confidence)", "Needed", "Decided"), rows)
        if rows
        else "No vote was counted.",
        join_paragraphs("Notes to the votes on readiness:", render_bullet_list(notes)) if notes else "",
    )


def _format_confidence(confidence: float | None) -> str:
    return "" if confidence is None else f" ({confidence:g})"


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
    changes = describe_seed_differences(old, new)
    return join_paragraphs(
        f"**Revision {number}**, in {after.phase}. Demanded:",
        render_bullet_list(_iterate_demands(dossier, after), empty_text="nothing that was recorded"),
        "Changed:",
        render_bullet_list(changes, empty_text="nothing"),
    )


def _iterate_demands(dossier: Dossier, revision: DossierEntry) -> Iterator[str]:
    for note in revision.answered_notes:
        yield f"{note.author}: {note.text}" if note.demand is None else _format_demand(note.demand)
    if not revision.answered_notes:
        for case in dossier.vetoes:
            if case.phase is revision.phase:
                proposal = case.veto.corrective_proposal
                yield _format_demand(
                    RevisionDemand(case.raised_by, case.veto.claim, "veto", case.veto.law, proposal)
                )


def _format_demand(demand: RevisionDemand) -> str:
    about = f" on {demand.subject}" if demand.subject else ""
    parts = {"Evidence": demand.evidence, "Proposal": demand.proposal}
    further = "".join(f" {name}: {text.rstrip('.')}." for name, text in parts.items() if text)
    return f"{demand.demanded_by}{about}: {demand.demand.rstrip('.')}.{further}"
