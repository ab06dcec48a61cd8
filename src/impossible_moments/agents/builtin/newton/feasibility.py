"""NEWTON's answers to part 4 of the validation report, given when it has read both reports."""

from __future__ import annotations

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.role import UnanswerableAsk
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON


def check_physical_feasibility(view: AssignmentView) -> FeasibilityCheck:
    """Name the claims that EULER judges otherwise, and the physical ways that the own report has seen."""
    physics = view.find_document(PhysicsReport, NEWTON)
    mathematics = view.find_document(MathematicsReport, EULER)
    if physics is None or mathematics is None:
        raise UnanswerableAsk("NEWTON was asked for part 4 without both reports.")
    calculated = {claim.claim_id: claim for claim in mathematics.claims}
    disagreements = tuple(
        f"{claim.claim_id}: I say {claim.verdict} ({claim.reasoning}); {EULER} says "
        f"{calculated[claim.claim_id].verdict} ({calculated[claim.claim_id].calculation})"
        for claim in physics.claims
        if claim.claim_id in calculated and calculated[claim.claim_id].verdict != claim.verdict
    )
    return FeasibilityCheck(
        alternative_paths=physics.alternative_paths,
        mirage_convincing=physics.mirage_convincing,
        disagreements=disagreements,
        confidence=physics.confidence,
    )
