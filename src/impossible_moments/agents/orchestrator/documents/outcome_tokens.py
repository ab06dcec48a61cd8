"""The Correct Outcome of the public header: one word for what a right answer does, never how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from impossible_moments.domain.vocabulary import Category, Status
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.language import expressions as ex

OutcomeToken: TypeAlias = Literal[
    "SURVIVE", "ESCAPE", "BUILD", "SOLVE", "EXPLAIN", "COMMUNICATE", "STABILIZE",
    "PROVE-IMPOSSIBLE", "WEIGH", "PROPOSE", "REFRAME",
]  # fmt: skip

# fmt: off
BY_STATUS: Final[Mapping[Status, OutcomeToken]] = {
    # A status whose answer is judged and not executed decides alone.
    "PX": "PROVE-IMPOSSIBLE",
    "CT": "WEIGH",
    "OF": "PROPOSE",
    "MT": "REFRAME",
}
BY_CATEGORY: Final[Mapping[Category, OutcomeToken]] = {
    # The framework's challenge of each category.
    "The Locked Room":        "ESCAPE",
    "The Wrong Toolbox":      "BUILD",
    "The Misdirection":       "SURVIVE",
    "The Cascade":            "STABILIZE",
    "The Babel Problem":      "COMMUNICATE",
    "The Lilliput Conundrum": "SOLVE",
    "The Ticking Trade":      "SURVIVE",
    "The Ghost Machine":      "EXPLAIN",
    "The Last Ingredient":    "BUILD",
    "The Invisible Wall":     "SOLVE",
    "The Memory Palace":      "SOLVE",
    "The Horizon Problem":    "PROPOSE",
}
# fmt: on
PLACE_OF_SOLVER: Final = "you.at"


def derive_outcome_token(report: CheckReport, status: Status, category: Category) -> OutcomeToken:
    """Derive the word from the status, then from the goal of the record, then from the category."""
    if status in BY_STATUS:
        return BY_STATUS[status]
    if report.analysis is not None:
        world = report.analysis.world
        if PLACE_OF_SOLVER in ex.collect_paths(world.goal):
            return "ESCAPE"
        if world.record.puzzles:
            return "SOLVE"
    return BY_CATEGORY[category]
