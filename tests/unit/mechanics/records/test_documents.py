"""Reading YAML and JSON: what comes out, and the sentence when nothing does."""

import json
import os
import pickle
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import yaml_parser
from impossible_moments.mechanics.records.document_values import MAX_BYTES, MAX_DEPTH, MAX_PARTS, MAX_TEXT
from impossible_moments.mechanics.records.documents import DocumentError, load_document, parse_document
from support.written_records import build_complete_record

# fmt: off
READ: list[tuple[str, object]] = [
    ("a: 1\nb: [x, 2.5, true, null]", {"a": 1, "b": ["x", 2.5, True, None]}),
    ('{"a": 1, "b": ["x", 2.5, true, null]}', {"a": 1, "b": ["x", 2.5, True, None]}),
    ("{a: 1, b: [x, 2.5]}",           {"a": 1, "b": ["x", 2.5]}),
    ('{"a": 1,}',                     {"a": 1}),
    ("[1, 2]",                        [1, 2]),
    ('{"a": "two\nlines"}',           {"a": "two\nlines"}),
    ('{"a": "\\ud83d\\ude00"}',       {"a": "\N{GRINNING FACE}"}),
    ("\ufeffa: 1",                    {"a": 1}),
    ("# said first\n---\na: 1\n...",  {"a": 1}),
    ("a: |\n  x = 1\n  y = 2\n",      {"a": "x = 1\ny = 2\n"}),
    ("a: 'it''s'",                    {"a": "it's"}),
    ("a: ~\nb:\nc: Null",             {"a": None, "b": None, "c": None}),
    ("a: TRUE\nb: False",             {"a": True, "b": False}),
    ("a: -0\nb: +7\nc: .5\nd: 1e3",   {"a": 0, "b": 7, "c": 0.5, "d": 1000.0}),
    ("a: !!str 12\nb: !!int 12",      {"a": "12", "b": 12}),
    ("'<<': 1",                       {"<<": 1}),
    ("on: 1\n2: 3\n~: 4",             {"on": 1, "2": 3, "~": 4}),
]
STAYS_TEXT = [
    "2001-01-01", "2001-01-01T00:00:00Z", "yes", "no", "on", "off", "Y", "12:30", "190:20:30", "0o7",
    "0x1F", "0472", "0b11", "1_000", "1,5", "+", ".", "1.2.3", "=", "inf", "nan", "None", "tRUE",
    "\u0661\u0662",
]
REFUSED = [
    ("a: 1\ngoal: 1\ngoal: 2",        ", line 3: the key `goal` occurs twice"),
    ('{"goal": 1, "goal": 2}',        "the key `goal` occurs twice"),
    ("a: &x 1\nb: *x",                ", line 1: anchors and aliases are not supported"),
    ("a: 1\n<<: {b: 2}",              ", line 2: the merge key `<<` is not supported"),
    ("a: !!python/name:os.system x",  "the tag `!!python/name:os.system` is not supported"),
    ("a: !!set {x}",                  "the tag `!!set` is not supported"),
    ("!thing {x: 1}",                 "the tag `!thing` is not supported"),
    ("a: !!int x",                    "`x` does not match its tag"),
    ("a: 1\n---\nb: 2",               ", line 2: a second document begins"),
    ('{"a": 1}\n{"b": 2}',            ", line 2: there is text after the end of the document"),
    ("a: .nan",                       "`.nan` is not a finite number"),
    ("a: NaN",                        "`NaN` is not a finite number"),
    ('{"a": -Infinity}',              "`-Infinity` is not a finite number"),
    ('{"a": 1e999}',                  "`1e999` is not a finite number"),
    ("a: " + "7" * 41,                "has more than 40 digits"),
    ('{"a": ' + "7" * 5000 + "}",     "has more than 40 digits"),
    ("? [a]\n: 1",                    "a list or map is used as a key"),
    ("a: b: c",                       "put a text that contains `: ` in quotes"),
    ("a: {thing:x} is open",          "put a text that begins with { or [ in quotes"),
    ("a:\n\tb: 1",                    "indent with spaces"),
    ("a: 'open",                      "close each quote"),
    ('{"a": 1 "b": 2}',               "not valid JSON"),
    ("",                              "the document is empty"),
    ("# nothing",                     "the document is empty"),
    ("a: x\0y",                       "the invisible character U+0000 is not allowed"),
    ('{"a": "\\u0007"}',              "the invisible character U+0007 is not allowed"),
    ('a: "\\e"',                      "the invisible character U+001B is not allowed"),
    ('{"a": "\\udc00"}',              "the invisible character U+DC00 is not allowed"),
    ("a: x\n\nb: \u202ey",            ", line 3: the invisible character U+202E is not allowed"),
    ("a: " + "[" * 30,                f"the document is nested more than {MAX_DEPTH} levels deep"),
    ("a: '" + "x" * (MAX_TEXT + 1) + "'", "characters; at most 65,536 are allowed"),
    ("- x\n" * MAX_PARTS,             f"the document has more than {MAX_PARTS:,} parts"),
    ("# " + "x" * MAX_BYTES,          "the document is larger than 512 kB"),
]
# fmt: on


def reason(text: str | bytes) -> str:
    with pytest.raises(DocumentError) as caught:
        parse_document(text, name="record.yaml")
    return str(caught.value)


@pytest.mark.parametrize(("text", "data"), READ)
def test_a_document_is_read(text: str, data: object) -> None:
    assert parse_document(text, name="record.yaml") == data


@pytest.mark.parametrize("text", STAYS_TEXT)
def test_what_a_writer_may_not_have_meant_stays_text(text: str) -> None:
    assert parse_document(f"a: {text}", name="record.yaml") == {"a": text}


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_a_refusal_is_one_sentence_that_says_what_and_where(text: str, words: str) -> None:
    sentence = reason(text)

    assert sentence.startswith("record.yaml")
    assert words in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("parser", [yaml.SafeLoader, yaml.CSafeLoader], ids=["python", "libyaml"])
def test_both_parsers_read_and_refuse_the_same(parser: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_parser, "_PARSER", parser)

    for text, data in READ:
        assert parse_document(text, name="record.yaml") == data
    for text, words in REFUSED:
        assert words in reason(text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp037"])
def test_only_utf_8_is_read(encoding: str) -> None:
    assert "is not valid UTF-8" in reason("title: é".encode(encoding))


def test_a_long_name_is_shortened_in_the_sentence() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document("", name="x" * 5000 + "\n")

    assert len(str(caught.value)) <= 300


def test_the_largest_allowed_nesting_is_read() -> None:
    for text in ("[" * MAX_DEPTH + "]" * MAX_DEPTH, "- " * MAX_DEPTH + "x"):
        assert isinstance(parse_document(text, name="record.yaml"), list)


def test_a_document_error_can_be_stored_and_is_one_the_user_can_fix() -> None:
    error = DocumentError("one sentence.")

    assert str(pickle.loads(pickle.dumps(error))) == "one sentence."  # noqa: S301 - its own bytes
    assert isinstance(error, ConfigurationError)
    assert isinstance(error, ValueError)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf", "Cn"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc <~1", max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text("abc"), plain, max_size=4))
def test_what_is_written_as_json_is_read_back(data: dict[str, object]) -> None:
    assert parse_document(json.dumps(data), name="record.json") == data
    assert parse_document(json.dumps(data, ensure_ascii=False, indent=1), name="record.json") == data


@given(st.dictionaries(st.text("abc"), plain, max_size=4))
def test_what_is_written_as_yaml_is_read_back(data: dict[str, object]) -> None:
    written = yaml.dump(data, Dumper=_Quoting, allow_unicode=True)

    assert parse_document(written, name="record.yaml") == data


class _Quoting(yaml.SafeDumper):
    """Quotes every text, and writes a shared value twice rather than as an alias."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the signature is PyYAML's
        return True


_Quoting.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)
_Quoting.add_representer(
    float, lambda dumper, number: dumper.represent_scalar("tag:yaml.org,2002:float", repr(number))
)


def test_a_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(build_complete_record()), encoding="utf-8")

    assert load_document(path) == build_complete_record()


def file_reason(path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        load_document(path)
    return str(caught.value)


def test_a_file_that_holds_no_map_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.yaml"
    path.write_text("- a\n", encoding="utf-8")

    assert "the document is a list, but must be a map of fields" in file_reason(path)


def test_a_missing_file_a_folder_and_a_path_that_is_none_are_refused(tmp_path: Path) -> None:
    assert "cannot open the file (No such file or directory)" in file_reason(tmp_path / "none.yaml")
    assert "not a regular file" in file_reason(tmp_path)
    assert "cannot open the file" in file_reason(tmp_path / ("x" * 5000))
    assert "invalid path" in file_reason(tmp_path / "a\0b")


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "record.yaml"
    link.symlink_to(link)

    assert "cannot open the file" in file_reason(link)


def test_a_pipe_and_a_device_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert "not a regular file" in file_reason(tmp_path / "pipe")
    assert "not a regular file" in file_reason(Path("/dev/zero"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_one_may_not_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.yaml"
    path.write_text("a: 1", encoding="utf-8")
    path.chmod(0)

    assert "cannot open the file (Permission denied)" in file_reason(path)


def test_a_file_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "record.yaml"
    with path.open("wb") as file:
        file.truncate(10**9)  # sparse: it takes no room on the disk

    assert "the document is larger than 512 kB" in file_reason(path)
