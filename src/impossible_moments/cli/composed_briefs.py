"""Briefs of composed scenarios, from the options of `im create`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.cli.choices import suggest_names
from impossible_moments.composition import (
    ComposedOptions,
    ComposedStatus,
    NoComposedDraw,
    choose_place,
    draw_composed,
    get_place,
)
from impossible_moments.domain.brief import ComposedWanted, GenerationBrief, TwinWanted
from impossible_moments.domain.solution_signatures import compute_solution_signature
from impossible_moments.domain.vocabulary import ATHENA, CATEGORIES, Category, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import load_document
from impossible_moments.scenarios import ScenarioMetadata, ScenarioRegistry

USUAL_LEVEL: Final = 5
MOST_SKIPPED: Final = 4
"""Draws of one seed among which a published scenario is looked for."""
_EXCLUDED: Final = ("difficulty_tier", "constraints", "inspiration_seed", "blueprints")


def build_composed_brief(wanted: Mapping[str, object], *, designer: str) -> GenerationBrief:
    """Build the brief of a composed scenario. Its tier is the one that the draw measures."""
    if designer != BUILTIN:
        raise ConfigurationError(
            f"--level needs the built-in designer, because only it draws from places. Use --model {ATHENA}={BUILTIN}."
        )
    given = [f"--{name.replace('_', '-')}" for name in _EXCLUDED if wanted.get(name) not in {None, ()}]
    if given:
        raise ConfigurationError(
            f"A composed scenario is set by its level and place. Remove {', '.join(given)}."
        )
    level = _read_number(wanted.get("level"), USUAL_LEVEL)
    seed = _read_number(wanted.get("seed"), 0)
    category = _read_category(wanted.get("category"))
    status = parse_composed_status(str(wanted.get("solution_status") or "KS"))
    place = get_place(str(wanted["place"])) if wanted.get("place") else choose_place(level, seed, category)
    category = category or place.categories[seed // 2 % len(place.categories)]
    if category not in place.categories:
        raise ConfigurationError(
            f"the place {place.name} does not serve {category}. It serves {', '.join(place.categories)}."
        )
    draw = draw_composed(level, seed, place.name, ComposedOptions(status, category=category))
    assert draw.trial.tier is not None, "accepted draws have a tier"
    return GenerationBrief(
        category=category,
        difficulty_tier=draw.trial.tier,
        solution_status=status,
        seed=seed,
        composed=ComposedWanted(level=level, place=place.name),
    )


def build_composed_twin_brief(
    scenario: str, folder: ScenarioRegistry, *, other_way: bool = False
) -> GenerationBrief | None:
    """Build the brief of the near twin of a composed scenario, or return None if the scenario is not composed.

    The twin is the draw of the same place, level and seed with the opposite outcome: one limit differs. With `other_way`
    one figure differs, and another way is the only one.
    """
    entry = folder.entries.get(scenario)
    if entry is None or entry.level is None or entry.place is None or entry.seed is None:
        if other_way:
            raise ConfigurationError(
                f"--other-way needs a composed scenario, and {scenario} is none in {folder.folder}. Composed scenarios are created with --level."
            )
        return None
    if entry.twin is not None:
        raise ConfigurationError(
            f"{scenario} already has a twin, {entry.twin}. A scenario can have only one."
        )
    is_closed = parse_main_status(entry.status) == "PX"
    if other_way and is_closed:
        raise ConfigurationError(
            f"{scenario} has no way, so its twin cannot have another one. Leave out --other-way: its twin has a way."
        )
    status: ComposedStatus = "KS" if is_closed or other_way else "PX"
    options = ComposedOptions(status, other_way, entry.category, attempt=_find_attempt(entry, folder))
    try:
        draw = draw_composed(entry.level, entry.seed, entry.place, options)
    except NoComposedDraw as problem:
        raise ConfigurationError(f"{scenario} has no such twin: {problem} Choose another scenario.") from None
    assert draw.trial.tier is not None, "accepted draws have a tier"
    return GenerationBrief(
        category=entry.category,
        difficulty_tier=draw.trial.tier,
        solution_status=status,
        seed=entry.seed,
        composed=ComposedWanted(
            level=entry.level, place=entry.place, other_way=other_way, attempt=options.attempt
        ),
        twin=TwinWanted(of=scenario, title=entry.name, drawn_as=draw.offer.name, variant=draw.offer.variant),
    )


def _find_attempt(entry: ScenarioMetadata, folder: ScenarioRegistry) -> int:
    """Return the attempt of the figure search from which a published scenario was drawn.

    Raise `ConfigurationError` if no draw has its solution, because places or blueprints changed.
    """
    assert entry.level is not None, "only composed scenarios are looked up"
    assert entry.seed is not None, "composed scenarios have a seed"
    published = compute_solution_signature(_load_mechanics(folder, entry.scenario_id))
    status = parse_composed_status(entry.status)
    for other_way in (False, True) if status == "KS" else (False,):
        for skipped in range(MOST_SKIPPED):
            options = ComposedOptions(status, other_way, entry.category, skipped)
            try:
                draw = draw_composed(entry.level, entry.seed, entry.place, options)
            except NoComposedDraw:
                break
            if compute_solution_signature(draw.record) == published:
                return draw.attempt
    raise ConfigurationError(
        f"{entry.scenario_id} cannot be drawn again from the place {entry.place}, so it has no twin. Twins need the places with which it was made."
    )


def _load_mechanics(folder: ScenarioRegistry, name: str) -> Mapping[str, object]:
    path = folder.folder / "evaluation" / f"{name}_mechanics.json"
    return load_document(path) if path.is_file() else {}


def parse_composed_status(status: str) -> ComposedStatus:
    """Return the status of a composed scenario. Raise `ConfigurationError` for any other."""
    match status.upper().partition("-")[0]:
        case "KS":
            return "KS"
        case "PX":
            return "PX"
    raise ConfigurationError(f"Composed scenarios are KS or PX, but the status is `{status}`.")


def _read_number(value: object, usual: int) -> int:
    return value if isinstance(value, int) else usual


def _read_category(value: object) -> Category | None:
    if value is None:
        return None
    for category in CATEGORIES:
        if category == value:
            return category
    raise ConfigurationError(
        f"--category is `{value}`.{suggest_names(str(value), CATEGORIES)} It must be one of {', '.join(CATEGORIES)}."
    )
