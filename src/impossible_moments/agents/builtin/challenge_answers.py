"""Answers to challenges: the challenged statement is computed again, and accepted or defended with the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.confidence import ConfidenceBasis, derive_confidence
from impossible_moments.agents.builtin.position_evaluation import PositionEvaluator
from impossible_moments.domain.disputes import Answer, ChallengeResponse, Evidence

_OPENING: Final = "Your claim is challenged: "
_CLAIM: Final = re.compile(rf"{_OPENING}(.*)")
_EVIDENCE: Final = re.compile(r"^Evidence \(([^)]*)\): (.*)$", re.MULTILINE)
_COMPUTING: Final = frozenset({"calculation", "proof", "derivation"})


@dataclass(frozen=True, slots=True)
class Recomputation:
    """A challenged statement, computed again. `holds` is None if it could not be decided."""

    holds: bool | None
    text: str
    expression: str = ""
    margin: float | None = None


def find_challenge_note(notes: Sequence[str]) -> str:
    """Return the newest note that puts a challenge, or the newest note.

    A note about an earlier challenge quotes it and says what to revise, so that it is none.
    """
    put = [note for note in notes if note.startswith(_OPENING)]
    return next(iter((put or list(notes))[-1:]), "")


def extract_challenged_claim(note: str) -> str:
    """Return the challenged claim of a note, or an empty text."""
    found = _CLAIM.search(note)
    return found[1].strip() if found is not None else ""


def answer_by_computation(
    note: str, recomputed: Recomputation | None, evaluator: PositionEvaluator, *, basis: str = ""
) -> ChallengeResponse:
    """Answer a challenge from the recomputed statement and the evaluated evidence of the challenger.

    `basis` says what the challenged claim rests on.
    """
    ground = f"My claim rested on this: {basis} " if basis else ""
    refuting, failing = _weigh_evidence(note, evaluator)
    if recomputed is not None and recomputed.holds is not None:
        return _answer_recomputed(recomputed, refuting)
    if refuting:
        return _respond(Answer.ACCEPT, f"Computed again, the challenge holds: {'; '.join(refuting)}.", 0.0)
    if failing:
        text = f"Computed again, the challenge does not hold: {'; '.join(failing)}."
        return _respond(Answer.DEFEND, text, 0.0, Evidence(kind="calculation", text=text))
    computing = [text for kind, text in _EVIDENCE.findall(note) if kind in _COMPUTING]
    if computing:
        text = f"{ground}The challenge computes what I did not, and nothing of mine contradicts it: {computing[0]}"
        return _respond(Answer.ACCEPT, text, 0.5)
    return _respond(
        Answer.DEFEND,
        f"{ground}The challenge contains nothing that can be computed, so the claim stands as it was derived.",
        1.0,
    )


def _answer_recomputed(recomputed: Recomputation, refuting: list[str]) -> ChallengeResponse:
    basis = ConfidenceBasis(least_margin=recomputed.margin)
    if recomputed.holds is False:
        text = f"Computed again, the claim is wrong. {recomputed.text}"
        return ChallengeResponse(answer=Answer.ACCEPT, text=text, confidence=derive_confidence(basis))
    evidence = (Evidence(kind="calculation", text=recomputed.text, expression=recomputed.expression),)
    if refuting:
        text = f"The claim itself holds, and this part of the challenge does too: {'; '.join(refuting)}. {recomputed.text}"
        return ChallengeResponse(
            answer=Answer.PARTIAL, text=text, evidence=evidence, confidence=derive_confidence(basis)
        )
    return ChallengeResponse(
        answer=Answer.DEFEND,
        text=f"Computed again, the claim holds. {recomputed.text}",
        evidence=evidence,
        confidence=derive_confidence(basis),
    )


def _weigh_evidence(note: str, evaluator: PositionEvaluator) -> tuple[list[str], list[str]]:
    """Return the evidence that speaks against the claim once evaluated, and the evidence that fails."""
    refuting: list[str] = []
    failing: list[str] = []
    for condition in evaluator.evaluate_conditions(note):
        (failing if condition.supports_claim else refuting).append(condition.text)
    for _, text in _EVIDENCE.findall(note):
        for statement, true in evaluator.evaluate_statements(text):
            (refuting if true else failing).append(statement)
    return refuting, failing


def _respond(answer: Answer, text: str, uncomputed: float, *evidence: Evidence) -> ChallengeResponse:
    confidence = derive_confidence(ConfidenceBasis(uncomputed=uncomputed))
    return ChallengeResponse(answer=answer, text=text, evidence=evidence, confidence=confidence)
