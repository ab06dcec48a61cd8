"""Outlines of blueprints: what they hold and what a skin must supply."""

from __future__ import annotations

from impossible_moments.blueprints.catalogue import load_shipped_catalogue
from impossible_moments.blueprints.file_models import BlueprintForm
from impossible_moments.blueprints.skin_authoring.blueprint_outlines import outline_blueprint
from support.small_blueprints import build_small_blueprint


def test_every_shipped_blueprint_has_an_outline_with_the_status_of_each_variant() -> None:
    catalogue = load_shipped_catalogue()
    for name, blueprint in catalogue.blueprints.items():
        outline = outline_blueprint(blueprint, catalogue.skins[name])
        assert [each.name for each in outline.variants] == list(blueprint.variants)
        claims = {
            offer.variant: offer.claim for offer in catalogue.iterate_offers() if offer.blueprint is blueprint
        }
        assert {each.name: each.status for each in outline.variants if each.name in claims} == claims


def test_a_draw_that_is_used_and_not_given_is_left_to_the_skin() -> None:
    blueprint = BlueprintForm.model_validate(
        build_small_blueprint(
            draws={"depth": "2..3 by 0.5"},
            record={"status": {"claim": "PX"}, "quantities": "well = $depth[m]; rope = $rope[m]"},
        )
    )
    outline = outline_blueprint(blueprint, ())

    assert outline.open_draws == ("rope",)
    assert outline.quantities == ("well = $depth[m]", "rope = $rope[m]")
    assert "telling.looks_impossible" in outline.texts
    assert "telling.proof (PX)" in outline.texts
