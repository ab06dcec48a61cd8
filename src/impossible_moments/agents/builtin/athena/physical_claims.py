"""Physical claims: the comparisons that decide a plan, as sentences and as computable expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import Move, PlanOutcome
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import World

MOST_CLAIMS: Final = 6
LONGEST_EXPRESSION: Final = 200
"""Characters of an expression that an agent may be asked to judge."""
_NEGATED_OPERATORS: Final = {">=": "<", ">": "<=", "<=": ">", "<": ">="}
_RELATION: Final = {
    ">=": "is at least",
    ">": "is more than",
    "<=": "is at most",
    "<": "is less than",
    "==": "equals",
    "!=": "differs from",
}


def derive_physical_claims(
    analysis: WorldAnalysis,
    outcomes: Mapping[str, PlanOutcome],
    failing: Mapping[str, PlanOutcome],
    words: Mapping[str, str],
) -> tuple[PhysicalClaim, ...]:
    """Derive the claims that a scenario rests on.

    They are the conditions of its plans, that its plans are in time, and the conditions that wrong answers
    violate. `outcomes` and `failing` are outcomes by approach name. `words` are readable names of quantities.
    """
    trees: list[ex.Expression] = []
    for name, outcome in outcomes.items():
        if outcome.reaches_goal:
            trees += _find_decisive_comparisons(analysis, analysis.plans[name], outcome, holding=True)
            trees += _derive_deadline_comparison(analysis, analysis.plans[name])
    for name, outcome in failing.items():
        trees += _find_decisive_comparisons(analysis, analysis.plans[name], outcome, holding=False)
    found = {ex.format_expression(tree): _describe_comparison(tree, analysis.world, words) for tree in trees}
    return tuple(
        PhysicalClaim(claim_id=f"C{number}", text=text, expression=expression)
        for number, (expression, text) in enumerate(list(found.items())[:MOST_CLAIMS], 1)
    )


def _derive_deadline_comparison(analysis: WorldAnalysis, plan: tuple[Move, ...]) -> Iterator[ex.Expression]:
    """Yield the comparison of the total duration with the deadline, if no event changes the durations."""
    deadline = analysis.world.deadline
    times = [move.takes_tree for move in plan if move.verb in analysis.world.actions]
    if deadline is None or not times:
        return
    total = times[0]
    for time in times[1:]:
        total = ex.Arithmetic("+", total, time)
    tree = ex.Comparison("<=", total, deadline)
    if (
        len(ex.format_expression(tree)) <= LONGEST_EXPRESSION
        and _has_only_fixed_quantities(tree, analysis.world)
        and bool(analysis.engine.evaluate_expression(tree))
    ):
        yield tree


def _find_decisive_comparisons(
    analysis: WorldAnalysis, plan: tuple[Move, ...], outcome: PlanOutcome, *, holding: bool
) -> Iterator[ex.Expression]:
    """Yield the comparisons of stated numbers in the conditions of a plan.

    If `holding`, these are the comparisons that hold. Otherwise it is the failing one of a blocked plan,
    negated.
    """
    world = analysis.world
    blocked = outcome.end.removeprefix("blocked ") if outcome.end.startswith("blocked ") else ""
    for move in plan:
        for test in move.tests:
            for tree in _collect_comparisons(test.tree):
                if not _has_only_fixed_quantities(tree, world):
                    continue
                holds = bool(analysis.engine.evaluate_expression(tree))
                if holding and holds:
                    yield tree
                elif (
                    not holding
                    and not holds
                    and blocked
                    and f"{move.verb}.{test.name}".endswith(blocked.rpartition(".")[2])
                ):
                    yield _negate_comparison(tree)


def _collect_comparisons(tree: ex.Expression) -> Iterator[ex.Comparison]:
    match tree:
        case ex.Comparison():
            yield tree
        case ex.Conjunction(parts):
            for part in parts:
                yield from _collect_comparisons(part)


def _has_only_fixed_quantities(tree: ex.Comparison, world: World) -> bool:
    """Return whether a comparison reads only numbers that neither an event nor a decision can change."""
    if tree.operator not in _NEGATED_OPERATORS or not ex.collect_paths(tree):
        return False
    bases = world.collect_stated_quantities(tree)
    known = all(name in world.quantities and world.quantities[name].value is not None for name in bases)
    numbers = all(not isinstance(world.quantities[name].value, bool | str) for name in bases if known)
    return bool(bases) and known and numbers and not bases & world.mutable


def _negate_comparison(tree: ex.Comparison) -> ex.Comparison:
    return ex.Comparison(_NEGATED_OPERATORS[tree.operator], tree.left, tree.right)


def _describe_comparison(tree: ex.Expression, world: World, words: Mapping[str, str]) -> str:
    assert isinstance(tree, ex.Comparison), "only comparisons are claimed"
    return f"{_describe_operand(tree.left, world, words)} {_RELATION[tree.operator]} {_describe_operand(tree.right, world, words)}."


def _describe_operand(tree: ex.Expression, world: World, words: Mapping[str, str]) -> str:
    """Describe one side of a comparison: a single quantity by name and owner, otherwise the formula."""
    match tree:
        case ex.Property():
            owner, _, name = tree.path.rpartition(".")
            called = (
                (words.get(tree.path) or words.get(name) or name).partition("|")[0].strip().replace("_", " ")
            )
            return f"'{called}' of {world.things[owner].label}" if owner in world.things else f"'{called}'"
        case ex.Name(name):
            return f"'{(words.get(name) or name).replace('_', ' ')}'"
        case _:
            return f"`{ex.format_expression(tree)}`"
