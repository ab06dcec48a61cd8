"""Claims without an expression: what the record's approaches and known limits show about them, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.quantity_wording import compare_at
from impossible_moments.mechanics.language import ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import LineError, parse_line, split_lines
from impossible_moments.mechanics.world import WorldEngine

MOST_NAMED: Final = 4
_NOTHING_WORKS: Final = ("PX", "OF")


def judge_claim_without_expression(facts: SeedFacts) -> tuple[bool, str]:
    """Judge a claim in words alone: return whether nothing computed speaks against it, and what was computed.

    For a scenario that claims that nothing works (PX, OF) an approach that reaches the goal refutes it.
    """
    block = facts.seed.mechanics.get("status")
    status = str(block.get("claim", "")) if isinstance(block, dict) else ""
    outcomes = facts.approach_outcomes
    working = sorted(name for name, outcome in outcomes.items() if outcome.reaches_goal)
    failing = [
        f"{name.replace('_', ' ')} ends `{outcome.end}`"
        + (f" by {abs(outcome.failing_margin):.0%}" if outcome.failing_margin is not None else "")
        for name, outcome in sorted(outcomes.items())
        if not outcome.reaches_goal
    ]
    sentences = [
        "The claim has no expression, so it is judged by execution alone:",
        f"{len(working)} of {len(outcomes)} approaches of the record reach the goal.",
        *([f"The others: {'; '.join(failing[:MOST_NAMED])}."] if failing else []),
        *describe_known_limits(facts),
        "Missing for a verdict by numbers: a comparison of stated quantities.",
    ]
    if status.startswith(_NOTHING_WORKS) and working:
        sentences.insert(2, f"{working[0].replace('_', ' ')} reaches it, which the claim denies.")
        return False, " ".join(sentences)
    return True, " ".join(sentences)


def describe_known_limits(facts: SeedFacts) -> Iterator[str]:
    """Yield each demand of an open frontier evaluated at the best values that are known."""
    engine, frontier = facts.engine, facts.seed.mechanics.get("frontier")
    if engine is None or not isinstance(frontier, dict):
        return
    best = dict(_iterate_best_known_values(frontier, engine, facts))
    for line in _list_lines(frontier.get("envelope")):
        tree = _parse_condition(line, facts)
        if isinstance(tree, ex.Comparison) and any(name in best for name in ex.collect_paths(tree)):
            bound = ex.replace_leaves(tree, lambda node: best.get(ex.format_expression(node), node))
            found = compare_at(engine, bound) if isinstance(bound, ex.Comparison) else None
            if found is not None:
                yield f"At the best known values: {found.describe()}."


def _iterate_best_known_values(
    frontier: dict[str, object], engine: WorldEngine, facts: SeedFacts
) -> Iterator[tuple[str, ex.Expression]]:
    """Yield the variable of each known limit and the value that bounds it."""
    for line in _list_lines(frontier.get("known")):
        tree = _parse_condition(line, facts)
        if (
            isinstance(tree, ex.Comparison)
            and isinstance(tree.left, ex.Name)
            and engine.has_all_names(tree.right)
        ):
            yield tree.left.name, tree.right


def _parse_condition(line: str, facts: SeedFacts) -> ex.Expression | None:
    try:
        return parse_expression(parse_line(line, example="fits = a <= b").body, facts.library.templates)
    except (ExpressionError, LineError):
        return None


def _list_lines(value: object) -> list[str]:
    if isinstance(value, str):
        return list(split_lines(value))
    return [str(each) for each in value] if isinstance(value, list | tuple) else []
