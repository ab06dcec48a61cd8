"""Requirements on the prose of a record, computed from the record and from what its solutions read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_parser import ExpressionError, parse_expression
from impossible_moments.mechanics.proofs import cover
from impossible_moments.mechanics.prose import ProseRequirements, collect_printable_values
from impossible_moments.mechanics.records.lines import LineError, parse_line
from impossible_moments.mechanics.records.puzzle_forms import CluesPuzzle, CodePuzzle, DiagnosisPuzzle
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.records.status_forms import Paradox
from impossible_moments.mechanics.world.world_model import CONSTANTS, NeverRuleSource, World


def collect_prose_requirements(analysis: WorldAnalysis, verdict: StatusVerdict) -> ProseRequirements:
    """Return what the prose of a record must name, print and quote."""
    world = analysis.world
    needed = dict(_iterate_required_quantities(analysis, verdict))
    determines: dict[str, frozenset[str]] = {}
    if world.deadline is not None:
        needed["deadline"] = "the time you have"
        determines["deadline"] = frozenset(
            name
            for name in world.collect_stated_quantities(world.deadline)
            if _needs_statement_in_prose(world, name)
        )
    return ProseRequirements(
        printable=dict(collect_printable_values(analysis.engine)),
        labels={name: thing.label for name, thing in world.things.items()},
        must_name={name: f"/things/{name}" for name, thing in world.things.items() if thing.own and name not in world.library.form.always},
        must_print={name: "/quantities" for name, quantity in world.quantities.items() if _needs_quantity_printed(quantity)},
        needed=needed,
        quoted=frozenset(name for name, quantity in world.quantities.items() if _is_stated_by_quote(quantity)),
        quotes=tuple(_iterate_required_quotes(world)),
        catalogue=world.library.catalogue,
        determines=determines,
        paths_stated_by_number=frozenset(name for name, quantity in world.quantities.items() if quantity.source and _is_given_figure(quantity)),
        disputed={name: "/quantities" for name, quantity in world.quantities.items() if quantity.kind is QuantityKind.DISPUTED},
        never_reads=dict(_iterate_danger_thresholds(world)),
    )  # fmt: skip


def _needs_statement_in_prose(world: World, name: str) -> bool:
    """Return whether the prose must state a quantity: it is given, and not the initial value of a state."""
    quantity = world.quantities[name]
    return quantity.kind is QuantityKind.GIVEN and name not in world.mutable


def _is_stated_by_quote(quantity: Quantity) -> bool:
    """Return whether the quote of a quantity states its value.

    A word must occur in the quote. A fact or a count may be paraphrased.
    """
    if quantity.kind is not QuantityKind.GIVEN or not quantity.source:
        return False
    value = quantity.value
    return not isinstance(value, str) or value.replace("_", " ").lower() in quantity.source.lower()


def _is_given_figure(quantity: Quantity) -> bool:
    """Return whether a quantity is a given figure, which a quote without the number does not state."""
    tree = quantity.tree
    return (
        quantity.kind is QuantityKind.GIVEN
        and isinstance(tree, ex.Number)
        and _is_measured_or_fractional_number(tree)
    )


def _is_measured_or_fractional_number(number: ex.Number) -> bool:
    return number.value != 0 and (not number.dimension.is_plain or number.value % 1 != 0)


def _iterate_danger_thresholds(world: World) -> Iterator[tuple[str, tuple[str, frozenset[str]]]]:
    """Yield each danger that the prose imposes, with its quote and the figures that its condition reads."""
    for never in world.never_rules:
        if never.by is NeverRuleSource.QUOTE:
            figures = frozenset(
                name
                for name in world.collect_stated_quantities(never.tree)
                if _is_given_figure(world.quantities[name])
            )
            yield f"/never/{never.name}", (never.evidence, figures)


def _needs_quantity_printed(quantity: Quantity) -> bool:
    return (
        "." not in quantity.name
        and quantity.kind is QuantityKind.GIVEN
        and quantity.is_number
        and not quantity.source
        and quantity.name not in CONSTANTS
    )


def _iterate_required_quantities(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[tuple[str, str]]:
    """Yield the quantities that the prose must state because solutions read them, with the reason."""
    world = analysis.world
    yield from _iterate_item_properties_used_by_codes(analysis)
    for name, plan in analysis.plans.items():
        if not analysis.outcomes[name].reaches_goal:
            continue
        for move in plan:
            for path in sorted(_collect_quantities_read_by_move(world, move)):
                if _needs_statement_in_prose(world, path):
                    yield path, f"read by `{move.verb}` in the way `{name}`"
    for path in sorted(world.own_paths):
        if path.split(".")[0] in world.library.form.always and _needs_statement_in_prose(world, path):
            yield path, "which differs from the standard agent or world"
    for name, outcome in analysis.outcomes.items():
        yield from _iterate_quantities_that_stop_approaches(analysis, name, outcome)
    status = world.record.status
    if isinstance(status, Paradox) and verdict.impossibility is not None:
        for plan in analysis.plans.values():
            for move in plan:
                for test in move.tests:
                    if test.name in status.conflict:
                        for path in sorted(world.collect_stated_quantities(test.tree)):
                            if _needs_statement_in_prose(world, path):
                                yield path, f"read by `{test.name}`, which the conflict names"


def _iterate_item_properties_used_by_codes(analysis: WorldAnalysis) -> Iterator[tuple[str, str]]:
    """Yield the properties of items that the intended reading of a code uses, with the reason."""
    world = analysis.world
    for puzzle in world.record.puzzles:
        if not isinstance(puzzle, CodePuzzle):
            continue
        intended_rules = dict(zip(("keep", "order", "read"), puzzle.answer.split("/"), strict=False))
        for part, lines in (("keep", puzzle.keep), ("order", puzzle.order), ("read", puzzle.read)):
            for line in lines:
                head, _, body = line.partition("=")
                if head.partition("(")[0].strip() == intended_rules.get(part):
                    yield from _iterate_item_properties_read(analysis, puzzle, head, body)


def _iterate_item_properties_read(
    analysis: WorldAnalysis, puzzle: CodePuzzle, head: str, body: str
) -> Iterator[tuple[str, str]]:
    variable = head.partition("(")[2].rstrip(") ").strip()
    with suppress(ExpressionError):
        tree = parse_expression(body.strip())
        for item in puzzle.items:
            for node in ex.walk_nodes(tree):
                path = (
                    f"{item}.{node.name}" if isinstance(node, ex.Property) and node.thing == variable else ""
                )
                if path in analysis.world.own_paths and _needs_statement_in_prose(analysis.world, path):
                    yield path, f"read by the intended reading of `{puzzle.name}`"


def _iterate_quantities_that_stop_approaches(
    analysis: WorldAnalysis, name: str, outcome: PlanOutcome
) -> Iterator[tuple[str, str]]:
    """Yield what the condition that stops an approach reads, so that a solver can know why it fails."""
    if not outcome.end.startswith("blocked "):
        return
    for move in analysis.plans[name]:
        for test in move.tests:
            if test.name == outcome.end.removeprefix("blocked "):
                for path in sorted(analysis.world.collect_stated_quantities(test.tree)):
                    if path in analysis.world.own_paths and _needs_statement_in_prose(analysis.world, path):
                        yield path, f"read by `{test.name}`, which stops `{name}`"


def _collect_quantities_read_by_move(world: World, move: Move) -> frozenset[str]:
    trees = [*(test.tree for test in move.tests), move.takes_tree, *(change.tree for change in move.changes)]
    return frozenset().union(*(world.collect_stated_quantities(tree) for tree in trees))


def _iterate_required_quotes(world: World) -> Iterator[tuple[str, str]]:
    for never in world.never_rules:
        if never.by is not NeverRuleSource.LIBRARY:
            yield f"/never/{never.name}", never.evidence
    for name, quantity in world.quantities.items():
        if quantity.kind is QuantityKind.GIVEN and quantity.source:
            yield (f"/things/{name.split('.')[0]}/props" if "." in name else "/quantities"), quantity.source
    for puzzle in world.record.puzzles:
        match puzzle:
            case CodePuzzle() | CluesPuzzle():
                yield from _iterate_line_quotes(puzzle.clues, f"/puzzles/{puzzle.name}/clues")
            case DiagnosisPuzzle():
                yield from _iterate_line_quotes(puzzle.observations, f"/puzzles/{puzzle.name}/observations")
            case _:
                yield from ((f"/puzzles/{puzzle.name}/told", quote) for quote in puzzle.told)
    if world.record.misdirection is not None:
        yield "/misdirection/clue", world.record.misdirection.clue
    yield from cover.iterate_cover_quotes(world)


def _iterate_line_quotes(lines: list[str], path: str) -> Iterator[tuple[str, str]]:
    for line in lines:
        try:
            parts = parse_line(line, example="name = condition @ exact quote")
        except LineError:
            continue
        if parts.evidence:
            yield f"{path}/{parts.head}", parts.evidence
