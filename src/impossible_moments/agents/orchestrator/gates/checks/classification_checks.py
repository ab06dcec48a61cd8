"""The checks of specification 5.4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    CheckDeficiency,
    GateCase,
    Remedy,
    is_blank_or_placeholder,
    make_confidence_check,
    make_report_check,
)
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.thresholds import ETHICS_QUESTIONS, LEAST_JUSTIFICATION_WORDS
from impossible_moments.domain.vocabulary import SOCRATES


def _accept_report(_case: GateCase, _report: ClassificationReport) -> Iterator[str]:
    """Yield nothing: the report's schema admits only valid values, so its presence is enough."""
    yield from ()


def _find_short_justification(_case: GateCase, report: ClassificationReport) -> Iterator[str]:
    words = len(report.justification.split())
    if words <= LEAST_JUSTIFICATION_WORDS:
        yield f"Justify your classification in more than {LEAST_JUSTIFICATION_WORDS} words; it has {words}."


def _find_missing_type_justification(_case: GateCase, report: ClassificationReport) -> Iterator[str]:
    if is_blank_or_placeholder(report.type_justification):
        yield "Say why the impossibility is of the type you assign."


def _find_unanswered_ethics_questions(_case: GateCase, report: ClassificationReport) -> Iterator[str]:
    answered_count = len({answer.question for answer in report.ethics.checklist})
    if answered_count < ETHICS_QUESTIONS:
        yield f"Answer all {ETHICS_QUESTIONS} questions of the ethical checklist; {answered_count} are answered."


def check_ethics_passed(case: GateCase) -> Iterator[CheckDeficiency]:
    """Check that the ethical review is not FAIL. A FAIL goes to a human whatever else holds."""
    report = case.collect_deliverables_since_revision(ClassificationReport).get(SOCRATES)
    if report is None:
        yield CheckDeficiency(SOCRATES, "Hand in the ethical review: there is none.", Remedy.SUBMISSION)
    elif report.ethics.status == "FAIL":
        yield CheckDeficiency(SOCRATES, "Your ethical review is FAIL: a human decides.", Remedy.HUMAN)


_of_report = partial(make_report_check, ClassificationReport, SOCRATES)

check_status_classified: Final[Check] = _of_report(_accept_report)
check_justification_substantive: Final[Check] = _of_report(_find_short_justification)
check_impossibility_type_assessed: Final[Check] = _of_report(_find_missing_type_justification)
check_ethics_reviewed: Final[Check] = _of_report(_find_unanswered_ethics_questions)
check_blind_calibration_complete: Final[Check] = _of_report(_accept_report)
check_socrates_confidence: Final[Check] = make_confidence_check(
    SOCRATES, lambda case: case.collect_deliverables_since_revision(ClassificationReport).get(SOCRATES)
)
