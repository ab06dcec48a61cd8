"""Human limits: stated abilities against what people can do, and the weakest person the text admits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.newton.seed_facts import YOU, SeedFacts
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.mechanics.language import (
    ENERGY,
    FORCE,
    SPEED,
    ExpressionError,
    ExpressionTypeError,
    parse_expression,
)
from impossible_moments.mechanics.records import Library, Quantity, QuantityKind, parse_quantity
from impossible_moments.mechanics.world import WorldEngine

TOLERATED_EXCESS: Final = 1.15
"""The factor by which a stated person may exceed the usual range, to allow for athletes."""
FASTEST_SWING: Final = 30.0
"""m/s, the head of a golf club."""
HEAVY_MASS: Final = 2.0
FASTEST_HEAVY_SWING: Final = 15.0
"""m/s for things of two kilograms or more, such as a sledgehammer."""
FASTEST_RUN: Final = 12.5
STRONGEST_PUSH: Final = 3_000.0
GRAVITY: Final = 9.81
"""m/s²"""
SLIDING_FRICTION: Final = 0.4
"""A typical coefficient of friction."""
MOVING_VERBS: Final = ("shove", "push", "carry", "drag", "lift", "slide", "haul", "set_under", "put_under")
SWING_PROPERTIES: Final = frozenset({"blow", "strike", "hit", "impact", "energy"})


def find_superhuman_figures(facts: SeedFacts) -> Iterator[str]:
    """Yield the stated abilities of the person that exceed what people can do."""
    world = facts.world
    if world is None:
        return
    usual = _collect_person_ranges(facts)
    for name in sorted(world.own_paths):
        owner, _, property_name = name.partition(".")
        value = facts.get_number(name)
        if owner != YOU or value is None or property_name not in usual:
            continue
        low, high = usual[property_name].low, usual[property_name].high
        if (
            low is not None
            and high is not None
            and not low / TOLERATED_EXCESS <= value <= high * TOLERATED_EXCESS
        ):
            yield f"`{name}` is {value:.3g}, and people reach from {low:.3g} to {high:.3g} (SI)"


def _collect_person_ranges(facts: SeedFacts) -> dict[str, Quantity]:
    """Return the standard person's quantities with their ranges, from the library."""
    return dict(_iterate_standard_person_quantities(facts.library))


def _iterate_standard_person_quantities(library: Library) -> Iterator[tuple[str, Quantity]]:
    for line in library.rows[YOU].props:
        quantity = parse_quantity(line)
        if quantity.is_number:
            yield quantity.name, quantity


def find_impossible_speeds(facts: SeedFacts) -> Iterator[str]:
    """Yield speeds, blows and forces that no person can produce."""
    for name, _, speed in facts.iterate_own_numbers(SPEED):
        moved_by_hand = name.startswith(f"{YOU}.") or any(
            word in name for word in ("run", "walk", "shove", "push", "crawl", "climb", "carry")
        )
        if moved_by_hand and speed > FASTEST_RUN:
            yield f"`{name}` is {speed:.3g} m/s, but no person moves faster than {FASTEST_RUN:g} m/s"
    for name, _, energy in facts.iterate_own_numbers(ENERGY):
        owner, _, property_name = name.rpartition(".")
        mass = facts.get_number(f"{owner}.mass") if owner else None
        if property_name not in SWING_PROPERTIES or mass is None or mass <= 0 or owner == YOU or energy <= 0:
            continue
        speed = math.sqrt(2 * energy / mass)
        fastest = FASTEST_HEAVY_SWING if mass >= HEAVY_MASS else FASTEST_SWING
        if speed > fastest:
            yield f"a blow of {energy:.3g} J with {mass:.3g} kg needs sqrt(2*{energy:.3g}/{mass:.3g}) = {speed:.3g} m/s, and an arm gives {fastest:g} m/s"
    for name, _, force in facts.iterate_own_numbers(FORCE):
        if name.startswith(f"{YOU}.") and force > STRONGEST_PUSH:
            yield f"`{name}` is {force:.4g} N, and people push with less than {STRONGEST_PUSH:g} N"


def find_immovable_things(facts: SeedFacts) -> Iterator[str]:
    """Yield things that the sketch moves by hand although no person could."""
    for thing in facts.own_things:
        mass = facts.get_number(f"{thing.name}.mass")
        if mass is None or thing.kind != "object" or SLIDING_FRICTION * mass * GRAVITY <= STRONGEST_PUSH:
            continue
        calls = [step.call for step in facts.seed.solution_sketch.steps]
        if any(call.startswith(MOVING_VERBS) and thing.name in call for call in calls):
            yield f"{thing.label} of {mass:.4g} kg slides under {SLIDING_FRICTION * mass * GRAVITY:.4g} N, and people push with less than {STRONGEST_PUSH:g} N"


def evaluate_claim(
    claim: PhysicalClaim, facts: SeedFacts, changes: dict[str, float] | None = None
) -> bool | None:
    """Return whether the expression of a claim is true, or None if it has no value.

    `changes` replaces stated values by quantity name.
    """
    engine = facts.engine
    if engine is None or not claim.expression.strip():
        return None
    try:
        tree = parse_expression(claim.expression, facts.library.templates)
        value = engine.evaluate_expression(tree, engine.build_start_values(changes or {}))
    except (ExpressionError, ExpressionTypeError, ZeroDivisionError, ValueError, OverflowError, KeyError):
        return None
    return bool(value)


def compute_quantities_of_weakest_person(engine: WorldEngine) -> dict[str, float]:
    """Return the assumed quantities of the weakest person that the text admits.

    Most quantities are set to the low end of their range. The person's own mass and width hinder, so they are
    set to the high end.
    """
    found: dict[str, float] = {}
    for name, quantity in engine.world.quantities.items():
        owner, _, property_name = name.partition(".")
        if (
            owner == YOU
            and quantity.kind is QuantityKind.ASSUMED
            and quantity.low is not None
            and quantity.high is not None
        ):
            found[name] = (
                quantity.high
                if property_name in {"mass", "width", "squeeze", "handle", "scramble"}
                else quantity.low
            )
    return found
