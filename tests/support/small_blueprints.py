"""Small blueprints for tests: a minimal one, and draws of a shipped room with changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from impossible_moments.agents.builtin.athena.scenario_draws import ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.blueprints.catalogue import Catalogue, Offer, build_catalogue
from impossible_moments.blueprints.file_models import BlueprintForm, SkinForm
from impossible_moments.blueprints.instance_trials import InstanceTrial, draw_and_check_instance
from impossible_moments.blueprints.scenario_drafts import read_draft
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText
from support.finished_dossiers import PROMPTS, build_finished_dossier

FAMILIES: Final = Path(str(files("impossible_moments.blueprints") / "families"))
ROOM: Final = "height_and_hammer"
ROOM_OFFERS: Final = (
    "ice_house/one_way", "ice_house/unlatched",
    "organ_loft/one_way", "organ_loft/nothing_holds", "organ_loft/two_exits",
    "press_archive/one_way", "press_archive/damp",
)  # fmt: skip
"""Every offer of `load_room`, by skin and variant; tests/unit/solver/test_public_text.py compares."""


def build_small_blueprint(**fields: Any) -> dict[str, Any]:
    """Build a blueprint file with one variant, as data."""
    plain = {
        "format": "im-blueprint/1",
        "name": "plain",
        "category": "The Locked Room",
        "idea": "Nothing must be seen.",
        "record": {"status": {"claim": "PX"}},
        "variants": {"only": {}},
    }
    return {**plain, **fields}


def build_small_skin(**fields: Any) -> dict[str, Any]:
    """Build a skin file of the small blueprint, as data."""
    plain = {
        "format": "im-skin/1",
        "blueprint": "plain",
        "name": "bare",
        "place": "nowhere",
        "voice": "none",
        "titles": ["Bare"],
        "record": {"prose": {"narrative": {"first": "Nothing is told."}}},
        "variants": {"only": {}},
    }
    return {**plain, **fields}


def build_small_offer(blueprint: Mapping[str, Any] | None = None, **skin: Any) -> Offer:
    """Build the offer of the small blueprint and skin, with changed fields."""
    return Offer(
        BlueprintForm.model_validate(build_small_blueprint(**(blueprint or {}))),
        SkinForm.model_validate(build_small_skin(**skin)),
        "only",
    )


@cache
def load_room() -> Catalogue:
    """Load only the shipped room that opens by height and a hammer."""
    folder = FAMILIES / "locked_room"
    return build_catalogue([folder / f"{ROOM}.yaml", *sorted((folder / ROOM).glob("*.yaml"))])


@cache
def build_room_situations() -> KnownSituations:
    """Build the known situations of a solver that knows only that room."""
    return KnownSituations(load_room(), load_everyday_library())


def find_room_offer(name: str = "ice_house/one_way") -> Offer:
    """Return an offer of the room by skin and variant."""
    return next(offer for offer in load_room().iterate_offers() if offer.name == f"{ROOM}/{name}")


def change_offer(offer: Offer, **layer: dict[str, Any]) -> Offer:
    """Return the offer with entries of its last layer replaced: `draws`, `texts`, `record`, `telling`."""
    last = offer.skin.variants[offer.variant]
    new = last.model_copy(update={name: {**getattr(last, name), **more} for name, more in layer.items()})
    skin = offer.skin.model_copy(update={"variants": {**offer.skin.variants, offer.variant: new}})
    return Offer(offer.blueprint, skin, offer.variant)


@cache
def draw_room(name: str = "ice_house/one_way", seed: object = 0) -> InstanceTrial:
    """Draw an instance of the room."""
    return draw_and_check_instance(find_room_offer(name), load_everyday_library(), seed, 0)


def build_seed(tried: InstanceTrial) -> SeedDocument:
    """Build the seed document of a draw."""
    return build_seed_document(
        ProposedDraw(read_draft(tried.instance, tried.library), tried.tier or "FRACTURE")
    )


def extract_blind_fields(tried: InstanceTrial) -> dict[str, Any]:
    """Return the fields that a blind reader sees of a draw, as data."""
    return build_seed(tried).model_dump(mode="json")


def render_public_document(tried: InstanceTrial) -> str:
    """Render the public document of a draw."""
    seed = build_seed(tried)
    fields = {name: getattr(seed, name) for name in SeedDocument.model_fields}
    return build_documents(
        build_finished_dossier("blast_room", **fields), load_everyday_library(), prompts=PROMPTS
    ).public


def extract_public_text(tried: InstanceTrial) -> PublicText:
    """Return the public text of a draw as a blind reader sees it."""
    return PublicText.from_seed_document(extract_blind_fields(tried))


def build_garden_offer(sentence: str) -> Offer:
    """Build an offer with a lawn that can be crossed only if a sentence is recognised as not forbidding it."""
    things = [
        {"name": "you", "label": "you", "kind": "person", "props": "out = false"},
        {"name": "lawn", "label": "the lawn", "kind": "boundary", "props": "trodden = false"},
    ]
    actions = [
        {
            "do": "cut_across(l: lawn)",
            "when": "fresh = not l.trodden",
            "then": "l.trodden = true; you.out = true",
            "takes": "stroll",
        },
        {
            "do": "walk_round(l: lawn)",
            "when": "fresh = not l.trodden",
            "then": "you.out = true",
            "takes": "detour",
        },
    ]
    across = f"challenge('{sentence}'); cut_across(lawn)"
    record = {
        "quantities": "stroll = 60[s]; detour = 540[s]; clock = 300[s]",
        "things": things,
        "actions": actions,
        "never": f"trodden = lawn.trodden @ premise: {sentence}",
        "goal": "you.out",
        "deadline": "clock",
        "approaches": [
            {"name": "across", "plan": across, "ends": "goal", "why": "it is short"},
            {"name": "round", "plan": "walk_round(lawn)", "ends": "late", "why": "it is proper"},
        ],
        "status": {"claim": "MT", "outside": ["across"], "premise": "trodden", "inside": ["round"]},
    }
    story = f"The gate shuts in {{clock|s}}. Here is {{thing:lawn}}, {{stroll|s}} across, {{detour|s}} round. {sentence}."
    prose = {"narrative": {"only": story}, "threat": "The gate shuts.", "position": "You stand at the house."}
    return build_small_offer({"record": record}, record={"prose": prose})


def build_situations(*offers: Offer) -> KnownSituations:
    """Build the known situations of a solver that knows these offers."""
    skins: dict[str, tuple[SkinForm, ...]] = {}
    for offer in offers:
        skins[offer.blueprint.name] = (*skins.get(offer.blueprint.name, ()), offer.skin)
    return KnownSituations(
        Catalogue({offer.blueprint.name: offer.blueprint for offer in offers}, skins), load_everyday_library()
    )


def extract_prose(tried: InstanceTrial) -> PublicText:
    """Return the running text of a draw, without tables."""
    return PublicText.from_seed_document(
        {"scenario": {**tried.prose, "environment": [], "objects": [], "capabilities": []}}
    )
