"""Corrections of the review memos: a majority for the same subject is a demand, the rest is reported to its authors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import (
    REQUIRED,
    ConsensusDecision,
    count_needed_votes,
)
from impossible_moments.agents.orchestrator.revision_subjects import resolve_correction
from impossible_moments.domain.dossier import AgentNote, RevisionDemand
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import ATHENA, Phase

LAST_CHANCE: Final = "Vote REVISE and name the change if the scenario must not be published without it."


def build_majority_demands(
    memos: Mapping[str, ReviewMemo], seed: SeedDocument | None
) -> tuple[AgentNote, ...]:
    """Return the changes that a simple majority of the memos wants of the same subject, as notes to ATHENA."""
    needed = _count_needed_memos(memos)
    return tuple(
        AgentNote(
            ATHENA,
            f"{len(wanted)} of {len(memos)} agents want {subject} changed.",
            Phase.REFINE,
            owed=True,
            demand=RevisionDemand(
                ", ".join(wanted),
                f"{len(wanted)} of {len(memos)} agents want it changed. {_quote(wanted, 'problem')}",
                subject,
                evidence=_quote(wanted, "evidence"),
                proposal=_quote(wanted, "proposal"),
            ),
        )
        for subject, wanted in _group_by_subject(memos, seed).items()
        if subject and len(wanted) >= needed
    )


def build_minority_notes(memos: Mapping[str, ReviewMemo], seed: SeedDocument | None) -> tuple[AgentNote, ...]:
    """Return a note to the author of each correction that found no majority, with the reason."""
    needed = _count_needed_memos(memos)
    notes = []
    for subject, wanted in _group_by_subject(memos, seed).items():
        if subject and len(wanted) >= needed:
            continue
        reason = (
            f"{len(wanted)} of {len(memos)} agents want {subject} changed, and {needed} are needed"
            if subject
            else "it names no subject, so that it was not counted"
        )
        for agent, corrections in wanted.items():
            text = " ".join(map(str, corrections))
            notes.append(
                AgentNote(
                    agent, f"Your correction is not made: {reason}. {LAST_CHANCE} ({text})", Phase.REFINE
                )
            )
    return tuple(notes)


def _count_needed_memos(memos: Mapping[str, ReviewMemo]) -> int:
    return count_needed_votes(REQUIRED[ConsensusDecision.OBJECT_SELECTION], len(memos))


def _group_by_subject(
    memos: Mapping[str, ReviewMemo], seed: SeedDocument | None
) -> dict[str, dict[str, list[Correction]]]:
    """Return the corrections of each agent by the part that they are about."""
    wanted: dict[str, dict[str, list[Correction]]] = {}
    for agent, memo in memos.items():
        for correction in memo.corrections:
            subject = resolve_correction(correction, seed)
            wanted.setdefault(subject, {}).setdefault(agent, []).append(correction)
    return wanted


def _quote(wanted: Mapping[str, list[Correction]], field: str) -> str:
    """Return what each agent says in a field of its corrections, with the same words only once."""
    agents_by_words: dict[str, list[str]] = {}
    for agent, corrections in wanted.items():
        words = " ".join(filter(None, (getattr(each, field) for each in corrections)))
        if words:
            agents_by_words.setdefault(words, []).append(agent)
    return " ".join(f"{', '.join(agents)}: {words}" for words, agents in agents_by_words.items())
