"""Composition: places whose stages share stocks, equipment and one clock, drawn at levels 1 to 10."""

from impossible_moments.composition.composed_draws import (
    ComposedDraw,
    ComposedOptions,
    ComposedStatus,
    NoComposedDraw,
    choose_place,
    draw_composed,
    draw_from_place,
)
from impossible_moments.composition.graph_facts import ComposedFacts
from impossible_moments.composition.known_places import KnownPlace, list_known_places
from impossible_moments.composition.levels import LEVEL_TARGETS, LevelTarget, get_level_target
from impossible_moments.composition.measured_draws import (
    MeasuredDraw,
    format_measured_draws,
    load_measured_draws,
)
from impossible_moments.composition.place_catalogue import get_place, load_place_file, load_shipped_places
from impossible_moments.composition.place_files import LEVELS, PlaceForm
from impossible_moments.composition.place_surveys import LevelSurvey, survey_place

__all__ = [
    "LEVELS",
    "LEVEL_TARGETS",
    "ComposedDraw",
    "ComposedFacts",
    "ComposedOptions",
    "ComposedStatus",
    "KnownPlace",
    "LevelSurvey",
    "LevelTarget",
    "MeasuredDraw",
    "NoComposedDraw",
    "PlaceForm",
    "choose_place",
    "draw_composed",
    "draw_from_place",
    "format_measured_draws",
    "get_level_target",
    "get_place",
    "list_known_places",
    "load_measured_draws",
    "load_place_file",
    "load_shipped_places",
    "survey_place",
]
