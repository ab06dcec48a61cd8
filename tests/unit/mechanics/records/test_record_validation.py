"""The shape of a record: where a fault stands and what is said of it."""
# ruff: noqa: E501 - a table row is one line

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.records.form_structure import (
    list_record_forms,
    list_record_positions_with_field,
)
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.records.record_validation import MAX_FINDINGS, parse_record
from support.written_records import STATUSES, Data, build_complete_record, build_shed

FOREIGN_WORDS = ("Input should", "Extra inputs", "Field required", "a valid", "dictionary", "pydantic", "Value error", "pattern",
                 "union", "Literal", "NoneType", "object at")  # fmt: skip


def found_in(data: object) -> list[Finding]:
    findings = Findings()
    record = parse_record(data, findings)
    assert (record is None) == bool(findings.errors)
    return list(findings)


def changed(data: Data, path: str, value: object) -> Data:
    """The data with one value set, at a path of keys and numbers."""
    *outer, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    at: Any = data
    for part in outer:
        at = at[part]
    at[last] = value
    return data


def the_one(data: object) -> Finding:
    (finding,) = found_in(data)
    return finding


def test_a_record_of_right_shape_is_read_without_findings() -> None:
    for data in (
        build_shed(),
        build_complete_record(),
        *({**build_shed(), "status": status} for status in STATUSES),
    ):
        assert found_in(data) == []


# fmt: off
FAULTS: list[tuple[str, object, str, str, str]] = [
    # path set              value                  found at                     what it says             what is expected
    ("actions/1/takes",     5,                     "/actions/1/takes",          "is a number, but must be text", "put it in quotes to make it text"),
    ("approaches/0/plan",   7,                     "/approaches/lever_it/plan", "a plan must be a list of calls", "e.g. ["),
    ("approaches/0/plan",   [],                    "/approaches/lever_it/plan", "at least 1",            "Calls in order"),
    ("approaches/0/name",   "no name",             "/approaches/0/name",        "is not a name",         'e.g. "tape_it"'),
    ("approaches/1/why",    "",                    "/approaches/sit/why",       "is empty",              "One sentence"),
    ("approaches/1/why",    "x" * 601,             "/approaches/sit/why",       "has 601 characters; at most 600", ""),
    ("things/0",            "door",                "/things/0",                 "is text, but must be a map of fields", "the fields name, label"),
    ("things",              "door",                "/things",                   "must be a list",        "Everything in the prose"),
    ("things/0/kind",       "boundry",             "/things/door/kind",         "did you mean boundary?", "one of object, place"),
    ("category",            "Locked Room",         "/category",                 "did you mean The Locked Room?", "The Wrong Toolbox"),
    ("format",              "im-mechanics/2",      "/format",                   "is not one of its allowed values", "one of im-mechanics/1"),
    ("quantities",          4,                     "/quantities",               "lines must be text, a list of texts or a map", "rim = 3.6[m]"),
    ("quantities",          [[]],                  "/quantities",               "a line must be text",   "rim = 3.6[m]"),
    ("prose/narrative",     {"left|min": None},    "/prose/narrative",          "is a map, but must be text", "put text that begins with { or [ in quotes"),
    ("prose",               None,                  "/prose",                    "is null, but must be a map of fields", "narrative, environment"),
    ("status",              None,                  "/status",                   "must be a map of fields", "`claim` is one of KS-Singular"),
    ("status/claim",        "KS",                  "/status/claim",             "is not one of its 8 values", "one of KS-Singular (one way), KS-Multiple, KS-Fragile, CT, OF, PX, MT, DG"),
    ("status/claim",        ["KS"],                "/status/claim",             "is not one of its 8 values", "one of KS-Singular (one way)"),
    ("status/ways",         [1],                   "/status/ways/0",            "an entry of `ways` is a number", "e.g."),
    ("status/ways",         {},                    "/status/ways",              "is a map, but must be a list", "e.g."),
    ("actions/0/unattended", "perhaps",            "/actions/0/unattended",     "must be true or false", "e.g. false"),
    ("puzzles",             [{"kind": "riddle"}],  "/puzzles/0/kind",           "is not one of its 4 values", "one of code, clues, signal, diagnosis"),
    ("puzzles",             [{"name": "a"}],       "/puzzles/a/kind",           "`kind` is missing",     "one of code, clues, signal, diagnosis"),
    ("puzzles",             [4],                   "/puzzles/0",                "is a number",           "`kind` is one of code"),
    ("puzzles",             4,                     "/puzzles",                  "must be a list",        "Puzzles played by"),
    ("goals",               "x",                   "/goals",                    "`goals` is not a field of the top level", "the fields here are format"),
    ("ways",                [],                    "/ways",                     "is not a field of the top level", "it belongs to `status` of claim KS-Singular, KS-Multiple, KS-Fragile"),
    ("status/cover",        [],                    "/status/cover",             "is not a field of `status` of claim KS-Singular", "it belongs to the top level"),
    ("status/best",         "x",                   "/status/best",              "`best` is not a field of", "the fields here are claim, ways, traps, fragile_in"),
    ("status/conflict",     [],                    "/status/conflict",          "`conflict` is not a field of", "it belongs to `status` of claim PX"),
    ("things/1/prop",       [],                    "/things/bar/prop",          "`prop` is not a field of an entry of `things`", "the fields here are name"),
    ("things/0/lik",        None,                  "/things/door/lik",          "`lik` is not a field of",  "did you mean `like`?"),
    ("scale",               [],                    "/scale",                    "is a list, but must be a map of fields", "variable, human, regimes, flips"),
    ("frontier",            {"claims": 1, "envelope": [], "known": []}, "/frontier/claims", "lines must be text", "choose"),
]
# fmt: on


@pytest.mark.parametrize(
    ("path", "value", "where", "what", "expected"),
    FAULTS,
    ids=[f"{path}={str(value)[:20]}" for path, value, *_ in FAULTS],
)
def test_a_fault_is_told_where_it_stands(
    path: str, value: object, where: str, what: str, expected: str
) -> None:
    finding = the_one(changed(build_shed(), path, value))

    assert finding.where == where
    assert what in finding.what
    assert expected in finding.expected


@pytest.mark.parametrize("name", ["title", "approaches", "status", "prose"])
def test_a_missing_field_is_told_with_its_example(name: str) -> None:
    data = build_shed()
    del data[name]

    finding = the_one(data)
    assert (finding.code, finding.where, finding.what) == (
        "shape.missing",
        f"/{name}",
        f"`{name}` is missing",
    )
    assert "e.g. " in finding.expected


def test_two_entries_of_one_name_are_told_apart_by_number() -> None:
    data = changed(changed(build_shed(), "things/1/name", "door"), "things/1/label", "")

    assert the_one(data).where == "/things/1/label"


def test_the_kind_of_a_puzzle_and_the_claim_stand_in_no_path() -> None:
    data = build_complete_record()
    for puzzle in data["puzzles"]:
        puzzle["gives"] = 4
    data["status"]["crux"] = 4

    where = [finding.where for finding in found_in(data)]
    assert where == [
        *(f"/puzzles/{name}/gives" for name in ("shelf", "fuses", "rope", "glow")),
        "/status/crux",
    ]


def test_a_part_inside_a_puzzle_is_found_by_name() -> None:
    data = changed(build_complete_record(), "puzzles/3/hypotheses/1/predicts", 4)

    assert the_one(data).where == "/puzzles/glow/hypotheses/paint/predicts"


def test_signs_of_a_pointer_are_escaped_in_a_path() -> None:
    assert the_one({**build_shed(), "a~b/c": 1}).where == "/a~0b~1c"


def test_a_long_key_is_shortened() -> None:
    assert len(str(the_one({**build_shed(), "k" * 50_000: "v" * 50_000}))) < 700


@pytest.mark.parametrize("data", [None, [], "text", 4, True, {1: 2}], ids=str)
def test_data_that_is_no_record_is_refused(data: object) -> None:
    assert found_in(data)


def test_the_findings_are_at_most_sixty_and_say_how_many_more_there_are() -> None:
    findings = found_in({f"k{number}": 1 for number in range(5000)})

    assert len(findings) == MAX_FINDINGS
    assert "more places have the wrong form" in findings[-1].what


@pytest.mark.parametrize("count", [MAX_FINDINGS, MAX_FINDINGS + 1])
def test_sixty_findings_are_all_told_and_one_more_is_counted(count: int) -> None:
    findings = found_in({**build_shed(), **{f"k{number}": 1 for number in range(count)}})

    assert len(findings) == MAX_FINDINGS
    assert ("2 more places" in findings[-1].what) == (count > MAX_FINDINGS)


def test_every_field_of_every_form_has_a_home_in_words() -> None:
    for form in list_record_forms():
        for name in form.model_fields:
            assert list_record_positions_with_field(name), name


WRONG: list[object] = [
    None,
    True,
    3,
    2.5,
    "",
    "no such value",
    "x" * 20_000,
    [],
    [None],
    [[[]]],
    {},
    {"a": {}},
    [{"name": 4}],
]


@pytest.mark.parametrize("name", [*Record.model_fields, "unheard_of"])
def test_no_foreign_words_reach_the_writer(name: str) -> None:
    for value in WRONG:
        findings = Findings()
        parse_record({**build_complete_record(), name: value}, findings)
        for finding in findings:
            said = f"{finding.what} {finding.expected}"
            assert not [word for word in FOREIGN_WORDS if word in said], said


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "kind", "claim", "x"]), inner)
    ),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(list(Record.model_fields)), values))
def test_any_data_is_a_record_or_has_findings(changes: dict[str, object]) -> None:
    found_in({**build_complete_record(), **changes})
