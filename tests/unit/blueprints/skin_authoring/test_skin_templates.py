"""Templates of skins: the structure of a shipped skin, with every text left to write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from impossible_moments.blueprints.catalogue import Offer, load_shipped_catalogue
from impossible_moments.blueprints.file_models import BlueprintForm, SkinForm
from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.blueprints.open_places import list_open_places
from impossible_moments.blueprints.skin_authoring.skin_templates import build_skin_template
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records import load_document
from support.small_blueprints import build_small_blueprint

STRUCTURE = ("shape.", "name.", "quantity.form", "dimension.", "action.", "unit.", "expression.")


def load_template(folder: Path, text: str) -> SkinForm:
    path = folder / "skin.yaml"
    path.write_text(text, encoding="utf-8")
    return SkinForm.model_validate(load_document(path))


def test_the_template_of_every_shipped_blueprint_is_a_skin_with_texts_to_write(tmp_path: Path) -> None:
    catalogue = load_shipped_catalogue()
    for name, blueprint in catalogue.blueprints.items():
        skin = load_template(tmp_path, build_skin_template(blueprint, catalogue.skins[name]))
        offers = [Offer(blueprint, skin, variant) for variant in skin.variants]
        assert all(list_open_places(offer) for offer in offers), name


@pytest.mark.parametrize("name", ["height_and_hammer", "between_two_bottles", "two_strangers"])
def test_a_template_whose_texts_are_written_has_a_record_that_can_be_read(tmp_path: Path, name: str) -> None:
    catalogue = load_shipped_catalogue()
    text = build_skin_template(catalogue.blueprints[name], catalogue.skins[name])
    skin = load_template(tmp_path, re.sub(r"\bTODO\b:?", "some words", text))
    for variant in skin.variants:
        trial = draw_and_check_instance(
            Offer(catalogue.blueprints[name], skin, variant), load_everyday_library(), 0, 0
        )
        assert trial.report.record is not None
        assert [reason for reason in trial.reasons if reason.startswith(STRUCTURE)] == []


def test_a_blueprint_without_skins_has_a_template_too(tmp_path: Path) -> None:
    blueprint = BlueprintForm.model_validate(
        build_small_blueprint(record={"status": {"claim": "PX"}, "things": [{"name": "door"}]})
    )
    skin = load_template(tmp_path, build_skin_template(blueprint, ()))
    places = dict(list_open_places(Offer(blueprint, skin, "only")))

    assert {"/place", "/record/things/door/label", "/record/prose/narrative/arrival"} <= places.keys()


def test_nothing_of_a_shipped_skin_is_left_to_write() -> None:
    assert not any(list_open_places(offer) for offer in load_shipped_catalogue().iterate_offers())
