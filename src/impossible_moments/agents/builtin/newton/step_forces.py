"""Force and motion: the conditions of every step of the sketch with numbers, and the forces that move things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.seed_facts import YOU, SeedFacts
from impossible_moments.agents.builtin.newton.sketch_runs import SketchMoment, SketchRun
from impossible_moments.agents.builtin.quantity_wording import Compared, collect_comparisons, compare_at
from impossible_moments.library import SourcedFigure, load_everyday_objects, load_materials
from impossible_moments.mechanics.world import WorldEngine, WorldThing

GRAVITY: Final = 9.81
"""m/s²"""
MOVING_VERBS: Final = ("shove", "push", "carry", "drag", "lift", "slide", "haul", "set_under", "put_under")
FLOORS: Final = ("concrete", "wood", "steel", "ice", "glass", "rubber")
"""The partner materials for which the library lists coefficients of friction."""
UNKNOWN_FRICTION: Final = (0.2, 0.8)
"""The range of dry friction between everyday solids, used where the library has no pair of materials."""
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class FailingStep:
    """A step of the sketch with a condition that fails at the stated numbers."""

    call: str
    condition: str
    compared: Compared


@dataclass(frozen=True, slots=True)
class Friction:
    """A coefficient of friction with its range and source."""

    value: float
    low: float
    high: float
    source: str


def describe_step_conditions(facts: SeedFacts) -> Iterator[str]:
    """Yield a line for each step of the sketch: its conditions with numbers, and the force that moves a thing."""
    engine = facts.engine
    if engine is None:
        return
    for run in facts.sketch_runs:
        if run.problem:
            yield f"The plan {' then '.join(run.plan.calls)} cannot be executed: {run.problem}."
        for moment in run.moments:
            parts = [each.describe() for _, each in _compare_step_conditions(engine, moment)]
            parts += _describe_moving_force(facts, moment)
            parts.append(_describe_duration(moment))
            yield f"{moment.move.text}: {'; '.join(filter(None, parts))}."


def _describe_duration(moment: SketchMoment) -> str:
    if moment.after is None:
        return "it cannot be carried out here"
    return f"takes {moment.seconds:.4g} s" if moment.seconds else "takes no time of its own"


def find_failing_steps(facts: SeedFacts) -> Iterator[FailingStep]:
    """Yield the steps of the sketch whose conditions fail by numbers."""
    engine = facts.engine
    if engine is None:
        return
    for run in facts.sketch_runs:
        if run.outcome is None or run.outcome.reaches_goal or not run.moments:
            continue
        moment = run.moments[-1]
        for name, compared in _compare_step_conditions(engine, moment):
            if not compared.holds and name == run.blocked_condition:
                yield FailingStep(moment.move.text, name, compared)
                break


def find_least_step_margin(facts: SeedFacts) -> tuple[float, str, str] | None:
    """Return the smallest margin of the executed steps with its call and condition, or None."""
    engine = facts.engine
    if engine is None:
        return None
    margins = [
        (compared.margin, moment.move.text, name)
        for run in facts.sketch_runs
        for moment in run.moments
        for name, compared in _compare_step_conditions(engine, moment)
        if compared.margin is not None
    ]
    return min(margins, default=None)


def _compare_step_conditions(engine: WorldEngine, moment: SketchMoment) -> Iterator[tuple[str, Compared]]:
    """Yield each comparison of numbers among the conditions of a step, in the state before it.

    A condition that fails there and does not stop the step was met by going or fetching, and is left out.
    """
    for test in moment.move.tests:
        for tree in collect_comparisons(test.tree):
            compared = compare_at(engine, tree, moment.before)
            if compared is not None and (compared.holds or moment.after is None):
                yield test.name, compared


def find_moved_things(facts: SeedFacts, run: SketchRun) -> Iterator[tuple[SketchMoment, WorldThing]]:
    """Yield the steps that move a thing by hand, with the thing."""
    world = facts.world
    if world is None:
        return
    for moment in run.moments:
        action = world.actions.get(moment.move.verb)
        verbs = (moment.move.verb, action.of or "" if action is not None else "")
        if any(verb.startswith(MOVING_VERBS) for verb in verbs):
            for name in moment.move.arguments:
                thing = world.things.get(name)
                if thing is not None and thing.own and thing.kind == "object":
                    yield moment, thing


def _describe_moving_force(facts: SeedFacts, moment: SketchMoment) -> Iterator[str]:
    for run in facts.sketch_runs:
        for each, thing in find_moved_things(facts, run):
            mass = facts.get_number(f"{thing.name}.mass")
            if each is moment and mass is not None:
                yield describe_sliding_force(facts, thing, mass)


def describe_sliding_force(facts: SeedFacts, thing: WorldThing, mass: float) -> str:
    """Describe the force that slides a thing, from its mass and the friction of its material on the floor."""
    friction = find_friction(facts, thing)
    weight = mass * GRAVITY
    text = (
        f"{thing.label} weighs {mass:.4g} kg · 9.81 m/s² = {weight:.4g} N, and with a friction coefficient of "
        f"{friction.value:.2g} ({friction.low:.2g} to {friction.high:.2g}; {friction.source}) slides under "
        f"{friction.value * weight:.4g} N ({friction.low * weight:.3g} to {friction.high * weight:.4g} N)"
    )
    push = facts.get_number(f"{YOU}.push")
    return text if push is None else f"{text}, against a push of {push:.4g} N"


def find_friction(facts: SeedFacts, thing: WorldThing) -> Friction:
    """Return the coefficient of friction of a thing: stated, from the pair of materials, or the usual range."""
    for name in ("mu", "friction", "grip"):
        stated = facts.get_number(f"{thing.name}.{name}")
        if stated is not None:
            return Friction(stated, stated, stated, "stated in the scenario")
    floors = find_floor_materials(facts)
    pairs = [
        (material, floor, figure)
        for material in find_materials(facts, thing)
        for floor in floors or FLOORS[:3]
        if (figure := _find_friction_figure(material, floor)) is not None
    ]
    if not pairs:
        low, high = UNKNOWN_FRICTION
        return Friction(
            (low + high) / 2, low, high, "assumed: no pair of materials is stated that the library lists"
        )
    low = min(figure.range[0] for _, _, figure in pairs)
    high = max(figure.range[1] for _, _, figure in pairs)
    material, floor, figure = pairs[0]
    source = f"library, {material} on {floor}, {figure.source}"
    if not floors:
        source = f"library, {material} on {', '.join(dict.fromkeys(pair[1] for pair in pairs))}, as no floor is stated"
    return Friction(sum(each.number for _, _, each in pairs) / len(pairs), low, high, source)


def find_materials(facts: SeedFacts, thing: WorldThing) -> tuple[str, ...]:
    """Return the library's names of the materials that a thing is made of, by the object table or its row."""
    row = facts.find_object_row(thing)
    words = set(_WORD.findall((row.material if row is not None else "").lower()))
    named = [name for name in load_materials() if set(name.split("_")) <= words]
    like = load_everyday_objects().get(facts.find_library_row_declared_alike(thing.name) or "")
    return tuple(named) if named else tuple(like.materials) if like is not None else ()


def find_floor_materials(facts: SeedFacts) -> tuple[str, ...]:
    """Return the materials that the text states for the floor or ground."""
    stated = {"wooden": "wood", "timber": "wood", "icy": "ice"}
    found = re.findall(r"\b([a-z]+) (?:floor|ground|deck|slab|pavement|boards)\b", facts.public_text)
    materials = (stated.get(word, word) for word in found)
    return tuple(dict.fromkeys(word for word in materials if word in FLOORS))


def _find_friction_figure(material: str, floor: str) -> SourcedFigure | None:
    found = load_materials().get(material)
    figure = found.figures.get(f"friction_{floor}") if found is not None else None
    return figure if figure is not None and figure.is_measured else None
