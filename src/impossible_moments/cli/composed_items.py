"""Items of IM-Reach from composed scenarios, drawn afresh and shown as published ones are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.blueprints import InstanceTrial
from impossible_moments.composition import LEVELS, draw_composed, load_shipped_places
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.evaluation import AnswerKey
from impossible_moments.evaluation.reach import ReachItem
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios import (
    NOTHING,
    Scenario,
    escape_block,
    escape_inline,
    fill_document_template,
    render_table,
)

MOST_DRAWS: Final = 5
"""How many seeds in a row are tried if a place gives no scenario at a level."""
_NO_LIMIT: Final = ("Bodily limits", "none bears on what is stated here")
_NUMBER_DIGITS: Final = 10


@dataclass(frozen=True)
class ComposedItemSource:
    """Fresh composed scenarios of all shipped places."""

    library: Library = field(default_factory=load_everyday_library)

    @property
    def name(self) -> str:
        """The number of places and the version of the library."""
        return f"composed scenarios of {len(load_shipped_places())} places, library {self.library}"

    @property
    def levels(self) -> Sequence[int]:
        """The levels that some place serves."""
        return [
            level
            for level in LEVELS
            if any(each.levels.low <= level <= each.levels.high for each in load_shipped_places().values())
        ]

    def draw_item(self, level: int, seed: int) -> ReachItem:
        """Draw a scenario at a level. If a seed gives none, the following seeds are tried."""
        problem: ImpossibleMomentsError | None = None
        for tried in range(seed, seed + MOST_DRAWS):
            try:
                trial = draw_composed(level, tried).trial
            except ImpossibleMomentsError as refused:
                problem = refused
                continue
            scenario = build_trial_scenario(
                trial, f"IM-{level:02d}{tried % 10**_NUMBER_DIGITS:0{_NUMBER_DIGITS}d}"
            )
            key = AnswerKey.from_record(scenario.scenario_id, trial.instance.record, self.library)
            return ReachItem(scenario, key, level, tried)
        assert problem is not None, "at least one seed was tried"
        raise problem


def build_trial_scenario(trial: InstanceTrial, scenario_id: str) -> Scenario:
    """Return the public document of a checked draw as a scenario."""
    prose, tables, say = trial.prose, trial.tables, trial.render_template
    objects = [
        (
            say(row.label),
            *(cell or NOTHING for cell in (say(row.mass), say(row.size), row.material, say(row.notes))),
        )
        for row in tables.objects
    ]
    environment = [(say(feature), say(text)) for feature, text in tables.environment]
    capabilities = [(say(parameter), say(text)) for parameter, text in tables.capabilities] or [_NO_LIMIT]
    document = fill_document_template(
        "public",
        {
            "scenario_id": scenario_id,
            "name": escape_inline(str(trial.instance.record["title"])),
            "category": str(trial.instance.record["category"]),
            "tier": trial.tier or NOTHING,
            "profile": str(trial.profile),
            "status": parse_main_status(trial.status),
            "correct_outcome": NOTHING,
            "narrative": escape_block(prose["narrative"]),
            "environment": render_table(("Feature", "Specification"), environment),
            "threat": escape_block(prose["threat"]),
            "position": escape_block(prose["position"]),
            "objects": render_table(("Object", "Mass", "Dimensions", "Material", "Notes"), objects),
            "capabilities": render_table(("Parameter", "Value"), capabilities),
            "looks_impossible": NOTHING,
            "wrong_answers": NOTHING,
            "canary": NOTHING,
        },
    )
    return Scenario.parse(document, scenario_id)
