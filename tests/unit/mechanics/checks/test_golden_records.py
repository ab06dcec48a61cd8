"""The golden records: each is accepted as what it claims, and together they show everything there is."""

import json
import math
from collections import Counter
from typing import get_args

import pytest

from impossible_moments.mechanics.checks.record_check import CheckReport
from impossible_moments.mechanics.prose import render_prose
from impossible_moments.mechanics.records.json_schema import convert_record_to_normal_form
from impossible_moments.mechanics.records.record import Category, Record
from impossible_moments.mechanics.records.status_forms import StatusName
from support.golden_records import (
    NAMES,
    check_golden_record,
    check_record,
    list_records_claiming,
    load_claims,
    load_golden_document,
    load_golden_record,
    load_published_record,
)

PUZZLE_KINDS = ("code", "clues", "signal", "diagnosis")
CORRECT_PATCH = "patch_mass = 0.0047[kg]"


@pytest.fixture(scope="module")
def blast_room() -> CheckReport:
    return check_record(load_published_record("blast_room"))


@pytest.fixture(scope="module")
def cage() -> CheckReport:
    return check_record(load_published_record("sealed_cage"))


@pytest.fixture(scope="module")
def cage_with_the_right_patch() -> CheckReport:
    data = load_published_record("sealed_cage")
    wrong = data["quantities"].index("patch_mass = 0.047[kg]")
    data["quantities"][wrong] = CORRECT_PATCH
    return check_record(data)


def places(report: CheckReport, code: str) -> set[str]:
    """Where a code was found."""
    return {finding.where for finding in report.findings if finding.code == code}


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_is_accepted(name: str) -> None:
    assert [str(finding) for finding in check_golden_record(name).findings.errors] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_computed_status_of_a_golden_record_is_the_claimed_one(name: str) -> None:
    verdict = check_golden_record(name).verdict

    assert verdict is not None
    assert verdict.status == load_claims()[name], verdict.reason


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_reads_back_from_json_as_itself(name: str) -> None:
    record = Record.model_validate(load_golden_document(name))

    assert Record.model_validate(json.loads(json.dumps(convert_record_to_normal_form(record)))) == record


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_prose_of_a_golden_record_has_no_brace_left(name: str) -> None:
    report = check_golden_record(name)
    assert report.record is not None
    assert report.tie is not None

    texts = render_prose(report.record.prose, report.tie)

    assert [part for part, text in texts.items() if "{" in text or "}" in text or not text.strip()] == []


@pytest.mark.parametrize("status", get_args(StatusName))
def test_at_least_three_golden_records_have_each_status(status: str) -> None:
    assert len(list_records_claiming(status)) >= 3


@pytest.mark.parametrize("kind", PUZZLE_KINDS)
def test_at_least_three_golden_puzzles_are_of_each_kind(kind: str) -> None:
    kinds = Counter(puzzle["kind"] for name in NAMES for puzzle in load_golden_record(name)["puzzles"])

    assert kinds[kind] >= 3


def test_the_golden_records_show_all_twelve_categories() -> None:
    assert {load_golden_record(name)["category"] for name in NAMES} == set(get_args(Category))


def test_the_published_blast_room_states_a_diagonal_that_is_not_the_room_s(blast_room: CheckReport) -> None:
    (finding,) = [each for each in blast_room.findings if each.code == "agreement.fails"]

    assert finding.where == "/agrees/corner_to_window"
    assert "5.6" in finding.what
    assert f"{math.hypot(4, 2):.4g}" in finding.what


def test_the_published_blast_room_takes_a_jump_that_works_for_a_trap(blast_room: CheckReport) -> None:
    found = {each.found for each in blast_room.findings if each.code == "status.trap-works"}

    assert found == {"jump_alone"}


def test_the_published_blast_room_has_a_way_that_it_does_not_list(blast_room: CheckReport) -> None:
    assert "status.unintended" in {each.code for each in blast_room.findings.errors}


def test_the_published_cage_contradicts_itself_in_the_patch_and_in_both_times(cage: CheckReport) -> None:
    assert places(cage, "agreement.fails") == {
        "/agrees/patch_weighs",
        "/agrees/time_layered",
        "/agrees/time_mixed",
    }


def test_the_published_cage_is_no_paradox_once_its_patch_weighs_what_it_weighs(
    cage_with_the_right_patch: CheckReport,
) -> None:
    verdict = cage_with_the_right_patch.verdict

    assert verdict is not None
    assert verdict.status != "PX"


def test_the_candle_opens_the_published_cage_once_its_patch_weighs_what_it_weighs(
    cage_with_the_right_patch: CheckReport,
) -> None:
    verdict = cage_with_the_right_patch.verdict

    assert verdict is not None
    assert any("melt(candle, door)" in way.calls for way in verdict.ways)


def test_the_right_patch_agrees_with_the_plate(cage_with_the_right_patch: CheckReport) -> None:
    assert "/agrees/patch_weighs" not in places(cage_with_the_right_patch, "agreement.fails")


def test_every_proof_of_the_repaired_cage_was_rechecked() -> None:
    verdict = check_golden_record("sealed_cage").verdict

    assert verdict is not None
    assert verdict.impossibility is not None
    assert verdict.impossibility.proved
    assert all(each.rechecked for each in verdict.impossibility.refuted_plans)


@pytest.mark.parametrize("name", list_records_claiming("PX"))
def test_no_cell_of_a_golden_paradox_is_empty(name: str) -> None:
    verdict = check_golden_record(name).verdict

    assert verdict is not None
    assert [cell.name for cell in verdict.cells if not cell.closed_by] == []
