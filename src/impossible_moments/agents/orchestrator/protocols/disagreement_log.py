"""Entries of the disagreement log for ended challenges and vetoes, and the report to a challenger."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.protocols.dispute_panel import (
    list_labels_agent_may_reveal,
    may_read,
)
from impossible_moments.domain.disputes import ChallengeResponse, Evidence
from impossible_moments.domain.dossier import AgentNote, ChallengeCase, DisagreementLogEntry, VetoCase
from impossible_moments.domain.vocabulary import ATHENA, ORCHESTRATOR


def build_log_entry(
    record: ChallengeCase, response: ChallengeResponse | None, reason: str
) -> DisagreementLogEntry:
    """Build the entry of a challenge in the disagreement log. `reason` says why it ended as it did."""
    disputed = record.challenge
    return DisagreementLogEntry(
        topic=disputed.claim,
        agents=(record.challenger, disputed.challenged),
        method=record.method,
        outcome=record.outcome,
        kind="challenge",
        phase=record.phase,
        claimed_by=disputed.challenged,
        evidence=format_evidence(disputed.evidence),
        response=record.response,
        response_evidence=format_evidence(response.evidence if response is not None else ()),
        votes=record.votes,
        vote_confidences=record.vote_confidences,
        losing_position=record.losing_position,
        reason=reason,
    )


def build_veto_log_entry(record: VetoCase, *, is_decided_by_human: bool) -> DisagreementLogEntry:
    """Build the entry of a veto in the disagreement log."""
    return DisagreementLogEntry(
        topic=record.veto.claim,
        agents=(record.raised_by, ATHENA),
        method="human escalation" if is_decided_by_human else "veto",
        outcome=record.outcome,
        kind="veto",
        phase=record.phase,
        claimed_by=ATHENA,
        evidence=(f"violated: {record.veto.law}", *format_evidence(record.veto.proof)),
        response=record.revision_summary,
        reason=record.end_reason,
    )


def format_evidence(evidence: tuple[Evidence, ...]) -> tuple[str, ...]:
    """Format each piece of evidence as one line: its kind, its text and its expression."""
    return tuple(
        f"{each.kind}: {each.text}" + (f" (`{each.expression}`)" if each.expression else "")
        for each in evidence
    )


def build_challenger_notices(
    desk: AskDesk, record: ChallengeCase, response: ChallengeResponse | None
) -> tuple[AgentNote, ...]:
    """Report the end of a challenge to its author.

    The orchestrator needs no report, and neither does an agent whose challenge was detected and not forwarded.
    """
    disputed = record.challenge
    if record.challenger == ORCHESTRATOR or (response is None and record.detected):
        return ()
    if response is None:
        text = f"Your challenge of `{disputed.claim}` was logged and not forwarded: {record.method}."
        return (AgentNote(record.challenger, text, record.phase),)
    # 1.3: the response goes to the challenger, if the challenger may read what it reveals.
    evidence = " ".join(each.text for each in disputed.evidence)
    text = f"Your challenge of `{disputed.claim}` ended {record.outcome}. Raise it again only with other evidence than: {evidence}"
    labels = list_labels_agent_may_reveal(disputed.challenged)
    if may_read(desk, record.challenger, phase=record.phase, labels=labels):
        text += f" {disputed.challenged} answered: {response.text}"
    return (AgentNote(record.challenger, text, record.phase),)
