"""`im blueprint`: what it prints for the files of a contributor, whole and faulty."""

from __future__ import annotations

import json
from pathlib import Path

import yaml
from typer.testing import CliRunner, Result

from impossible_moments.cli.actions.catalogue_actions.blueprint import MOST_REASONS
from impossible_moments.cli.main import app
from impossible_moments.mechanics.records import load_document
from support.small_blueprints import FAMILIES

SHIPPED = FAMILIES / "locked_room" / "height_and_hammer" / "ice_house.yaml"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["blueprint", *map(str, arguments)], env={"COLUMNS": "300"})


def write_changed_skin(folder: Path, old: str, new: str) -> Path:
    """Write the shipped skin with every occurrence of a text replaced."""
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    path = folder / "skin.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_a_preview_with_an_unknown_placeholder_says_so_in_one_sentence(tmp_path: Path) -> None:
    path = write_changed_skin(tmp_path, "{clock|s}", "{pace|s}")
    result = run("preview", path, "--variant", "one_way")

    assert result.exit_code == 0
    assert "The text cannot be printed: no such value: `pace`; one of: air.density" in result.stdout
    assert "prose.placeholder" in result.stdout


def test_every_reason_against_a_few_offers_is_printed(tmp_path: Path) -> None:
    skin = load_document(SHIPPED)
    path = tmp_path / "skin.yaml"
    path.write_text(yaml.safe_dump({**skin, "telling": {}, "variants": {"one_way": {}}}), encoding="utf-8")
    (offer,) = json.loads(run("check", path, "--seeds", 1, "--json").stdout)
    shown = " ".join(run("check", path, "--seeds", 1).stdout.split())

    assert len(offer["reasons"]) > MOST_REASONS
    assert [reason for reason in offer["reasons"] if " ".join(reason.split()) not in shown] == []
