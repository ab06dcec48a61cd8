"""`im blueprint`: what it prints for the files of a contributor, whole and faulty."""

from __future__ import annotations

import json
from pathlib import Path

import yaml
from typer.testing import CliRunner, Result

from impossible_moments.cli.actions.catalogue_actions.blueprint import MOST_REASONS
from impossible_moments.cli.exit_status import FOUND_ERRORS
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


def test_show_prints_what_a_skin_must_supply() -> None:
    shown = run("show", "height_and_hammer").stdout

    for line in (
        "sill: 2.6..2.9 by 0.05",
        "climb_out(s: stand, w: opening): when ready = s.placed;",
        "stand_on_the_stool: swing_at(hammer, opening); shove_under(stool); climb_out(stool, opening) -> blocked climb_out.s",
        "nothing_holds: PX, expected at FRACTURE",
        "telling.wrong, for each approach that fails: tap_at_it, stand_on_the_stool, jump_for_it, shoulder_the_door",
        "stand(o) = o.flat and o.bears >= you.mass",
    ):
        assert f"  {line}" in shown


def test_show_names_the_draws_and_figures_that_the_skins_state() -> None:
    data = json.loads(run("show", "between_two_bottles", "--json").stdout)

    assert [each.partition(":")[0] for each in data["open_draws"]] == ["right"]
    stated = {each.partition(" = ")[0] for each in data["supplied"]}
    assert {"lower", "upper", "clock", "first.value", "lure.value"} <= stated
    assert "share" not in stated


def test_an_unknown_blueprint_is_answered_with_a_similar_name() -> None:
    result = run("new-skin", "height_and_hamer")

    assert "There is no blueprint `height_and_hamer`. Did you mean height_and_hammer?" in str(
        result.exception
    )


def test_a_new_skin_is_reported_with_what_is_left_to_write_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "skin.yaml"
    path.write_text(run("new-skin", "height_and_hammer", "--skin", "boat_house").stdout, encoding="utf-8")
    result = run("check", path, "--seeds", 2, "--json")
    offers = json.loads(result.stdout)

    assert result.exit_code == FOUND_ERRORS
    assert {offer["skin"] for offer in offers} == {"boat_house"}
    for offer in offers:
        assert offer["accepted"] == 0
        assert all(reason.startswith("skin.todo write /") for reason in offer["reasons"])
        assert any(
            "/record/prose/threat: TODO: the goal and the deadline" in reason for reason in offer["reasons"]
        )
    one_way = next(offer for offer in offers if offer["variant"] == "one_way")
    assert not any("/variants/nothing_holds" in reason for reason in one_way["reasons"])


def test_a_skin_with_texts_to_write_is_not_drawn(tmp_path: Path) -> None:
    path = tmp_path / "skin.yaml"
    path.write_text(run("new-skin", "height_and_hammer").stdout, encoding="utf-8")
    result = run("preview", path)

    assert "the skin my_skin still has " in str(result.exception)
    assert "texts to write, marked TODO" in str(result.exception)
