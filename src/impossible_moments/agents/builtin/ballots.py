"""Ballots of the built-in roles: a vote for the side whose computation holds."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.position_evaluation import PositionEvaluator
from impossible_moments.domain.disputes import Ballot

_CLAIM: Final = re.compile(r"Disputed claim: (.*)")
_CLEAR_DIFFERENCE: Final = 0.25
"""The difference in the share of figures that the record states from which on the figures decide."""


def cast_evidence_ballot(note: str, evaluator: PositionEvaluator) -> Ballot:
    """Vote between the two positions of a note.

    The disputed claim and its conditions are evaluated first, then what each side states, then whose figures the
    record states. The vote is ABSTAIN only if none of these can be computed or they weigh the same.
    """
    heading, *positions = re.split(r"\n\n", note)
    if len(positions) < 2:  # noqa: PLR2004 - a dispute has two sides
        return _abstain("The positions of the two sides were not shown.")
    claim = _CLAIM.search(heading)
    evaluated = evaluator.evaluate_claim(claim[1]) if claim is not None else None
    conditions = [found for text in positions[:2] for found in evaluator.evaluate_conditions(text)]
    for decided in filter(None, (evaluated, *conditions)):
        return _vote("CHALLENGED" if decided.supports_claim else "CHALLENGER", f"{decided.text}.", 0.0)
    return _vote_by_statements(positions[0], positions[1], evaluator)


def _vote_by_statements(challenger: str, challenged: str, evaluator: PositionEvaluator) -> Ballot:
    sides = {"CHALLENGER": challenger, "CHALLENGED": challenged}
    statements = {side: tuple(evaluator.evaluate_statements(text)) for side, text in sides.items()}
    score = {side: sum(1 if true else -1 for _, true in found) for side, found in statements.items()}
    if score["CHALLENGER"] != score["CHALLENGED"]:
        winner = max(sorted(score), key=lambda side: score[side])
        reasons = "; ".join(
            f"{side.lower()}: {text}" for side, found in sorted(statements.items()) for text, _ in found
        )
        evaluable = sum(bool(found) for found in statements.values())
        return _vote(winner, f"{reasons}.", 1 - evaluable / 2)
    figures = {side: evaluator.count_known_figures(text) for side, text in sides.items()}
    shares = {side: compute_share(known, given) for side, (given, known) in figures.items()}
    counts = ", ".join(
        f"{side.lower()} {known} of {given}" for side, (given, known) in sorted(figures.items())
    )
    if abs(shares["CHALLENGER"] - shares["CHALLENGED"]) >= _CLEAR_DIFFERENCE:
        winner = max(sorted(shares), key=lambda side: shares[side])
        return _vote(winner, f"The record states more of the figures of this side ({counts}).", 0.75)
    return _abstain(
        f"Neither position contains an expression or relation that the record decides, and the figures weigh the same ({counts})."
    )


def _vote(choice: str, reason: str, uncomputed: float) -> Ballot:
    confidence = derive_confidence(ConfidenceBasis(uncomputed=uncomputed))
    return Ballot.model_validate({"choice": choice, "reason": reason, "confidence": confidence})


def _abstain(reason: str) -> Ballot:
    return Ballot(
        choice="ABSTAIN", reason=reason, confidence=derive_confidence(ConfidenceBasis(uncomputed=1.0))
    )
