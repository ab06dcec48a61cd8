"""Part 4 of the validation report: what a validator says when it has read both reports."""

from __future__ import annotations

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, NEWTON


def compare_validation_reports(view: AssignmentView, author: str) -> FeasibilityCheck:
    """Compare both reports claim by claim, and repeat the other ways that the author's own report names."""
    physics = view.find_document(PhysicsReport, NEWTON)
    mathematics = view.find_document(MathematicsReport, EULER)
    declared = _list_declared_plans(view)
    own = physics if author == NEWTON else mathematics
    verdicts = {claim.claim_id: claim for claim in mathematics.claims} if mathematics is not None else {}
    disagreements = tuple(
        f"{claim.claim_id}: {NEWTON} says {claim.verdict} ({claim.reasoning}), {EULER} says "
        f"{verdicts[claim.claim_id].verdict} ({verdicts[claim.claim_id].calculation})"
        for claim in (physics.claims if physics is not None else ())
        if claim.claim_id in verdicts and verdicts[claim.claim_id].verdict != claim.verdict
    )
    return FeasibilityCheck(
        alternative_paths=tuple(
            path for path in (own.alternative_paths if own is not None else ()) if path not in declared
        ),
        mirage_convincing=(own.mirage_convincing if own is not None else "") or "No report is readable.",
        disagreements=disagreements,
        confidence=own.confidence if own is not None else 0.0,
    )


def _list_declared_plans(view: AssignmentView) -> frozenset[str]:
    """Return the plans that the record declares as approaches, in the form in which EULER writes a plan."""
    approaches = view.seed.mechanics.get("approaches", []) if view.seed is not None else []
    plans = (str(each.get("plan", "")) for each in approaches if isinstance(each, dict))
    return frozenset(" then ".join(call.strip() for call in plan.split(";")) for plan in plans)
