"""Parts 3 and 4 of the validation report, computed from both reports, the vetoes and the mechanics."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.alternative_paths import ANOTHER_WAY, find_undeclared_paths
from impossible_moments.agents.orchestrator.seed_computation import SeedComputation, SeedComputationCache
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import (
    FeasibilityCheck,
    JointAssessment,
    JointStatus,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import NEWTON


def build_joint_assessment(dossier: Dossier, computations: SeedComputationCache) -> JointAssessment:
    """Combine both reports and the computation. The orchestrator adds no opinion of its own.

    Raises `ValueError` if the seed document or a report is missing.
    """
    physics, mathematics = (
        dossier.find_latest_deliverable(PhysicsReport),
        dossier.find_latest_deliverable(MathematicsReport),
    )
    seed = dossier.find_latest_deliverable(SeedDocument)
    if physics is None or mathematics is None or seed is None:
        raise ValueError("a joint assessment needs a seed document and both reports")
    computation = computations.get_computation(seed)
    checks = _collect_checks_of_seed(dossier)
    changes = (
        *_list_changes_required_by_reports(physics, mathematics),
        *(str(each) for check in checks.values() for each in check.corrections_needed),
        *(f"{ANOTHER_WAY}{path}" for path in find_undeclared_paths(dossier)),
        *_list_changes_required_by_computation(computation),
    )
    # A veto that sent the scenario back stays in force until the scenario is redesigned.
    returned_laws = [case.veto.law for case in dossier.vetoes if case.outcome == "RETURNED"]
    violated = tuple(returned_laws[dossier.redesigns :])
    status: JointStatus = "VETOED" if violated else "NEEDS-REVISION" if changes else "VALIDATED"
    return JointAssessment(
        status=status,
        changes_required=changes,
        violated=violated,
        edge_cases=_merge_texts(physics.edge_cases, mathematics.edge_cases),
        parameter_adjustments=mathematics.parameter_adjustments,
        unique=computation.full_status or "",
        alternative_paths=_merge_texts(
            physics.alternative_paths,
            mathematics.alternative_paths,
            *(check.alternative_paths for check in checks.values()),
        ),
        mirage_convincing=_merge_texts(
            tuple(filter(None, (physics.mirage_convincing, mathematics.mirage_convincing))),
            *((check.mirage_convincing,) for check in checks.values() if check.mirage_convincing),
        ),
        open_points=_merge_texts(
            tuple(f"{NEWTON}: {concern}" for concern in physics.concerns),
            *(
                tuple(f"{author}: {disagreement}" for disagreement in check.disagreements)
                for author, check in checks.items()
            ),
        ),
        computed_status=computation.full_status or "",
        computed_reason=verdict.reason if (verdict := computation.report.verdict) is not None else "",
        computed_findings=tuple(str(finding) for finding in computation.report.findings.errors),
    )


def _collect_checks_of_seed(dossier: Dossier) -> dict[str, FeasibilityCheck]:
    """Return the validators' answers to part 4 that were handed in about the newest seed document, by author."""
    newest = max(
        place for place, entry in enumerate(dossier.entries) if isinstance(entry.deliverable, SeedDocument)
    )
    return {
        entry.author: entry.deliverable
        for entry in dossier.entries[newest:]
        if isinstance(entry.deliverable, FeasibilityCheck)
    }


def _list_changes_required_by_reports(
    physics: PhysicsReport, mathematics: MathematicsReport
) -> tuple[str, ...]:
    invalid = [
        f"{claim.claim_id}: {claim.reasoning}" for claim in physics.claims if claim.verdict == "INVALID"
    ]
    invalid += [
        f"{claim.claim_id}: {claim.calculation}" for claim in mathematics.claims if claim.verdict == "INVALID"
    ]
    units = ["dimensions do not agree"] if mathematics.dimensional_analysis == "ERRORS-FOUND" else []
    corrections = (*physics.corrections_needed, *mathematics.corrections_needed)
    return (*invalid, *units, *map(str, corrections))


def _list_changes_required_by_computation(computation: SeedComputation) -> tuple[str, ...]:
    return tuple(str(finding) for finding in computation.report.findings.errors) + tuple(
        f"{claim}: computed as false" for claim in computation.false_claims
    )


def _merge_texts(*lists: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for each in lists for text in each))
