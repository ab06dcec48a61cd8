"""A record is checked once for its content and library, and what is shared cannot be changed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks import (
    read_record_design_by_content,
    verify_record,
    verify_record_by_content,
)
from impossible_moments.mechanics.checks.repeated_checks import MOST_KEPT
from impossible_moments.mechanics.records.library import EMPTY
from support.golden_records import load_golden_document

LIBRARY = load_everyday_library()


def test_the_same_content_is_checked_once() -> None:
    first = verify_record_by_content(load_golden_document("blast_room"), LIBRARY)

    assert verify_record_by_content(load_golden_document("blast_room"), LIBRARY) is first
    assert list(first.findings) == list(verify_record(load_golden_document("blast_room"), LIBRARY).findings)


def test_another_content_or_library_is_checked_anew() -> None:
    data = load_golden_document("blast_room")
    first = verify_record_by_content(data, LIBRARY)
    changed = verify_record_by_content({**data, "title": "Another Room"}, LIBRARY)

    assert changed is not first
    assert changed.record is not None
    assert changed.record.title == "Another Room"
    assert verify_record_by_content(data, EMPTY) is not first


def test_nothing_can_be_added_to_shared_findings() -> None:
    report = verify_record_by_content(load_golden_document("blast_room"), LIBRARY)
    _, findings = read_record_design_by_content(load_golden_document("blast_room"), LIBRARY)

    for shared in (report.findings, findings):
        with pytest.raises(AssertionError, match="shared"):
            shared.add("goal.trivial", "/goal", "the goal is already met")


def test_threads_share_no_result() -> None:
    own = verify_record_by_content(load_golden_document("blast_room"), LIBRARY)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(verify_record_by_content, load_golden_document("blast_room"), LIBRARY).result()

    assert other is not own
    assert other.verdict is not None
    assert own.verdict is not None
    assert other.verdict.status == own.verdict.status


def test_only_the_last_results_are_kept() -> None:
    data = load_golden_document("blast_room")
    first, _ = read_record_design_by_content(data, LIBRARY)
    for number in range(MOST_KEPT):
        read_record_design_by_content({**data, "title": f"Room {number}"}, LIBRARY)

    assert read_record_design_by_content(data, LIBRARY)[0] is not first


def test_data_that_is_no_plain_data_is_checked_too() -> None:
    assert verify_record_by_content({"format": {1, 2}}, LIBRARY).is_unreadable
