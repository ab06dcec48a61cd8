"""Merging of notes: two agents that demand the same change of the same subject are answered once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from impossible_moments.agents.orchestrator.revision_subjects import resolve_subject
from impossible_moments.domain.dossier import AgentNote, RevisionDemand
from impossible_moments.domain.seed import SeedDocument


def merge_equal_demands(notes: Iterable[AgentNote], seed: SeedDocument | None) -> tuple[AgentNote, ...]:
    """Return the notes with demands of one subject and one proposal joined into the first of them."""
    merged: dict[tuple[str, ...], AgentNote] = {}
    for number, note in enumerate(notes):
        key = _get_merging_key(note, seed) or (str(number),)
        merged[key] = _join_notes(merged[key], note) if key in merged else note
    return tuple(merged.values())


def _get_merging_key(note: AgentNote, seed: SeedDocument | None) -> tuple[str, ...]:
    demand = note.demand
    if demand is None:
        return ()
    wanted = " ".join((demand.proposal or f"{demand.demand} {demand.evidence}").casefold().split())
    subject = resolve_subject(demand.subject, seed) if seed is not None else demand.subject
    return (
        (note.addressee, subject, wanted, demand.demand) if not subject else (note.addressee, subject, wanted)
    )


def _join_notes(first: AgentNote, other: AgentNote) -> AgentNote:
    assert first.demand is not None
    assert other.demand is not None
    joined = _join_demands(first.demand, other.demand)
    text = first.text if other.text in first.text else f"{first.text}\n{other.text}"
    return replace(first, text=text, owed=first.owed or other.owed, demand=joined)


def _join_demands(first: RevisionDemand, other: RevisionDemand) -> RevisionDemand:
    agents = dict.fromkeys((*first.demanded_by.split(", "), *other.demanded_by.split(", ")))
    return replace(
        first,
        demanded_by=", ".join(agents),
        demand=_join_texts(first.demand, other.demand),
        evidence=_join_texts(first.evidence, other.evidence),
    )


def _join_texts(first: str, other: str) -> str:
    return first if other in first else f"{first} {other}".strip()
