"""The checks of specification 5.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.alternative_paths import ANOTHER_WAY, find_undeclared_paths
from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    is_blank_or_placeholder,
    make_confidence_check,
    make_report_check,
)
from impossible_moments.agents.orchestrator.seed_computation import SeedComputation
from impossible_moments.domain.dossier import RevisionDemand, VetoCase
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.domain.thresholds import LEAST_EDGE_CASES
from impossible_moments.domain.validation import (
    ClaimVerdict,
    Correction,
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, ORCHESTRATOR

_SLACK: Final = 1e-9
_NEEDED: Final = "is needed."


def check_every_claim_judged(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that NEWTON and EULER have each judged every flagged claim (1.7)."""
    for author, judgements in (
        (NEWTON, _collect_physics_verdicts(case)),
        (EULER, _collect_mathematics_verdicts(case)),
    ):
        open_claims = [
            claim.claim_id for claim in _list_flagged_claims(case) if claim.claim_id not in judgements
        ]
        if open_claims:
            yield CheckDeficiency(
                author, f"Judge every flagged claim VALID or INVALID; open are {', '.join(open_claims)}."
            )


def check_no_claim_invalid(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that no claim is INVALID and no revision is pending. Such claims go back to ATHENA."""
    false = case.computed.false_claims if case.computed is not None else ()
    verdicts = (_collect_physics_verdicts(case), _collect_mathematics_verdicts(case))
    invalid = [
        claim.claim_id
        for claim in _list_flagged_claims(case)
        if claim.claim_id in false or any(judged.get(claim.claim_id) == "INVALID" for judged in verdicts)
    ]
    demands = tuple(_iterate_validators_demands(case, frozenset(invalid)))
    yield from (CheckDeficiency.from_demand(ATHENA, demand) for demand in demands)
    # Other ways are demanded by a criterion of their own.
    if not demands and not find_undeclared_paths(case.dossier) and _requires_revision(case):
        changes = [
            change
            for joint in case.collect_deliverables_since_revision(JointAssessment).values()
            for change in joint.changes_required
        ]
        yield CheckDeficiency(
            ATHENA, f"The validation asks for a revision: {' '.join(changes) or 'NEWTON calls it INVALID.'}"
        )


def _iterate_validators_demands(case: GateCase, invalid: frozenset[str]) -> Iterator[RevisionDemand]:
    """Yield what the validators demand, word for word: each INVALID claim with its reason, then each correction."""
    judged: set[str] = set()
    reports: dict[str, PhysicsReport | MathematicsReport] = {
        **case.collect_deliverables_since_revision(PhysicsReport),
        **case.collect_deliverables_since_revision(MathematicsReport),
    }
    checks = case.collect_deliverables_since_revision(FeasibilityCheck)
    for author, report in reports.items():
        for claim in report.claims:
            if claim.verdict == "INVALID" and claim.claim_id in invalid:
                judged.add(claim.claim_id)
                reason = claim.reasoning if isinstance(claim, ClaimVerdict) else claim.calculation
                yield RevisionDemand(
                    author, f"Claim {claim.claim_id} is INVALID.", claim.claim_id, evidence=reason
                )
        corrections = (*report.corrections_needed, *_get_joint_corrections(checks.get(author)))
        yield from (_build_correction_demand(author, correction) for correction in corrections)
    for name in sorted(invalid - judged):
        yield RevisionDemand(
            ORCHESTRATOR,
            f"Claim {name} computes as false: revise it, and what rests on it. It will be judged anew.",
            name,
        )


def _get_joint_corrections(check: FeasibilityCheck | None) -> tuple[Correction, ...]:
    return () if check is None else check.corrections_needed


def _build_correction_demand(author: str, correction: Correction) -> RevisionDemand:
    return RevisionDemand(
        author,
        correction.problem,
        correction.subject,
        evidence=correction.evidence,
        proposal=correction.proposal,
    )


def _requires_revision(case: GateCase) -> bool:
    physics = case.collect_deliverables_since_revision(PhysicsReport).get(NEWTON)
    joint = case.collect_deliverables_since_revision(JointAssessment).values()
    infeasible = physics is not None and physics.feasibility == "INVALID"
    return infeasible or any(each.status == "NEEDS-REVISION" for each in joint)


def _find_timing_gaps(case: GateCase, report: MathematicsReport) -> Iterator[str]:
    if not report.timing_budget or not report.deadline_seconds:
        yield "Hand in the timing budget: every step with its justified time, and the stated deadline."
        return
    unjustified = [row.step for row in report.timing_budget if is_blank_or_placeholder(row.basis)]
    if unjustified:
        yield f"Justify the time of {', '.join(unjustified)}."
    spent = sum(row.seconds for row in report.timing_budget)
    margin = (report.deadline_seconds - spent) / report.deadline_seconds
    if margin < case.resources.limits.timing_margin - _SLACK:
        yield f"The steps take {spent:.4g} s of {report.deadline_seconds:.4g} s: {margin:.0%} is left, and {case.resources.limits.timing_margin:.0%} {_NEEDED}"


def check_timing_margin(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that EULER's timing sum leaves the required margin. If not, ATHENA must change the design."""
    gaps = list(make_report_check(MathematicsReport, EULER, _find_timing_gaps)(case))
    yield from gaps
    if any(lack.text.endswith(_NEEDED) for lack in gaps):
        yield CheckDeficiency(
            ATHENA,
            f"The solution takes too much of the deadline: leave at least {case.resources.limits.timing_margin:.0%}.",
        )


def check_no_active_vetoes(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that every veto has ended. One that sent the scenario back ends with the redesign."""
    yield from (
        CheckDeficiency(
            author,
            f"Your veto of `{claim}` is not settled: say whether the scenario as it stands answers it.",
        )
        for author, claim in find_unsettled_vetoes(case)
    )


def find_unsettled_vetoes(case: GateCase) -> Iterator[tuple[str, str]]:
    """Yield the agent and the claim of every open veto.

    A veto is open if it was raised and never processed, or if it sent the scenario back and no redesign
    followed.
    """
    cases = case.dossier.vetoes
    taken_up = {(each.raised_by, each.veto.claim, each.veto.law) for each in cases}
    for entry in case.dossier.entries:
        for veto in getattr(entry.deliverable, "vetoes", ()):
            if (entry.author, veto.claim, veto.law) not in taken_up:
                yield entry.author, veto.claim
    returned_vetoes = [each for each in cases if each.outcome == "RETURNED"]
    for each in returned_vetoes[case.dossier.redesigns :]:
        yield each.raised_by, each.veto.claim
    yield from ((each.raised_by, each.veto.claim) for each in cases if not _has_veto_ended(each))


def _has_veto_ended(veto: VetoCase) -> bool:
    # 5.2: resolved means lifted, revised or escalated. A downgraded veto became a challenge.
    return veto.outcome in {"LIFTED", "DOWNGRADED", "ESCALATED", "RETURNED", "RECLASSIFIED"}


def check_edge_cases_documented(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that both validators together name at least two different edge cases."""
    lists = (
        *(report.edge_cases for report in case.collect_deliverables_since_revision(PhysicsReport).values()),
        *(
            report.edge_cases
            for report in case.collect_deliverables_since_revision(MathematicsReport).values()
        ),
        *(report.edge_cases for report in case.collect_deliverables_since_revision(JointAssessment).values()),
    )
    found = {
        " ".join(text.lower().split())
        for texts in lists
        for text in texts
        if not is_blank_or_placeholder(text)
    }
    if len(found) < LEAST_EDGE_CASES:
        text = (
            f"Name edge cases: at least {LEAST_EDGE_CASES} different ones are needed from the two validators."
        )
        yield from (CheckDeficiency(author, text) for author in (NEWTON, EULER))


def _find_sensitivity_gaps(case: GateCase, report: MathematicsReport) -> Iterator[str]:
    computation = case.computed
    if computation is None:
        return
    rows = {row.quantity: row for row in report.sensitivity}
    if not rows:
        yield "Hand in the fragility profile: what a change of 20 % of each key quantity does."
        return
    missing = [name for name in computation.breaking_quantities if name not in rows]
    if missing:
        yield f"The fragility profile leaves out {_describe_changes(computation, missing)}."
    unreported = [name for name in computation.breaking_quantities if name in rows and not rows[name].breaks]
    if unreported:
        yield f"Your profile says that a change by 20 % stops no solution, and the computation shows that it does: {_describe_changes(computation, unreported)}."
    if computation.is_fragile and not report.fragile:
        yield "Within the ranges of its assumed quantities the solution breaks: flag it as KS-Fragile."


def _describe_changes(computation: SeedComputation, names: list[str]) -> str:
    """Return quantities with the value tried, the direction, and how a plan ends at that value."""
    changes = computation.breaking_changes
    return "; ".join(changes.get(name, name) for name in names)


def _find_missing_proof(_case: GateCase, report: MathematicsReport) -> Iterator[str]:
    if is_blank_or_placeholder(report.impossibility_proof):
        yield "Construct or verify the impossibility proof: name the conflicting constraints and derive the contradiction over their whole ranges."


def _find_missing_envelope(_case: GateCase, report: MathematicsReport) -> Iterator[str]:
    if is_blank_or_placeholder(report.optimization):
        yield "Validate the evaluation criteria: formalize what an answer must reach, and how far that lies from what is known."


def check_alternative_paths_answered(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that the record knows or excludes every other way that a validator names in any report."""
    for path, authors in find_undeclared_paths(case.dossier).items():
        demand = RevisionDemand(
            ", ".join(authors),
            f"{ANOTHER_WAY}{path}",
            "alternative path",
            proposal="Declare it in the record as an approach, or close it by a fact that the text states.",
        )
        yield CheckDeficiency.from_demand(ATHENA, demand)


def _list_flagged_claims(case: GateCase) -> tuple[PhysicalClaim, ...]:
    return () if case.seed is None else case.seed.solution_sketch.claims


def _collect_physics_verdicts(case: GateCase) -> dict[str, str]:
    report = case.collect_deliverables_since_revision(PhysicsReport).get(NEWTON)
    return (
        {}
        if report is None
        else _select_worst_verdicts((each.claim_id, each.verdict) for each in report.claims)
    )


def _collect_mathematics_verdicts(case: GateCase) -> dict[str, str]:
    report = case.collect_deliverables_since_revision(MathematicsReport).get(EULER)
    return (
        {}
        if report is None
        else _select_worst_verdicts((each.claim_id, each.verdict) for each in report.claims)
    )


def _select_worst_verdicts(verdicts: Iterator[tuple[str, str]]) -> dict[str, str]:
    """Return the verdict on each claim. A claim that is judged both ways is INVALID."""
    found: dict[str, str] = {}
    for name, verdict in verdicts:
        found[name] = "INVALID" if "INVALID" in {verdict, found.get(name)} else verdict
    return found


check_sensitivity_complete: Final[Check] = make_report_check(MathematicsReport, EULER, _find_sensitivity_gaps)
check_proof_verified: Final[Check] = make_report_check(MathematicsReport, EULER, _find_missing_proof)
check_envelope_validated: Final[Check] = make_report_check(MathematicsReport, EULER, _find_missing_envelope)
check_newton_confidence: Final[Check] = make_confidence_check(
    NEWTON, lambda case: case.collect_deliverables_since_revision(PhysicsReport).get(NEWTON)
)
check_euler_confidence: Final[Check] = make_confidence_check(
    EULER, lambda case: case.collect_deliverables_since_revision(MathematicsReport).get(EULER)
)
