"""Generation of uncertain worlds: figures are drawn until the optimum is far enough above one-step lookahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints import create_random_stream
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.mechanics.uncertain import (
    LEAST_GAP,
    MOST_OPTIMUM,
    NotExhausted,
    PolicyName,
    PolicySet,
    UncertainWorld,
    WorldMeasures,
    WorldText,
    measure_world,
    parse_uncertain_record,
    render_world_text,
)
from impossible_moments.uncertain_worlds.family_forms import FamilyForm, load_families
from impossible_moments.uncertain_worlds.figure_draws import build_record_data, draw_figures

MOST_DRAWS: Final = 400
"""How many draws of figures are tried for one world."""
MOST_GENERATED_NODES: Final = 60_000
"""The most belief nodes of a generated world."""
MOST_WORDS: Final = 700
"""The most words and figures of a text."""


class NoWorldFound(ImpossibleMomentsError):
    """No draw of figures gave a world that may be published."""


@dataclass(frozen=True, slots=True)
class GeneratedWorld:
    """A world that may be published."""

    world: UncertainWorld
    text: WorldText
    measures: WorldMeasures
    family: FamilyForm
    skin: str
    draws: int
    """How many draws of figures were needed."""


def generate_world(family: FamilyForm, skin: str, seed: int) -> GeneratedWorld:
    """Return the first draw that may be published. The same arguments give the same world.

    Raise `NoWorldFound` if there is none among `MOST_DRAWS` draws.
    """
    reasons: dict[str, int] = {}
    for number in range(MOST_DRAWS):
        stream = create_random_stream("uncertain world", family.name, skin, seed, number)
        data = build_record_data(family, skin, draw_figures(family, stream))
        world = UncertainWorld(parse_uncertain_record(data))
        reason = _find_quick_objection(world)
        if reason is None:
            text = render_world_text(world)
            if text.count_words() > MOST_WORDS:
                raise ConfigurationError(
                    f"The text of {family.name}/{skin} has {text.count_words()} words; {MOST_WORDS} is the most."
                )
            return GeneratedWorld(
                world, text, measure_world(world, MOST_GENERATED_NODES), family, skin, number + 1
            )
        reasons[reason] = reasons.get(reason, 0) + 1
    counts = ", ".join(f"{count} times: {reason}" for reason, count in reasons.items())
    raise NoWorldFound(f"No draw of {family.name}/{skin} with seed {seed} may be published ({counts}).")


def _find_quick_objection(world: UncertainWorld) -> str | None:
    """Return why a world may not be published, computing no more than needed."""
    policies = PolicySet(world, MOST_GENERATED_NODES)
    try:
        optimum = policies.solver.solve()
    except NotExhausted:
        return "too many belief nodes"
    if optimum >= MOST_OPTIMUM:
        return "the optimum is too certain"
    if optimum - policies.compute_value(PolicyName.LOOKAHEAD) < LEAST_GAP:
        return "one-step lookahead is too good"
    return None


def choose_family(seed: int, category: str | None = None) -> tuple[FamilyForm, str]:
    """Return the family and the skin of a seed, within a category if one is given.

    Consecutive seeds go through all families, and then through their further skins. Raise `ConfigurationError` if the
    category has no family.
    """
    families = [each for each in load_families().values() if category in {None, each.category}]
    if not families:
        known = sorted({each.category for each in load_families().values()})
        raise ConfigurationError(
            f"There is no family of uncertain worlds for {category}. The categories are {', '.join(known)}."
        )
    family = families[seed % len(families)]
    skins = list(family.skins)
    return family, skins[seed // len(families) % len(skins)]
