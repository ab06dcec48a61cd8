"""Publications, numbered in their order: what each is compared by, and its metadata.

A scenario is entered here before its documents are written, in the transaction that compared it with all the others.
So no two runs can publish the same, whatever any clock says and whichever of them is interrupted.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.ledger.answered_asks import LEVEL
from impossible_moments.ledger.store import LedgerTransaction


@dataclass(frozen=True, slots=True)
class Publication:
    """A published scenario, or one whose publication has begun."""

    scenario: str
    signature: str
    """What two scenarios with the same solution have in common, or an empty string."""
    essence: bytes
    """The parts of the text that are compared, as JSON."""
    metadata: bytes = b""
    """The metadata as JSON, from which the registry can be built again. Empty if the ledger does not know it."""
    number: int = 0
    """Its place in the order of publications, counted from 1."""


MOST_LISTED: Final = 2**31 - 1
_COLUMNS: Final = "scenario, signature, essence, metadata, number"
_SELECT: Final = f"SELECT {_COLUMNS} FROM publications"  # noqa: S608 - a list of columns, without values
_INSERT: Final = f"""
    INSERT INTO publications ({_COLUMNS})
    VALUES (:scenario, :signature, :essence, :metadata, (SELECT COALESCE(MAX(number), 0) + 1 FROM publications))
    ON CONFLICT (scenario) DO NOTHING
"""  # noqa: S608 - a list of columns, without values
_SAME_SIGNATURE: Final = (
    "SELECT scenario FROM publications WHERE signature = :signature AND scenario <> :scenario ORDER BY number"
)
_INSERT_DOCUMENT: Final = """
    INSERT INTO documents (scenario, path, document) VALUES (:scenario, :path, :document) ON CONFLICT DO NOTHING
"""
_SELECT_DOCUMENTS: Final = "SELECT path, document FROM documents WHERE scenario = :scenario ORDER BY path"
_SET_METADATA: Final = "UPDATE publications SET metadata = :metadata WHERE scenario = :scenario"
_SET_REGISTRY: Final = """
    INSERT INTO known_registry (only_row, stamp) VALUES (1, :stamp)
    ON CONFLICT (only_row) DO UPDATE SET stamp = :stamp
"""
_SET_BEGINNING: Final = (
    "UPDATE scenarios SET begun_after = :begun_after WHERE scenario = :scenario AND begun_after < 0"
)


def record_publication(transaction: LedgerTransaction, publication: Publication) -> None:
    """Enter a publication under the next number. One that is entered already keeps its number.

    The caller holds the lock of numbering (`leases.lock_numbering`).
    """
    transaction.execute_change(
        _INSERT,
        scenario=publication.scenario,
        signature=publication.signature,
        essence=zlib.compress(publication.essence, LEVEL),
        metadata=zlib.compress(publication.metadata, LEVEL),
    )


def get_publication(transaction: LedgerTransaction, scenario: str) -> Publication | None:
    """Return the publication of a scenario, or None."""
    rows = transaction.fetch_rows(f"{_SELECT} WHERE scenario = :scenario", scenario=scenario)
    return _parse_publication_row(rows[0]) if rows else None


def get_publication_at(transaction: LedgerTransaction, number: int) -> Publication | None:
    """Return the publication with a number, or None."""
    rows = transaction.fetch_rows(f"{_SELECT} WHERE number = :number", number=number)
    return _parse_publication_row(rows[0]) if rows else None


def list_publications(
    transaction: LedgerTransaction, *, after: int = 0, most: int = MOST_LISTED
) -> tuple[Publication, ...]:
    """Return the publications with a number above `after`, in order, and at most so many."""
    rows = transaction.fetch_rows(
        f"{_SELECT} WHERE number > :after ORDER BY number LIMIT :most", after=after, most=most
    )
    return tuple(_parse_publication_row(row) for row in rows)


def list_publication_numbers(transaction: LedgerTransaction) -> dict[str, int]:
    """Return the number of every publication by its scenario."""
    rows = transaction.fetch_rows("SELECT scenario, number FROM publications ORDER BY number")
    return {str(scenario): int(number) for scenario, number in rows}


def list_scenarios_with_signature(
    transaction: LedgerTransaction, signature: str, *, other_than: str
) -> tuple[str, ...]:
    """Return the other scenarios with a signature, in the order of their publication."""
    if not signature:
        return ()
    rows = transaction.fetch_rows(_SAME_SIGNATURE, signature=signature, scenario=other_than)
    return tuple(row[0] for row in rows)


def set_beginnings(transaction: LedgerTransaction, beginnings: Iterable[tuple[str, int]]) -> None:
    """Set the last publication that scenarios of an earlier format knew when they were begun."""
    for scenario, number in beginnings:
        transaction.execute_change(_SET_BEGINNING, scenario=scenario, begun_after=number)


def get_known_registry(transaction: LedgerTransaction) -> str:
    """Return the stamp of the registry whose scenarios are all entered, or an empty text."""
    rows = transaction.fetch_rows("SELECT stamp FROM known_registry WHERE only_row = 1")
    return str(rows[0][0]) if rows else ""


def set_known_registry(transaction: LedgerTransaction, stamp: str) -> None:
    """Record that all scenarios of the registry with this stamp are entered."""
    transaction.execute_change(_SET_REGISTRY, stamp=stamp)


def record_documents(transaction: LedgerTransaction, scenario: str, documents: Mapping[str, str]) -> None:
    """Store the documents of a publication by their paths, in a ledger that several machines share.

    Those that are stored stay as they are.
    """
    for path, text in documents.items():
        transaction.execute_change(
            _INSERT_DOCUMENT, scenario=scenario, path=path, document=zlib.compress(text.encode(), LEVEL)
        )


def get_documents(transaction: LedgerTransaction, scenario: str) -> dict[str, str]:
    """Return the documents of a publication by their paths. There are none if the ledger is of one machine."""
    rows = transaction.fetch_rows(_SELECT_DOCUMENTS, scenario=scenario)
    return {path: zlib.decompress(document).decode() for path, document in rows}


def _parse_publication_row(row: tuple[Any, ...]) -> Publication:
    scenario, signature, essence, metadata, number = row
    return Publication(scenario, signature, zlib.decompress(essence), zlib.decompress(metadata), number)
