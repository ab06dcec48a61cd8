"""Values of a world that a placeholder can print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from impossible_moments.mechanics.language.dimensions import TIME, Dimension
from impossible_moments.mechanics.language.expression_types import ExpressionTypeError
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED
from impossible_moments.mechanics.prose.requirements import PrintableValue, ProseRequirements
from impossible_moments.mechanics.records.puzzle_forms import CodePuzzle
from impossible_moments.mechanics.world.engine import WorldEngine


def collect_printable_values(engine: WorldEngine) -> Iterator[tuple[str, PrintableValue]]:
    """Yield each value that a placeholder can print, with its path."""
    world = engine.world
    start = engine.build_start_values()
    for name in world.quantities:
        try:
            measured = engine.get_quantity_type(name)
            value = engine.get_quantity_value(name, start)
        except (ExpressionTypeError, *UNDEFINED):
            continue
        dimension = measured if isinstance(measured, Dimension) else None
        display_unit = world.quantities[name].display_unit
        on_a_scale = display_unit is not None and bool(display_unit.offset)
        yield name, PrintableValue(value, dimension, on_a_scale)
        for end, bound in (("low", world.quantities[name].low), ("high", world.quantities[name].high)):
            if bound is not None and "." not in name:
                yield f"{name}.{end}", PrintableValue(bound, dimension, on_a_scale)
    if world.deadline is not None:
        with suppress(*UNDEFINED):
            yield "deadline", PrintableValue(engine.evaluate_expression(world.deadline, start), TIME)
    for puzzle in world.record.puzzles:
        if isinstance(puzzle, CodePuzzle):
            yield f"{puzzle.name}.length", PrintableValue(float(puzzle.length), Dimension())


def build_rendering_requirements(
    engine: WorldEngine, catalogue: Mapping[str, str] | None = None
) -> ProseRequirements:
    """Return what is needed to render texts of a world. Nothing is required of the texts."""
    return ProseRequirements(
        printable=dict(collect_printable_values(engine)),
        labels={name: thing.label for name, thing in engine.world.things.items()},
        must_name={}, must_print={}, needed={}, quoted=frozenset(), quotes=(),
        catalogue=catalogue or {}, determines={},
    )  # fmt: skip
