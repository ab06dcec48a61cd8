"""Messages: the fields of the specification and their bounds."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from impossible_moments.domain.message import Message

DATA: dict[str, Any] = {
    "message_id": "0b5f3c1e-0000-8000-8000-000000000001",
    "timestamp": "2026-02-16T00:00:00Z",
    "phase": "VALIDATE",
    "sender": "NEWTON",
    "recipient": "ORCHESTRATOR",
    "message_type": "VETO",
    "confidence": 0.9,
    "content": {"summary": "The pane holds.", "body": "It takes 400 J to break it."},
}


def test_a_message_survives_being_written_and_read() -> None:
    message = Message.model_validate(DATA)

    assert Message.model_validate_json(message.model_dump_json()) == message


def test_what_it_cost_is_nothing_until_somebody_says_so() -> None:
    assert Message.model_validate(DATA).metadata.token_count == 0


def test_a_message_may_carry_no_confidence() -> None:
    assert Message.model_validate(DATA | {"confidence": None}).confidence is None


# fmt: off
REFUSED = [
    ("phase",        "REVIEW"),
    ("message_type", "GREETING"),
    ("confidence",   1.01),
    ("confidence",   -0.01),
    ("content",      {"summary": "without a body"}),
    ("metadata",     {"token_count": -1}),
    ("metadata",     {"context_window_usage": 1.5}),
    ("metadata",     {"iteration": -1}),
    ("urgent",       True),
]
# fmt: on


@pytest.mark.parametrize(("field", "value"), REFUSED)
def test_a_wrong_field_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        Message.model_validate(DATA | {field: value})


@pytest.mark.parametrize("field", sorted(DATA))
def test_no_field_may_be_left_out(field: str) -> None:
    with pytest.raises(ValidationError, match="Field required"):
        Message.model_validate({name: value for name, value in DATA.items() if name != field})
