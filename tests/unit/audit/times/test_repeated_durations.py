"""A step's duration against what is said of it elsewhere."""

from __future__ import annotations

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.times.repeated_durations import find_conflicting_step_durations
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder


def text(told: str) -> str:
    return (
        f"# IM-9103: The Dam\n\n## Scenario\n\n{told}\n\n## Verified Solution\n\n| Step | Action | Time |\n|---|---|---|\n"
        "| 1 | Flood the ballast tanks of the barge. | 40 min |\n| 2 | Tie the barge to the pier. | 5 min |\n"
    )


def lines(told: str) -> list[int]:
    return [
        each.line
        for each in find_conflicting_step_durations(MarkdownDocument(text(told)), load_wordllama_embedder())
    ]


def test_a_step_with_another_duration_elsewhere_is_pointed_at() -> None:
    assert lines("Flooding the ballast tanks of a barge takes 15 minutes.") == [11]


def test_the_same_duration_in_another_unit_is_no_contradiction() -> None:
    assert lines("Flooding the ballast tanks of a barge takes 2400 seconds.") == []


def test_another_duration_of_another_thing_is_no_contradiction() -> None:
    assert lines("The tide turns in 15 minutes.") == []


def test_it_is_a_note_of_an_audit_with_an_embedder() -> None:
    report = audit_document(
        text("Flooding the ballast tanks of a barge takes 15 minutes."), embedder=load_wordllama_embedder()
    )
    assert [(each.line, str(each.severity)) for each in report.findings if each.code == "timing.twice"] == [
        (11, "note")
    ]
