"""Revisions of seed documents: operations at paths, and errors that name the path and what to change."""

from typing import Any

import pytest

from impossible_moments.agents.adapters.seed_patches import PatchError, apply_seed_revision, parse_pointer
from impossible_moments.domain.seed_revision import SeedRevision
from support.example_seed import build_accepted_seed

DATA = build_accepted_seed().model_dump(mode="json") | {
    "mechanics": {
        "quantities": ["flood = 25[min]", "tap = 18[l/min]"],
        "things": [{"name": "drum", "props": ["room = 120[l]"]}],
        "actions": [{"do": "let_down(d: drum)", "takes": "90[s]"}],
        "prose": {"narrative": "The lift is dead. The river is in the street."},
    }
}


def revise(*operations: dict[str, Any]) -> dict[str, Any]:
    revision = SeedRevision.model_validate({"operations": operations, "confidence": 0.61})
    return apply_seed_revision(DATA, revision).model_dump(mode="json")


@pytest.mark.parametrize(
    ("op", "path", "value", "place", "expected"),
    [
        ("replace", "/mechanics/quantities/0", "flood = 40[min]", ("quantities", 0), "flood = 40[min]"),
        ("replace", "/mechanics/quantities/tap", "tap = 9[l/min]", ("quantities", 1), "tap = 9[l/min]"),
        ("replace", "/mechanics/actions/let_down/takes", "60[s]", ("actions", 0, "takes"), "60[s]"),
        (
            "replace",
            "/mechanics/things/drum/props/room",
            "room = 9[l]",
            ("things", 0, "props", 0),
            "room = 9[l]",
        ),
        ("add", "/mechanics/quantities/-", "trip = 110[s]", ("quantities", 2), "trip = 110[s]"),
        ("add", "/mechanics/quantities/0", "trip = 110[s]", ("quantities", 0), "trip = 110[s]"),
        ("add", "/mechanics/goal", "drum.full", ("goal",), "drum.full"),
        ("remove", "/mechanics/quantities/flood", None, ("quantities",), ["tap = 18[l/min]"]),
    ],
)
def test_an_operation_changes_its_place(
    op: str, path: str, value: object, place: tuple[Any, ...], expected: object
) -> None:
    found: Any = revise({"op": op, "path": path, "value": value})["mechanics"]
    for step in place:
        found = found[step]

    assert found == expected


def test_operations_are_applied_in_order_and_leave_the_last_seed_alone() -> None:
    before = str(DATA)
    revised = revise(
        {"op": "remove", "path": "/mechanics/quantities/0"},
        {"op": "replace", "path": "/mechanics/quantities/0", "value": "tap = 1[l/min]"},
    )

    assert revised["mechanics"]["quantities"] == ["tap = 1[l/min]"]
    assert str(DATA) == before


def test_a_passage_of_a_text_is_replaced() -> None:
    revised = revise(
        {"op": "replace", "path": "/mechanics/prose/narrative", "passage": "is dead", "value": "stands open"}
    )

    assert revised["mechanics"]["prose"]["narrative"] == "The lift stands open. The river is in the street."


def test_the_confidence_of_the_revision_is_that_of_the_seed() -> None:
    assert revise()["solution_sketch"]["confidence"] == 0.61


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (
            {"op": "replace", "path": "/scenario/weather"},
            r"operations/0 .*/scenario has no field `weather`; it has name",
        ),
        (
            {"op": "remove", "path": "/mechanics/quantities/7"},
            "has 2 entries, counted from 0, and no entry 7",
        ),
        (
            {"op": "remove", "path": "/mechanics/quantities/flod"},
            "no entry named `flod`; .* one of flood, tap",
        ),
        ({"op": "replace", "path": "/mechanics/prose/narrative/0"}, "is a single value and has no `0`"),
        (
            {"op": "add", "path": "/mechanics/quantities/9", "value": "x = 1"},
            "a number from 0 to 2, or at - for the end",
        ),
        (
            {"op": "add", "path": "/mechanics/quantities", "value": "x = 1"},
            "is a list; add the entry at quantities/-",
        ),
        ({"op": "replace", "path": "", "value": {}}, "the path is empty"),
        (
            {"op": "replace", "path": "/mechanics/prose/narrative", "passage": "The ", "value": "A "},
            "occurs 2 times in the text; quote words that occur exactly once",
        ),
        (
            {"op": "replace", "path": "/solution_sketch/claims", "value": [{"text": "no name"}]},
            "not a seed document: /solution_sketch/claims/0/claim_id: Field required",
        ),
    ],
)
def test_an_error_names_the_path_and_what_to_change(operation: dict[str, Any], reason: str) -> None:
    with pytest.raises(PatchError, match=reason):
        revise(operation)


def test_escaped_parts_of_a_pointer_are_read() -> None:
    assert parse_pointer("/a~1b/c~0d/0") == ("a/b", "c~d", "0")
