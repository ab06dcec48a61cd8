"""What is told of a record is what the mechanics' own check computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.agents.tools.record_judge import NOT_EXHAUSTED
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON
from impossible_moments.mechanics.checks.record_check import verify_record
from impossible_moments.mechanics.execution import search_limits
from support.golden_records import NAMES, check_golden_record, load_golden_record
from support.small_worlds import build_action, build_approach, build_record, build_thing

Box = Callable[..., Mapping[str, Call]]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_search_tells_the_computed_status_and_every_way(box: Box, name: str) -> None:
    verdict = check_golden_record(name).verdict
    assert verdict is not None
    found: Any = box(NEWTON, load_golden_record(name))["search_world"](limit=12)
    assert (found["status"], found["reason"]) == (verdict.status, verdict.reason)
    assert found["exhausted"] is True
    assert found["errors"] == found["traps_that_work"] == []
    if verdict.crux is None:
        expected = [*verdict.ways, *([verdict.outside] if verdict.outside else [])]
        assert [way["calls"] for way in found["ways"]] == [list(way.calls) for way in expected]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_proof_is_told_where_nothing_works_and_a_way_where_something_does(box: Box, name: str) -> None:
    verdict = check_golden_record(name).verdict
    assert verdict is not None
    found: Any = box(EULER, load_golden_record(name))["prove"]()
    if verdict.ways:
        assert found["proved"] is False
        assert found["broken_by"]["calls"] == list(verdict.ways[0].calls)
    else:
        assert found["proved"] is found["exhausted"] is found["rechecked"] is True
        assert found["stopped_by"]
    if verdict.status == "PX":
        assert found["claimed_conflict"]["is_smallest"] is True
        assert found["cover"]["empty"] == {}


def test_a_way_has_its_duration_and_its_margins(box: Box) -> None:
    found: Any = box(NEWTON, load_golden_record("blast_room"))["search_world"]()
    (way,) = found["ways"]
    assert way["takes_s"] == pytest.approx(8.7619)
    assert way["deadline_s"] == 18
    assert way["time_margin"] == pytest.approx(1 - 8.7619 / 18, rel=1e-4)
    assert min(way["margins"].values()) == way["least_margin"]


def test_a_contested_way_says_where_it_is_best_and_a_metamorphic_one_without_what(box: Box) -> None:
    contested: Any = box(NEWTON, load_golden_record("bin_nine"))["search_world"]()
    assert [way["works"][:14] for way in contested["ways"]] == ["best at fanned", "best at fanned"]
    outside: Any = box(NEWTON, load_golden_record("islander_low_on_fuel"))["search_world"]()
    assert outside["ways"][0]["works"] == "without the premise elsewhere"


def test_a_trap_that_works_is_named(box: Box) -> None:
    broken = load_golden_record("blast_room")
    way = next(each for each in broken["approaches"] if each["ends"] == "goal")
    broken["approaches"].append({**way, "name": "sprung", "ends": "late"})
    found: Any = box(NEWTON, broken)["search_world"]()
    (trap,) = found["traps_that_work"]
    assert (trap["name"], trap["says"], trap["ends"]) == ("sprung", "late", "goal")
    assert "approach.ends" in [error["code"] for error in found["errors"]]


def test_a_search_that_stops_at_its_bounds_says_so(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        search_limits.SearchBounds, "spend_nodes", lambda self, _cost=1: setattr(self, "exhausted", False)
    )
    found = box(EULER, load_golden_record("blast_room"))["search_world"]()
    assert (found["status"], found["exhausted"], found["note"]) == ("undecided", False, NOT_EXHAUSTED)


def test_a_plan_that_works_somewhere_in_the_ranges_breaks_a_proof(box: Box) -> None:
    world = build_record(
        quantities=[
            "span = 2[m]",
            "reach = 1.9[m] (1.5..2.1) assumed @ estimate: an arm",
            "work = 5[s]",
            "limit = 60[s]",
        ],
        things=[build_thing("box", "full = false")],
        actions=[build_action("fill(x: box)", "x.full = true", when=("near = reach >= span",))],
        goal="box.full",
        deadline="limit",
        approaches=[build_approach("way", "fill(box)", ends="blocked fill.near")],
    )
    found: Any = box(EULER, world)["prove"]()
    assert found["proved"] is False
    assert found["broken_by"]["calls"] == ["fill(box)"]
    assert "reach" in found["broken_by"]["at"]


@pytest.mark.parametrize("tool", ["search_world", "prove"])
def test_of_a_record_that_cannot_be_read_the_errors_are_told(box: Box, tool: str) -> None:
    broken = load_golden_record("blast_room")
    broken["goal"] = "nonsense >= 3"
    found: Any = box(EULER, broken)[tool]()
    assert found["status"] == "undecided"
    assert [error["code"] for error in found["errors"]] == ["name.unknown"]


def test_a_record_is_checked_before_it_is_handed_in(box: Box) -> None:
    found = box(ATHENA)["check_record"](record=load_golden_record("five_pulls"))
    assert (found["accepted"], found["status"], found["errors"]) == (True, "KS-Singular", 0)


def test_a_finding_says_where_what_is_expected_and_shows_an_example(box: Box) -> None:
    broken = load_golden_record("blast_room")
    del broken["title"]
    found: Any = box(ATHENA)["check_record"](record=broken)
    assert found["accepted"] is False
    (finding,) = found["findings"]
    assert finding["code"] == "shape.missing"
    assert finding["path"] == "/title"
    assert finding["expected"] == "Title of the scenario."
    assert finding["example"]


def test_errors_come_before_warnings_and_too_many_are_counted(box: Box) -> None:
    broken = load_golden_record("blast_room")
    broken["quantities"] = [f"q{number} = nothing{number}" for number in range(100)]
    found: Any = box(ATHENA)["check_record"](record=broken)
    assert found["errors"] > 100
    assert found["more_findings"] >= found["errors"] - 30
    assert {finding["severity"] for finding in found["findings"]} == {"error"}
    assert "findings" in found["left_out"]


def test_records_are_told_apart_however_many_are_tried(box: Box) -> None:
    check_record = box(ATHENA)["check_record"]
    names = [name for name in NAMES if name not in {"ice_at_noon", "ten_per_cent"}][:9]
    for name in (*names, *names):
        verdict = check_golden_record(name).verdict
        assert verdict is not None
        assert check_record(record=load_golden_record(name))["status"] == verdict.status


def test_a_record_written_as_text_is_read_too(box: Box) -> None:
    found = box(ATHENA)["check_record"](record="{title: Half}")
    assert found["accepted"] is False
    with pytest.raises(ToolRefusal, match="a record is a map"):
        box(ATHENA)["check_record"](record="[1]")


def test_the_findings_are_those_of_the_check(box: Box) -> None:
    broken = load_golden_record("blast_room")
    broken["deadline"] = "3[m]"
    expected = verify_record(broken, check_golden_record("blast_room").analysis.world.library)  # type: ignore[union-attr]
    found: Any = box(ATHENA)["check_record"](record=broken)
    assert sorted(each["code"] for each in found["findings"]) == sorted(expected.findings.codes)
