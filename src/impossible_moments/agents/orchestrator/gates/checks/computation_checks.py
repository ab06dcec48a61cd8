"""The checks computed from the record, which no report, vote or confidence can outweigh."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    make_report_check,
    make_seed_check,
)
from impossible_moments.agents.orchestrator.gates.public_text_comparison import (
    MOST_NAMED,
    find_public_numbers_missing_from_record,
    find_record_values_missing_from_scenario,
)
from impossible_moments.agents.orchestrator.seed_computation import SeedComputation
from impossible_moments.domain.dossier import RevisionDemand
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, ORCHESTRATOR
from impossible_moments.mechanics.findings import Finding, Findings
from impossible_moments.mechanics.records import parse_record
from impossible_moments.mechanics.world import build_world

ROUNDING: Final = 0.005
"""Half a percent of the deadline: a margin is reported in whole percents."""
SAME_TIME: Final = 0.01
"""How far a printed time may be rounded."""
_SLACK: Final = 1e-9


def _find_record_errors(case: GateCase, _seed: SeedDocument) -> Iterator[RevisionDemand]:
    report = _get_seed_computation(case).report
    yield from (_build_demand(finding) for finding in islice(report.findings.errors, MOST_NAMED))


def _find_unreadable_parts(case: GateCase, seed: SeedDocument) -> Iterator[RevisionDemand]:
    """Yield what prevents the record from being read. Whether what it says is true, the validators judge."""
    findings = Findings()
    record = parse_record(seed.mechanics, findings)
    if record is not None:
        build_world(record, case.resources.computations.library, findings)
    yield from (_build_demand(finding) for finding in islice(findings.errors, MOST_NAMED))


def _build_demand(finding: Finding) -> RevisionDemand:
    return RevisionDemand(
        ORCHESTRATOR,
        f"The record is refused ({finding.code}): {finding.what}.",
        subject=finding.where,
        evidence=f"Found: {finding.found}." if finding.found else "",
        proposal=f"Expected: {finding.expected}." if finding.expected else "",
    )


def _find_status_mismatch(case: GateCase, _seed: SeedDocument) -> Iterator[str]:
    computation, briefed_status = _get_seed_computation(case), case.dossier.brief.solution_status
    verdict = computation.report.verdict
    if verdict is None:
        yield f"No status can be computed from the record; the brief asks for {briefed_status}."
    elif computation.status != briefed_status:
        computed_status = computation.full_status or "undecided"
        yield f"The record computes as {computed_status}, and the brief asks for {briefed_status}: {verdict.reason}."


def _find_mismatches_of_scenario_text_and_record(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    report = _get_seed_computation(case).report
    for unknown_number in islice(find_public_numbers_missing_from_record(seed, report), MOST_NAMED):
        yield f"A number belongs to no quantity of the record, in the {unknown_number}. Name it in the record or take it out."
    for missing in islice(find_record_values_missing_from_scenario(seed, report), MOST_NAMED):
        yield f"The scenario and the record drift apart: {missing}."


def _find_false_claims(case: GateCase, seed: SeedDocument) -> Iterator[str]:
    values = _get_seed_computation(case).claims
    for claim in seed.solution_sketch.claims:
        value = values.get(claim.claim_id)
        subject = f"Claim {claim.claim_id}, `{claim.expression}`,"
        if value is not None and value.holds is False:
            yield f"{subject} computes as false at the values of the record. Correct the claim or the record."
        elif value is not None and value.problem:
            yield f"{subject} cannot be computed: {value.problem}. Write it in the record's names, or leave the expression empty."


def _find_timing_mismatches(case: GateCase, report: MathematicsReport) -> Iterator[str]:
    found = _get_seed_computation(case)
    if found.deadline is None or not found.margins:
        return
    if report.deadline_seconds is None or not _is_same_time(report.deadline_seconds, found.deadline):
        yield f"The record's deadline is {found.deadline:.4g} s, and your timing budget is held against {_format_seconds(report.deadline_seconds)}."
    if report.margin is None:
        yield "State the margin as a share of the deadline."
        return
    if not any(abs(report.margin - margin) <= ROUNDING + _SLACK for margin in found.margins):
        # The computed number stays hidden, so that EULER's own calculation is an independent second opinion.
        side = "less" if report.margin > max(found.margins) else "another one"
        yield f"You report a margin of {report.margin:.1%} of the deadline; computed from the record it is {side}. Calculate each step anew."
    spent = sum(row.seconds for row in report.timing_budget)
    if abs((found.deadline - spent) / found.deadline - report.margin) > SAME_TIME + _SLACK:
        yield f"Your timing budget sums to {spent:.4g} s, which is no margin of {report.margin:.1%}."


def _get_seed_computation(case: GateCase) -> SeedComputation:
    assert case.computed is not None, "these checks run only where there is a seed"
    return case.computed


def _is_same_time(first: float, second: float) -> bool:
    return abs(first - second) <= SAME_TIME * max(abs(first), abs(second))


def _format_seconds(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g} s"


def check_public_text_sufficient(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that the public document alone leads to the computed result, if the cast has a reader."""
    if case.resources.reader is None or case.documents is None or case.seed is None:
        return
    reason = case.resources.reader(case.documents.public, _get_seed_computation(case).report)
    if reason is not None:
        yield CheckDeficiency(ATHENA, reason)


check_record_accepted: Final[Check] = make_seed_check(_find_record_errors)
check_record_readable: Final[Check] = make_seed_check(_find_unreadable_parts)
check_status_matches_brief: Final[Check] = make_seed_check(_find_status_mismatch)
check_prose_matches_record: Final[Check] = make_seed_check(_find_mismatches_of_scenario_text_and_record)
check_no_claim_false: Final[Check] = make_seed_check(_find_false_claims)
check_margin_matches_computation: Final[Check] = make_report_check(
    MathematicsReport, EULER, _find_timing_mismatches
)
