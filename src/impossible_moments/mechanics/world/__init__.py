"""The world of a record: its model, its compiled engine, value formatting and puzzle solutions."""

from impossible_moments.mechanics.world.building.library_actions import (
    LibraryActionProfile,
    build_library_action_catalogue,
)
from impossible_moments.mechanics.world.building.world_builder import build_world
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle
from impossible_moments.mechanics.world.taken_names import render_taken_names
from impossible_moments.mechanics.world.value_formatting import format_point_values, format_quantity_value
from impossible_moments.mechanics.world.world_model import (
    AMBIENT_KELVIN,
    CONSTANTS,
    ELAPSED,
    TOOLS,
    Action,
    ActionEffect,
    ActionSlot,
    NeverRule,
    NeverRuleSource,
    ThingRole,
    World,
    WorldThing,
)

__all__ = [
    "AMBIENT_KELVIN",
    "CONSTANTS",
    "ELAPSED",
    "TOOLS",
    "Action",
    "ActionEffect",
    "ActionSlot",
    "LibraryActionProfile",
    "NeverRule",
    "NeverRuleSource",
    "SolvedPuzzle",
    "ThingRole",
    "World",
    "WorldDraft",
    "WorldEngine",
    "WorldThing",
    "build_library_action_catalogue",
    "build_world",
    "format_point_values",
    "format_quantity_value",
    "render_taken_names",
]
