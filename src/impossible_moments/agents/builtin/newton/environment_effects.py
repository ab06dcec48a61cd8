"""Effects of the environment, computed from the temperatures, winds, humidity, light and friction that the record states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from impossible_moments.agents.builtin.newton.physical_fault import Gravity, PhysicalFault
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.newton.step_forces import GRAVITY
from impossible_moments.agents.builtin.quantity_wording import (
    describe_expression,
    find_source,
    format_quantity,
)
from impossible_moments.library import SourcedFigure, load_human_capabilities
from impossible_moments.mechanics.language import COLDEST, SPEED, TEMPERATURE
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import World

SLIPPERY_FRICTION: Final = 0.45
"""The largest coefficient of friction on wet, icy or oily ground."""
STICKIEST: Final = 2.0
"""The largest plausible coefficient of friction."""
SLICKEST: Final = 0.003
"""The smallest coefficient of friction of everyday surfaces, that of a skate on ice."""
FRICTION_NAMES: Final = frozenset({"mu", "friction", "grip"})
SLIPPERY_WORDS: Final = (
    "rain", "wet", "flood", "slick", "oily", "spray", "ice", "frost", "frozen", "snow", "freezing", "sleet",
)  # fmt: skip
FREEZING: Final = 273.15
AIR_DENSITY: Final = 1.2
"""kg/m³ at 20 °C"""
_CONDITIONS: Final = ("temperature", "wind", "humidity", "light")


def describe_environment_effects(facts: SeedFacts) -> Iterator[str]:
    """Yield the computed effect of each stated condition of the place, and what is not stated."""
    world = facts.world
    if world is None:
        return
    found = {
        "temperature": list(_describe_temperatures(facts, world)),
        "wind": list(_describe_winds(facts, world)),
        "humidity": list(
            _describe_named(facts, world, "humid", lambda value: f"air at {value:.0%} humidity")
        ),
        "light": list(_describe_named(facts, world, "lux", lambda value: f"illumination of {value:.3g} lx")),
    }
    for name in _CONDITIONS:
        yield from found[name]
    missing = [name for name in _CONDITIONS if not found[name]]
    if missing:
        yield (
            f"The record states no {' and no '.join(missing)}: usual values are assumed (20 °C, still air), and no condition "
            "of the plan reads them."
        )


def _describe_temperatures(facts: SeedFacts, world: World) -> Iterator[str]:
    pain = _find_capability("hot_surface_pain")
    for name, quantity, kelvin in facts.iterate_own_numbers(TEMPERATURE):
        if kelvin < COLDEST:
            continue  # a difference of temperatures
        words = f"{_describe_name(world, name)} is {format_quantity(world, name, kelvin)} ({find_source(world, name).source})"
        hurts = pain.number + FREEZING
        if kelvin > hurts:
            yield f"{words}: {kelvin - hurts:.3g} K above {pain.number:g} °C, where touched skin hurts ({pain.source})."
        elif kelvin < FREEZING:
            yield f"{words}: {FREEZING - kelvin:.3g} K below the freezing point of water; bare hands and open water do not stay as they are."
        elif quantity.low is not None and quantity.high is not None:
            low, high = (format_quantity(world, name, end) for end in (quantity.low, quantity.high))
            yield f"{words}, range {low} to {high}: between freezing and {pain.number:g} °C, so hands can touch it."
        else:
            yield f"{words}: between freezing and {pain.number:g} °C, so hands can touch it."


def _describe_winds(facts: SeedFacts, world: World) -> Iterator[str]:
    for name, _, speed in facts.iterate_own_numbers(SPEED):
        if not any(word in name for word in ("wind", "gust", "draught")):
            continue
        pressure = AIR_DENSITY * speed**2 / 2
        text = f"{_describe_name(world, name)} is {format_quantity(world, name, speed)}: it presses with 1.2*{speed:.3g}²/2 = {pressure:.3g} Pa"
        loads = [
            f"{thing.label} {pressure * area:.3g} N against a weight of {mass * GRAVITY:.3g} N"
            for thing in facts.own_things
            if (area := _compute_side_area(facts, thing.name)) is not None
            and (mass := facts.get_number(f"{thing.name}.mass")) is not None
            and facts.is_used_in_sketch(thing.name)
        ]
        yield (
            f"{text}; on the broad side of {'; '.join(loads)}."
            if loads
            else f"{text}; no thing of the plan states its side."
        )


def _compute_side_area(facts: SeedFacts, thing: str) -> float | None:
    length, height = facts.get_number(f"{thing}.length"), facts.get_number(f"{thing}.height")
    return length * height if length is not None and height is not None else None


def _describe_named(
    facts: SeedFacts, world: World, part: str, describe: Callable[[float], str]
) -> Iterator[str]:
    for name in sorted(world.quantities):
        own = name in world.own_paths or "." not in name
        value = facts.get_number(name) if own and part in name.lower() else None
        if value is not None:
            yield f"{_describe_name(world, name)}: {describe(value)} ({find_source(world, name).source})."


def find_friction_faults(facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield coefficients of friction that no surface has, or that contradict the stated ground."""
    world = facts.world
    slippery = [word for word in SLIPPERY_WORDS if re.search(rf"\b{word}", facts.public_text)]
    for path in world.quantities if world is not None else ():
        value = facts.get_number(path)
        if path.rpartition(".")[2] not in FRICTION_NAMES or value is None or world is None:
            continue
        unit = world.quantities[path].display_unit
        if unit is not None and not unit.dimension.is_plain:
            continue  # a coefficient of friction has no unit; a grip in newtons is a force
        own = path in world.own_paths
        if own and value > STICKIEST:
            yield _make_friction_fault(
                path, f"`{path}` is {value:.2g} > {STICKIEST:g}, the stickiest dry surfaces", STICKIEST
            )
        elif own and 0 < value < SLICKEST:
            yield _make_friction_fault(
                path, f"`{path}` is {value:.2g} < {SLICKEST:g}, a skate on ice", SLICKEST, is_least=True
            )
        elif slippery and SLIPPERY_FRICTION < value <= STICKIEST:
            problem = f"`{path}` is {value:.2g} > {SLIPPERY_FRICTION:g}, the most on ground that the text calls {slippery[0]}"
            yield _make_friction_fault(path, problem, SLIPPERY_FRICTION)


def _make_friction_fault(path: str, problem: str, limit: float, *, is_least: bool = False) -> PhysicalFault:
    relation, end = ("least", "lowest") if is_least else ("most", "highest")
    return PhysicalFault(
        path,
        f"`{path}` is a coefficient of friction of the stated ground.",
        problem,
        f"a coefficient of friction is at {relation} the {end} that was measured on such ground",
        f"State {path} of at {relation} {limit:g}.",
        Gravity.DOUBTFUL,
    )


def _find_capability(name: str) -> SourcedFigure:
    return next(each.figure for each in load_human_capabilities() if each.name == name)


def _describe_name(world: World, name: str) -> str:
    owner, _, property_name = name.rpartition(".")
    return describe_expression(world, ex.Property(owner, property_name) if owner else ex.Name(name))
