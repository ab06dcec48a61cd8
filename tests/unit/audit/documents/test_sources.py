"""Documents come from files, folders and JSONL, each once and with a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from impossible_moments.audit.documents.sources import LARGEST_LINE, read_document_sources
from impossible_moments.errors import ConfigurationError


def test_a_file_is_a_document_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfHello \xff")
    (source,) = read_document_sources([path])

    assert (source.name, source.text) == (str(path), "Hello \ufffd")


def test_a_folder_is_its_files_in_order_at_any_depth(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "deep/c.markdown", "no.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")

    assert [Path(each.name).name for each in read_document_sources([tmp_path])] == [
        "a.txt",
        "b.md",
        "c.markdown",
    ]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x", encoding="utf-8")

    assert len(list(read_document_sources([path, tmp_path, path]))) == 1


def test_a_folder_without_documents_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="contains no"):
        list(read_document_sources([tmp_path]))


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"Cannot read .*: no such file"):
        list(read_document_sources([tmp_path / "a.md"]))


def lines(tmp_path: Path, *rows: str) -> list[tuple[str, str, str]]:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    return [
        (each.name.removeprefix(str(path)), each.text, each.problem) for each in read_document_sources([path])
    ]


def test_a_line_of_jsonl_is_a_document_by_its_number_and_name(tmp_path: Path) -> None:
    rows = [json.dumps({"id": "IM-0001", "markdown": "one"}), "", json.dumps({"markdown": "two"})]

    assert lines(tmp_path, *rows) == [(":1 IM-0001", "one", ""), (":3", "two", "")]


@pytest.mark.parametrize("row", ["{", "nonsense", "[" * 100_000, "9" * 5_000, '{"markdown": '])
def test_a_line_that_is_no_json_is_told(tmp_path: Path, row: str) -> None:
    assert lines(tmp_path, row) == [(":1", "", "the line is not valid JSON")]


@pytest.mark.parametrize("row", ["[]", "3", "null", "{}", '{"markdown": 5}', '{"markdown": null}'])
def test_a_line_without_markdown_is_told(tmp_path: Path, row: str) -> None:
    assert lines(tmp_path, row) == [(":1", "", "the line has no text field `markdown`")]


def test_a_lone_surrogate_becomes_printable(tmp_path: Path) -> None:
    ((name, text, _),) = lines(tmp_path, '{"id": "a\\ud800", "markdown": "b\\udfff"}')

    assert (name, text) == (":1 a?", "b?")


def test_a_line_of_any_length_is_one_line(tmp_path: Path) -> None:
    rows = [json.dumps({"markdown": "x" * (2 * LARGEST_LINE)}), json.dumps({"markdown": "two"})]
    found = lines(tmp_path, *rows)

    assert [(name, text) for name, text, _ in found] == [(":1", ""), (":2", "two")]
