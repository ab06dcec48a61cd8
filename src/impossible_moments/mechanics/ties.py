"""Requirements on the prose of a record, computed from the record and from what its solutions read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from impossible_moments.mechanics import cover
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.dimensions import TIME, Dimension
from impossible_moments.mechanics.lines import LineError, split_line
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.parsing import ExpressionError, parse
from impossible_moments.mechanics.prose import Printable, Tie
from impossible_moments.mechanics.puzzles.forms import CluesPuzzle, CodePuzzle, DiagnosisPuzzle
from impossible_moments.mechanics.quantities import Kind, Quantity
from impossible_moments.mechanics.scalars import UNDEFINED
from impossible_moments.mechanics.sorts import TypeProblem
from impossible_moments.mechanics.status import Verdict
from impossible_moments.mechanics.status_forms import Paradox
from impossible_moments.mechanics.world import CONSTANTS, Imposed, World


def tie_of(analysis: Analysis, verdict: Verdict) -> Tie:
    """Return what the prose of a record must name, print and quote."""
    world = analysis.world
    needed = dict(_needed(analysis, verdict))
    determines: dict[str, frozenset[str]] = {}
    if world.deadline is not None:
        needed["deadline"] = "the time you have"
        determines["deadline"] = frozenset(
            name for name in world.bases(world.deadline) if _is_told(world, name)
        )
    return Tie(
        printable=dict(_printable(analysis)),
        labels={name: thing.label for name, thing in world.things.items()},
        must_name={name: f"/things/{name}" for name, thing in world.things.items() if thing.own and name not in world.library.form.always},
        must_print={name: "/quantities" for name, quantity in world.quantities.items() if _must_print(quantity)},
        needed=needed,
        quoted=frozenset(name for name, quantity in world.quantities.items() if _told_by_quote(quantity)),
        quotes=tuple(_quotes(world)),
        catalogue=world.library.catalogue,
        determines=determines,
        told_by_number=frozenset(name for name, quantity in world.quantities.items() if quantity.source and _is_measured(quantity)),
        disputed={name: "/quantities" for name, quantity in world.quantities.items() if quantity.kind is Kind.DISPUTED},
        never_reads=dict(_thresholds(world)),
    )  # fmt: skip


def _is_told(world: World, name: str) -> bool:
    """Return whether the prose must state a quantity: it is given, and not the initial value of a state."""
    quantity = world.quantities[name]
    return quantity.kind is Kind.GIVEN and name not in world.mutable


def _told_by_quote(quantity: Quantity) -> bool:
    """Return whether the quote of a quantity states its value.

    A word must occur in the quote. A fact or a count may be paraphrased.
    """
    if quantity.kind is not Kind.GIVEN or not quantity.source:
        return False
    value = quantity.value
    return not isinstance(value, str) or value.replace("_", " ").lower() in quantity.source.lower()


def _is_measured(quantity: Quantity) -> bool:
    """Return whether a quantity is a given figure, which a quote without the number does not state."""
    tree = quantity.tree
    return quantity.kind is Kind.GIVEN and isinstance(tree, ex.Number) and _is_figure(tree)


def _is_figure(number: ex.Number) -> bool:
    return number.value != 0 and (not number.dimension.is_plain or number.value % 1 != 0)


def _thresholds(world: World) -> Iterator[tuple[str, tuple[str, frozenset[str]]]]:
    """Yield each danger that the prose imposes, with its quote and the figures that its condition reads."""
    for never in world.nevers:
        if never.by is Imposed.QUOTE:
            figures = frozenset(
                name for name in world.bases(never.tree) if _is_measured(world.quantities[name])
            )
            yield f"/never/{never.name}", (never.evidence, figures)


def _must_print(quantity: Quantity) -> bool:
    return (
        "." not in quantity.name
        and quantity.kind is Kind.GIVEN
        and quantity.is_number
        and not quantity.source
        and quantity.name not in CONSTANTS
    )


def _printable(analysis: Analysis) -> Iterator[tuple[str, Printable]]:
    engine, world = analysis.engine, analysis.world
    start = engine.start()
    for name in world.quantities:
        try:
            measured = engine.type_of_name(name)
            value = engine.named(name, start)
        except (TypeProblem, *UNDEFINED):
            continue
        dimension = measured if isinstance(measured, Dimension) else None
        shown = world.quantities[name].shown
        on_a_scale = shown is not None and bool(shown.offset)
        yield name, Printable(value, dimension, on_a_scale)
        for end, bound in (("low", world.quantities[name].low), ("high", world.quantities[name].high)):
            if bound is not None and "." not in name:
                yield f"{name}.{end}", Printable(bound, dimension, on_a_scale)
    if world.deadline is not None:
        with suppress(*UNDEFINED):
            yield "deadline", Printable(engine.value(world.deadline, start), TIME)
    for puzzle in world.record.puzzles:
        if isinstance(puzzle, CodePuzzle):
            yield f"{puzzle.name}.length", Printable(float(puzzle.length), Dimension())


def _needed(analysis: Analysis, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield the quantities that the prose must state because solutions read them, with the reason."""
    world = analysis.world
    yield from _read_by_codes(analysis)
    for name, plan in analysis.plans.items():
        if not analysis.outcomes[name].reaches_goal:
            continue
        for move in plan:
            for path in sorted(_reads(world, move)):
                if _is_told(world, path):
                    yield path, f"read by `{move.verb}` in the way `{name}`"
    for path in sorted(world.own_paths):
        if path.split(".")[0] in world.library.form.always and _is_told(world, path):
            yield path, "which differs from the standard agent or world"
    for name, outcome in analysis.outcomes.items():
        yield from _blocking(analysis, name, outcome)
    status = world.record.status
    if isinstance(status, Paradox) and verdict.impossibility is not None:
        for plan in analysis.plans.values():
            for move in plan:
                for test in move.tests:
                    if test.name in status.conflict:
                        for path in sorted(world.bases(test.tree)):
                            if _is_told(world, path):
                                yield path, f"read by `{test.name}`, which the conflict names"


def _read_by_codes(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield the properties of items that the intended reading of a code uses, with the reason."""
    world = analysis.world
    for puzzle in world.record.puzzles:
        if not isinstance(puzzle, CodePuzzle):
            continue
        wanted = dict(zip(("keep", "order", "read"), puzzle.answer.split("/"), strict=False))
        for part, lines in (("keep", puzzle.keep), ("order", puzzle.order), ("read", puzzle.read)):
            for line in lines:
                head, _, body = line.partition("=")
                if head.partition("(")[0].strip() == wanted.get(part):
                    yield from _read_off(analysis, puzzle, head, body)


def _read_off(analysis: Analysis, puzzle: CodePuzzle, head: str, body: str) -> Iterator[tuple[str, str]]:
    variable = head.partition("(")[2].rstrip(") ").strip()
    with suppress(ExpressionError):
        tree = parse(body.strip())
        for item in puzzle.items:
            for node in ex.walk(tree):
                path = (
                    f"{item}.{node.name}" if isinstance(node, ex.Property) and node.thing == variable else ""
                )
                if path in analysis.world.own_paths and _is_told(analysis.world, path):
                    yield path, f"read by the intended reading of `{puzzle.name}`"


def _blocking(analysis: Analysis, name: str, outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield what the condition that stops an approach reads, so that a solver can know why it fails."""
    if not outcome.end.startswith("blocked "):
        return
    for move in analysis.plans[name]:
        for test in move.tests:
            if test.name == outcome.end.removeprefix("blocked "):
                for path in sorted(analysis.world.bases(test.tree)):
                    if path in analysis.world.own_paths and _is_told(analysis.world, path):
                        yield path, f"read by `{test.name}`, which stops `{name}`"


def _reads(world: World, move: Move) -> frozenset[str]:
    trees = [*(test.tree for test in move.tests), move.takes_tree, *(change.tree for change in move.changes)]
    return frozenset().union(*(world.bases(tree) for tree in trees))


def _quotes(world: World) -> Iterator[tuple[str, str]]:
    for never in world.nevers:
        if never.by is not Imposed.LIBRARY:
            yield f"/never/{never.name}", never.evidence
    for name, quantity in world.quantities.items():
        if quantity.kind is Kind.GIVEN and quantity.source:
            yield (f"/things/{name.split('.')[0]}/props" if "." in name else "/quantities"), quantity.source
    for puzzle in world.record.puzzles:
        match puzzle:
            case CodePuzzle() | CluesPuzzle():
                yield from _line_quotes(puzzle.clues, f"/puzzles/{puzzle.name}/clues")
            case DiagnosisPuzzle():
                yield from _line_quotes(puzzle.observations, f"/puzzles/{puzzle.name}/observations")
            case _:
                yield from ((f"/puzzles/{puzzle.name}/told", quote) for quote in puzzle.told)
    if world.record.misdirection is not None:
        yield "/misdirection/clue", world.record.misdirection.clue
    yield from cover.quotes(world)


def _line_quotes(lines: list[str], where: str) -> Iterator[tuple[str, str]]:
    for line in lines:
        try:
            parts = split_line(line, example="name = condition @ exact quote")
        except LineError:
            continue
        if parts.evidence:
            yield f"{where}/{parts.head}", parts.evidence
