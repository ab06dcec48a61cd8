"""EULER's answers to part 4 of the validation report, given when it has read both reports."""

from __future__ import annotations

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.role import UnanswerableAsk
from impossible_moments.agents.orchestrator.alternative_paths import list_declared_plans
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON


def check_computed_feasibility(view: AssignmentView, seed: SeedDocument) -> FeasibilityCheck:
    """Name the computed plans that the record does not declare, and the invalid claims that NEWTON accepts."""
    mathematics = view.find_document(MathematicsReport, EULER)
    physics = view.find_document(PhysicsReport, NEWTON)
    if mathematics is None or physics is None:
        raise UnanswerableAsk("EULER was asked for part 4 without both reports.")
    accepted = {claim.claim_id for claim in physics.claims if claim.verdict == "VALID"}
    return FeasibilityCheck(
        alternative_paths=tuple(
            path for path in mathematics.alternative_paths if path not in list_declared_plans(seed)
        ),
        mirage_convincing=mathematics.mirage_convincing,
        disagreements=tuple(
            f"{claim.claim_id}: {NEWTON} accepts it, and my calculation does not: {claim.calculation}"
            for claim in mathematics.claims
            if claim.verdict == "INVALID" and claim.claim_id in accepted
        ),
        confidence=mathematics.confidence,
    )
