"""Answered asks, one unchangeable row for each, and events of asks in progress.

Two runners may answer the same ask. The first row stays, and both runners continue with it, so both reach the
same end.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import (
    NewScenario,
    copy_beginning,
    enrol_scenario,
    get_scenario_row,
    replace_unstorable_characters,
)
from impossible_moments.ledger.store import LedgerTransaction

LEVEL: Final = 6
"""Compression level: replies shrink to less than half, and a higher level gains little."""


@dataclass(frozen=True, slots=True)
class AnsweredAsk:
    """An answered ask."""

    key: str
    round_number: int
    """The round of the flow that asked it, counted from 1."""
    assignment_hash: str
    reply: bytes
    """The deliverable as JSON."""
    returns: str
    """Name of the deliverable's model."""
    usage: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    prompt_hash: str = ""
    code_version: str = ""
    started_at: float = 0.0
    answered_at: float = 0.0


_ANSWERS: Final = """
    SELECT ask_key, round_number, assignment_hash, reply, returns, usage, model, prompt_hash, code_version,
        started_at, answered_at
    FROM answers WHERE scenario = :scenario
"""
_RECORD: Final = """
    INSERT INTO answers (scenario, ask_key, round_number, assignment_hash, reply, returns, usage, model, prompt_hash,
        code_version, started_at, answered_at)
    VALUES (:scenario, :key, :round_number, :assignment_hash, :reply, :returns, :usage, :model, :prompt_hash,
        :code_version, :started_at, :answered_at)
    ON CONFLICT DO NOTHING
"""
_COPY_ANSWERS: Final = """
    INSERT INTO answers (scenario, ask_key, round_number, assignment_hash, reply, returns, usage, model, prompt_hash,
        code_version, started_at, answered_at)
    SELECT :name, ask_key, round_number, assignment_hash, reply, returns, usage, model, prompt_hash,
        code_version, started_at, answered_at
    FROM answers WHERE scenario = :scenario AND round_number < :round_number
"""


def list_answers(transaction: LedgerTransaction, scenario: str) -> dict[str, AnsweredAsk]:
    """Return all answers of a scenario by key, in the order of the flow."""
    rows = transaction.fetch_rows(f"{_ANSWERS} ORDER BY round_number, ask_key", scenario=scenario)
    return {row[0]: _parse_answer_row(row) for row in rows}


def get_answer(transaction: LedgerTransaction, scenario: str, key: str) -> AnsweredAsk | None:
    """Return the answer to one ask, or None."""
    rows = transaction.fetch_rows(f"{_ANSWERS} AND ask_key = :key", scenario=scenario, key=key)
    return _parse_answer_row(rows[0]) if rows else None


def list_usages(transaction: LedgerTransaction) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return the usage of every answer with its scenario. This reads much less than the answers."""
    rows = transaction.fetch_rows("SELECT scenario, usage FROM answers ORDER BY scenario")
    return tuple((scenario, json.loads(usage)) for scenario, usage in rows)


def record_answer(transaction: LedgerTransaction, scenario: str, answer: AnsweredAsk) -> AnsweredAsk:
    """Store an answer, and return what the ledger then holds.

    This is another runner's answer if that one was first.
    """
    written = transaction.execute_change(
        _RECORD,
        scenario=scenario,
        key=answer.key,
        round_number=answer.round_number,
        assignment_hash=answer.assignment_hash,
        reply=zlib.compress(answer.reply, LEVEL),
        returns=answer.returns,
        usage=json.dumps(dict(answer.usage), sort_keys=True),
        model=answer.model,
        prompt_hash=answer.prompt_hash,
        code_version=answer.code_version,
        started_at=answer.started_at,
        answered_at=answer.answered_at,
    )
    if written:
        return answer
    stored = get_answer(transaction, scenario, answer.key)
    assert stored is not None
    return stored


def copy_answers_of_earlier_rounds(
    transaction: LedgerTransaction, scenario: str, key: str, *, name: str, now: float
) -> int:
    """Begin scenario `name` with the answers of the rounds before the one that asked `key`.

    Returns the number of answers copied. Raises `ConfigurationError` if `key` has no answer or `name` exists.
    """
    original, first_left_out = get_scenario_row(transaction, scenario), get_answer(transaction, scenario, key)
    if original is None or first_left_out is None:
        raise ConfigurationError(
            f"The scenario {scenario} has no answer to the ask {key!r}, so it cannot be forked there. Name an ask that was answered."
        )
    if get_scenario_row(transaction, name) is not None:
        raise ConfigurationError(f"The scenario {name} is already in the ledger. A fork needs a new name.")
    enrol_scenario(
        transaction,
        name,
        NewScenario(
            original.brief, now, original.priority, original.performers, forked_from=f"{scenario} {key}"
        ),
    )
    copy_beginning(transaction, scenario, name=name)
    return transaction.execute_change(
        _COPY_ANSWERS, scenario=scenario, name=name, round_number=first_left_out.round_number
    )


def _parse_answer_row(row: tuple[Any, ...]) -> AnsweredAsk:
    key, round_number, assignment_hash, reply, returns, usage, *others = row
    return AnsweredAsk(
        key, round_number, assignment_hash, zlib.decompress(reply), returns, json.loads(usage), *others
    )


class AskEventKind(StrEnum):
    """The kinds of events recorded for an ask before it is answered."""

    STARTED = "started"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AskEvent:
    """An event for observers. No decision depends on it."""

    scenario: str
    key: str
    kind: AskEventKind
    owner: str
    detail: str
    noted_at: float


_INSERT_EVENT: Final = "INSERT INTO events VALUES (:scenario, :key, :kind, :owner, :detail, :noted_at)"
# In progress: started by its scenario's present runner, and neither answered nor failed since.
_SELECT_IN_FLIGHT: Final = """
    SELECT started.scenario, started.ask_key, started.kind, started.owner, started.detail, started.noted_at
    FROM events started JOIN scenarios ON scenarios.scenario = started.scenario
    WHERE started.kind = :started AND scenarios.owner = started.owner
        AND NOT EXISTS (SELECT 1 FROM answers
            WHERE answers.scenario = started.scenario AND answers.ask_key = started.ask_key)
        AND NOT EXISTS (SELECT 1 FROM events later
            WHERE later.scenario = started.scenario AND later.ask_key = started.ask_key
            AND later.kind = :failed AND later.noted_at >= started.noted_at)
    ORDER BY started.scenario, started.noted_at, started.ask_key
"""


def record_ask_event(transaction: LedgerTransaction, event: AskEvent) -> None:
    """Store an event."""
    transaction.execute_change(
        _INSERT_EVENT,
        scenario=event.scenario,
        key=event.key,
        kind=event.kind,
        owner=event.owner,
        detail=replace_unstorable_characters(event.detail),
        noted_at=event.noted_at,
    )


def list_asks_in_progress(transaction: LedgerTransaction) -> tuple[AskEvent, ...]:
    """Return the asks that the runner of a scenario is waiting for."""
    rows = transaction.fetch_rows(_SELECT_IN_FLIGHT, started=AskEventKind.STARTED, failed=AskEventKind.FAILED)
    return tuple(
        AskEvent(scenario, key, AskEventKind(kind), *others) for scenario, key, kind, *others in rows
    )
