"""Slips of form in a finished document are found, and what is right is let pass."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.gates.document_style import find_style_slips
from support.gate_faults import build_example_documents


def found(text: str) -> list[str]:
    return list(find_style_slips(text))


# fmt: off
WRONG = [
    ("You see the the door.",                  "a word stands twice"),
    ("You see the\nthe door.",                 "a word stands twice"),
    ("The The door is shut.",                  "a word stands twice"),
    ("He saw Open open doors.",                "a word stands twice"),
    ("The door (of steel is shut.",            "brackets are not in pairs"),
    ("The door of steel) is shut.",            "brackets are not in pairs"),
    ("The door (of [steel) is] shut.",         "brackets are not in pairs"),
    ('He said "go and left.',                  "quotation marks are not in pairs"),
    ("He said “go and left.",                  "quotation marks are not in pairs"),
    ("The rim is {rim|m} high.",               "a placeholder that nothing filled"),
    ("The rim is { high.",                     "a placeholder that nothing filled"),
    ("The rim is TODO high.",                  "a placeholder that nothing filled"),
    ("The door is shut. ",                     "spaces at the end of the line"),
    ("| a | the the door |",                   "a word stands twice"),
    ("It weighs 2 * 3 = 7 kg.",                "arithmetic"),
]
RIGHT = [
    "He knew that that door had had a lock.",
    "She flew to Pago Pago, read out as PAGO PAGO.",
    "a) the door\nb) the wall (of stone)",
    "1) the door",
    'He said "go" and left (at once).',
    "| the | the |\n| --- | --- |\n| a door | a door |",
    "The end of the one.\n\nOne more.",
    "It weighs 2 * 3 = 6 kg.",
    "",
]
# fmt: on


@pytest.mark.parametrize(("text", "what"), WRONG)
def test_a_slip_is_found(text: str, what: str) -> None:
    assert len([slip for slip in found(text) if what in slip]) == 1


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_let_pass(text: str) -> None:
    assert found(text) == []


def test_a_slip_is_told_with_its_line() -> None:
    assert found("One.\n\nTwo two three.")[0].startswith("line 3:")


def test_the_example_is_without_slips() -> None:
    assert found(build_example_documents().public) == []
