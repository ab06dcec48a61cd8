"""Tests of the checks of the section `wording`."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.checks import verify_record
from support.worded_record import WORDING, build_worded_record


def find_codes(record: dict[str, Any]) -> set[str]:
    """Return the codes of the findings about the wording."""
    findings = verify_record(record, load_everyday_library()).findings
    return {each.code for each in findings if each.code.startswith("wording.")}


def change_action(call: str, **fields: Any) -> list[dict[str, Any]]:
    """Return the wordings of the actions with some fields of one replaced."""
    entries = deepcopy(WORDING["actions"])
    return [{**each, **fields} if each["call"] == call else each for each in entries]


def test_a_complete_wording_has_no_finding() -> None:
    report = verify_record(build_worded_record(), load_everyday_library())

    assert find_codes(build_worded_record()) == set()
    assert report.is_accepted


def test_a_bare_record_can_be_verified_without_the_section_and_is_warned() -> None:
    record = {**build_worded_record(), "wording": None}
    report = verify_record(record, load_everyday_library())

    assert report.is_accepted
    assert report.findings.codes == ("wording.none",)
    assert "`tie(magnet, lace)`, `fish(magnet, keys)`" in next(iter(report.findings)).what


def test_a_record_with_text_to_publish_needs_the_section() -> None:
    record = build_worded_record()
    prose = {**record["prose"], "threat": "The last train goes.", "position": "You kneel at the grate."}

    assert "wording.unpublishable" in find_codes({**record, "prose": prose, "wording": None})


# fmt: off
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("wording.missing",   {"actions": WORDING["actions"][1:]}),
    ("wording.call",      {"actions": [*WORDING["actions"], {"call": "sew(lace)", "menu": "Sew", "deed": "It is sewn."}]}),
    ("wording.call",      {"actions": [*WORDING["actions"], {"call": "tie(rope, *)", "menu": "Tie", "deed": "It is tied."}]}),
    ("wording.text",      {"harmless": ["wait {nothing|m}", "look", "tell"]}),
    ("wording.text",      {"actions": change_action("fish", menu="Fish with {rod}")}),
    ("wording.silent",    {"actions": change_action("fish", needs_said=[])}),
    ("wording.choice",    {"actions": change_action("tie(magnet, *)", needs_said=["magnet = {m}", "joined = tie"])}),
    ("wording.unsaid",    {"actions": change_action("tie(magnet, *)", unsaid=True)}),
    ("wording.near-miss", {"actions": change_action("fish", near_misses=[])}),
    ("wording.near-miss-counts", {"actions": change_action("fish", near_misses=["pull {k} up with {m}"])}),
    ("wording.also",      {"actions": change_action("fish", also=["get it out"])}),
    ("wording.value",     {"values": [{"name": "depth", "label": "the depth", "unit": "m", "tolerance": "1"}]}),
    ("wording.condition", {"conditions": WORDING["conditions"][:1]}),
    ("wording.condition", {"bookkeeping": ["fish.nothing"]}),
    ("wording.harmless",  {"harmless": ["look"]}),
    ("wording.premise",   {"decoy_premises": ["the umbrella is rolled up"]}),
    ("wording.uncertainty", {"uncertainties": []}),
    ("wording.uncertainty", {"uncertainties": ["weather = whether it rains", *WORDING["uncertainties"]]}),
    ("wording.name",      {"names": ["rope = a line"]}),
]
# fmt: on


@pytest.mark.parametrize(("code", "changes"), FAULTS)
def test_a_fault_of_the_wording_is_found(code: str, changes: dict[str, Any]) -> None:
    assert code in find_codes(build_worded_record(**changes))


def test_a_wrong_slot_is_answered_with_the_slots_of_the_action() -> None:
    record = build_worded_record(actions=change_action("fish", menu="Fish with {rod}"))
    findings = verify_record(record, load_everyday_library()).findings
    (finding,) = (each for each in findings if each.code == "wording.text")

    assert finding.what.startswith("no such value: `rod`; ")
    assert "('" not in str(finding)
    assert finding.expected.startswith("a slot of `fish(m: ")
    assert ": {m}, {k}; or {thing:NAME}" in finding.expected
