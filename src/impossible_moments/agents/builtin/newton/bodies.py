"""People: what the stated person can do against what people can do, and the weakest person that the words admit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.newton.facts import YOU, Facts
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.mechanics.dimensions import ENERGY, FORCE, SPEED
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.parsing import ExpressionError, parse
from impossible_moments.mechanics.quantities import Kind, Quantity, read_quantity
from impossible_moments.mechanics.sorts import TypeProblem

ABOVE: Final = 1.15
"""A stated person may exceed the range of people by this factor: athletes exist."""
FASTEST_SWING: Final = 30.0
"""m/s: the head of a golf club, and about three times what a heavy thing reaches."""
HEAVY: Final = 2.0
FASTEST_HEAVY_SWING: Final = 15.0
"""m/s for things of two kilograms and more, about a sledgehammer."""
FASTEST_RUN: Final = 12.5
STRONGEST_PUSH: Final = 3_000.0
SLIDING: Final = 0.4
"""A usual coefficient of friction."""
MOVED: Final = ("shove", "push", "carry", "drag", "lift", "slide", "haul", "set_under", "put_under")
SWUNG: Final = frozenset({"blow", "strike", "hit", "impact", "energy"})


def beyond_people(facts: Facts) -> Iterator[str]:
    """What the stated person could do that people cannot."""
    world = facts.world
    if world is None:
        return
    usual = _standard(facts)
    for name in sorted(world.own_paths):
        owner, _, what = name.partition(".")
        value = facts.number(name)
        if owner != YOU or value is None or what not in usual:
            continue
        low, high = usual[what].low, usual[what].high
        if low is not None and high is not None and not low / ABOVE <= value <= high * ABOVE:
            yield f"`{name}` is {value:.3g}, and people reach from {low:.3g} to {high:.3g} (SI)"


def _standard(facts: Facts) -> dict[str, Quantity]:
    """The standard agent's figures with their ranges, as the library gives them."""
    return dict(_figures(facts.library))


def _figures(library: Library) -> Iterator[tuple[str, Quantity]]:
    for line in library.rows[YOU].props:
        quantity = read_quantity(line)
        if quantity.is_number:
            yield quantity.name, quantity


def too_fast(facts: Facts) -> Iterator[str]:
    """Speeds and blows that no arm or leg gives."""
    for name, _, speed in facts.own_numbers(SPEED):
        moved_by_hand = name.startswith(f"{YOU}.") or any(
            word in name for word in ("run", "walk", "shove", "push", "crawl", "climb", "carry")
        )
        if moved_by_hand and speed > FASTEST_RUN:
            yield f"`{name}` is {speed:.3g} m/s, and nobody moves at more than {FASTEST_RUN:g} m/s"
    for name, _, energy in facts.own_numbers(ENERGY):
        owner, _, what = name.rpartition(".")
        mass = facts.number(f"{owner}.mass") if owner else None
        if what not in SWUNG or mass is None or mass <= 0 or owner == YOU or energy <= 0:
            continue
        speed = math.sqrt(2 * energy / mass)
        most = FASTEST_HEAVY_SWING if mass >= HEAVY else FASTEST_SWING
        if speed > most:
            yield f"a blow of {energy:.3g} J with {mass:.3g} kg needs sqrt(2*{energy:.3g}/{mass:.3g}) = {speed:.3g} m/s, and an arm gives {most:g} m/s"
    for name, _, force in facts.own_numbers(FORCE):
        if name.startswith(f"{YOU}.") and force > STRONGEST_PUSH:
            yield f"`{name}` is {force:.4g} N, and people push with less than {STRONGEST_PUSH:g} N"


def too_heavy_to_move(facts: Facts) -> Iterator[str]:
    """Things that the sketch moves by hand and nobody could."""
    for thing in facts.own_things:
        mass = facts.number(f"{thing.name}.mass")
        if mass is None or thing.kind != "object" or SLIDING * mass * 9.81 <= STRONGEST_PUSH:
            continue
        calls = [step.call for step in facts.seed.solution_sketch.steps]
        if any(call.startswith(MOVED) and thing.name in call for call in calls):
            yield f"{thing.label} of {mass:.4g} kg slides under {SLIDING * mass * 9.81:.4g} N, and people push with less than {STRONGEST_PUSH:g} N"


def claim_holds(claim: PhysicalClaim, facts: Facts, changes: dict[str, float] | None = None) -> bool | None:
    """Whether a claim's expression is true, at stated values or with some of them changed; None if it has no value."""
    engine = facts.engine
    if engine is None or not claim.expression.strip():
        return None
    try:
        tree = parse(claim.expression, facts.library.templates)
        value = engine.value(tree, engine.start(changes or {}))
    except (ExpressionError, TypeProblem, ZeroDivisionError, ValueError, OverflowError, KeyError):
        return None
    return bool(value)


def weakest(engine: Engine) -> dict[str, float]:
    """The least able person that the words admit: every figure of the agent that is assumed, at its poor end.

    For most figures the poor end is the low one; one's own mass and width stand in the way, so theirs is the high one.
    """
    found: dict[str, float] = {}
    for name, quantity in engine.world.quantities.items():
        owner, _, what = name.partition(".")
        if (
            owner == YOU
            and quantity.kind is Kind.ASSUMED
            and quantity.low is not None
            and quantity.high is not None
        ):
            found[name] = (
                quantity.high if what in {"mass", "width", "squeeze", "handle", "scramble"} else quantity.low
            )
    return found
