"""Readiness votes: REVISE while a finding is open, DISCARD if one cannot be repaired, otherwise approval."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AnsweredPoint
from impossible_moments.domain.refinement import ReadinessVote
from impossible_moments.domain.vocabulary import ATHENA

MOST_REVISIONS: Final = 5
"""After this many seed documents a violated law is not expected to be repaired."""
MOST_NAMED: Final = 5
_FACT: Final = re.compile(r"\d|“[^”]+”|`[^`]+`")
"""A number, or something quoted from the scenario or its record."""


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """Something that must change before an agent approves."""

    reason: str
    change: str
    subject: str = ""
    is_violation: bool = False
    """Whether a law is violated, so that the scenario cannot be published as it is."""


def is_acceptable_answer(point: AnsweredPoint) -> bool:
    """Return whether an answer gives a number, a quotation or a name of the record, and not only an opinion."""
    return point.end == "human" or _FACT.search(point.answer) is not None


def list_unanswered_concerns(
    concerns: tuple[str, ...], answered: tuple[AnsweredPoint, ...]
) -> tuple[str, ...]:
    """Return the concerns that were not answered with a fact."""
    settled = {each.text for each in answered if is_acceptable_answer(each)}
    return tuple(each for each in concerns if each not in settled)


def vote_by_findings(
    findings: tuple[OpenFinding, ...],
    concerns: tuple[str, ...],
    *,
    accepted: tuple[AnsweredPoint, ...] = (),
    submissions: int,
    confidence: float,
) -> ReadinessVote:
    """Vote by the findings that are still open on the current seed document."""
    if any(each.is_violation for each in findings) and submissions > MOST_REVISIONS:
        reason = next(each.reason for each in findings if each.is_violation)
        notes = f"After {submissions} documents this still stands: {reason}"
        return ReadinessVote(vote="DISCARD", notes=notes, confidence=confidence)
    if findings:
        return ReadinessVote(
            vote="REVISE",
            notes=" ".join(each.reason for each in findings[:MOST_NAMED]),
            changes=tuple(
                f"{each.subject}: {each.change}" if each.subject else each.change
                for each in findings[:MOST_NAMED]
            ),
            addressed_to=ATHENA,
            confidence=confidence,
        )
    if concerns:
        return ReadinessVote(
            vote="APPROVE-WITH-NOTES", notes=" ".join(concerns), changes=concerns, confidence=confidence
        )
    notes = " ".join(f"I accept the answer to {each.point}: {each.answer}" for each in accepted)
    return ReadinessVote(vote="APPROVE", notes=notes or "No finding of mine is open.", confidence=confidence)
