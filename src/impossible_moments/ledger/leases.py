"""Scenarios and their leases: the state of each, and which runner may work on it.

A runner that holds a lease renews it by counting its beat. A lease whose beat has stood still for a term belongs to
a runner that died or froze, and is given back by whoever watched it (`pipeline.lease_watch`). No clock of another
machine is read, so a clock that is wrong or jumps neither ends a lease nor keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import TypeAdapter

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.brief_identity import compute_brief_identity
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
    """The runner that holds the lease, or an empty string."""
    beat: int
    """How often the lease was taken or renewed."""
    enrolled_at: float
    changed_at: float
    forked_from: str
    identity: str
    """What is the same for every run of the same brief; see `brief_identity`."""
    performers: str
    """The model of each role, as JSON, or an empty string if it was not stated."""
    begun_after: int
    """The number of the last publication that the run knew when it was begun."""


@dataclass(frozen=True, slots=True)
class NewScenario:
    """A scenario to be enrolled."""

    brief: str
    """The brief as JSON. An empty one has no identity."""
    now: float
    priority: int = 0
    performers: str = ""
    forked_from: str = ""


@dataclass(frozen=True, slots=True)
class Lease:
    """A runner's right to work on a scenario."""

    owner: str
    now: float


@dataclass(frozen=True, slots=True)
class ScenarioClosing:
    """How a scenario ended."""

    state: ScenarioState
    phase: str = ""
    reason: str = ""


_COLUMNS: Final = ", ".join(ScenarioRow.__slots__)
_ENROL: Final = f"""
    INSERT INTO scenarios ({_COLUMNS})
    VALUES (:scenario, :brief, :priority, :running, '', '', '', 0, :now, :now, :forked_from, :identity, :performers,
        (SELECT COALESCE(MAX(number), 0) FROM publications))
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - a list of columns, without values
_BEGIN: Final = """
    UPDATE scenarios
    SET enrolled_at = :now, begun_after = (SELECT COALESCE(MAX(number), 0) FROM publications)
    WHERE scenario = :scenario AND NOT EXISTS (SELECT 1 FROM answers WHERE answers.scenario = :scenario)
"""
_SELECT: Final = f"SELECT {_COLUMNS} FROM scenarios"  # noqa: S608 - a list of columns, without values
_BY_NUMBER: Final = "ORDER BY LENGTH(scenario), scenario"
# Transactions that number scenarios or publications run one after the other, also where others run concurrently.
_LOCK_NUMBERING: Final = "UPDATE ledger_format SET format = format WHERE only_row = 1"
_HIGHEST: Final = tuple(
    f"SELECT scenario FROM {table} ORDER BY LENGTH(scenario) DESC, scenario DESC LIMIT 1"  # noqa: S608 - fixed names
    for table in ("scenarios", "publications")
)
# The update repeats the condition on the owner: if two runners select one row, the second finds it taken.
_CLAIM_NEXT: Final = f"""
    UPDATE scenarios SET owner = :owner, beat = beat + 1, changed_at = :now
    WHERE owner = '' AND state = :running AND scenario = (
        SELECT scenario FROM scenarios
        WHERE state = :running AND owner = '' AND (:performers = :any OR performers = :performers)
        ORDER BY priority DESC, enrolled_at, LENGTH(scenario), scenario LIMIT 1 {{skip_locked}}
    )
    RETURNING {_COLUMNS}
"""  # noqa: S608 - a list of columns, without values
_COUNT_RUNNING: Final = """
    SELECT COUNT(*) FROM scenarios WHERE state = :running AND (:performers = :any OR performers = :performers)
"""
_CLAIM_LEASE: Final = f"""
    UPDATE scenarios
    SET owner = :owner, beat = beat + 1, changed_at = :now, state = :running, phase = '', reason = ''
    WHERE scenario = :scenario AND owner = '' AND state NOT IN (:accepted, :discarded)
    RETURNING {_COLUMNS}
"""  # noqa: S608 - a list of columns, without values
_RENEW: Final = "UPDATE scenarios SET beat = beat + 1 WHERE scenario = :scenario AND owner = :owner"
_RELEASE: Final = "UPDATE scenarios SET owner = '' WHERE scenario = :scenario AND owner = :owner"
_OWNERS: Final = "SELECT DISTINCT owner FROM scenarios WHERE owner <> ''"
_HELD: Final = f"{_SELECT} WHERE owner <> '' {_BY_NUMBER}"
_RELEASE_ALL: Final = "UPDATE scenarios SET owner = '' WHERE owner = :owner"
_RELEASE_STILL: Final = (
    "UPDATE scenarios SET owner = '' WHERE scenario = :scenario AND owner = :owner AND beat = :beat"
)
_COPY_BEGINNING: Final = """
    UPDATE scenarios SET begun_after = (SELECT begun_after FROM scenarios WHERE scenario = :scenario)
    WHERE scenario = :name
"""
_CHANGE_PERFORMERS: Final = "UPDATE scenarios SET performers = :performers WHERE scenario = :scenario"
_CLOSE_SCENARIO: Final = """
    UPDATE scenarios
    SET state = :state, phase = :phase, reason = :reason, owner = '', changed_at = :now
    WHERE scenario = :scenario AND owner = :owner
"""
ANY_PERFORMERS: Final = "*"
"""Stands for all casts when a scenario is claimed."""


def enrol_scenario(transaction: LedgerTransaction, scenario: str, new: NewScenario) -> ScenarioRow:
    """Ensure that a scenario has a row, and return it.

    Raises `ConfigurationError` if the row has another brief.
    """
    transaction.execute_change(
        _ENROL,
        scenario=scenario,
        brief=new.brief,
        priority=new.priority,
        running=ScenarioState.RUNNING,
        now=new.now,
        forked_from=new.forked_from,
        identity="" if new.forked_from else compute_brief_identity(new.brief),
        performers=new.performers,
    )
    found = get_scenario_row(transaction, scenario)
    assert found is not None
    if found.brief != new.brief:
        raise ConfigurationError(
            f"{scenario} is in the ledger with another brief. A scenario keeps the brief it was begun with: "
            "give the new brief another identifier, or use another ledger."
        )
    return found


def enrol_under_next_id(
    transaction: LedgerTransaction,
    new: NewScenario,
    *,
    number_brief: Callable[[frozenset[str]], tuple[str, str]],
) -> ScenarioRow:
    """Enrol a scenario under an identifier that no other row has, and return its row.

    `number_brief` returns an identifier and the brief with it, given the identifiers in use. All of it is one
    transaction, so two processes never choose the same identifier.
    """
    scenario, brief = number_brief(lock_numbering(transaction))
    return enrol_scenario(transaction, scenario, replace(new, brief=brief))


def lock_numbering(transaction: LedgerTransaction) -> frozenset[str]:
    """Let no other transaction choose identifiers before this one ends, and return the highest ones in use."""
    transaction.execute_change(_LOCK_NUMBERING)
    return frozenset(row[0] for statement in _HIGHEST for row in transaction.fetch_rows(statement))


def list_runs_of_brief(transaction: LedgerTransaction, brief: str) -> tuple[ScenarioRow, ...]:
    """Return the scenarios with the identity of a brief, the first one first."""
    identity = compute_brief_identity(brief)
    if not identity:
        return ()
    rows = transaction.fetch_rows(f"{_SELECT} WHERE identity = :identity {_BY_NUMBER}", identity=identity)
    return tuple(_parse_scenario_row(row) for row in rows)


def mark_as_begun(transaction: LedgerTransaction, scenario: str, *, now: float) -> None:
    """Set when a scenario was begun, by time and by publications, unless an agent has already answered for it."""
    transaction.execute_change(_BEGIN, scenario=scenario, now=now)


def copy_beginning(transaction: LedgerTransaction, scenario: str, *, name: str) -> None:
    """Let scenario `name` know the publications that `scenario` knew when it was begun."""
    transaction.execute_change(_COPY_BEGINNING, scenario=scenario, name=name)


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
    )
    return _parse_scenario_row(rows[0]) if rows else None


def claim_next_scenario(
    transaction: LedgerTransaction, *, lease: Lease, performers: str = ANY_PERFORMERS
) -> ScenarioRow | None:
    """Take the lease of the most urgent scenario without a runner, or return None.

    With `performers` only scenarios with this cast are taken. This is both the queue and the takeover.
    """
    rows = transaction.fetch_rows(
        _CLAIM_NEXT.format(skip_locked=transaction.skip_locked),
        running=ScenarioState.RUNNING,
        owner=lease.owner,
        now=lease.now,
        performers=performers,
        any=ANY_PERFORMERS,
    )
    return _parse_scenario_row(rows[0]) if rows else None


def renew_lease(transaction: LedgerTransaction, scenario: str, *, owner: str) -> bool:
    """Renew a lease. Return False if another runner holds it now."""
    return bool(transaction.execute_change(_RENEW, scenario=scenario, owner=owner))


def release_lease(transaction: LedgerTransaction, scenario: str, *, owner: str) -> None:
    """Give a lease back with the work unfinished."""
    transaction.execute_change(_RELEASE, scenario=scenario, owner=owner)


def release_leases_of_runners(transaction: LedgerTransaction, is_gone: Callable[[str], bool]) -> None:
    """Give back the leases of runners that are gone, so that nobody waits until they expire."""
    for (owner,) in transaction.fetch_rows(_OWNERS):
        if is_gone(owner):
            transaction.execute_change(_RELEASE_ALL, owner=owner)


def release_still_lease(transaction: LedgerTransaction, row: ScenarioRow) -> bool:
    """Give back the lease of a row if it was not renewed since the row was read. Return whether it was given back."""
    return bool(
        transaction.execute_change(_RELEASE_STILL, scenario=row.scenario, owner=row.owner, beat=row.beat)
    )


def list_held_scenarios(transaction: LedgerTransaction) -> tuple[ScenarioRow, ...]:
    """Return the rows that a runner holds."""
    return tuple(_parse_scenario_row(row) for row in transaction.fetch_rows(_HELD))


def count_running(transaction: LedgerTransaction, performers: str = ANY_PERFORMERS) -> int:
    """Return how many scenarios of a cast are running or wait for a runner."""
    rows = transaction.fetch_rows(
        _COUNT_RUNNING, running=ScenarioState.RUNNING, performers=performers, any=ANY_PERFORMERS
    )
    return int(rows[0][0])


def change_performers(transaction: LedgerTransaction, scenario: str, *, performers: str) -> None:
    """Record another cast for a scenario."""
    transaction.execute_change(_CHANGE_PERFORMERS, scenario=scenario, performers=performers)


def replace_unstorable_characters(text: str) -> str:
    """Return the text with lone surrogates and NUL replaced, because databases cannot store them."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


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
        reason=replace_unstorable_characters(closing.reason),
        now=now,
    )


_ROW: Final = TypeAdapter(ScenarioRow)


def _parse_scenario_row(row: tuple[object, ...]) -> ScenarioRow:
    return _ROW.validate_python(dict(zip(ScenarioRow.__slots__, row, strict=True)))
