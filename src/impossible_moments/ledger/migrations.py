"""Migrations of a ledger from earlier formats to the present one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.brief_identity import compute_brief_identity
from impossible_moments.ledger.database import StatementRunner

FORMAT: Final = 2
UNKNOWN_BEGINNING: Final = -1
"""`begun_after` of a scenario of format 1. It follows from the times of its row."""


def migrate_ledger(transaction: StatementRunner, place: object) -> None:
    """Bring an open ledger to the present format, within the transaction of the caller.

    Raise `ConfigurationError` if its format is not known.
    """
    ((found,),) = transaction.fetch_rows("SELECT format FROM ledger_format")
    if found != FORMAT and found not in _MIGRATIONS:
        raise ConfigurationError(
            f"{place}: the ledger has format {found}, and this version reads formats up to {FORMAT}. "
            "Use the version that wrote it, or name another file."
        )
    for number in range(found, FORMAT):
        _MIGRATIONS[number](transaction)
    if found != FORMAT:
        transaction.execute_change("UPDATE ledger_format SET format = :format", {"format": FORMAT})


def _add_identities_and_beats(transaction: StatementRunner) -> None:
    """Format 2: a brief has an identity, a lease is a beat and not a time, and publications have numbers."""
    for column in (
        "beat INTEGER NOT NULL DEFAULT 0",
        "identity TEXT NOT NULL DEFAULT ''",
        "performers TEXT NOT NULL DEFAULT ''",
        f"begun_after INTEGER NOT NULL DEFAULT {UNKNOWN_BEGINNING}",
    ):
        transaction.execute_change(f"ALTER TABLE scenarios ADD COLUMN {column}")
    transaction.execute_change("ALTER TABLE scenarios DROP COLUMN lease_until")
    for scenario, brief in transaction.fetch_rows("SELECT scenario, brief FROM scenarios"):
        transaction.execute_change(
            "UPDATE scenarios SET identity = :identity WHERE scenario = :scenario",
            {"identity": compute_brief_identity(brief), "scenario": scenario},
        )


_MIGRATIONS: Final[Mapping[int, Callable[[StatementRunner], None]]] = {1: _add_identities_and_beats}
"""What leads from a format to the next."""
