"""Parsed blueprint files are kept by content, and never decide what a file says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from impossible_moments.blueprints import document_cache as module
from impossible_moments.blueprints.document_cache import FOLDER_VARIABLE, load_documents
from impossible_moments.mechanics.records import DocumentError, load_document


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "skin.yaml"
    path.write_text("name: one\nsize: 1.50\nitems: [a, 2, true, null]\n", encoding="utf-8")
    return path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are really parsed."""
    names: list[str] = []

    def parse(path: Path) -> dict[str, object]:
        names.append(path.name)
        return load_document(path)

    monkeypatch.setattr(module, "load_document", parse)
    return names


def test_a_file_is_parsed_once(cache: Path, file: Path, parsed: list[str]) -> None:
    first, second = load_documents([file]), load_documents([file])

    assert first == second == [load_document(file)]
    assert parsed == ["skin.yaml"]
    assert len(list(cache.iterdir())) == 1


@pytest.mark.usefixtures("cache")
def test_only_a_changed_file_is_parsed_again(file: Path, parsed: list[str]) -> None:
    other = file.with_name("other.yaml")
    other.write_text("name: other\n", encoding="utf-8")
    load_documents([file, other])
    file.write_text("name: two\n", encoding="utf-8")

    assert load_documents([file, other]) == [{"name": "two"}, {"name": "other"}]
    assert parsed == ["skin.yaml", "other.yaml", "skin.yaml"]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "not a map"])
def test_a_broken_cache_is_replaced(cache: Path, file: Path, parsed: list[str], damage: str) -> None:
    load_documents([file])
    (path,) = cache.iterdir()
    stored = path.read_bytes()
    text = b"[]"
    path.write_bytes(
        {
            "cut": stored[:-5],
            "changed": stored.replace(b'"one"', b'"two"'),
            "empty": b"",
            "not a map": module._hash_text(text) + b"\n" + text,
        }[damage]
    )

    assert load_documents([file]) == [load_document(file)]
    assert path.read_bytes() == stored
    assert parsed == ["skin.yaml", "skin.yaml"]


def test_a_folder_that_cannot_be_written_is_left_alone(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = tmp_path / "occupied"
    occupied.write_text("a file and not a folder", encoding="utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(occupied))

    assert load_documents([file]) == [load_document(file)]
    assert occupied.read_text(encoding="utf-8") == "a file and not a folder"


def test_an_empty_variable_switches_the_cache_off(
    tmp_path: Path, file: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    load_documents([file])
    load_documents([file])

    assert parsed == ["skin.yaml", "skin.yaml"]
    assert not (tmp_path / "home").exists()


def test_a_file_that_cannot_be_read_is_named(cache: Path, file: Path) -> None:
    with pytest.raises(DocumentError, match=r"missing\.yaml"):
        load_documents([file, file.with_name("missing.yaml")])
    file.write_text("a: [", encoding="utf-8")
    with pytest.raises(DocumentError, match=r"skin\.yaml"):
        load_documents([file])
    assert not cache.exists()


def test_a_full_cache_keeps_what_is_in_use(cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 2)
    for text in ("a: 1", "a: 2", "a: 3"):
        file.write_text(text, encoding="utf-8")
        load_documents([file])
    (path,) = cache.iterdir()

    assert list(json.loads(path.read_bytes().partition(b"\n")[2]).values()) == [{"a": 3}]
