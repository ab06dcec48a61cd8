"""Effects of the environment and the threat on a plan, and whether the record models the threat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.mechanics.world import NeverRuleSource

SLIPPERY_FRICTION: Final = 0.45
"""The largest coefficient of friction on wet, icy or oily ground."""
STICKIEST: Final = 2.0
"""The largest plausible coefficient of friction."""


@dataclass(frozen=True, slots=True)
class EnvironmentEffect:
    """A condition of a place, recognized by words, and its effect."""

    words: tuple[str, ...]
    statement: str


@dataclass(frozen=True, slots=True)
class ThreatEffect:
    """A threat, recognized by words: its effect, and parts of quantity names that model it in the record."""

    words: tuple[str, ...]
    statement: str
    modelled_by: tuple[str, ...]


# fmt: off
EFFECTS: Final = (
    EnvironmentEffect(("rain", "wet", "flood", "slick", "oily", "spray"), "Wet or oiled surfaces halve friction: pushing, climbing and gripping suffer."),
    EnvironmentEffect(("ice", "frost", "frozen", "snow", "freezing", "sleet"), "Cold stiffens rubber and fingers and ices every foothold: fine handwork slows to half its pace."),
    EnvironmentEffect(("wind", "gale", "storm", "gust"), "Wind loads anything broad that is raised or carried, and takes words away at a few metres."),
    EnvironmentEffect(("dark", "night", "unlit", "blackout"), "In the dark distances are misjudged and small parts are found by touch."),
    EnvironmentEffect(("smoke", "ammonia", "fumes", "gas", "dust"), "What is breathed shortens the time in which anybody acts with a clear head; "
                      "smoke gathers above, cold heavy gas below."),
    EnvironmentEffect(("altitude", "summit", "plateau", "thin air"), "Thin air costs endurance long before it costs strength."),
    EnvironmentEffect(("heat", "oven", "furnace", "desert", "noon"), "Heat saps strength within minutes and makes metal untouchable."),
)
THREATS: Final = (
    ThreatEffect(("flood", "rising water", "water rises", "tide"),
           "Rising water lifts whoever can swim, and presses on every door that opens against it.",
           ("level", "water", "tide", "flood", "sea")),
    ThreatEffect(("fire", "burning", "flames", "smoulder"),
           "Fire takes what burns, ropes first, and draws the air it needs.",
           ("fire", "burn", "flame", "heat", "smoke", "kindle", "temperature")),
    ThreatEffect(("ammonia", "carbon monoxide", "argon", "nitrogen", "gas leak", "fumes"),
           "A gas fills a room by its own weight: where one stands decides how long one lasts.",
           ("gas", "breath", "air", "fumes")),
    ThreatEffect(("explode", "bomb", "blast", "detonat"),
           "Overpressure falls off with distance and is not stopped by furniture.",
           ("pressure", "blast", "fuse")),
    ThreatEffect(("avalanche", "landslide", "collapse"),
           "A moving mass arrives when it arrives: the time must follow from distance and speed.",
           ("distance", "speed", "slope")),
)
# fmt: on


def _has_word_starting_with(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}", text) is not None


def find_environment_effects(facts: SeedFacts) -> Iterator[str]:
    """Yield the effects of the environment that the text mentions."""
    text = facts.public_text
    for effect in EFFECTS:
        if any(_has_word_starting_with(word, text) for word in effect.words):
            yield effect.statement


def find_implausible_friction(facts: SeedFacts) -> Iterator[str]:
    """Yield coefficients of friction that no surface has, or that contradict the text."""
    for path in facts.world.own_paths if facts.world is not None else ():
        value = facts.get_number(path)
        if path.rpartition(".")[2] in {"mu", "friction", "grip"} and value is not None and value > STICKIEST:
            yield f"`{path}` is {value:.2g}, and nothing grips with more than {STICKIEST:g}"
    if facts.world is None or not any(
        _has_word_starting_with(word, facts.public_text) for word in (*EFFECTS[0].words, *EFFECTS[1].words)
    ):
        return
    for path in facts.world.quantities:
        value = facts.get_number(path)
        if (
            path.rpartition(".")[2] in {"mu", "friction", "grip"}
            and value is not None
            and SLIPPERY_FRICTION < value <= STICKIEST
        ):
            yield f"`{path}` is {value:.2g} where the text tells of wet or icy ground, which gives {SLIPPERY_FRICTION:g} at most"


def check_threats_are_modelled(facts: SeedFacts) -> Iterator[tuple[str, bool]]:
    """Yield the effect of each threat in the text, and whether the record models it."""
    text = f"{facts.seed.scenario.threat} {facts.seed.scenario.narrative}".lower()
    world = facts.world
    names: set[str] = set()
    if world is not None:
        # general rules of the library about water, air and heat do not model a specific threat
        names = {name for name in world.quantities if name in world.own_paths or "." not in name}
        names |= {
            *world.rates,
            *(never.name for never in world.never_rules if never.by is not NeverRuleSource.LIBRARY),
        }
    for threat in THREATS:
        if any(_has_word_starting_with(word, text) for word in threat.words):
            yield (
                threat.statement,
                any(part in name.lower() for part in threat.modelled_by for name in names)
                or _has_deadline(facts),
            )


def _has_deadline(facts: SeedFacts) -> bool:
    return facts.world is not None and facts.world.deadline is not None
