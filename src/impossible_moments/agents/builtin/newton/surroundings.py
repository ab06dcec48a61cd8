"""The place and the threat: what wet, cold, wind and dark do to the plan, and what the threat itself makes possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.facts import Facts
from impossible_moments.mechanics.world import Imposed

SLIPPERY: Final = 0.45
"""A coefficient of friction that wet, icy or oily ground does not give."""
STICKIEST: Final = 2.0
"""What is larger is no coefficient of friction."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Something about a place, by the words that tell it, and what it does."""

    words: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Threat:
    """A threat by its words: what it does, and what must stand in the record for it to be more than paint."""

    words: tuple[str, ...]
    says: str
    modelled_by: tuple[str, ...]


# fmt: off
EFFECTS: Final = (
    Effect(("rain", "wet", "flood", "slick", "oily", "spray"), "Wet or oiled surfaces halve friction: pushing, climbing and gripping suffer."),
    Effect(("ice", "frost", "frozen", "snow", "freezing", "sleet"), "Cold stiffens rubber and fingers and ices every foothold: fine handwork slows to half its pace."),
    Effect(("wind", "gale", "storm", "gust"), "Wind loads anything broad that is raised or carried, and takes words away at a few metres."),
    Effect(("dark", "night", "unlit", "blackout"), "In the dark distances are misjudged and small parts are found by touch."),
    Effect(("smoke", "ammonia", "fumes", "gas", "dust"), "What is breathed shortens the time in which anybody acts with a clear head; smoke gathers above, cold heavy gas below."),
    Effect(("altitude", "summit", "plateau", "thin air"), "Thin air costs endurance long before it costs strength."),
    Effect(("heat", "oven", "furnace", "desert", "noon"), "Heat saps strength within minutes and makes metal untouchable."),
)
THREATS: Final = (
    Threat(("flood", "rising water", "water rises", "tide"),
           "Rising water lifts whoever can swim, and presses on every door that opens against it.",
           ("level", "water", "tide", "flood", "sea")),
    Threat(("fire", "burning", "flames", "smoulder"),
           "Fire takes what burns, ropes first, and draws the air it needs.",
           ("fire", "burn", "flame", "heat", "smoke", "kindle", "temperature")),
    Threat(("ammonia", "carbon monoxide", "argon", "nitrogen", "gas leak", "fumes"),
           "A gas fills a room by its own weight: where one stands decides how long one lasts.",
           ("gas", "breath", "air", "fumes")),
    Threat(("explode", "bomb", "blast", "detonat"),
           "Overpressure falls off with distance and is not stopped by furniture.",
           ("pressure", "blast", "fuse")),
    Threat(("avalanche", "landslide", "collapse"),
           "A moving mass arrives when it arrives: the time must follow from distance and speed.",
           ("distance", "speed", "slope")),
)
# fmt: on


def _tells(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}", text) is not None


def environment(facts: Facts) -> Iterator[str]:
    """What the place does to the plan."""
    text = facts.words
    for effect in EFFECTS:
        if any(_tells(word, text) for word in effect.words):
            yield effect.says


def too_rough(facts: Facts) -> Iterator[str]:
    """A friction that no surface gives, or not the one that is told."""
    for path in facts.world.own_paths if facts.world is not None else ():
        value = facts.number(path)
        if path.rpartition(".")[2] in {"mu", "friction", "grip"} and value is not None and value > STICKIEST:
            yield f"`{path}` is {value:.2g}, and nothing grips with more than {STICKIEST:g}"
    if facts.world is None or not any(
        _tells(word, facts.words) for word in (*EFFECTS[0].words, *EFFECTS[1].words)
    ):
        return
    for path in facts.world.quantities:
        value = facts.number(path)
        if (
            path.rpartition(".")[2] in {"mu", "friction", "grip"}
            and value is not None
            and SLIPPERY < value <= STICKIEST
        ):
            yield f"`{path}` is {value:.2g} where the text tells of wet or icy ground, which gives {SLIPPERY:g} at most"


def threat_model(facts: Facts) -> Iterator[tuple[str, bool]]:
    """What each threat that is told does, and whether anything in the record stands for it."""
    text = f"{facts.seed.scenario.threat} {facts.seed.scenario.narrative}".lower()
    world = facts.world
    names: set[str] = set()
    if world is not None:
        # what the library says of water, air and heat in general models nothing in particular
        names = {name for name in world.quantities if name in world.own_paths or "." not in name}
        names |= {*world.rates, *(never.name for never in world.nevers if never.by is not Imposed.LIBRARY)}
    for threat in THREATS:
        if any(_tells(word, text) for word in threat.words):
            yield (
                threat.says,
                any(part in name.lower() for part in threat.modelled_by for name in names)
                or _is_timed(facts),
            )


def _is_timed(facts: Facts) -> bool:
    return facts.world is not None and facts.world.deadline is not None
