"""Scenarios and their leases: what state each is in, and which runner may work on it until when.

A lease and not a lock: it ends by itself, so the work of a runner that died or froze is claimed by the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.store import Transaction


class State(StrEnum):
    """What may be said of a scenario; one that waits for a runner is running too."""

    RUNNING = "running"
    AWAITING_HUMAN = "awaiting human"
    ACCEPTED = "accepted"
    DISCARDED = "discarded"
    FAILED = "failed"


FINISHED: Final = frozenset({State.ACCEPTED, State.DISCARDED})


@dataclass(frozen=True, slots=True)
class Scenario:
    """A row of the table of scenarios."""

    scenario: str
    brief: str
    """What its flow is made from, as JSON, so that another process can make it too."""
    priority: int
    state: State
    phase: str
    """Where it was discarded."""
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
class Closing:
    """How a scenario ended."""

    state: State
    phase: str = ""
    reason: str = ""


_COLUMNS: Final = "scenario, brief, priority, state, phase, reason, owner, lease_until, enrolled_at, changed_at, forked_from"
_ENROL: Final = """
    INSERT INTO scenarios
    VALUES (:scenario, :brief, :priority, :running, '', '', '', 0, :now, :now, :forked_from)
    ON CONFLICT DO NOTHING
"""
_SELECT: Final = f"SELECT {_COLUMNS} FROM scenarios"  # noqa: S608 - a list of columns, no value
# The condition on the lease stands in the update as well: where two runners chose one row, the second finds it taken.
# A runner does not take over from itself: it was only slow, and works on the scenario still.
_CLAIM_NEXT: Final = f"""
    UPDATE scenarios SET owner = :owner, lease_until = :until, changed_at = :now
    WHERE lease_until <= :now AND state = :running AND scenario = (
        SELECT scenario FROM scenarios WHERE state = :running AND lease_until <= :now AND owner <> :owner
        ORDER BY priority DESC, enrolled_at, scenario LIMIT 1
    )
    RETURNING {_COLUMNS}
"""  # noqa: S608 - a list of columns, no value
_CLAIM: Final = f"""
    UPDATE scenarios
    SET owner = :owner, lease_until = :until, changed_at = :now, state = :running, phase = '', reason = ''
    WHERE scenario = :scenario AND lease_until <= :now AND owner <> :owner AND state NOT IN (:accepted, :discarded)
    RETURNING {_COLUMNS}
"""  # noqa: S608 - a list of columns, no value
_RENEW: Final = "UPDATE scenarios SET lease_until = :until WHERE scenario = :scenario AND owner = :owner"
_RELEASE: Final = (
    "UPDATE scenarios SET owner = '', lease_until = 0 WHERE scenario = :scenario AND owner = :owner"
)
_CLOSE: Final = """
    UPDATE scenarios
    SET state = :state, phase = :phase, reason = :reason, owner = '', lease_until = 0, changed_at = :now
    WHERE scenario = :scenario AND owner = :owner
"""


def enrol(
    transaction: Transaction,
    scenario: str,
    *,
    brief: str,
    priority: int,
    now: float,
    forked_from: str = "",
) -> Scenario:
    """Make sure that a scenario has a row; one that has it keeps it, and must have the same brief."""
    transaction.change(
        _ENROL,
        scenario=scenario,
        brief=brief,
        priority=priority,
        running=State.RUNNING,
        now=now,
        forked_from=forked_from,
    )
    found = scenario_of(transaction, scenario)
    assert found is not None
    if found.brief != brief:
        raise ConfigurationError(
            f"{scenario} is in the ledger with another brief. A scenario keeps the brief it was begun with: "
            "give the new one another identifier, or name another ledger."
        )
    return found


def scenario_of(transaction: Transaction, scenario: str) -> Scenario | None:
    """The row of a scenario."""
    rows = transaction.rows(f"{_SELECT} WHERE scenario = :scenario", scenario=scenario)
    return _read(rows[0]) if rows else None


def scenarios(transaction: Transaction) -> tuple[Scenario, ...]:
    """All scenarios, by name."""
    return tuple(_read(row) for row in transaction.rows(f"{_SELECT} ORDER BY scenario"))


def claim(transaction: Transaction, scenario: str, *, lease: Lease) -> Scenario | None:
    """Take the lease of one unfinished scenario, unless another runner holds it. One that failed is tried again."""
    rows = transaction.rows(
        _CLAIM,
        scenario=scenario,
        running=State.RUNNING,
        accepted=State.ACCEPTED,
        discarded=State.DISCARDED,
        owner=lease.owner,
        now=lease.now,
        until=lease.until,
    )
    return _read(rows[0]) if rows else None


def claim_next(transaction: Transaction, *, lease: Lease) -> Scenario | None:
    """Take the lease of the most urgent scenario that nobody works on: queue and takeover in one."""
    rows = transaction.rows(
        _CLAIM_NEXT, running=State.RUNNING, owner=lease.owner, now=lease.now, until=lease.until
    )
    return _read(rows[0]) if rows else None


def renew(transaction: Transaction, scenario: str, *, lease: Lease) -> bool:
    """Hold a lease for longer; False if another runner has it by now."""
    return bool(transaction.change(_RENEW, scenario=scenario, owner=lease.owner, until=lease.until))


def release(transaction: Transaction, scenario: str, *, owner: str) -> None:
    """Give a lease back with the work unfinished."""
    transaction.change(_RELEASE, scenario=scenario, owner=owner)


def writable(text: str) -> str:
    """The text in whole characters: an error may quote half a one, which no file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def close(transaction: Transaction, scenario: str, *, owner: str, closing: Closing, now: float) -> None:
    """Write down how a scenario ended; a runner that has lost the lease leaves that to the one that has it."""
    transaction.change(
        _CLOSE,
        scenario=scenario,
        owner=owner,
        state=closing.state,
        phase=closing.phase,
        reason=writable(closing.reason),
        now=now,
    )


def _read(row: tuple[object, ...]) -> Scenario:
    found = dict(zip(Scenario.__slots__, row, strict=True))
    return Scenario(**{**found, "state": State(str(found["state"]))})  # type: ignore[arg-type]  # a row has the columns' types
