"""Open everyday ideas are printed as one line each, with why they apply and how to close them."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from impossible_moments.cli.main import app
from support.small_blueprints import FAMILIES

SKIN = FAMILIES / "locked_room" / "height_and_hammer" / "press_archive.yaml"


def test_an_open_idea_is_one_line(tmp_path: Path) -> None:
    # a copy of the family in which nothing settles the lever
    family = tmp_path / f"{SKIN.parent.name}.yaml"
    text = SKIN.parent.with_suffix(".yaml").read_text()
    family.write_text(text.replace('"roll, ramp, lever"', '"roll, ramp"'))
    skin = tmp_path / SKIN.name
    skin.write_text(SKIN.read_text())
    result = CliRunner().invoke(app, ["blueprint", "check", str(family), str(skin), "--seeds", "1"])
    lines = [line for line in result.stdout.splitlines() if line.startswith(("open  ", "maybe "))]
    lever = next(line for line in lines if line.startswith("open  lever: "))
    assert "a limit on mass is stated (bears). Close it: say that nothing stiff and long" in lever
    assert all("Close it: " in line for line in lines if line.startswith("open  "))
    assert all(line.endswith(" settles it.") for line in lines if line.startswith("maybe "))
