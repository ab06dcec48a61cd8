"""Status of the scenarios of a ledger, the losses of each phase, and the system state (specification 1.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from impossible_moments.domain.brief import parse_stored_brief
from impossible_moments.domain.thresholds import HEALTHY_ESCALATION_RATES
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, Phase, parse_main_status
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
from impossible_moments.pipeline import is_gone
from impossible_moments.scenarios import ScenarioMetadata


@dataclass(frozen=True, slots=True)
class ScenarioStatus:
    """Status of one scenario."""

    scenario: str
    state: ScenarioState
    phase: str
    """Phase in which it was discarded, in which it waits, or of its last answer."""
    reason: str
    runner: str
    """Runner that holds the lease and is not known to be gone, or an empty string."""
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


def list_scenario_statuses(store: LedgerStore) -> tuple[ScenarioStatus, ...]:
    """Return the status of every scenario of the ledger, ordered by ID."""
    questions: dict[str, HumanQuestion] = {}
    for question in store.read_and_wait(list_pending_questions):
        questions.setdefault(question.scenario, question)
    rows = store.read_and_wait(leases.list_scenario_rows)
    return tuple(_build_scenario_status(store, row, questions.get(row.scenario)) for row in rows)


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
    store: LedgerStore, row: ScenarioRow, question: HumanQuestion | None
) -> ScenarioStatus:
    return ScenarioStatus(
        scenario=row.scenario,
        state=row.state,
        phase=_find_current_phase(store, row, question),
        reason=row.reason,
        runner="" if is_gone(row.owner) else row.owner,
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


@dataclass(frozen=True)
class StateCount:
    """The number of published scenarios of one kind, and of scenarios of that kind that are still in work."""

    kind: str
    value: str
    published: int
    in_work: int


@dataclass(frozen=True)
class SystemState:
    """Counts of the scenarios of a folder."""

    counts: tuple[StateCount, ...]
    """Counts by category, tier and status, without rows that are zero."""
    finished: int
    started: int
    escalated: int = 0
    """Number of started scenarios about which a human was asked."""

    @property
    def escalation_rate(self) -> float | None:
        """Share of started scenarios about which a human was asked, or None if none was started."""
        return self.escalated / self.started if self.started else None

    @property
    def escalation_health(self) -> str:
        """What the escalation rate says about the agents (4.3)."""
        lowest, highest = HEALTHY_ESCALATION_RATES
        if self.escalation_rate is None or self.started * lowest < 1:
            return "too few scenarios to judge"
        if self.escalation_rate < lowest:
            return "low: the agents may be too agreeable"
        if self.escalation_rate > highest:
            return "high: the agents are miscalibrated, or the briefs are too ambitious"
        return "healthy"

    @property
    def completion(self) -> float | None:
        """Share of started scenarios that are accepted or discarded, or None if none was started."""
        return self.finished / self.started if self.started else None

    def to_data(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        found: dict[str, Any] = {"category": {}, "tier": {}, "status": {}}
        for each in self.counts:
            found[each.kind][each.value] = {"published": each.published, "in_work": each.in_work}
        return {
            **found,
            "completion": {"finished": self.finished, "started": self.started, "share": self.completion},
            "escalation": {
                "scenarios": self.escalated,
                "rate": self.escalation_rate,
                "health": self.escalation_health,
            },
        }


def compute_system_state(
    entries: Mapping[str, ScenarioMetadata],
    statuses: Sequence[ScenarioStatus],
    escalated: frozenset[str] = frozenset(),
) -> SystemState:
    """Count published scenarios by their metadata, and unfinished ones by their briefs.

    `escalated` names the scenarios about which a human was asked.
    """
    briefs = [
        brief
        for each in statuses
        if each.state not in FINISHED and (brief := parse_stored_brief(each.row.brief)) is not None
    ]
    published = list(entries.values())
    rows = (
        ("category", CATEGORIES, [each.category for each in published], [each.category for each in briefs]),
        ("tier", TIERS, [each.tier for each in published], [each.difficulty_tier for each in briefs]),
        (
            "status",
            STATUSES,
            [parse_main_status(each.status) for each in published],
            [each.solution_status for each in briefs],
        ),
    )
    return SystemState(
        tuple(
            count for kind, values, done, open_ in rows for count in _count_values(kind, values, done, open_)
        ),
        sum(each.state in FINISHED for each in statuses),
        len(statuses),
        sum(each.scenario in escalated for each in statuses),
    )


def _count_values(
    kind: str, values: Iterable[str], published: Iterable[str], in_work: Iterable[str]
) -> list[StateCount]:
    done, unfinished = Counter(published), Counter(in_work)
    return [
        StateCount(kind, value, done[value], unfinished[value])
        for value in values
        if done[value] or unfinished[value]
    ]
