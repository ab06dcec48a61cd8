"""Messages of scenarios, one unchangeable row for each.

The ledger does not interpret a message. It keeps the columns by which messages are ordered and selected, the rules
that a message breaks, and the message as JSON without its time.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.ledger.answered_asks import LEVEL, AnsweredAsk, record_answer
from impossible_moments.ledger.store import LedgerTransaction


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A row of the table of messages."""

    message_id: str
    ask_key: str
    """The ask that the message requests or answers."""
    round_number: int
    is_reply: bool
    ask_number: int
    """The number of the ask in its round, counted from 1."""
    part: int
    """The number of the message among those of the same ask and direction, counted from 1."""
    phase: str
    sender: str
    recipient: str
    message_type: str
    disposition: str
    problems: str
    """The rules that the message breaks, as a JSON list of sentences."""
    sent_at: float
    message: bytes
    """The message as JSON without its time."""


_COLUMNS: Final = ", ".join(MessageRow.__slots__)
_INSERT_MESSAGE: Final = f"""
    INSERT INTO messages (scenario, {_COLUMNS})
    VALUES (:scenario, {", ".join(f":{name}" for name in MessageRow.__slots__)})
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - a list of columns, without values
_SELECT_MESSAGES: Final = f"""
    SELECT {_COLUMNS} FROM messages WHERE scenario = :scenario
    ORDER BY round_number, is_reply, ask_number, part, message_id
"""  # noqa: S608 - a list of columns, without values
_SELECT_IDS: Final = "SELECT message_id FROM messages WHERE scenario = :scenario"
_SELECT_UNREPORTED_ANSWERS: Final = """
    SELECT ask_key FROM answers
    WHERE scenario = :scenario AND NOT EXISTS (SELECT 1 FROM messages
        WHERE messages.scenario = answers.scenario AND messages.ask_key = answers.ask_key
        AND messages.is_reply = 1 AND messages.disposition <> :refused)
    ORDER BY round_number, ask_key
"""


def record_messages(transaction: LedgerTransaction, scenario: str, rows: Sequence[MessageRow]) -> None:
    """Store messages. One that is stored already stays as it is."""
    for row in rows:
        values = {name: getattr(row, name) for name in MessageRow.__slots__}
        values |= {"is_reply": int(row.is_reply), "message": zlib.compress(row.message, LEVEL)}
        transaction.execute_change(_INSERT_MESSAGE, scenario=scenario, **values)


def record_answer_with_messages(
    transaction: LedgerTransaction, scenario: str, answer: AnsweredAsk, rows: Sequence[MessageRow]
) -> AnsweredAsk:
    """Store an answer and its messages together, and return the answer that the ledger then holds.

    If another runner answered first, its messages are in the ledger, and these are not stored.
    """
    stored = record_answer(transaction, scenario, answer)
    if stored is answer:
        record_messages(transaction, scenario, rows)
    return stored


def list_messages(transaction: LedgerTransaction, scenario: str) -> tuple[MessageRow, ...]:
    """Return the messages of a scenario in the order of its run."""
    rows = transaction.fetch_rows(_SELECT_MESSAGES, scenario=scenario)
    return tuple(_parse_message_row(row) for row in rows)


def list_message_ids(transaction: LedgerTransaction, scenario: str) -> frozenset[str]:
    """Return the identifiers of the messages of a scenario."""
    return frozenset(row[0] for row in transaction.fetch_rows(_SELECT_IDS, scenario=scenario))


def list_answers_without_messages(
    transaction: LedgerTransaction, scenario: str, *, refused: str
) -> tuple[str, ...]:
    """Return the keys of answers that no message reports: those of earlier versions, and new ones of humans.

    `refused` is the disposition of messages that are not answers.
    """
    rows = transaction.fetch_rows(_SELECT_UNREPORTED_ANSWERS, scenario=scenario, refused=refused)
    return tuple(row[0] for row in rows)


def _parse_message_row(row: tuple[Any, ...]) -> MessageRow:
    found = dict(zip(MessageRow.__slots__, row, strict=True))
    return MessageRow(
        **{**found, "is_reply": bool(found["is_reply"]), "message": zlib.decompress(found["message"])}
    )
