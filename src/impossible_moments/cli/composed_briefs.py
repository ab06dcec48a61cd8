"""Briefs of composed scenarios, from the options of `im create`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.cli.choices import suggest_names
from impossible_moments.composition import ComposedStatus, choose_place, draw_composed, get_place
from impossible_moments.domain.brief import ComposedWanted, GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA, CATEGORIES, Category
from impossible_moments.errors import ConfigurationError

USUAL_LEVEL: Final = 5
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
    draw = draw_composed(level, seed, place.name, status, category=category)
    assert draw.trial.tier is not None, "accepted draws have a tier"
    return GenerationBrief(
        category=category,
        difficulty_tier=draw.trial.tier,
        solution_status=status,
        seed=seed,
        composed=ComposedWanted(level=level, place=place.name),
    )


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
