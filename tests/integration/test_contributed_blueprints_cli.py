"""`im create --blueprints`: a contributor's files beside the shipped ones, named in trace and metadata."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.agents.builtin import (
    UnreachableBrief,
    explain_unused_contributions,
    load_builtin_cast,
    load_extended_cast,
)
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk
from impossible_moments.blueprints import load_extended_catalogue, load_shipped_catalogue
from impossible_moments.cli.main import app
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library
from support.small_blueprints import FAMILIES

SHIPPED = FAMILIES / "locked_room" / "height_and_hammer" / "press_archive.yaml"
BRIEF = {"category": "The Locked Room", "difficulty_tier": "FRACTURE", "solution_status": "KS", "seed": 5}


def write_skin(folder: Path, title: str = "Wet Proofs") -> Path:
    text = SHIPPED.read_text(encoding="utf-8")
    lines = [f"titles: [{title}]" if line.startswith("titles:") else line for line in text.splitlines()]
    path = folder / "mine" / "press.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return folder / "mine"


def test_a_contributed_skin_wins_on_an_equal_name(tmp_path: Path) -> None:
    catalogue = load_extended_catalogue(write_skin(tmp_path))
    skins = {skin.name: skin for skin in catalogue.skins["height_and_hammer"]}
    shipped = load_shipped_catalogue()
    assert skins["press_archive"].titles == ["Wet Proofs"]
    assert skins.keys() == {skin.name for skin in shipped.skins["height_and_hammer"]}
    assert catalogue.blueprints.keys() == shipped.blueprints.keys()
    assert shipped.source is None


def test_a_contributed_family_does_not_take_over_the_skins_of_the_one_it_replaces(tmp_path: Path) -> None:
    folder = write_skin(tmp_path)
    family = SHIPPED.parent.parent / "height_and_hammer.yaml"
    (folder / "family.yaml").write_bytes(family.read_bytes())
    assert [skin.name for skin in load_extended_catalogue(folder).skins["height_and_hammer"]] == [
        "press_archive"
    ]


def test_the_name_follows_the_content_and_not_the_place(tmp_path: Path) -> None:
    first = load_extended_catalogue(write_skin(tmp_path / "one")).source
    second = load_extended_catalogue(write_skin(tmp_path / "two")).source
    other = load_extended_catalogue(write_skin(tmp_path / "three", "Late Edition")).source
    assert first == second
    assert first != other
    assert str(first).startswith("mine (")


def test_a_run_is_continued_only_with_the_same_blueprints(tmp_path: Path) -> None:
    cast = load_extended_cast(write_skin(tmp_path))
    begun = GenerationBrief.model_validate(
        {**BRIEF, "scenario_id": "IM-0003", "blueprints": cast.catalogue.source}
    )
    cast.require_feasible_brief(begun)
    with pytest.raises(UnreachableBrief, match=r"IM-0003 needs the blueprints mine \(.*--blueprints DIR"):
        load_builtin_cast().require_feasible_brief(begun)
    with pytest.raises(UnreachableBrief, match="needs the shipped blueprints alone"):
        cast.require_feasible_brief(GenerationBrief.model_validate(BRIEF))


def test_trace_and_metadata_name_the_blueprints(tmp_path: Path) -> None:
    folder = write_skin(tmp_path)
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in BRIEF.items()]
    result = CliRunner().invoke(
        app, ["create", *flags, "--blueprints", str(folder), "--output", str(tmp_path / "out"), "--json"]
    )
    metadata = json.loads(result.stdout)["metadata"]
    assert result.exit_code == 0
    assert metadata["blueprints"] == load_extended_catalogue(folder).source
    trace = (tmp_path / "out" / "traces" / "IM-0001_trace.md").read_text(encoding="utf-8")
    assert f"- Blueprints: {metadata['blueprints']}\n" in trace


def test_an_offer_of_the_user_that_fits_is_drawn_before_the_shipped_ones(tmp_path: Path) -> None:
    cast = load_extended_cast(write_skin(tmp_path))
    briefs = [GenerationBrief.model_validate({**BRIEF, "seed": seed}) for seed in range(4)]
    desk = DesignDesk(cast.catalogue, load_everyday_library())
    drawn = [json.loads(desk.propose(brief).drawn_as)["offer"] for brief in briefs]

    assert all(each.startswith("height_and_hammer/press_archive/") for each in drawn)
    assert explain_unused_contributions(cast.catalogue, briefs[0]) == ""


def test_the_tier_of_an_offer_of_the_user_is_the_one_its_draws_earn(tmp_path: Path) -> None:
    folder = write_skin(tmp_path)
    path = folder / "press.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("one_way: {}", "one_way: {tier: IMPOSSIBLE}"),
        encoding="utf-8",
    )
    tiers = {each.name: each.tier for each in load_extended_cast(folder).catalogue.iterate_offers()}
    shipped = {each.name: each.tier for each in load_shipped_catalogue().iterate_offers()}

    assert (
        tiers["height_and_hammer/press_archive/one_way"] == shipped["height_and_hammer/press_archive/one_way"]
    )


def test_offers_of_the_user_that_do_not_fit_are_named_with_what_they_make(tmp_path: Path) -> None:
    cast = load_extended_cast(write_skin(tmp_path))
    brief = GenerationBrief.model_validate({**BRIEF, "solution_status": "PX", "difficulty_tier": "FRACTURE"})
    said = explain_unused_contributions(cast.catalogue, brief)

    assert said.startswith("None of your offers fits the brief (The Locked Room, PX, FRACTURE)")
    assert "height_and_hammer/press_archive/one_way makes The Locked Room, KS-Singular, " in said


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--twin-of", "IM-0001"], "Remove --blueprints"),
        (["--model", "openai:gpt-4o"], "--blueprints needs the built-in designer"),
    ],
)
def test_options_that_do_not_go_together_are_rejected(tmp_path: Path, more: list[str], sentence: str) -> None:
    result = CliRunner().invoke(app, ["create", "--blueprints", str(write_skin(tmp_path)), *more])
    assert isinstance(result.exception, ConfigurationError)
    assert sentence in str(result.exception)


def test_a_folder_without_blueprints_is_rejected(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["create", "--blueprints", str(tmp_path)])
    assert "has no blueprints" in str(result.exception)
