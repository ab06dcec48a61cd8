"""Exceptions to gate rows: for which scenarios a row is replaced or does not apply.

The specification writes its rows for a timed escape with a solution. A row that is not listed here applies to
every scenario. The first departure that fits a scenario counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.agents.orchestrator.gates.checks import seed_checks, validation_checks
from impossible_moments.agents.orchestrator.gates.gate_case import Check, GateCase
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, Category, Phase, Status


class RowRuling(StrEnum):
    """The effect of a departure on a row."""

    APPLIES = "applies"
    REPLACED = "replaced by"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class ScenarioFact:
    """A property of a scenario that its status and category do not determine."""

    words: str
    holds: Callable[[GateCase], bool]


@dataclass(frozen=True)
class GateDeparture:
    """A row that is read differently for some scenarios, and the check that replaces it."""

    phase: Phase
    criterion: str
    ruling: RowRuling
    words: str
    """What replaces the row, why it does not apply, or how it is read."""
    check: Check | None = None
    statuses: tuple[Status, ...] = STATUSES
    categories: tuple[Category, ...] = CATEGORIES
    where: ScenarioFact | None = None

    def applies_to(self, case: GateCase) -> bool:
        """Return whether the departure applies to a scenario."""
        brief = case.dossier.brief
        return (
            brief.solution_status in self.statuses
            and brief.category in self.categories
            and (self.where is None or self.where.holds(case))
        )

    def __str__(self) -> str:
        joint = " " if self.ruling is RowRuling.REPLACED else ": "
        return f"{self.ruling}{joint}{self.words}"


def _has_no_deadline(case: GateCase) -> bool:
    record = case.computed.report.record if case.computed is not None else None
    return record is not None and record.deadline is None


def _rests_on_no_number(case: GateCase) -> bool:
    computation = case.computed
    return (
        computation is not None
        and computation.report.is_accepted
        and not (computation.rests_on or computation.breaking_quantities)
    )


def _has_no_distractors(case: GateCase) -> bool:
    return case.seed is not None and not case.seed.distractor_inventory


UNTIMED: Final = ScenarioFact("no deadline is stated", _has_no_deadline)
WITHOUT_NUMBERS: Final = ScenarioFact("no way rests on a stated number", _rests_on_no_number)
WITHOUT_DISTRACTORS: Final = ScenarioFact("the inventory is empty", _has_no_distractors)
RULE_PUZZLES: Final[tuple[Category, ...]] = ("The Babel Problem", "The Invisible Wall", "The Memory Palace")
"""Categories whose difficulty lies in rules, signs and knowledge. Their things need no mass."""
CASCADE: Final[tuple[Category, ...]] = ("The Cascade",)

# fmt: off
DEPARTURES: Final = (
    # 5.1
    GateDeparture(Phase.SEED, "Object table complete", RowRuling.REPLACED, "the rule table: every row states its rule in the notes",
              seed_checks.check_rule_table_complete, categories=RULE_PUZZLES),
    GateDeparture(Phase.SEED, "Object table complete", RowRuling.APPLIES, "places, persons and rules of the record have no mass; their notes state what holds for them"),
    GateDeparture(Phase.SEED, "Solution sketch present", RowRuling.REPLACED, "the impossibility proof", seed_checks.check_proof_present, ("PX",)),
    GateDeparture(Phase.SEED, "Solution sketch present", RowRuling.REPLACED, "the evaluation criteria", seed_checks.check_criteria_present, ("OF",)),
    GateDeparture(Phase.SEED, "At least one distractor designed", RowRuling.REPLACED, "the coupling map: some action changes what a rate, a danger or the deadline reads",
              seed_checks.check_failures_coupled, categories=CASCADE),
    GateDeparture(Phase.SEED, "ATHENA confidence >= 0.5", RowRuling.NOT_APPLICABLE, "no agent can be confident in an approach to an open problem", statuses=("OF",)),
    # 5.2
    GateDeparture(Phase.VALIDATE, "All physical claims validated", RowRuling.APPLIES, "the claims are those behind the evaluation criteria", statuses=("OF",)),
    GateDeparture(Phase.VALIDATE, "All physical claims validated", RowRuling.APPLIES, "the claims are those the impossibility proof rests on", statuses=("PX",)),
    GateDeparture(Phase.VALIDATE, "Timing budget validated", RowRuling.REPLACED, "the impossibility proof, verified by EULER", validation_checks.check_proof_verified, ("PX",)),
    GateDeparture(Phase.VALIDATE, "Timing budget validated", RowRuling.REPLACED, "the evaluation envelope, validated by EULER", validation_checks.check_envelope_validated, ("OF",)),
    GateDeparture(Phase.VALIDATE, "Timing budget validated", RowRuling.NOT_APPLICABLE, "there is nothing to sum up against", where=UNTIMED),
    GateDeparture(Phase.VALIDATE, "Sensitivity analysis complete", RowRuling.REPLACED, "the impossibility proof over whole ranges, by EULER", validation_checks.check_proof_verified, ("PX",)),
    GateDeparture(Phase.VALIDATE, "Sensitivity analysis complete", RowRuling.REPLACED, "the gap from what is known to the envelope, by EULER", validation_checks.check_envelope_validated, ("OF",)),
    GateDeparture(Phase.VALIDATE, "Sensitivity analysis complete", RowRuling.NOT_APPLICABLE, "there is nothing to vary", where=WITHOUT_NUMBERS),
    # 5.3
    GateDeparture(Phase.GROUND, "At least 3 cognitive constructs mapped", RowRuling.APPLIES, "all constructs that the scenario tests count, not one for each insight"),
    # 5.5
    GateDeparture(Phase.REFINE, "Distractor review complete", RowRuling.NOT_APPLICABLE, "there is no distractor to review", categories=CASCADE, where=WITHOUT_DISTRACTORS),
    # 5.6
    GateDeparture(Phase.DOCUMENT, "Evaluation document complete", RowRuling.APPLIES, "the criteria stand in the place of the solution", statuses=("OF", "PX", "MT", "DG")),
    GateDeparture(Phase.DOCUMENT, "Evaluation document complete", RowRuling.APPLIES, "the best known approaches stand in the place of the solution", statuses=("CT",)),
)
# fmt: on


def find_departure(phase: Phase, criterion: str, case: GateCase) -> GateDeparture | None:
    """Return the departure that applies to a row for this scenario, or None."""
    return next((each for each in _iterate_row_departures(phase, criterion) if each.applies_to(case)), None)


def select_check_of_gate_row(phase: Phase, criterion: str, case: GateCase, check: Check) -> Check | None:
    """Return the check of a row for this scenario: its own, a replacement, or None."""
    found = find_departure(phase, criterion, case)
    if found is None or found.ruling is RowRuling.APPLIES:
        return check
    return found.check if found.ruling is RowRuling.REPLACED else None


def describe_applicability(phase: Phase, criterion: str, status: Status) -> str:
    """Describe what a row means for a status, with special categories and circumstances."""
    general: str = RowRuling.APPLIES
    special: list[str] = []
    for each in _iterate_row_departures(phase, criterion):
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


def _iterate_row_departures(phase: Phase, criterion: str) -> Iterator[GateDeparture]:
    return (each for each in DEPARTURES if each.phase is phase and each.criterion == criterion)
