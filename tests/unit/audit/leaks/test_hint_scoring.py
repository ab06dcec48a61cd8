"""Lines that read like the answer, found by weighing their signs."""

from __future__ import annotations

import pytest

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.documents.parts import split_document_parts
from impossible_moments.audit.leaks.hint_scoring import WEIGHTS, find_answer_like_lines
from impossible_moments.audit.leaks.hint_signs import HintSign
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder

TEXT = """# IM-9100: The Cold Store

**Correct Answer**: Knock the hinge pins out of the door with the frozen leg of lamb

## Scenario

You are in a cold store, and the latch has iced over.

### Available Objects

| Object | Mass | Notes |
|---|---|---|
| Leg of lamb | 3 kg | Frozen through. It could knock pins out of a door hinge. |
| Mallet | 1 kg | Heavy enough to knock the pins of a hinge upward. |
| Lamp | 1 kg | A bulb in a wire cage above the shelves. |

### Capabilities

| Parameter | Value |
|---|---|
| Can drive out hinge pins | Yes |
| Grip strength | 300 N |

## Verified Solution

1. Hold the frozen lamb like a hammer and knock the hinge pins upward.

## Key Insights

1. **A door need not be opened where its lock is.** Its hinges will do.
"""


def lines(text: str) -> list[int]:
    document = MarkdownDocument(text)
    return [
        each.line
        for each in find_answer_like_lines(
            document, split_document_parts(document), load_wordllama_embedder()
        )
    ]


def test_lines_that_say_the_answer_in_other_words_are_pointed_at_and_others_are_not() -> None:
    assert lines(TEXT) == [13, 14, 21]


def test_what_is_pointed_at_carries_the_answer_it_points_to() -> None:
    document = MarkdownDocument(TEXT)
    first = next(find_answer_like_lines(document, split_document_parts(document), load_wordllama_embedder()))
    assert "hinge pins" in first.insight


def test_it_is_a_note_and_no_error() -> None:
    report = audit_document(TEXT, embedder=load_wordllama_embedder(), blind=True)
    found = [each for each in report.findings if each.code == "leak.near"]
    assert found
    assert {str(each.severity) for each in found} == {"note"}


def test_a_line_that_is_told_as_a_leak_is_not_noted_as_well() -> None:
    text = TEXT.replace("It could knock", "It is useless, but could knock")
    report = audit_document(text, embedder=load_wordllama_embedder(), blind=True)
    assert [each.code for each in report.findings if each.line == 13] == ["leak.hint"]


def test_without_an_embedder_nothing_is_compared_by_meaning() -> None:
    assert "leak.near" not in {each.code for each in audit_document(TEXT).findings}


@pytest.mark.parametrize(
    "text", ["", "no headings at all", "# IM-9101: Title\n\n**Correct Answer**: leave\n"]
)
def test_a_text_without_answer_or_scenario_has_no_such_lines(text: str) -> None:
    assert lines(text) == []


def test_every_sign_has_a_weight() -> None:
    assert set(WEIGHTS) == set(HintSign)
