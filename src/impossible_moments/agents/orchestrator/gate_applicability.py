"""Exceptions to gate rows: for which scenarios a row is replaced or does not apply.

The specification writes its rows for a timed escape with a solution. A row that is not listed here applies to
every scenario. The first departure that fits a scenario counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.gate_checks import seed, validate
from impossible_moments.agents.orchestrator.gate_checks.case import Case, Check
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, Category, Phase, Status


class Ruling(StrEnum):
    """The effect of a departure on a row."""

    APPLIES = "applies"
    REPLACED = "replaced by"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class Fact:
    """A property of a scenario that its status and category do not determine."""

    words: str
    holds: Callable[[Case], bool]


@dataclass(frozen=True)
class Departure:
    """A row that is read differently for some scenarios, and the check that replaces it."""

    phase: Phase
    criterion: str
    ruling: Ruling
    words: str
    """What replaces the row, why it does not apply, or how it is read."""
    check: Check | None = None
    statuses: tuple[Status, ...] = STATUSES
    categories: tuple[Category, ...] = CATEGORIES
    where: Fact | None = None

    def fits(self, case: Case) -> bool:
        """Return whether the departure applies to a scenario."""
        brief = case.dossier.brief
        return (
            brief.solution_status in self.statuses
            and brief.category in self.categories
            and (self.where is None or self.where.holds(case))
        )

    def __str__(self) -> str:
        joint = " " if self.ruling is Ruling.REPLACED else ": "
        return f"{self.ruling}{joint}{self.words}"


def _states_no_deadline(case: Case) -> bool:
    record = case.computed.report.record if case.computed is not None else None
    return record is not None and record.deadline is None


def _rests_on_no_number(case: Case) -> bool:
    computed = case.computed
    return computed is not None and computed.report.accepted and not (computed.rests_on or computed.breaking)


def _has_no_distractors(case: Case) -> bool:
    return case.seed is not None and not case.seed.distractor_inventory


UNTIMED: Final = Fact("no deadline is stated", _states_no_deadline)
NUMBERLESS: Final = Fact("no way rests on a stated number", _rests_on_no_number)
UNDISTRACTED: Final = Fact("the inventory is empty", _has_no_distractors)
RULE_PUZZLES: Final[tuple[Category, ...]] = ("The Babel Problem", "The Invisible Wall", "The Memory Palace")
"""Categories whose difficulty lies in rules, signs and knowledge. Their things need no mass."""
CASCADE: Final[tuple[Category, ...]] = ("The Cascade",)

# fmt: off
DEPARTURES: Final = (
    # 5.1
    Departure(Phase.SEED, "Object table complete", Ruling.REPLACED, "the rule table: every row states its rule in the notes",
              seed.rule_table_is_complete, categories=RULE_PUZZLES),
    Departure(Phase.SEED, "Solution sketch present", Ruling.REPLACED, "the impossibility proof", seed.proof_is_present, ("PX",)),
    Departure(Phase.SEED, "Solution sketch present", Ruling.REPLACED, "the evaluation criteria", seed.criteria_are_present, ("OF",)),
    Departure(Phase.SEED, "At least one distractor designed", Ruling.REPLACED, "the coupling map: some action changes what a rate, a danger or the deadline reads",
              seed.failures_are_coupled, categories=CASCADE),
    Departure(Phase.SEED, "ATHENA confidence >= 0.5", Ruling.NOT_APPLICABLE, "nobody is sure of an approach to an open problem", statuses=("OF",)),
    # 5.2
    Departure(Phase.VALIDATE, "All physical claims validated", Ruling.APPLIES, "the claims are those behind the evaluation criteria", statuses=("OF",)),
    Departure(Phase.VALIDATE, "All physical claims validated", Ruling.APPLIES, "the claims are those the impossibility proof rests on", statuses=("PX",)),
    Departure(Phase.VALIDATE, "Timing budget validated", Ruling.REPLACED, "the impossibility proof, verified by EULER", validate.proof_is_verified, ("PX",)),
    Departure(Phase.VALIDATE, "Timing budget validated", Ruling.REPLACED, "the evaluation envelope, validated by EULER", validate.envelope_is_validated, ("OF",)),
    Departure(Phase.VALIDATE, "Timing budget validated", Ruling.NOT_APPLICABLE, "there is nothing to sum up against", where=UNTIMED),
    Departure(Phase.VALIDATE, "Sensitivity analysis complete", Ruling.REPLACED, "the impossibility proof over whole ranges, by EULER", validate.proof_is_verified, ("PX",)),
    Departure(Phase.VALIDATE, "Sensitivity analysis complete", Ruling.REPLACED, "the gap from what is known to the envelope, by EULER", validate.envelope_is_validated, ("OF",)),
    Departure(Phase.VALIDATE, "Sensitivity analysis complete", Ruling.NOT_APPLICABLE, "there is nothing to vary", where=NUMBERLESS),
    # 5.3
    Departure(Phase.GROUND, "At least 3 cognitive constructs mapped", Ruling.APPLIES, "all constructs that the scenario tests count, not one for each insight"),
    # 5.5
    Departure(Phase.REFINE, "Distractor review complete", Ruling.NOT_APPLICABLE, "there is no distractor to review", categories=CASCADE, where=UNDISTRACTED),
    # 5.6
    Departure(Phase.DOCUMENT, "Evaluation document complete", Ruling.APPLIES, "the criteria stand in the place of the solution", statuses=("OF", "PX", "MT", "DG")),
    Departure(Phase.DOCUMENT, "Evaluation document complete", Ruling.APPLIES, "the best known approaches stand in the place of the solution", statuses=("CT",)),
)
# fmt: on


def departure(phase: Phase, criterion: str, case: Case) -> Departure | None:
    """Return the departure that applies to a row for this scenario, or None."""
    return next((each for each in _of(phase, criterion) if each.fits(case)), None)


def check_for(phase: Phase, criterion: str, case: Case, check: Check) -> Check | None:
    """Return the check of a row for this scenario: its own, a replacement, or None."""
    found = departure(phase, criterion, case)
    if found is None or found.ruling is Ruling.APPLIES:
        return check
    return found.check if found.ruling is Ruling.REPLACED else None


def applicability(phase: Phase, criterion: str, status: Status) -> str:
    """Describe what a row means for a status, with special categories and circumstances."""
    general: str = Ruling.APPLIES
    special: list[str] = []
    for each in _of(phase, criterion):
        if status not in each.statuses:
            continue
        conditions = [] if each.categories == CATEGORIES else [", ".join(each.categories)]
        conditions += [] if each.where is None else [f"where {each.where.words}"]
        if conditions:
            special.append(f"{', '.join(conditions)}: {each}")
        else:
            general = str(each)
            break  # later departures are never reached
    return "; ".join([general, *special])


def _of(phase: Phase, criterion: str) -> Iterator[Departure]:
    return (each for each in DEPARTURES if each.phase is phase and each.criterion == criterion)
