"""The threat: what the record computes about it, and whether stated amounts and rates give the stated deadline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.quantity_wording import (
    describe_expression,
    describe_sources,
    format_number,
    format_quantity,
    list_sources,
)
from impossible_moments.domain.threat_text import separate_rules
from impossible_moments.mechanics.execution import MoveError, PlanExecutor
from impossible_moments.mechanics.language import TIME, UNDEFINED, Dimension, Unit, parse_unit
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import PlanError
from impossible_moments.mechanics.world import NeverRuleSource, World, WorldEngine

AGREEMENT: Final = 0.15
"""The largest relative difference at which an amount divided by a rate counts as the stated deadline."""
LONGEST_WORD_IGNORED: Final = 3
MOST_PAIRS: Final = 2
_SECOND: Final = parse_unit("s")
_FIGURE: Final = re.compile(r"\d+(?:\.\d+)?")
_WORD: Final = re.compile(r"[a-z]{3,}")
_COMMON: Final = frozenset(
    {"the", "and", "are", "for", "from", "has", "have", "its", "not", "that", "then", "there", "this", "was", "were",
     "will", "with", "within", "you", "your", "after", "before", "into", "must", "until", "when", "which", "who"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThreatAnalysis:
    """What was computed about the threat, and what the record lacks."""

    statements: tuple[str, ...]
    missing: str = ""
    """Why the threat is not modelled, or an empty text."""


def analyse_threat(facts: SeedFacts) -> ThreatAnalysis:
    """Compute the deadline, the states that change by themselves and the dangers that they bring about."""
    engine, executor = facts.engine, facts.executor
    if engine is None or executor is None:
        return ThreatAnalysis((), "the record cannot be read")
    statements = (
        *_describe_deadline(engine),
        *_describe_rates(executor),
        *_describe_limits(engine.world),
    )
    return ThreatAnalysis(statements, _find_missing_model(facts, engine.world))


def _describe_deadline(engine: WorldEngine) -> Iterator[str]:
    world = engine.world
    seconds = _compute_deadline(engine)
    if world.deadline is None or seconds is None:
        return
    unit = _find_deadline_unit(world)
    words = format_number(seconds, unit)
    bases = sorted(world.collect_stated_quantities(world.deadline))
    if len(bases) > 1:
        numbers = ", ".join(
            f"{name} = {format_quantity(world, name, value)}"
            for name in bases
            if isinstance(value := world.quantities[name].value, float)
        )
        yield f"The deadline follows from stated quantities: {describe_expression(world, world.deadline)} = {words} with {numbers}."
        return
    pairs = list(_find_agreeing_pairs(world, seconds))
    sources = describe_sources(list_sources(world, world.deadline))
    yield f"The deadline is {words} ({sources or 'a number of the record'})."
    yield from pairs[:MOST_PAIRS]
    if not pairs:
        yield "Whether a rate gives this deadline cannot be computed: the record states no amount and rate whose quotient is a time near it."


def _compute_deadline(engine: WorldEngine) -> float | None:
    if engine.world.deadline is None:
        return None
    try:
        return float(engine.evaluate_expression(engine.world.deadline))
    except UNDEFINED:
        return None


def _find_deadline_unit(world: World) -> Unit:
    names = sorted(world.collect_stated_quantities(world.deadline)) if world.deadline is not None else []
    units = (world.quantities[name].display_unit for name in names)
    return next((unit for unit in units if unit is not None and unit.dimension == TIME), _SECOND)


def _find_agreeing_pairs(world: World, deadline: float) -> Iterator[str]:
    """Yield the amounts and rates whose quotient is near the deadline, except those that time an action."""
    planned = frozenset[str]().union(
        *(world.collect_stated_quantities(action.takes) for action in world.actions.values() if action.own)
    )
    numbers = [each for each in _iterate_numbers(world) if each[0] not in planned]
    for (amount, first, high), (rate, second, pace) in product(numbers, repeat=2):
        if first != second * TIME or pace <= 0 or high <= 0 or second == Dimension() or first == TIME:
            continue
        seconds = high / pace
        difference = abs(seconds - deadline) / deadline
        if difference <= AGREEMENT:
            yield (
                f"{amount} / {rate} = {format_quantity(world, amount, high)} / {format_quantity(world, rate, pace)} = {format_duration(seconds)}, "
                f"{difference:.0%} from the deadline of {format_duration(deadline)}."
            )


def _iterate_numbers(world: World) -> Iterator[tuple[str, Dimension, float]]:
    for name, quantity in world.quantities.items():
        own = name in world.own_paths or "." not in name
        if own and isinstance(quantity.tree, ex.Number):
            yield name, quantity.tree.dimension, quantity.tree.value


def _describe_rates(executor: PlanExecutor) -> Iterator[str]:
    """Yield what happens to each changing state if nothing is done until the deadline."""
    world = executor.engine.world
    if not world.rates:
        return
    deadline = _compute_deadline(executor.engine)
    horizon = deadline if deadline is not None else 3600.0
    try:
        outcome = executor.run_plan(executor.parse_plan([f"wait({horizon:.9g}[s])"]))
    except (PlanError, MoveError, *UNDEFINED):
        return
    for name in sorted(world.rates):
        if name in executor.engine.places and outcome.values:
            start = executor.engine.build_start_values()[executor.engine.places[name]]
            value = outcome.values[executor.engine.places[name]]
            if isinstance(value, float) and isinstance(start, float):
                yield (
                    f"{name.replace('_', ' ')} changes by {ex.format_expression(world.rates[name])}: left alone it goes from "
                    f"{format_quantity(world, name, start)} to {format_quantity(world, name, value)} in {format_duration(outcome.time)}."
                )
    if outcome.end.startswith("never "):
        yield (
            f"Left alone, the danger `{outcome.end.removeprefix('never ')}` comes after {format_duration(outcome.time)}"
            + (f", and the deadline is {format_duration(deadline)}." if deadline is not None else ".")
        )


def _describe_limits(world: World) -> Iterator[str]:
    for never in world.never_rules:
        if never.by is not NeverRuleSource.LIBRARY:
            yield f"The danger `{never.name}` is modelled as {describe_expression(world, never.tree)}."


def _find_missing_model(facts: SeedFacts, world: World) -> str:
    """Return why nothing of the record stands for the threat of the text, or an empty text."""
    statement, _ = separate_rules(facts.seed.scenario.threat)
    threat = statement.lower()
    words = [word for word in dict.fromkeys(_WORD.findall(threat)) if word not in _COMMON]
    if not words or world.deadline is not None or _states_used_figure(threat, world):
        return ""
    dangers = [never for never in world.never_rules if never.by is not NeverRuleSource.LIBRARY]
    trees = [*world.rates.values(), *(never.tree for never in dangers)]
    read = sorted(frozenset[str]().union(*(world.collect_stated_quantities(tree) for tree in trees)))
    owners = [world.things[owner].label for name in read if (owner := name.partition(".")[0]) in world.things]
    modelling = [*world.rates, *(f"{never.name} {never.evidence}" for never in dangers), *owners]
    modelling += read
    known = " ".join(modelling).lower().replace("_", " ")
    if any(
        re.search(rf"\b{re.escape(word[:5])}", known) for word in words if len(word) > LONGEST_WORD_IGNORED
    ):
        return ""
    return f"no deadline, rate, danger or quantity of the record stands for the threat: none names {', '.join(words[:6])}"


def _states_used_figure(threat: str, world: World) -> bool:
    """Return whether the threat gives a figure that an action, a rate or a danger of the record reads."""
    trees = [*world.rates.values(), *(never.tree for never in world.never_rules)]
    for action in world.actions.values():
        trees += [action.takes, *(condition.tree for condition in action.when)] if action.own else []
    read = frozenset[str]().union(*(world.collect_stated_quantities(tree) for tree in trees))
    figures = set(_FIGURE.findall(threat))
    return any(
        isinstance(value := world.quantities[name].value, float)
        and f"{unit.from_si(value) if (unit := world.quantities[name].display_unit) is not None else value:.6g}"
        in figures
        for name in read
    )
