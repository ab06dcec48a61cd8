"""The published schemas: what people may write, and what providers of strict tools accept."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.records.form_structure import list_record_forms
from impossible_moments.mechanics.records.json_schema import (
    build_record_schema,
    build_tool_schema,
    convert_record_to_normal_form,
    measure_tool_schema,
)
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.records.record_validation import parse_record
from support.every_case import find_failures
from support.written_records import STATUSES, Data, build_complete_record, build_shed

STRICT_KEYWORDS = {
    "$defs", "$ref", "additionalProperties", "anyOf", "description", "enum", "items", "properties",
    "required", "type",
}  # fmt: skip
RECORDS: list[Data] = [
    build_shed(),
    build_complete_record(),
    *({**build_shed(), "status": status} for status in STATUSES),
]
RECORD_IDS = ["shed", "everything", *(status["claim"] for status in STATUSES)]


@cache
def tool_schema() -> dict[str, Any]:
    return build_tool_schema()


@cache
def record_schema() -> dict[str, Any]:
    return build_record_schema()


def schemas(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside a schema with its path, not through references."""
    yield path or "/", schema
    for key in ("properties", "$defs"):
        for name, part in schema.get(key, {}).items():
            yield from schemas(part, f"{path}/{key}/{name}")
    if "items" in schema:
        yield from schemas(schema["items"], f"{path}/items")
    for number, part in enumerate(schema.get("anyOf", [])):
        yield from schemas(part, f"{path}/anyOf/{number}")


def properties() -> dict[str, dict[str, Any]]:
    return {path: part for path, part in schemas(tool_schema()) if path.split("/")[-2:-1] == ["properties"]}


def deepest(schema: dict[str, Any], trail: tuple[str, ...] = ()) -> int:
    """The levels below a schema, through references; a reference inside itself fails."""
    if "$ref" in schema:
        assert schema["$ref"] not in trail, f"{schema['$ref']} contains itself"
        return deepest(
            tool_schema()["$defs"][schema["$ref"].removeprefix("#/$defs/")], (*trail, schema["$ref"])
        )
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    below = [1 + deepest(part, trail) for part in inner] + [
        deepest(part, trail) for part in schema.get("anyOf", [])
    ]
    return max(below, default=0)


def test_the_tool_schema_is_a_schema_of_the_2020_draft() -> None:
    Draft202012Validator.check_schema(tool_schema())


def test_the_tool_schema_uses_only_keywords_that_strict_providers_know() -> None:
    assert {key for _, part in schemas(tool_schema()) for key in part} == STRICT_KEYWORDS


def test_every_object_of_the_tool_schema_is_closed_and_needs_all_its_fields() -> None:
    for path, part in schemas(tool_schema()):
        if part.get("type") == "object":
            assert part["additionalProperties"] is False, path
            assert part["required"] == list(part["properties"]), path


def test_every_part_of_the_tool_schema_has_a_type() -> None:
    assert [
        path for path, part in schemas(tool_schema()) if not {"type", "anyOf", "$ref"} & part.keys()
    ] == []


def test_nothing_stands_beside_a_reference() -> None:
    assert [path for path, part in schemas(tool_schema()) if "$ref" in part and len(part) > 1] == []


def test_every_reference_leads_somewhere_and_every_definition_is_used() -> None:
    used = {part["$ref"].removeprefix("#/$defs/") for _, part in schemas(tool_schema()) if "$ref" in part}

    assert used == set(tool_schema()["$defs"])


def test_the_tool_schema_does_not_recur_and_nests_at_most_ten_deep() -> None:
    assert deepest(tool_schema()) <= 10


def check_description(part: dict[str, Any]) -> None:
    words, mark, example = part["description"].rpartition(" e.g. ")

    assert mark
    assert len(words) > 2
    Draft202012Validator({**part, "$defs": tool_schema()["$defs"]}).validate(json.loads(example))


def test_every_property_has_a_description_with_an_example() -> None:
    assert find_failures(check_description, properties()) == []


def test_a_list_is_never_null_in_the_tool_schema() -> None:
    for path, part in schemas(tool_schema()):
        assert not {"array", "null"} <= {choice.get("type") for choice in part.get("anyOf", [])}, path


def test_limits_stand_in_the_descriptions_of_the_tool_schema() -> None:
    assert (
        "(at least 1, at most 12)"
        in tool_schema()["$defs"]["CodePuzzle"]["properties"]["length"]["description"]
    )
    assert "(at most 120 characters)" in tool_schema()["properties"]["title"]["description"]


def test_the_examples_keep_the_order_of_the_fields() -> None:
    assert '[{"name": "drain", "label"' in tool_schema()["properties"]["things"]["description"]


def test_the_report_counts_what_the_tool_schema_holds() -> None:
    report = measure_tool_schema()

    assert report["bytes"] == len(
        json.dumps(tool_schema(), ensure_ascii=False, separators=(",", ":")).encode()
    )
    assert report["tokens"] == int(report["bytes"]) // 4
    assert report["definitions"] == len(tool_schema()["$defs"])
    assert report["properties"] == len(properties())
    assert report["depth"] == deepest(tool_schema())


@pytest.mark.parametrize("data", RECORDS, ids=RECORD_IDS)
def test_the_normal_form_reads_back_as_the_same_record(data: Data) -> None:
    record = Record.model_validate(data)

    assert Record.model_validate(json.loads(json.dumps(convert_record_to_normal_form(record)))) == record


@pytest.mark.parametrize("data", RECORDS, ids=RECORD_IDS)
def test_the_normal_form_fits_both_schemas(data: Data) -> None:
    written = convert_record_to_normal_form(Record.model_validate(data))

    Draft202012Validator(tool_schema()).validate(written)
    Draft202012Validator(record_schema()).validate(written)


def test_a_normal_form_has_every_field() -> None:
    assert set(convert_record_to_normal_form(Record.model_validate(build_shed()))) == set(Record.model_fields)


@pytest.mark.parametrize("name", list(Record.model_fields))
def test_the_tool_schema_refuses_a_record_without_one_of_its_fields(name: str) -> None:
    written = convert_record_to_normal_form(Record.model_validate(build_complete_record()))
    del written[name]

    with pytest.raises(ValidationError):
        Draft202012Validator(tool_schema()).validate(written)


def test_the_schema_for_people_is_a_schema_of_the_2020_draft_without_an_address() -> None:
    Draft202012Validator.check_schema(record_schema())

    assert record_schema()["title"]
    assert "$id" not in record_schema()


def test_the_schema_for_people_describes_every_form() -> None:
    assert set(record_schema()["$defs"]) == {form.__name__ for form in list_record_forms()} - {"Record"}


# fmt: off
SPELLINGS: list[tuple[str, object]] = [
    ("quantities", "rim = 3.6[m]; width = 3[m]"),
    ("quantities", {"rim": "3.6[m]", "n": 4, "wet": True}),
    ("quantities", [{"rim": "3.6[m]"}, "width = 3[m]"]),
    ("quantities", None),
    ("status",     {"claim": "DG", "plan": "sit", "dressing": "lever_it, sit"}),
    ("approaches", [{"name": "sit", "plan": "a(b); c(d)", "ends": "short", "why": "so"}]),
    ("quantities", 4),
    ("quantities", [4]),
    ("quantities", {"rim": []}),
    ("approaches", [{"name": "sit", "plan": [], "ends": "short", "why": "so"}]),
    ("status",     {"claim": "KS"}),
    ("surprise",   1),
]
# fmt: on


@pytest.mark.parametrize(("name", "value"), SPELLINGS)
def test_the_schema_for_people_allows_the_spellings_that_are_read_and_no_others(
    name: str, value: object
) -> None:
    data = {**build_shed(), name: value}

    assert Draft202012Validator(record_schema()).is_valid(data) == (
        parse_record(data, Findings()) is not None
    )


names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
lines = st.lists(st.builds("{} = {}".format, names, st.text("abc 0123.'[]()@;*", max_size=30)), max_size=4)


@given(quantities=lines, never=lines, ways=st.lists(names, min_size=1), goal=st.none() | st.text(max_size=20))
def test_any_written_record_reads_back_as_the_same(
    quantities: list[str], never: list[str], ways: list[str], goal: str | None
) -> None:
    status = {"claim": "KS-Multiple", "ways": ways, "traps": ways}
    record = Record.model_validate(
        {**build_shed(), "quantities": quantities, "never": never, "goal": goal, "status": status}
    )

    assert Record.model_validate(convert_record_to_normal_form(record)) == record
    Draft202012Validator(tool_schema()).validate(convert_record_to_normal_form(record))
