"""Tables at 80 columns: identifiers, titles and file names are shown in full."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.blueprints import load_shipped_catalogue
from impossible_moments.cli.main import app
from impossible_moments.pipeline import SystemClock
from support.played_scenarios import make_concerned_player, make_obliging_player, run_scenario
from support.scored_scenarios import create_published_folder

ROOT = Path(__file__).parents[2]
AUDITED = ROOT / "tests" / "golden" / "audit"
WIDTH = 80
LONG = "a_document_name_that_is_too_long_for_the_first_column_of_the_table_of_an_audit.md"
COMMANDS = [
    ["blueprint", "list"],
    ["prompts", "list"],
    ["show", "library"],
    ["show", "operators"],
    ["show", "template"],
    ["show", "matrix"],
    ["show", "gates"],
    ["show", "tiers"],
    ["verify", str(ROOT / "tests" / "golden" / "published")],
    ["verify", "--deep", str(ROOT / "examples" / "blast_room.yaml")],
    ["audit", str(AUDITED)],
    ["audit", str(AUDITED / "wrong_numbers.md")],
]


def shown(*arguments: str | Path) -> str:
    result = CliRunner().invoke(
        app, [*map(str, arguments)], env={"COLUMNS": str(WIDTH)}, catch_exceptions=False
    )
    assert result.exit_code in {0, 5}, result.output
    return result.stdout


def folded(text: str, width: int) -> str:
    """The text of the first column, with folded lines joined."""
    return "".join(line[:width].strip() for line in text.splitlines())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: " ".join(Path(part).name for part in each))
def test_no_cell_of_a_table_is_cut(command: list[str]) -> None:
    assert "…" not in shown(*command)


def test_every_blueprint_is_listed_by_its_whole_name_and_every_category() -> None:
    lines = shown("blueprint", "list").splitlines()
    starts = {line.split("  ")[0].strip() for line in lines}
    catalogue = load_shipped_catalogue()

    assert set(catalogue.blueprints) <= starts
    assert {each.category for each in catalogue.blueprints.values()} <= starts


def test_a_long_file_name_is_folded_in_a_summary(tmp_path: Path) -> None:
    shutil.copy(AUDITED / "clean_lantern.md", tmp_path / LONG)
    shutil.copy(AUDITED / "wrong_numbers.md", tmp_path / "wrong_numbers.md")
    text = shown("audit", tmp_path)

    assert LONG in folded(text, text.index(" sums"))
    assert "scratch" in text
    assert "warn." in text


def test_the_tables_of_the_ledger_are_whole(tmp_path: Path) -> None:
    run_scenario(tmp_path / "waiting", make_concerned_player(), at=SystemClock().now())
    run_scenario(tmp_path / "done", make_obliging_player())

    assert "IM-0001   awaiting human  CLASSIFY" in " ".join(
        shown("status", "--output", tmp_path / "waiting").split("\n")
    )
    assert "…" not in shown("status", "--metrics", "--output", tmp_path / "done")
    reviews = shown("review", "list", "--output", tmp_path / "waiting")
    assert "…" not in reviews
    assert "IM-0001   CLASSIFY" in reviews


def test_a_report_keeps_every_figure_of_its_last_column(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.json" for name in ("quitter", "optimist")]
    for path in paths:
        shown(
            "eval",
            "--scenarios",
            create_published_folder(),
            "--model",
            f"builtin:{path.stem}",
            "--runs",
            "1",
            "--output",
            path,
        )
    compared = shown("report", *paths)

    assert "…" not in shown("report", paths[0]) + compared
    assert max(map(len, compared.splitlines())) <= WIDTH
    (heading,) = (line for line in compared.splitlines() if line.startswith("place"))
    assert heading.rstrip().endswith("runs")
