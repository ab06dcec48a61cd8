"""Human limits: stated abilities, speeds, blows and forces against what people can do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.newton.physical_fault import Gravity, PhysicalFault
from impossible_moments.agents.builtin.newton.seed_facts import YOU, SeedFacts
from impossible_moments.agents.builtin.newton.step_forces import GRAVITY, find_friction, find_moved_things
from impossible_moments.agents.builtin.quantity_wording import format_quantity
from impossible_moments.mechanics.language import ENERGY, FORCE, SPEED
from impossible_moments.mechanics.records import Library, Quantity, QuantityKind, parse_quantity
from impossible_moments.mechanics.world import WorldEngine

TOLERATED_EXCESS: Final = 1.15
"""The factor by which a stated person may exceed the usual range, to allow for athletes."""
VETOED_EXCESS: Final = 1.5
"""The factor from which on no training explains a figure."""
FASTEST_SWING: Final = 30.0
"""m/s, the head of a golf club."""
HEAVY_MASS: Final = 2.0
FASTEST_HEAVY_SWING: Final = 15.0
"""m/s for things of two kilograms or more, such as a sledgehammer."""
FASTEST_RUN: Final = 12.5
STRONGEST_PUSH: Final = 3_000.0
SWING_PROPERTIES: Final = frozenset({"blow", "strike", "hit", "impact", "energy"})
PASSING_VERBS: Final = ("climb", "go_through", "crawl", "squeeze", "pass")
MOVING_WORDS: Final = ("run", "walk", "shove", "push", "crawl", "climb", "carry")
HINDERING: Final = frozenset({"mass", "width", "squeeze", "handle", "scramble"})
"""Properties of a person of which more hinders."""


def find_human_faults(facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield the stated figures of the person, speeds, blows and pushes that people do not reach."""
    yield from _find_superhuman_abilities(facts)
    yield from _find_impossible_speeds(facts)
    yield from _find_impossible_blows(facts)
    yield from _find_impossible_forces(facts)
    yield from _find_immovable_things(facts)
    yield from _find_tight_passages(facts)


def _find_superhuman_abilities(facts: SeedFacts) -> Iterator[PhysicalFault]:
    world = facts.world
    usual = dict(_iterate_standard_person_quantities(facts.library)) if world is not None else {}
    for name in sorted(world.own_paths) if world is not None else ():
        owner, _, property_name = name.partition(".")
        value, range_ = facts.get_number(name), usual.get(property_name)
        if owner != YOU or value is None or range_ is None or range_.low is None or range_.high is None:
            continue
        excess = max(value / range_.high, range_.low / value if value > 0 else math.inf)
        if excess > TOLERATED_EXCESS and world is not None:
            low, high = (format_quantity(world, name, end) for end in (range_.low, range_.high))
            yield PhysicalFault(
                name,
                f"The person's {property_name.replace('_', ' ')} is as stated.",
                f"`{name}` is {format_quantity(world, name, value)} {f'> {high}' if value > range_.high else f'< {low}'}; "
                f"people have {low} to {high} ({range_.source or 'library'}): beyond by a factor of {excess:.2g}",
                "a figure of a human body is at least the lowest and at most the highest that was measured",
                f"State {name} between {low} and {high}.",
                Gravity.IMPOSSIBLE
                if excess > VETOED_EXCESS and _decides_claim(facts, name)
                else Gravity.DOUBTFUL,
            )


def _decides_claim(facts: SeedFacts, name: str) -> bool:
    return any(name in claim.expression for claim in facts.seed.solution_sketch.claims)


def _iterate_standard_person_quantities(library: Library) -> Iterator[tuple[str, Quantity]]:
    for line in library.rows[YOU].props:
        quantity = parse_quantity(line)
        if quantity.is_number:
            yield quantity.name, quantity


def _find_impossible_speeds(facts: SeedFacts) -> Iterator[PhysicalFault]:
    for name, _, speed in facts.iterate_own_numbers(SPEED):
        moved_by_hand = name.startswith(f"{YOU}.") or any(word in name for word in MOVING_WORDS)
        if moved_by_hand and speed > FASTEST_RUN:
            yield PhysicalFault(
                name,
                f"`{name}` is a speed that a person reaches.",
                f"`{name}` is {speed:.3g} m/s > {FASTEST_RUN:g} m/s, the fastest run",
                "the speed of a person is at most that of the fastest runner",
                f"State {name} of at most {FASTEST_RUN:g} m/s; {FASTEST_RUN / 10:.3g} m/s suits things that are moved.",
                Gravity.IMPOSSIBLE if speed > VETOED_EXCESS * FASTEST_RUN else Gravity.DOUBTFUL,
            )


def _find_impossible_blows(facts: SeedFacts) -> Iterator[PhysicalFault]:
    for name, _, energy in facts.iterate_own_numbers(ENERGY):
        owner, _, property_name = name.rpartition(".")
        mass = facts.get_number(f"{owner}.mass") if owner else None
        if property_name not in SWING_PROPERTIES or mass is None or mass <= 0 or owner == YOU or energy <= 0:
            continue
        speed = math.sqrt(2 * energy / mass)
        fastest = FASTEST_HEAVY_SWING if mass >= HEAVY_MASS else FASTEST_SWING
        if speed > fastest:
            used = facts.is_used_in_sketch(owner) and speed > VETOED_EXCESS * fastest
            yield PhysicalFault(
                name,
                f"A blow of {energy:.3g} J is struck by hand.",
                f"`{name}`: a blow of {energy:.3g} J with {mass:.3g} kg needs sqrt(2*{energy:.3g}/{mass:.3g}) = {speed:.3g} m/s > {fastest:g} m/s, the most that an arm gives",
                "kinetic energy = m·v²/2",
                f"State {name} of at most {mass * fastest**2 / 2:.3g} J.",
                Gravity.IMPOSSIBLE if used else Gravity.DOUBTFUL,
            )


def _find_impossible_forces(facts: SeedFacts) -> Iterator[PhysicalFault]:
    for name, _, force in facts.iterate_own_numbers(FORCE):
        if name.startswith(f"{YOU}.") and force > STRONGEST_PUSH:
            yield PhysicalFault(
                name,
                f"`{name}` is a force that a person exerts.",
                f"`{name}` is {force:.4g} N > {STRONGEST_PUSH:g} N, the strongest push",
                "the force of a person is at most that of the strongest push",
                f"State {name} of at most {STRONGEST_PUSH:g} N.",
                Gravity.IMPOSSIBLE if force > VETOED_EXCESS * STRONGEST_PUSH else Gravity.DOUBTFUL,
            )


def _find_immovable_things(facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield things that the sketch moves by hand although even the least friction holds them."""
    seen: set[str] = set()
    for run in facts.sketch_runs:
        for moment, thing in find_moved_things(facts, run):
            mass = facts.get_number(f"{thing.name}.mass")
            if mass is None or thing.name in seen:
                continue
            friction = find_friction(facts, thing)
            force = friction.value * mass * GRAVITY
            if force > STRONGEST_PUSH:
                seen.add(thing.name)
                yield PhysicalFault(
                    f"{thing.name}.mass",
                    f"{moment.move.text} can be done by hand.",
                    f"{thing.label} of {mass:.4g} kg slides under {friction.value:.2g}*{mass:.4g}*9.81 = {force:.4g} N > {STRONGEST_PUSH:g} N, a strong push ({friction.source})",
                    "friction is the coefficient times the weight",
                    f"State a mass of at most {STRONGEST_PUSH / GRAVITY / friction.value:.3g} kg, or put wheels under it.",
                    Gravity.IMPOSSIBLE
                    if friction.low * mass * GRAVITY > STRONGEST_PUSH
                    else Gravity.DOUBTFUL,
                )


def _find_tight_passages(facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield openings that the sketch passes but that are too narrow for a body."""
    width = facts.get_number(f"{YOU}.squeeze")
    for thing in facts.own_things:
        clear = facts.get_number(f"{thing.name}.clear")
        passed = any(
            step.call.startswith(PASSING_VERBS) and thing.name in step.call
            for step in facts.seed.solution_sketch.steps
        )
        if passed and clear is not None and width is not None and clear < width:
            yield PhysicalFault(
                f"{thing.name}.clear",
                f"A person passes {thing.label}.",
                f"{thing.label} is {clear:.3g} m clear < {width:.3g} m, the narrowest opening that a body works through (library)",
                "a rigid body passes only an opening larger than itself",
                f"State a clear width of at least {width * 1.15:.3g} m.",
                Gravity.DOUBTFUL,
            )


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
            found[name] = quantity.high if property_name in HINDERING else quantity.low
    return found
