"""Lines that read like the answer, found by meaning."""

from __future__ import annotations

from impossible_moments.audit.audit import audit
from impossible_moments.audit.markdown import Document
from impossible_moments.audit.nearness import near_the_answer
from impossible_moments.audit.parts import parts_of
from impossible_moments.scenarios.embedding import wordllama_embedder

TEXT = """# IM-9100: The Cold Store

**Correct Answer**: Knock the hinge pins out of the door with the frozen leg of lamb

## Scenario

You are in a cold store, and the latch has iced over.

- **Door**: a heavy door, its hinge pins on your side
- **Lamp**: a bulb in a wire cage above the shelves

## Key Insights

1. **A door need not be opened where its lock is.** Its hinges will do.
"""


def test_a_line_that_says_the_answer_in_other_words_is_pointed_at() -> None:
    document = Document(TEXT)
    found = list(near_the_answer(document, parts_of(document), wordllama_embedder()))
    assert [each.line for each in found] == [9]


def test_it_is_a_note_and_no_error() -> None:
    report = audit(TEXT, embedder=wordllama_embedder(), blind=True)
    assert [(each.line, str(each.severity)) for each in report.findings if each.code == "leak.near"] == [
        (9, "note")
    ]


def test_without_an_embedder_nothing_is_compared_by_meaning() -> None:
    assert "leak.near" not in {each.code for each in audit(TEXT).findings}


def test_a_text_without_answer_or_scenario_has_no_such_lines() -> None:
    for text in ("", "no headings at all", "# IM-9101: Title\n\n**Correct Answer**: leave\n"):
        document = Document(text)
        assert not list(near_the_answer(document, parts_of(document), wordllama_embedder()))
