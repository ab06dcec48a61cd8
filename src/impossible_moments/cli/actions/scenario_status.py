"""Status of the scenarios of a ledger, and the losses of each phase, read from ledger rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from impossible_moments.domain.vocabulary import Phase
from impossible_moments.ledger import (
    FINISHED,
    HumanQuestion,
    LedgerStore,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
    list_pending_questions,
)


@dataclass(frozen=True, slots=True)
class ScenarioStatus:
    """Status of one scenario."""

    scenario: str
    state: ScenarioState
    phase: str
    """Phase in which it was discarded, in which it waits, or of its last answer."""
    reason: str
    runner: str
    """Runner that currently holds the lease, or an empty string."""
    question: HumanQuestion | None
    """Open question that is due first."""
    row: ScenarioRow


@dataclass(frozen=True, slots=True)
class PhaseLoss:
    """Number of finished scenarios that entered a phase, and number discarded there."""

    phase: Phase
    entered: int
    discarded: int

    @property
    def share(self) -> float | None:
        """Discarded share, or None if no scenario entered the phase."""
        return self.discarded / self.entered if self.entered else None


def list_scenario_statuses(store: LedgerStore, now: float) -> tuple[ScenarioStatus, ...]:
    """Return the status of every scenario of the ledger, ordered by ID.

    `now` decides which leases are valid.
    """
    questions: dict[str, HumanQuestion] = {}
    for question in store.read_and_wait(list_pending_questions):
        questions.setdefault(question.scenario, question)
    rows = store.read_and_wait(leases.list_scenario_rows)
    return tuple(_build_scenario_status(store, row, questions.get(row.scenario), now) for row in rows)


def compute_attrition(found: Iterable[ScenarioStatus]) -> tuple[PhaseLoss, ...]:
    """Return the losses of each phase. Unfinished scenarios are not counted."""
    finished = [each for each in found if each.state in FINISHED]
    lost = Counter(each.phase for each in finished if each.state is ScenarioState.DISCARDED)
    losses, left = [], len(finished)
    for phase in Phase:
        losses.append(PhaseLoss(phase, left, lost[phase]))
        left -= lost[phase]
    return tuple(losses)


def _build_scenario_status(
    store: LedgerStore, row: ScenarioRow, question: HumanQuestion | None, now: float
) -> ScenarioStatus:
    return ScenarioStatus(
        scenario=row.scenario,
        state=row.state,
        phase=_find_current_phase(store, row, question),
        reason=row.reason,
        runner=row.owner if row.lease_until > now else "",
        question=question,
        row=row,
    )


def _find_current_phase(store: LedgerStore, row: ScenarioRow, question: HumanQuestion | None) -> str:
    if question is not None:
        return _extract_phase_from_ask_key(question.key)
    if row.phase or row.state in FINISHED:
        return row.phase
    answers = store.read_and_wait(partial(list_answers, scenario=row.scenario))
    return _extract_phase_from_ask_key(list(answers)[-1]) if answers else ""


def _extract_phase_from_ask_key(key: str) -> str:
    return key.partition("/")[0]
