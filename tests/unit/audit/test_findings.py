"""Findings carry the weight and the rule of their code."""

from __future__ import annotations

import json

import pytest

from impossible_moments.audit.finding_codes import CODES
from impossible_moments.audit.findings import DocumentAudit, create_finding


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_weight_and_a_rule(code: str) -> None:
    finding = create_finding(1, code, "what")

    assert (str(finding.severity), finding.rule) == CODES[code]


def test_errors_and_warnings_are_told_apart_and_counted_by_kind() -> None:
    audit = DocumentAudit(
        "a",
        (
            create_finding(1, "leak.hint", ""),
            create_finding(2, "leak.why", ""),
            create_finding(3, "leak.answer", ""),
        ),
    )

    assert (len(audit.errors), len(audit.warnings), audit.counts) == (2, 1, {"leak": 2})


def test_a_long_text_is_shortened() -> None:
    finding = create_finding(1, "leak.hint", "word " * 500, "x" * 999)

    assert max(len(finding.what), len(finding.found)) <= 300


def test_an_audit_is_plain_data() -> None:
    data = DocumentAudit("a", (create_finding(4, "leak.why", "what", "found", "expected"),)).to_dict()

    assert json.loads(json.dumps(data))["findings"][0]["line"] == 4
