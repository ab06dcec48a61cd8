"""The checks of specification 5.4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from impossible_moments.agents.orchestrator.gate_checks.case import (
    Case,
    Check,
    Lack,
    Remedy,
    confidence_of,
    is_blank,
    report_check,
)
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.vocabulary import SOCRATES

FEWER_THAN_SUBSTANTIVE: Final = 100
"""A justification must have more words than this."""
QUESTIONS: Final = 7
"""Items of the ethical checklist, specification 4.4 of phase 4."""


def _handed_in(_case: Case, _report: ClassificationReport) -> Iterator[str]:
    """Yield nothing: the report's schema admits only valid values, so its presence is enough."""
    yield from ()


def _justified(_case: Case, report: ClassificationReport) -> Iterator[str]:
    words = len(report.justification.split())
    if words <= FEWER_THAN_SUBSTANTIVE:
        yield f"Justify your classification in more than {FEWER_THAN_SUBSTANTIVE} words; it has {words}."


def _type(_case: Case, report: ClassificationReport) -> Iterator[str]:
    if is_blank(report.type_justification):
        yield "Say why the impossibility is of the type you assign."


def _ethics(_case: Case, report: ClassificationReport) -> Iterator[str]:
    answered = len({answer.question for answer in report.ethics.checklist})
    if answered < QUESTIONS:
        yield f"Answer all {QUESTIONS} questions of the ethical checklist; {answered} are answered."


def ethics_are_passed(case: Case) -> Iterator[Lack]:
    """Check that the ethical review is not FAIL. A FAIL goes to a human whatever else holds."""
    report = case.since_revision(ClassificationReport).get(SOCRATES)
    if report is None:
        yield Lack(SOCRATES, "Hand in the ethical review: there is none.")
    elif report.ethics.status == "FAIL":
        yield Lack(SOCRATES, "Your ethical review is FAIL: a human decides.", Remedy.HUMAN)


_of_report = partial(report_check, ClassificationReport, SOCRATES)

status_is_classified: Final[Check] = _of_report(_handed_in)
justification_is_substantive: Final[Check] = _of_report(_justified)
type_is_assessed: Final[Check] = _of_report(_type)
ethics_are_reviewed: Final[Check] = _of_report(_ethics)
calibration_is_complete: Final[Check] = _of_report(_handed_in)
socrates_is_confident: Final[Check] = confidence_of(
    SOCRATES, lambda case: case.since_revision(ClassificationReport).get(SOCRATES)
)
