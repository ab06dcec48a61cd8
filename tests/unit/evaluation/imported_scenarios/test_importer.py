"""Imports: what is shown, what is kept in the key, and what is refused with the line that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.imported_scenarios.blind_documents import build_blind_document
from impossible_moments.evaluation.imported_scenarios.document_parser import (
    LARGEST_DOCUMENT,
    UnreadableDocument,
    parse_imported_document,
)
from impossible_moments.evaluation.imported_scenarios.imported_folder import (
    is_imported_folder,
    load_imported_folder,
)
from impossible_moments.evaluation.imported_scenarios.importer import (
    IMPORT_MARKER,
    import_documents,
    write_imported_batch,
)
from support.imported_documents import OUTCOME, build_document, build_key, import_documents_into
from support.processor_time import measure_least_seconds

# the key


def test_the_key_holds_what_the_author_states() -> None:
    found = build_key()
    assert (found.status, found.tier, found.category) == ("KS", "SPARK", "The Locked Room")
    assert (found.outcome, found.title, found.source) == (OUTCOME, "The Milk Float", "made.md")
    assert "SOLUTIONWORD" in found.solution
    assert "NOTESWORD" not in found.solution
    assert found.insights == (
        "The ceiling has a door of its own",
        "The ceiling opens. INSIGHTWORD explains the trap.",
        "A chain is a ladder.",
    )
    assert found.distractors == ("The churn looks like a ram. DISTRACTORWORD.",)
    assert [each.response for each in found.wrong_answers] == [
        '"Batter the steel door with the churn"',
        '"Stop the compressor with the broom"',
    ]
    assert [(each.score, each.why) for each in found.criteria] == [
        ("Correct", "CRITERIAWORD"),
        ("Wrong", "too cold"),
    ]


def test_a_category_that_is_none_of_ours_is_left_open_and_remarked() -> None:
    foreign = build_document().replace("Locked Room", "Temporal Matters")
    assert parse_imported_document(foreign, "x").stated_header.category == ""
    assert dict(parse_imported_document(foreign, "x").stated_header.words)["category"] == "Temporal Matters"


# refused


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        (build_document().replace("KS (Known Solution)", "Draft"), 5, "`Draft` is not a status"),
        (build_document().replace("**Status**: KS (Known Solution)\n", ""), 1, "no line `**Status**"),
        (build_document(outcome=""), 6, "no outcome is stated"),
        ("just words, no headings", 1, "there is no heading"),
        (
            "# Title\n\n**Status**: KS\n**Answer**: up\n\n## Key Insights\n\n1. up\n",
            1,
            "no section describes a situation",
        ),
        ("", 1, "there is no text"),
        ("a\x00b", 1, "not UTF-8 text"),
        ("\ufffd" * 50, 1, "not UTF-8 text"),
        ("# x\n" * LARGEST_DOCUMENT, 1, "more than"),
        ("# x\n" * 1_000, 300, "more than 300 headings"),
        (
            build_document(outcome="the compressor blows at full power"),
            12,
            "contains the stated outcome word for word",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line_and_the_rule(text: str, line: int, rule: str) -> None:
    with pytest.raises(ConfigurationError) as problem:
        _imported_text(text)
    assert f"made.md, line {line}: " in str(problem.value)
    assert rule in str(problem.value)


def _imported_text(text: str) -> None:
    build_blind_document(parse_imported_document(text, "made.md"), "FX-0001")


# files


def test_one_that_is_refused_keeps_no_other_out(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text("nothing", encoding="utf-8")
    (tmp_path / "in" / "b.md").write_text(build_document(), encoding="utf-8")
    (tmp_path / "in" / "c.jsonl").write_text('{"markdown": 3}\nnot json\n', encoding="utf-8")
    (tmp_path / "in" / "d.md").write_bytes(b"\x89PNG\x00\xff\xfe")
    made = import_documents([tmp_path / "in", tmp_path / "absent.md"], outside=tmp_path / "out")
    assert [each.scenario_id for each in made.keys] == ["FX-0001"]
    assert len(made.refused) == 5


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ("con", "F-con"),
        ("ünï code/..", "n-code"),
        ("///", "F-"),
        ("x" * 200, "x" * 64),
    ],
)
def test_a_name_is_a_plain_file_name_whatever_was_written(tmp_path: Path, number: str, name: str) -> None:
    text = build_document().replace("# FX-0001: The Milk Float", "# A title without a number")
    (tmp_path / "s.jsonl").write_text(json.dumps({"id": number, "markdown": text}), encoding="utf-8")
    made = import_documents([tmp_path / "s.jsonl"], outside=tmp_path / "out")
    assert made.keys[0].scenario_id.startswith(name)
    write_imported_batch(made, tmp_path / "out")
    assert {each.parent.name for each in (tmp_path / "out").rglob("*") if each.is_file()} == {
        "out",
        "public",
        "evaluation",
    }


def test_a_number_that_is_taken_is_refused_whatever_its_case(tmp_path: Path) -> None:
    rows = [json.dumps({"markdown": build_document(number=each)}) for each in ("FX-0001", "fx-0001")]
    (tmp_path / "s.jsonl").write_text("\n".join(rows), encoding="utf-8")
    made = import_documents([tmp_path / "s.jsonl"], outside=tmp_path / "out")
    assert [each.scenario_id for each in made.keys] == ["FX-0001"]
    assert "s.jsonl:2" in made.refused[0]
    assert "is already used by s.jsonl:1" in made.refused[0]


def test_the_same_documents_make_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for each in (one, other):
        each.mkdir()
        import_documents_into(each, build_document())
    assert [
        (path.relative_to(one / "foreign"), path.read_bytes())
        for path in sorted((one / "foreign").rglob("*.*"))
    ] == [
        (path.relative_to(other / "foreign"), path.read_bytes())
        for path in sorted((other / "foreign").rglob("*.*"))
    ]


def test_importing_again_removes_what_is_gone_and_nothing_else(tmp_path: Path) -> None:
    written = import_documents_into(tmp_path, build_document(), build_document(number="FX-0002"))
    (written / "public" / "note.txt").write_text("mine", encoding="utf-8")
    import_documents_into(tmp_path, build_document())
    assert {each.name for each in (written / "public").iterdir()} == {"FX-0001.md", "note.txt"}
    assert {each.name for each in (written / "evaluation").iterdir()} == {"FX-0001_key.json"}


def test_a_folder_of_made_scenarios_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "out" / "public").mkdir(parents=True)
    (tmp_path / "made.md").write_text(build_document(), encoding="utf-8")
    made = import_documents([tmp_path / "made.md"], outside=tmp_path / "out")
    with pytest.raises(ConfigurationError, match="import into a separate folder"):
        write_imported_batch(made, tmp_path / "out")


def test_what_was_imported_is_read_back(tmp_path: Path) -> None:
    written = import_documents_into(tmp_path, build_document(number="FX-0002"), build_document())
    found = load_imported_folder(written)
    assert [each.scenario_id for each in found.scenarios] == ["FX-0001", "FX-0002"]
    assert found.keys["FX-0001"].outcome == OUTCOME
    assert found.scenarios[0].blind.startswith("You stand in the cold store")
    assert "ANSWER: solvable | impossible" in found.scenarios[0].blind
    assert "Canary" not in found.scenarios[0].blind
    assert is_imported_folder(written / "public")
    assert not is_imported_folder(tmp_path)


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("public/FX-0001.md", lambda text: text.replace("cold", "warm").replace("im-canary-", "im-canary-0")),
        ("public/FX-0001.md", lambda text: text.replace("# FX-0001", "# FX-0009")),
        ("evaluation/FX-0001_key.json", lambda text: text.replace("FX-0001", "FX-0009")),
        ("evaluation/FX-0001_key.json", lambda _text: "{}"),
    ],
)
def test_a_document_and_a_key_that_do_not_belong_together_are_refused(
    tmp_path: Path, path: str, changed: Callable[[str], str]
) -> None:
    written = import_documents_into(tmp_path, build_document())
    (written / path).write_text(changed((written / path).read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="im import"):
        load_imported_folder(written)


def test_a_folder_without_its_mark_is_not_foreign(tmp_path: Path) -> None:
    written = import_documents_into(tmp_path, build_document())
    (written / IMPORT_MARKER).unlink()
    with pytest.raises(ConfigurationError, match=IMPORT_MARKER):
        load_imported_folder(written)


@pytest.mark.parametrize(
    "filler",
    ["\n", "---\n\n", "| a |\n", "- **x**: ", "<!-- ", "`", "not, ", "x " * 3_999 + "\n", "open frontier "],
)
def test_a_hostile_document_is_read_quickly(tmp_path: Path, filler: str) -> None:
    text = build_document().replace(
        "The hoist's chain", filler * (150_000 // len(filler)) + "\nThe hoist's chain", 1
    )
    (tmp_path / "made.md").write_text(text, encoding="utf-8")
    took = measure_least_seconds(
        lambda: import_documents([tmp_path / "made.md"], outside=tmp_path / "out"), enough=20
    )
    assert took < 20


def test_an_unreadable_document_is_an_error_of_the_user() -> None:
    assert issubclass(UnreadableDocument, ConfigurationError)
