"""Status of the scenarios of a ledger, and the losses of each phase, read from ledger rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from impossible_moments.domain.vocabulary import Phase
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import FINISHED, Scenario, State
from impossible_moments.ledger.ledger import answers_of
from impossible_moments.ledger.questions import Question, pending
from impossible_moments.ledger.store import Store

# fmt: off
BUDGET: Final = {
    # specification 7.7: expected share of scenarios that each phase discards
    Phase.SEED: 0.05, Phase.VALIDATE: 0.15, Phase.GROUND: 0.03, Phase.CLASSIFY: 0.05, Phase.REFINE: 0.08, Phase.DOCUMENT: 0.02,
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Standing:
    """Status of one scenario."""

    scenario: str
    state: State
    phase: str
    """Phase in which it was discarded, in which it waits, or of its last answer."""
    reason: str
    runner: str
    """Runner that currently holds the lease, or an empty string."""
    question: Question | None
    """Open question that is due first."""
    row: Scenario


@dataclass(frozen=True, slots=True)
class Loss:
    """Number of finished scenarios that entered a phase, and number discarded there."""

    phase: Phase
    entered: int
    discarded: int

    @property
    def share(self) -> float | None:
        """Discarded share, or None if no scenario entered the phase."""
        return self.discarded / self.entered if self.entered else None


def standings(store: Store, now: float) -> tuple[Standing, ...]:
    """Return the status of every scenario of the ledger, ordered by ID.

    `now` decides which leases are valid.
    """
    questions: dict[str, Question] = {}
    for question in store.read_now(pending):
        questions.setdefault(question.scenario, question)
    rows = store.read_now(leases.scenarios)
    return tuple(_standing(store, row, questions.get(row.scenario), now) for row in rows)


def attrition(found: Iterable[Standing]) -> tuple[Loss, ...]:
    """Return the losses of each phase. Unfinished scenarios are not counted."""
    finished = [each for each in found if each.state in FINISHED]
    lost = Counter(each.phase for each in finished if each.state is State.DISCARDED)
    losses, left = [], len(finished)
    for phase in Phase:
        losses.append(Loss(phase, left, lost[phase]))
        left -= lost[phase]
    return tuple(losses)


def _standing(store: Store, row: Scenario, question: Question | None, now: float) -> Standing:
    return Standing(
        scenario=row.scenario,
        state=row.state,
        phase=_phase(store, row, question),
        reason=row.reason,
        runner=row.owner if row.lease_until > now else "",
        question=question,
        row=row,
    )


def _phase(store: Store, row: Scenario, question: Question | None) -> str:
    if question is not None:
        return _phase_of(question.key)
    if row.phase or row.state in FINISHED:
        return row.phase
    answers = store.read_now(partial(answers_of, scenario=row.scenario))
    return _phase_of(list(answers)[-1]) if answers else ""


def _phase_of(key: str) -> str:
    return key.partition("/")[0]
