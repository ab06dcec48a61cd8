"""Published documents in a ledger that several machines share, from which every machine can copy them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

from impossible_moments.ledger.answered_asks import LEVEL
from impossible_moments.ledger.store import LedgerTransaction

_INSERT: Final = """
    INSERT INTO documents (scenario, path, document) VALUES (:scenario, :path, :document) ON CONFLICT DO NOTHING
"""
_SELECT: Final = "SELECT path, document FROM documents WHERE scenario = :scenario ORDER BY path"


def record_documents(transaction: LedgerTransaction, scenario: str, documents: Mapping[str, str]) -> None:
    """Store the documents of a scenario by their paths. Those that are stored stay as they are."""
    for path, text in documents.items():
        transaction.execute_change(
            _INSERT, scenario=scenario, path=path, document=zlib.compress(text.encode(), LEVEL)
        )


def get_documents(transaction: LedgerTransaction, scenario: str) -> dict[str, str]:
    """Return the documents of a scenario by their paths. There are none if the ledger is of one machine."""
    rows = transaction.fetch_rows(_SELECT, scenario=scenario)
    return {path: zlib.decompress(document).decode() for path, document in rows}
