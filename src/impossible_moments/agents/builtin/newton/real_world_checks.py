"""Stated figures against figures of the real world: which are out of range, and which have nothing to compare with.

A quantity is recognised by its dimension and its wording. Its wording is what the public text writes before its
value, what the record's section `wording` says that it is, the label of its thing, and its name in the record. The
words that a row asks for stand in the library's table, not here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.physical_fault import Gravity, PhysicalFault
from impossible_moments.agents.builtin.newton.seed_facts import YOU, SeedFacts
from impossible_moments.agents.builtin.quantity_wording import (
    describe_expression,
    find_names,
    format_count,
    format_number,
    format_quantity,
)
from impossible_moments.library import RealWorldFigure, collect_quantity_words, load_real_world_figures
from impossible_moments.mechanics.language import (
    COLDEST,
    TEMPERATURE,
    Dimension,
    ExpressionError,
    parse_expression,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import LineError, QuantityKind, parse_line
from impossible_moments.mechanics.world import World

MOST_NAMED: Final = 4
OUTSIDE_OF_SPAN: Final = 0.1
"""The share of its range by which a temperature may lie outside it: a factor has no meaning in degrees."""
_CHECKED_AS_MATERIAL: Final = frozenset({"mass", "length", "width", "height", "diameter", "thickness"})
"""Properties that the comparison of things with their materials checks."""
_COMPARED_KINDS: Final = frozenset({QuantityKind.GIVEN, QuantityKind.ASSUMED, QuantityKind.DISPUTED})


@dataclass(frozen=True, slots=True)
class ComparedQuantity:
    """A stated quantity with the figure that it was compared with."""

    name: str
    value: float
    figure: RealWorldFigure

    @property
    def excess(self) -> float:
        """By which factor the value lies outside the range, or 1 if it lies inside.

        For temperatures it is 1 plus the distance as a share of what is allowed, so that more than `factor` is too much.
        """
        low, high = self.figure.range_si
        if low <= self.value <= high:
            return 1.0
        if self.figure.dimension == TEMPERATURE:
            outside = max(low - self.value, self.value - high)
            return 1.0 + (self.figure.factor - 1.0) * outside / (OUTSIDE_OF_SPAN * (high - low))
        if self.value > high:
            return self.value / high if high > 0 else float("inf")
        return low / self.value if self.value > 0 else float("inf")

    @property
    def is_unrealistic(self) -> bool:
        """Whether it lies outside by more than the factor of the figure."""
        return self.excess > self.figure.factor


@dataclass(frozen=True, slots=True)
class RealWorldComparison:
    """All stated physical quantities, with and without a figure to compare with."""

    compared: tuple[ComparedQuantity, ...] = ()
    uncompared: tuple[str, ...] = ()


def compare_with_real_world(facts: SeedFacts) -> RealWorldComparison:
    """Compare every stated quantity that has a dimension with the figures that its wording calls for."""
    world = facts.world
    if world is None:
        return RealWorldComparison()
    compared: list[ComparedQuantity] = []
    uncompared: list[str] = []
    for name, dimension, value in _iterate_stated_quantities(world):
        figure = _find_figure(collect_wording(world, name), dimension)
        if figure is not None:
            compared.append(ComparedQuantity(name, value, figure))
        elif dimension != Dimension() and name.rpartition(".")[2] not in _CHECKED_AS_MATERIAL:
            uncompared.append(name)
    return RealWorldComparison(tuple(compared), tuple(uncompared))


def find_unrealistic_figures(facts: SeedFacts) -> Iterator[PhysicalFault]:
    """Yield the stated figures that lie outside what was measured by more than the factor of the figure."""
    world = facts.world
    for each in compare_with_real_world(facts).compared if world is not None else ():
        if not each.is_unrealistic or world is None:
            continue
        low, high = _describe_range(world, each)
        is_high = each.value > each.figure.range_si[1]
        by = "" if each.figure.dimension == TEMPERATURE else f", outside by a factor of {each.excess:.3g}"
        yield PhysicalFault(
            each.name,
            f"{_describe(world, each.name)} is as stated.",
            f"{format_quantity(world, each.name, each.value)} {f'> {high}' if is_high else f'< {low}'}{by}; "
            f"{each.figure.label}: {low} to {high} ({each.figure.source})",
            f"what was measured of {each.figure.label}",
            f"State {each.name} from {low} to {high}.",
            Gravity.DOUBTFUL,
        )


def describe_real_world_comparison(facts: SeedFacts) -> Iterator[str]:
    """Yield what was compared with which source, and for how much there is no figure to compare with."""
    world, found = facts.world, compare_with_real_world(facts)
    if world is None:
        return
    for each in found.compared:
        low, high = _describe_range(world, each)
        verdict = "within" if each.excess == 1.0 else "beyond" if each.is_unrealistic else "close to"
        yield (
            f"{_describe(world, each.name)} is {format_quantity(world, each.name, each.value)}, {verdict} the {low} to {high} "
            f"of {each.figure.label} ({each.figure.source})."
        )
    if found.uncompared:
        names = ", ".join(_describe(world, name) for name in found.uncompared[:MOST_NAMED])
        more = len(found.uncompared) - MOST_NAMED
        further = f" and {format_count(more, 'other')}" if more > 0 else ""
        yield f"No figure of the real world to compare with: {names}{further}."


def collect_wording(world: World, name: str) -> frozenset[str]:
    """Return the words by which a quantity is recognised, in base forms."""
    owner, _, _ = name.rpartition(".")
    label = world.things[owner].label if owner in world.things and owner != YOU else ""
    words = find_names(world).name_quantity(name)
    return collect_quantity_words(f"{words} {label} {name.replace('.', ' ').replace('_', ' ')}")


def _iterate_stated_quantities(world: World) -> Iterator[tuple[str, Dimension, float]]:
    border = _collect_frontier_quantities(world)
    for name, quantity in world.quantities.items():
        own = name not in border and (name in world.own_paths or "." not in name)
        if not own or not isinstance(quantity.tree, ex.Number) or quantity.kind not in _COMPARED_KINDS:
            continue
        value, dimension = quantity.tree.value, quantity.tree.dimension
        is_difference = dimension == TEMPERATURE and value < COLDEST
        if value and not is_difference:
            yield name, dimension, value


def _collect_frontier_quantities(world: World) -> frozenset[str]:
    """Return what the frontier of an open question compares: the border of knowledge itself, which no table has."""
    form = world.record.frontier
    found: set[str] = set()
    for line in (*form.envelope, *form.known) if form is not None else ():
        try:
            parts = parse_line(line, example="fits = a <= b")
            found |= ex.collect_paths(parse_expression(parts.body, world.library.templates))
        except (LineError, ExpressionError):
            continue
    return frozenset(found)


def _find_figure(words: frozenset[str], dimension: Dimension) -> RealWorldFigure | None:
    """Return the row with the most groups of words that a quantity has, or None."""
    fitting = [
        each for each in load_real_world_figures() if each.dimension == dimension and each.applies_to(words)
    ]
    return max(fitting, key=lambda each: len(each.word_groups), default=None)


def _describe_range(world: World, compared: ComparedQuantity) -> tuple[str, str]:
    quantity = world.quantities[compared.name]
    unit = quantity.display_unit or compared.figure.unit
    low, high = (format_number(end, unit) for end in compared.figure.range_si)
    return low, high


def _describe(world: World, name: str) -> str:
    owner, _, property_name = name.rpartition(".")
    return describe_expression(world, ex.Property(owner, property_name) if owner else ex.Name(name))
