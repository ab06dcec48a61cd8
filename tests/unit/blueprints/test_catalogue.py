"""The catalogue reads blueprints and skins, and says in one sentence what does not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.blueprints.catalogue import (
    Catalogue,
    build_catalogue,
    find_duplicate_titles,
    load_blueprints_of_skins,
)
from impossible_moments.errors import ConfigurationError
from support.small_blueprints import (
    FAMILIES,
    ROOM,
    build_small_blueprint,
    build_small_offer,
    build_small_skin,
)


def written(folder: Path, *files: dict[str, Any]) -> list[Path]:
    paths = [folder / f"{number}_{data.get('name', 'nameless')}.yaml" for number, data in enumerate(files)]
    for path, data in zip(paths, files, strict=True):
        path.write_text(json.dumps(data), encoding="utf-8")
    return paths


def read(folder: Path, *files: dict[str, Any]) -> Catalogue:
    return build_catalogue(written(folder, *files))


def refusal(folder: Path, *files: dict[str, Any]) -> str:
    with pytest.raises(ConfigurationError) as caught:
        read(folder, *files)
    return str(caught.value)


def names(catalogue: Catalogue) -> list[str]:
    return [offer.name for offer in catalogue.iterate_offers()]


def test_a_blueprint_and_its_skin_make_an_offer_for_each_variant(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        build_small_blueprint(variants={"left": {}, "right": {}, "untold": {}}),
        build_small_skin(variants={"left": {}, "right": {}}),
    )

    assert names(found) == ["plain/bare/left", "plain/bare/right"]


def test_skins_may_come_before_their_blueprint(tmp_path: Path) -> None:
    assert names(read(tmp_path, build_small_skin(), build_small_blueprint())) == ["plain/bare/only"]


def test_skins_may_stand_in_the_blueprints_own_file_without_saying_whose_they_are(tmp_path: Path) -> None:
    skin = {name: value for name, value in build_small_skin().items() if name not in {"format", "blueprint"}}

    assert names(read(tmp_path, build_small_blueprint(skins=[skin]))) == ["plain/bare/only"]


def test_offers_stand_in_a_fixed_order(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        build_small_blueprint(name="zeta"),
        build_small_blueprint(name="alpha"),
        build_small_skin(blueprint="zeta"),
        build_small_skin(blueprint="alpha", name="second"),
        build_small_skin(blueprint="alpha", name="first"),
    )

    assert names(found) == ["alpha/first/only", "alpha/second/only", "zeta/bare/only"]


def test_offers_can_be_had_by_category(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        build_small_blueprint(),
        build_small_skin(),
        build_small_blueprint(name="dominoes", category="The Cascade"),
        build_small_skin(blueprint="dominoes"),
    )

    assert [offer.name for offer in found.iterate_offers("The Cascade")] == ["dominoes/bare/only"]


def test_a_blueprint_without_skins_offers_nothing(tmp_path: Path) -> None:
    assert names(read(tmp_path, build_small_blueprint())) == []


def test_one_of_the_same_name_takes_the_earliers_place(tmp_path: Path) -> None:
    base = read(
        tmp_path, build_small_blueprint(), build_small_skin(place="here"), build_small_skin(name="other")
    )
    (tmp_path / "later").mkdir()
    found = build_catalogue(written(tmp_path / "later", build_small_skin(place="there")), base)

    assert {skin.name: skin.place for skin in found.skins["plain"]} == {"bare": "there", "other": "nowhere"}
    assert {skin.name: skin.place for skin in base.skins["plain"]} == {"bare": "here", "other": "nowhere"}


def test_a_skin_of_an_unknown_blueprint_is_told_in_a_sentence(tmp_path: Path) -> None:
    said = refusal(tmp_path, build_small_blueprint(), build_small_skin(blueprint="plane"))

    assert said == "the skin bare belongs to the blueprint plane, but there is no such blueprint."


def test_an_unknown_variant_is_told_with_the_known_ones(tmp_path: Path) -> None:
    said = refusal(
        tmp_path,
        build_small_blueprint(variants={"left": {}, "right": {}}),
        build_small_skin(variants={"lift": {}}),
    )

    assert said == "the skin bare has a variant lift, but plain has only left, right."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            build_small_blueprint(varients={}),
            "0_plain.yaml is not a valid blueprint: at /varients, `varients` is not a field here. Did you mean `variants`?",
        ),
        (
            build_small_skin(tittles=["A"]),
            "0_bare.yaml is not a valid skin: at /tittles, `tittles` is not a field here. Did you mean `titles`?",
        ),
        (
            build_small_skin(variants={"only": {"teir": "SPARK"}}),
            "0_bare.yaml is not a valid skin: at /variants/only/teir, `teir` is not a field here. Did you mean `tier`?",
        ),
        (build_small_skin(variants={}), "0_bare.yaml is not a valid skin: at /variants, "),
        (
            build_small_skin(options={"pair": {"take": 0, "of": [{}]}}),
            "0_bare.yaml is not a valid skin: at /options/pair/take, ",
        ),
        (
            build_small_blueprint(draws={"Sill": "3"}),
            "0_plain.yaml is not a valid blueprint: at /draws/Sill/",
        ),
        (
            build_small_blueprint(format="im-blueprint/2"),
            "0_plain.yaml is not a valid blueprint: at /format, ",
        ),
        (
            build_small_blueprint(skins=[{"name": "x"}]),
            "0_plain.yaml is not a valid blueprint: at /skins/0/place, ",
        ),
        (build_small_blueprint(skins=3), "0_plain.yaml is not a valid blueprint: at /skins/0"),
    ],
    ids=["blueprint", "skin", "variant", "no_variant", "take", "draw", "format", "inner_skin", "skins"],
)
def test_a_misspelt_field_is_told_with_its_place(tmp_path: Path, data: dict[str, Any], said: str) -> None:
    found = refusal(tmp_path, data)

    assert " ".join(found.split()).startswith(said)
    assert found.endswith((".", "?"))


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (build_small_blueprint(category="Locked"), "'The Locked Room'"),
        (build_small_skin(variants={"only": {"tier": "S"}}), "'SPARK'"),
    ],
    ids=["category", "tier"],
)
def test_words_to_choose_from_are_told_as_they_must_be_written(
    tmp_path: Path, data: dict[str, Any], word: str
) -> None:
    assert word in refusal(tmp_path, data)


def test_the_claim_is_the_last_layers() -> None:
    offer = build_small_offer(
        {"variants": {"only": {"record": {"status": {"claim": "OF"}}}}},
        variants={"only": {"record": {"status": {"claim": "KS-Singular"}}}},
    )

    assert offer.claim == "KS-Singular"


def test_the_claim_of_the_blueprint_holds_where_nothing_else_is_claimed() -> None:
    assert build_small_offer().claim == "PX"


def test_an_offer_without_a_claim_says_what_to_write() -> None:
    with pytest.raises(
        ConfigurationError, match=r"the blueprint plain/bare/only has no status: write `status: \{claim"
    ):
        _ = build_small_offer({"record": {}}).claim


@pytest.mark.parametrize(
    ("blueprints", "skins", "tier"),
    [("SPARK", None, "SPARK"), ("SPARK", "RUPTURE", "RUPTURE"), (None, None, None)],
)
def test_the_skins_tier_goes_before_the_blueprints(
    blueprints: str | None, skins: str | None, tier: str | None
) -> None:
    offer = build_small_offer(
        {"variants": {"only": {"tier": blueprints}}}, variants={"only": {"tier": skins}}
    )

    assert offer.tier == tier


def test_a_title_that_stands_twice_is_told_with_its_bearers(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        build_small_blueprint(),
        build_small_skin(titles=["Twice", "Once"]),
        build_small_skin(name="other", titles=["Else"], variants={"only": {"titles": ["Twice"]}}),
    )

    assert find_duplicate_titles(found) == {"Twice": ["plain/bare", "plain/other/only"]}


def test_a_title_that_one_skin_lists_twice_stands_twice(tmp_path: Path) -> None:
    found = read(tmp_path, build_small_blueprint(), build_small_skin(titles=["Twice", "Twice"]))

    assert list(find_duplicate_titles(found)) == ["Twice"]


def test_what_ships_for_a_skin_is_its_blueprint(tmp_path: Path) -> None:
    found = load_blueprints_of_skins(written(tmp_path, build_small_skin(blueprint=ROOM)))

    assert list(found.blueprints) == [ROOM]


def test_nothing_ships_for_a_blueprint_of_ones_own(tmp_path: Path) -> None:
    assert load_blueprints_of_skins(written(tmp_path, build_small_blueprint())).blueprints == {}


def test_the_folder_of_families_is_where_the_package_says() -> None:
    assert (FAMILIES / "locked_room" / f"{ROOM}.yaml").is_file()
