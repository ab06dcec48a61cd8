"""Scenarios and their leases: the state of each, and which runner may work on it until when.

A lease is used instead of a lock because it expires. So the work of a runner that died or froze is claimed by
the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.store import LedgerTransaction


class ScenarioState(StrEnum):
    """The state of a scenario. One that waits for a runner is also running."""

    RUNNING = "running"
    AWAITING_HUMAN = "awaiting human"
    ACCEPTED = "accepted"
    DISCARDED = "discarded"
    FAILED = "failed"


FINISHED: Final = frozenset({ScenarioState.ACCEPTED, ScenarioState.DISCARDED})


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """A row of the table of scenarios."""

    scenario: str
    brief: str
    """The brief from which any process can build the flow, as JSON."""
    priority: int
    state: ScenarioState
    phase: str
    """The phase in which it was discarded."""
    reason: str
    """Why it was discarded, or the error it failed with."""
    owner: str
    lease_until: float
    enrolled_at: float
    changed_at: float
    forked_from: str


@dataclass(frozen=True, slots=True)
class Lease:
    """A runner's right to work on a scenario."""

    owner: str
    now: float
    until: float


@dataclass(frozen=True, slots=True)
class ScenarioClosing:
    """How a scenario ended."""

    state: ScenarioState
    phase: str = ""
    reason: str = ""


_COLUMNS: Final = "scenario, brief, priority, state, phase, reason, owner, lease_until, enrolled_at, changed_at, forked_from"
_ENROL: Final = """
    INSERT INTO scenarios
    VALUES (:scenario, :brief, :priority, :running, '', '', '', 0, :now, :now, :forked_from)
    ON CONFLICT DO NOTHING
"""
_BEGIN: Final = """
    UPDATE scenarios SET enrolled_at = :now
    WHERE scenario = :scenario AND NOT EXISTS (SELECT 1 FROM answers WHERE answers.scenario = :scenario)
"""
_SELECT: Final = f"SELECT {_COLUMNS} FROM scenarios"  # noqa: S608 - a list of columns, without values
# The update repeats the condition on the lease: if two runners select one row, the second finds it taken.
# A runner does not take over from itself: it was only slow, and is still working on the scenario.
_CLAIM_NEXT: Final = f"""
    UPDATE scenarios SET owner = :owner, lease_until = :until, changed_at = :now
    WHERE lease_until <= :now AND state = :running AND scenario = (
        SELECT scenario FROM scenarios WHERE state = :running AND lease_until <= :now AND owner <> :owner
        ORDER BY priority DESC, enrolled_at, scenario LIMIT 1
    )
    RETURNING {_COLUMNS}
"""  # noqa: S608 - a list of columns, without values
_CLAIM_LEASE: Final = f"""
    UPDATE scenarios
    SET owner = :owner, lease_until = :until, changed_at = :now, state = :running, phase = '', reason = ''
    WHERE scenario = :scenario AND lease_until <= :now AND owner <> :owner AND state NOT IN (:accepted, :discarded)
    RETURNING {_COLUMNS}
"""  # noqa: S608 - a list of columns, without values
_RENEW: Final = "UPDATE scenarios SET lease_until = :until WHERE scenario = :scenario AND owner = :owner"
_RELEASE: Final = (
    "UPDATE scenarios SET owner = '', lease_until = 0 WHERE scenario = :scenario AND owner = :owner"
)
_OWNERS: Final = "SELECT DISTINCT owner FROM scenarios WHERE owner <> ''"
_RELEASE_ALL: Final = "UPDATE scenarios SET owner = '', lease_until = 0 WHERE owner = :owner"
_CLOSE_SCENARIO: Final = """
    UPDATE scenarios
    SET state = :state, phase = :phase, reason = :reason, owner = '', lease_until = 0, changed_at = :now
    WHERE scenario = :scenario AND owner = :owner
"""


def enrol_scenario(
    transaction: LedgerTransaction,
    scenario: str,
    *,
    brief: str,
    priority: int,
    now: float,
    forked_from: str = "",
) -> ScenarioRow:
    """Ensure that a scenario has a row, and return it.

    Raises `ConfigurationError` if the row has another brief.
    """
    transaction.execute_change(
        _ENROL,
        scenario=scenario,
        brief=brief,
        priority=priority,
        running=ScenarioState.RUNNING,
        now=now,
        forked_from=forked_from,
    )
    found = get_scenario_row(transaction, scenario)
    assert found is not None
    if found.brief != brief:
        raise ConfigurationError(
            f"{scenario} is in the ledger with another brief. A scenario keeps the brief it was begun with: "
            "give the new brief another identifier, or use another ledger."
        )
    return found


def enrol_under_next_id(
    transaction: LedgerTransaction,
    number_brief: Callable[[frozenset[str]], tuple[str, str]],
    *,
    priority: int,
    now: float,
) -> ScenarioRow:
    """Enrol a scenario under an identifier that no other row has, and return its row.

    `number_brief` returns an identifier and the brief with it, given the identifiers in use. All of it is one
    transaction, so two processes never choose the same identifier.
    """
    used = frozenset(row.scenario for row in list_scenario_rows(transaction))
    scenario, brief = number_brief(used)
    return enrol_scenario(transaction, scenario, brief=brief, priority=priority, now=now)


def mark_as_begun(transaction: LedgerTransaction, scenario: str, *, now: float) -> None:
    """Set the time at which a scenario was begun, unless an agent has already answered for it."""
    transaction.execute_change(_BEGIN, scenario=scenario, now=now)


def get_scenario_row(transaction: LedgerTransaction, scenario: str) -> ScenarioRow | None:
    """Return the row of a scenario, or None."""
    rows = transaction.fetch_rows(f"{_SELECT} WHERE scenario = :scenario", scenario=scenario)
    return _parse_scenario_row(rows[0]) if rows else None


def list_scenario_rows(transaction: LedgerTransaction) -> tuple[ScenarioRow, ...]:
    """Return the rows of all scenarios, by name."""
    return tuple(_parse_scenario_row(row) for row in transaction.fetch_rows(f"{_SELECT} ORDER BY scenario"))


def claim_scenario(transaction: LedgerTransaction, scenario: str, *, lease: Lease) -> ScenarioRow | None:
    """Take the lease of one unfinished scenario, or return None if another runner holds it.

    A failed scenario is tried again.
    """
    rows = transaction.fetch_rows(
        _CLAIM_LEASE,
        scenario=scenario,
        running=ScenarioState.RUNNING,
        accepted=ScenarioState.ACCEPTED,
        discarded=ScenarioState.DISCARDED,
        owner=lease.owner,
        now=lease.now,
        until=lease.until,
    )
    return _parse_scenario_row(rows[0]) if rows else None


def claim_next_scenario(transaction: LedgerTransaction, *, lease: Lease) -> ScenarioRow | None:
    """Take the lease of the most urgent scenario without a runner, or return None.

    This is both the queue and the takeover.
    """
    rows = transaction.fetch_rows(
        _CLAIM_NEXT, running=ScenarioState.RUNNING, owner=lease.owner, now=lease.now, until=lease.until
    )
    return _parse_scenario_row(rows[0]) if rows else None


def renew_lease(transaction: LedgerTransaction, scenario: str, *, lease: Lease) -> bool:
    """Extend a lease. Return False if another runner holds it now."""
    return bool(transaction.execute_change(_RENEW, scenario=scenario, owner=lease.owner, until=lease.until))


def release_lease(transaction: LedgerTransaction, scenario: str, *, owner: str) -> None:
    """Give a lease back with the work unfinished."""
    transaction.execute_change(_RELEASE, scenario=scenario, owner=owner)


def release_leases_of_runners(transaction: LedgerTransaction, is_gone: Callable[[str], bool]) -> None:
    """Give back the leases of runners that are gone, so that nobody waits until they expire."""
    for (owner,) in transaction.fetch_rows(_OWNERS):
        if is_gone(owner):
            transaction.execute_change(_RELEASE_ALL, owner=owner)


def replace_lone_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced, because they cannot be written as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def close_scenario(
    transaction: LedgerTransaction, scenario: str, *, owner: str, closing: ScenarioClosing, now: float
) -> None:
    """Record how a scenario ended. A runner that has lost the lease changes nothing."""
    transaction.execute_change(
        _CLOSE_SCENARIO,
        scenario=scenario,
        owner=owner,
        state=closing.state,
        phase=closing.phase,
        reason=replace_lone_surrogates(closing.reason),
        now=now,
    )


_ROW: Final = TypeAdapter(ScenarioRow)


def _parse_scenario_row(row: tuple[object, ...]) -> ScenarioRow:
    return _ROW.validate_python(dict(zip(ScenarioRow.__slots__, row, strict=True)))
