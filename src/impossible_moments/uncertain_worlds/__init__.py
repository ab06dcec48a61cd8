"""Families of uncertain worlds: drawn figures, skins, the gates of publication, and the documents."""

from impossible_moments.uncertain_worlds.family_forms import FamilyForm, load_families
from impossible_moments.uncertain_worlds.world_generation import (
    GeneratedWorld,
    NoWorldFound,
    choose_family,
    generate_world,
)
from impossible_moments.uncertain_worlds.world_publication import find_publication_objections, publish_world

__all__ = [
    "FamilyForm",
    "GeneratedWorld",
    "NoWorldFound",
    "choose_family",
    "find_publication_objections",
    "generate_world",
    "load_families",
    "publish_world",
]
