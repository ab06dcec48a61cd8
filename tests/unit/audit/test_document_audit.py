"""The audit of a document: every planted error at its line, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.documents.sources import LARGEST_DOCUMENT
from impossible_moments.audit.finding_codes import CODES

AUDITED = Path(__file__).parents[2] / "golden" / "audit"
# fmt: off
PLANTED: dict[str, list[tuple[int, str]]] = {
    "clean_evaluation": [],
    "clean_lantern": [(44, "leak.wrong-answers")],
    "wrong_numbers": [
        (13, "arithmetic.wrong"), (13, "arithmetic.wrong"), (17, "arithmetic.wrong"), (21, "arithmetic.wrong"), (21, "arithmetic.wrong"),
        (27, "density.impossible"), (28, "density.unusual"), (35, "arithmetic.sum"), (39, "arithmetic.wrong"), (39, "value.twice"),
        (45, "leak.wrong-answers"),
    ],
    "wrong_times": [
        (15, "timing.running"), (18, "timing.total"), (20, "timing.deadline"), (22, "timing.margin"), (24, "timing.rate"),
    ],
    "wrong_words": [
        *[(1, "structure.missing")] * 7, (1, "structure.title"), (3, "enum.category"), (4, "enum.tier"), (5, "enum.status"), (5, "leak.status"),
        (6, "enum.profile"), (7, "leak.answer"), (11, "leak.given-away"), (15, "scratch.left"), (19, "leak.hint"), (21, "structure.empty"),
        (25, "leak.hint"), (25, "scratch.left"), (31, "leak.why"), (35, "leak.wrong-answers"),
    ],
    "wrong_status": [
        *[(1, "structure.missing")] * 3, (1, "tier.profile"), (3, "enum.category-name"), (4, "enum.status-name"), (4, "leak.status"),
    ],
}
NOTES = {"leak.near", "scratch.doubt", "timing.tight", "timing.twice", "arithmetic.apart"}
OF_THE_FILE = {"document.empty", "document.binary", "document.cut", "duplicate.near"}
# fmt: on


def text(name: str) -> str:
    return (AUDITED / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLANTED)
def test_what_was_planted_is_found_at_its_line_and_nothing_else(name: str) -> None:
    assert [(each.line, each.code) for each in audit_document(text(name)).findings] == PLANTED[name]


@pytest.mark.parametrize("name", ["clean_evaluation", "clean_lantern"])
def test_a_clean_text_has_no_finding_in_the_blind_presentation(name: str) -> None:
    assert audit_document(text(name), blind=True).findings == ()


def test_an_error_of_every_code_is_planted() -> None:
    assert {code for found in PLANTED.values() for _, code in found} == set(CODES) - OF_THE_FILE - NOTES


def test_every_fixture_is_audited() -> None:
    assert {path.stem for path in AUDITED.glob("*.md")} == set(PLANTED)


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\t\r\n"])
def test_a_document_without_text_is_empty(blank: str) -> None:
    assert [each.code for each in audit_document(blank).findings] == ["document.empty"]


def test_a_document_with_null_characters_is_binary() -> None:
    assert [each.code for each in audit_document("a\x00b").findings] == ["document.binary"]


def test_a_document_beyond_the_limit_is_cut() -> None:
    assert "document.cut" in {each.code for each in audit_document("word " * LARGEST_DOCUMENT).findings}


def test_a_document_within_the_limit_is_not_cut() -> None:
    assert "document.cut" not in {each.code for each in audit_document("word\n" * 1000).findings}


def test_a_finding_is_not_told_twice() -> None:
    findings = audit_document("5 x 5 = 26, 5 x 5 = 26").findings

    assert len(findings) == len(set(findings))


def test_amounts_that_an_error_is_about_are_not_noted_as_well() -> None:
    codes = [
        each.code for each in audit_document("It takes 10 s (900 m at 3 m/s).").findings if each.line == 1
    ]

    assert "timing.rate" in codes
    assert "arithmetic.apart" not in codes


def test_amounts_that_do_not_go_together_are_noted() -> None:
    findings = audit_document("The heater draws 500 W for 2 h and uses 9 kWh.").findings

    assert [(each.line, str(each.severity)) for each in findings if each.code == "arithmetic.apart"] == [
        (1, "note")
    ]


def test_a_line_that_corrects_itself_is_noted() -> None:
    findings = audit_document("The beam is 2 m long. More precisely, it is 3 m long.").findings

    assert [(each.line, str(each.severity)) for each in findings if each.code == "scratch.doubt"] == [
        (1, "note")
    ]
