"""Every deliberate fault in a golden record is reported, and the record without it is not."""

from functools import cache

import pytest

from impossible_moments.mechanics.checks.record_check import CheckReport
from mutations.faults import FAULTS, Fault
from support.golden_records import check_golden_record, check_record

LEAST_FAULTS = 60
UNDECIDED = "undecided"


def each_fault(faults: tuple[Fault, ...] = FAULTS) -> pytest.MarkDecorator:
    """The test for each fault, under the fault's own name."""
    return pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.id) for fault in faults])


@cache
def report_of(fault: Fault) -> CheckReport:
    return check_record(fault.data)


def found(report: CheckReport) -> list[str]:
    """The findings with their severity, for a message a person can read."""
    return [str(finding) for finding in report.findings]


@each_fault()
def test_a_fault_is_reported_with_its_weight(fault: Fault) -> None:
    report = report_of(fault)

    assert (fault.code, fault.severity) in {(each.code, each.severity) for each in report.findings}, found(
        report
    )


@each_fault()
def test_the_record_without_the_fault_does_not_have_its_finding(fault: Fault) -> None:
    assert fault.code not in check_golden_record(fault.record).findings.codes


@each_fault(tuple(fault for fault in FAULTS if fault.status is not None))
def test_the_status_is_computed_from_the_facts_and_not_from_the_label(fault: Fault) -> None:
    verdict = report_of(fault).verdict

    assert verdict is not None
    assert (verdict.status or UNDECIDED) == fault.status, verdict.reason


def test_there_are_many_faults_and_no_two_of_one_name() -> None:
    assert len({fault.id for fault in FAULTS}) == len(FAULTS) >= LEAST_FAULTS
