"""Small blueprints for tests: one that says next to nothing, and draws of a shipped room with changes laid over it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from impossible_moments.agents.builtin.athena.scenario_draws import AcceptedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.blueprints.catalogue import Catalogue, Offer, build_catalogue
from impossible_moments.blueprints.file_models import BlueprintForm, SkinForm
from impossible_moments.blueprints.instance_trials import InstanceTrial, run_trial
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText
from support.finished_dossiers import PROMPTS, finished

FAMILIES: Final = Path(str(files("impossible_moments.blueprints") / "families"))
ROOM: Final = "height_and_hammer"


def small_blueprint(**fields: Any) -> dict[str, Any]:
    """A blueprint file with one variant, as data."""
    plain = {
        "format": "im-blueprint/1",
        "name": "plain",
        "category": "The Locked Room",
        "idea": "Nothing must be seen.",
        "record": {"status": {"claim": "PX"}},
        "variants": {"only": {}},
    }
    return {**plain, **fields}


def small_skin(**fields: Any) -> dict[str, Any]:
    """A skin file of the small blueprint, as data."""
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


def small_offer(blueprint: Mapping[str, Any] | None = None, **skin: Any) -> Offer:
    """The small blueprint in its skin, with changed fields."""
    return Offer(
        BlueprintForm.model_validate(small_blueprint(**(blueprint or {}))),
        SkinForm.model_validate(small_skin(**skin)),
        "only",
    )


@cache
def room() -> Catalogue:
    """The shipped room that opens by height and a hammer, and nothing else that ships."""
    folder = FAMILIES / "locked_room"
    return build_catalogue([folder / f"{ROOM}.yaml", *sorted((folder / ROOM).glob("*.yaml"))])


@cache
def lore() -> KnownSituations:
    """What a solver knows who knows that room."""
    return KnownSituations(room(), load_everyday_library())


def room_offer(name: str = "ice_house/one_way") -> Offer:
    """An offer of the room, by skin and variant."""
    return next(offer for offer in room().iterate_offers() if offer.name == f"{ROOM}/{name}")


def changed(offer: Offer, **layer: dict[str, Any]) -> Offer:
    """The offer with entries of its last layer replaced: `draws`, `texts`, `record`, `telling`."""
    last = offer.skin.variants[offer.variant]
    new = last.model_copy(update={name: {**getattr(last, name), **more} for name, more in layer.items()})
    skin = offer.skin.model_copy(update={"variants": {**offer.skin.variants, offer.variant: new}})
    return Offer(offer.blueprint, skin, offer.variant)


@cache
def drawn_room(name: str = "ice_house/one_way", seed: object = 0) -> InstanceTrial:
    """A draw of the room."""
    return run_trial(room_offer(name), load_everyday_library(), seed, 0)


def as_seed(tried: InstanceTrial) -> SeedDocument:
    """The seed document of a draw."""
    return build_seed_document(AcceptedDraw(tried, (), (), ()))


def told(tried: InstanceTrial) -> dict[str, Any]:
    """What a blind reader is given of a draw, as data."""
    return as_seed(tried).model_dump(mode="json")


def published(tried: InstanceTrial) -> str:
    """The public document of a draw."""
    seed = as_seed(tried)
    fields = {name: getattr(seed, name) for name in SeedDocument.model_fields}
    return build_documents(finished("blast_room", **fields), load_everyday_library(), prompts=PROMPTS).public


def text_of(tried: InstanceTrial) -> PublicText:
    """The public text of a draw, as a blind reader is given it."""
    return PublicText.from_seed_document(told(tried))


def garden(sentence: str) -> Offer:
    """A lawn that may only be crossed by whoever sees that a sentence does not forbid it."""
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
    return small_offer({"record": record}, record={"prose": prose})


def lore_of(*offers: Offer) -> KnownSituations:
    """What a solver knows who knows these offers."""
    skins: dict[str, tuple[SkinForm, ...]] = {}
    for offer in offers:
        skins[offer.blueprint.name] = (*skins.get(offer.blueprint.name, ()), offer.skin)
    return KnownSituations(
        Catalogue({offer.blueprint.name: offer.blueprint for offer in offers}, skins), load_everyday_library()
    )


def prose_of(tried: InstanceTrial) -> PublicText:
    """The running text of a draw, without tables."""
    return PublicText.from_seed_document(
        {"scenario": {**tried.prose, "environment": [], "objects": [], "capabilities": []}}
    )
