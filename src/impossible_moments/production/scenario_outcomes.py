"""What became of every scenario of a folder, as the metrics of batches and of the system count it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from impossible_moments.domain.brief import parse_stored_brief
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.vocabulary import Category, Phase, Tier, parse_main_status
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
    list_escalated_scenarios,
)
from impossible_moments.scenarios import ScenarioMetadata, ScenarioRegistry

SECONDS_OF_A_MINUTE = 60


@dataclass(frozen=True, slots=True)
class ScenarioOutcome:
    """A scenario that was accepted or discarded, or that waits for a human."""

    scenario: str
    state: ScenarioState
    category: Category
    tier: Tier
    minutes: float
    """From its beginning to its end."""
    confidence: float | None
    """The median confidence of its deliverables."""
    blind_status: str | None
    """The status that SOCRATES gave it blind, if it came so far."""
    final_status: str | None
    """The status that SOCRATES gave it informed."""
    is_escalated: bool
    has_veto: bool = False
    revised_phases: frozenset[Phase] = frozenset()
    """The phases that were repeated."""
    is_breakthrough_candidate: bool | None = None
    """Whether an open scenario got a proposal of its agents, or None if it is not open."""


def read_scenario_outcomes(store: LedgerStore, registry: ScenarioRegistry) -> tuple[ScenarioOutcome, ...]:
    """Return the outcomes of the scenarios that are not running, in the order in which they were begun."""
    entries, escalated = registry.entries, store.read_and_wait(list_escalated_scenarios)
    rows = [
        row
        for row in store.read_and_wait(leases.list_scenario_rows)
        if row.state is not ScenarioState.RUNNING
    ]
    outcomes = (
        _build_outcome(
            row,
            entries.get(row.scenario),
            tuple(store.read_and_wait(partial(list_answers, scenario=row.scenario)).values()),
            is_escalated=row.scenario in escalated,
        )
        for row in sorted(rows, key=lambda each: (each.enrolled_at, len(each.scenario), each.scenario))
    )
    return tuple(each for each in outcomes if each is not None)


def _build_outcome(
    row: ScenarioRow,
    entry: ScenarioMetadata | None,
    answers: Sequence[AnsweredAsk],
    *,
    is_escalated: bool,
) -> ScenarioOutcome | None:
    brief = parse_stored_brief(row.brief)
    if brief is None:
        return None
    replies = [(each.returns, json.loads(each.reply)) for each in answers]
    confidences = [
        float(reply["confidence"])
        for _, reply in replies
        if isinstance(reply, dict) and isinstance(reply.get("confidence"), int | float)
    ]
    statuses = {
        returns: str(reply["status"])
        for returns, reply in replies
        if returns in {ClassificationReport.__name__, InformedClassification.__name__}
    }
    minutes = (row.changed_at - row.enrolled_at) / SECONDS_OF_A_MINUTE
    common = (
        median(confidences) if confidences else None,
        statuses.get(ClassificationReport.__name__),
        statuses.get(InformedClassification.__name__),
        is_escalated,
    )
    if entry is None:
        return ScenarioOutcome(
            row.scenario, row.state, brief.category, brief.difficulty_tier, minutes, *common
        )
    return ScenarioOutcome(
        row.scenario,
        row.state,
        entry.category,
        entry.tier,
        minutes if entry.stamps.pipeline_minutes is None else entry.stamps.pipeline_minutes,
        *common,
        has_veto=entry.vetoes.issued > 0,
        revised_phases=frozenset(phase for phase, loops in entry.revision_loops.items() if loops),
        is_breakthrough_candidate=entry.breakthrough_candidate
        if parse_main_status(entry.status) == "OF"
        else None,
    )
