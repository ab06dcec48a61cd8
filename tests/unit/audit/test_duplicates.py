"""Copies inside a set are told on each of the two."""

from __future__ import annotations

from pathlib import Path

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.documents.sources import DocumentSource
from impossible_moments.audit.duplicates import add_duplicate_findings

AUDITED = Path(__file__).parents[2] / "golden" / "audit"


def near(*texts: str) -> list[list[str]]:
    documents = [DocumentSource(f"document {at}", text) for at, text in enumerate(texts)]
    audits = [audit_document(each.text, each.name) for each in documents]
    return [
        [found.found for found in each.findings if found.code == "duplicate.near"]
        for each in add_duplicate_findings(documents, audits)
    ]


def text(name: str) -> str:
    return (AUDITED / f"{name}.md").read_text(encoding="utf-8")


def test_a_copy_with_another_name_is_told_on_both() -> None:
    copy = text("wrong_words").replace("Mirela", "Jovana")

    assert near(text("wrong_words"), copy)[0][0] == "document 1"
    assert near(text("wrong_words"), copy)[1][0] == "document 0"


def test_scenarios_that_have_nothing_in_common_are_no_copies() -> None:
    assert near(text("clean_lantern"), text("wrong_words"), text("wrong_status")) == [[], [], []]


def test_an_empty_document_is_a_copy_of_nothing() -> None:
    assert near("", "", text("clean_lantern")) == [[], [], []]
