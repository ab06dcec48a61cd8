"""What is shown of a foreign document, and what is refused because its answer stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.evaluation.imported_scenarios.importer import import_documents
from support.imported_documents import OUTCOME, SECRET_WORDS, build_document


def public(path: Path, text: str) -> str:
    (path / "made.md").write_text(text, encoding="utf-8")
    made = import_documents([path / "made.md"], outside=path / "out")
    assert made.refused == ()
    return next(each for name, each in made.files.items() if name.startswith("public/"))


def refused(path: Path, text: str) -> str:
    (path / "made.md").write_text(text, encoding="utf-8")
    made = import_documents([path / "made.md"], outside=path / "out")
    assert made.keys == ()
    (sentence,) = made.refused
    return sentence


# what is shown


def test_the_public_file_holds_the_situation_and_nothing_of_the_answer(tmp_path: Path) -> None:
    shown = public(tmp_path, build_document())
    for part in (
        "cold store",
        "2 degrees C",
        "held by one bolt",
        "Churn",
        "3 m of chain",
        "Canary: im-canary-",
    ):
        assert part in shown
    for secret in (*SECRET_WORDS, OUTCOME, "KS", "SPARK", "Locked Room", "Milk Float"):
        assert secret not in shown


def test_a_heading_that_says_what_to_look_for_is_made_neutral(tmp_path: Path) -> None:
    shown = public(tmp_path, build_document())
    assert "overlook" not in shown
    assert "### Further\n\nThe hoist's chain hangs within reach." in shown


def test_an_answer_inside_the_scenario_is_not_shown(tmp_path: Path) -> None:
    inside = build_document().replace(
        "### Available Objects", "### Key Insight\n\nUPWARDS.\n\n### Available Objects", 1
    )
    shown = public(tmp_path, inside)
    assert "UPWARDS" not in shown
    assert "Churn" in shown


def test_a_heading_about_the_scenario_after_the_answers_opens_nothing(tmp_path: Path) -> None:
    shown = public(tmp_path, build_document() + "\n## Scenario Remarks\n\nIt is the trap AFTERWORD.\n")
    assert "AFTERWORD" not in shown


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- the trap HIDDEN -->",
        "<!-- the trap HIDDEN",
        "**Correct Answer**: HIDDEN",
        "- **Status**: KS (HIDDEN)",
    ],
)
def test_what_a_reader_would_not_see_or_a_header_would_say_is_left_out(tmp_path: Path, hidden: str) -> None:
    text = build_document().replace("The hoist's chain", f"{hidden}\nThe hoist's chain", 1)
    shown = public(tmp_path, text)
    assert "HIDDEN" not in shown
    assert "open to the loading bay" in shown


def test_a_sentence_that_names_the_status_is_cut_and_its_neighbours_stay(tmp_path: Path) -> None:
    told = "The pipes hum. **This is an Open-Frontier problem.** The hoist's chain"
    shown = public(tmp_path, build_document().replace("The hoist's chain", told, 1))
    assert "frontier" not in shown.lower()
    assert "The pipes hum." in shown
    assert "The hoist's chain hangs within reach." in shown


def test_the_situation_can_open_no_heading_and_no_tag_of_its_own(tmp_path: Path) -> None:
    text = build_document().replace(
        "The hoist's chain", "<script>x</script>\n\n###### Deep\n\nThe hoist's chain", 1
    )
    shown = public(tmp_path, text)
    assert "<script" not in shown
    assert shown.count("\n# ") == 0


def test_a_document_without_a_scenario_heading_is_read_by_its_sections(tmp_path: Path) -> None:
    text = build_document().replace("## Scenario\n", "").replace("### ", "## ")
    shown = public(tmp_path, text)
    assert "Churn" in shown
    assert all(secret not in shown for secret in SECRET_WORDS)


def test_a_sentence_of_the_answer_in_the_situation_is_refused(tmp_path: Path) -> None:
    told = (
        "You reach for the ring above your head and pull the bolt with both hands until the trap falls open and the chain "
        "lets you climb into the loft."
    )
    text = (
        build_document()
        .replace("The hoist's chain", f"{told}\nThe hoist's chain", 1)
        .replace("SOLUTIONWORD.", told, 1)
    )
    assert "the situation contains a sentence of the answer" in refused(tmp_path, text)


def test_an_answer_that_quotes_the_situation_is_no_leak(tmp_path: Path) -> None:
    fact = "The steel door has swung shut and its handle came off outside."
    quoting = build_document().replace("SOLUTIONWORD.", f"The text says: {fact} SOLUTIONWORD.", 1)
    (tmp_path / "made.md").write_text(quoting, encoding="utf-8")
    made = import_documents([tmp_path / "made.md"], outside=tmp_path / "out")
    assert made.refused == ()
    assert any("both contain" in each for each in made.keys[0].remarks)
