"""Claims without an expression: what execution and known limits show about their subjects, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.quantity_wording import (
    RELATIONS,
    compare_at,
    describe_expression,
    format_count,
    format_quantity,
)
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import PlanOutcome
from impossible_moments.mechanics.language import UNDEFINED, ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import LineError, QuantityKind, parse_line, split_lines
from impossible_moments.mechanics.world import NeverRule, WorldEngine

MOST_NAMED: Final = 4
_NOTHING_WORKS: Final = ("PX", "OF")
_QUOTED: Final = re.compile(r"`([^`]+)`")
"""Names and conditions of the record in the text of a claim."""


def judge_claim_without_expression(text: str, facts: SeedFacts) -> tuple[bool, str]:
    """Judge a claim in words alone: return whether nothing computed speaks against it, and what was computed.

    For a scenario that claims that nothing works (PX, OF) an approach that reaches the goal refutes it.
    """
    block = facts.seed.mechanics.get("status")
    status = str(block.get("claim", "")) if isinstance(block, dict) else ""
    outcomes = facts.approach_outcomes
    working = sorted(name for name, outcome in outcomes.items() if outcome.reaches_goal)
    named = frozenset(_QUOTED.findall(text))
    analysis = facts.reading.analysis
    # Plans of a contested scenario are executed at both ends of the dispute and not at a value within it.
    is_executed_at_ends = analysis is not None and any(_iterate_disputed_ends(named, analysis))
    executed = [
        _describe_outcome(name, outcomes[name])
        for name in sorted(named & outcomes.keys())
        if not is_executed_at_ends
    ]
    sentences = [
        *([f"Executed: {'; '.join(executed[:MOST_NAMED])}."] if executed else []),
        *_describe_subjects(named, facts),
    ]
    if not sentences:
        sentences.append(_describe_all_runs(outcomes))
    if status.startswith(_NOTHING_WORKS) and working:
        sentences.append(f"{working[0].replace('_', ' ')} reaches the goal, which the claim denies.")
        return False, " ".join(sentences)
    return True, " ".join(sentences)


def _describe_all_runs(outcomes: Mapping[str, PlanOutcome]) -> str:
    """Describe what was executed where nothing that a claim names can be computed by itself."""
    ends = [_describe_outcome(name, outcome) for name, outcome in outcomes.items()]
    further = (
        f"; and {format_count(len(ends) - MOST_NAMED, 'further plan')}" if len(ends) > MOST_NAMED else ""
    )
    shown = f"{'; '.join(ends[:MOST_NAMED])}{further}"
    return f"This was not computed by itself; the listed plans were executed: {shown or 'there is none'}."


def _describe_outcome(name: str, outcome: PlanOutcome) -> str:
    if outcome.reaches_goal:
        return f"`{name}` reaches the goal after {format_duration(outcome.time)}"
    margin = outcome.failing_margin
    return f"`{name}` ends `{outcome.end}`" + (f", {abs(margin):.0%} off" if margin is not None else "")


def _describe_subjects(named: frozenset[str], facts: SeedFacts) -> Iterator[str]:
    """Yield what was computed about the approaches, conditions and limits that a claim names."""
    engine = facts.engine
    if engine is None:
        return
    yield from _describe_runs_at_disputed_values(named, facts)
    described: list[ex.Expression] = []
    for rule in engine.world.never_rules:
        if rule.name in named:
            described += ex.walk_nodes(rule.tree)
            yield from _describe_danger(rule, engine)
    for text in sorted(named):
        tree = _parse_condition(text, facts)
        is_new = isinstance(tree, ex.Comparison) and tree not in described
        found = compare_at(engine, tree) if isinstance(tree, ex.Comparison) and is_new else None
        if found is not None:
            yield f"At the start: {found.describe()}."
    yield from _describe_known_limits(named, facts, engine)


def _describe_danger(rule: NeverRule, engine: WorldEngine) -> Iterator[str]:
    """Yield how far a danger is at the start, and when it comes if nothing is done."""
    for tree in ex.walk_nodes(rule.tree):
        found = compare_at(engine, tree) if isinstance(tree, ex.Comparison) else None
        if (
            found is None
            or not isinstance(tree, ex.Comparison)
            or tree.operator not in {"<", "<=", ">", ">="}
        ):
            continue
        if not found.holds:
            after = _compute_time_until(tree, engine)
            alone = (
                f" If nothing is done, that is so after {format_duration(after)}."
                if after is not None
                else ""
            )
            yield f"The danger is not there at the start: {found.left}, and it comes once that is {RELATIONS[tree.operator]} {found.right}.{alone}"


def _compute_time_until(tree: ex.Comparison, engine: WorldEngine) -> float | None:
    """Return after which time a quantity that changes by itself passes a limit at the rate of the start.

    Return None if the limit changes too, the rate depends on the quantity, or the limit is never passed.
    """
    world = engine.world
    if not isinstance(tree.left, ex.Name) or tree.left.name not in world.rates:
        return None
    rate = world.rates[tree.left.name]
    changing = world.rates.keys()
    if changing & (world.collect_stated_quantities(tree.right) | world.collect_stated_quantities(rate)):
        return None
    start = engine.build_start_values()
    try:
        value, limit, speed = (
            engine.evaluate_expression(each, start) for each in (tree.left, tree.right, rate)
        )
    except UNDEFINED:
        return None
    if not (isinstance(value, float) and isinstance(limit, float) and isinstance(speed, float)) or not speed:
        return None
    after = (limit - value) / speed
    return after if after > 0 else None


def _describe_runs_at_disputed_values(named: frozenset[str], facts: SeedFacts) -> Iterator[str]:
    """Yield how each named approach ends at both ends of the disputed quantities, with what is preferred of a plan."""
    analysis = facts.reading.analysis
    if analysis is None:
        return
    for name in sorted(named & analysis.plans.keys()):
        for quantity, end in _iterate_disputed_ends(named, analysis):
            outcome = analysis.executor.run_plan(analysis.plans[name], changes={quantity: end})
            value = format_quantity(analysis.world, quantity, end)
            preferred = _describe_preferred_value(outcome, analysis) if outcome.reaches_goal else ""
            yield f"Executed at {value} (`{quantity}`) {_describe_outcome(name, outcome)}{preferred}."


def _iterate_disputed_ends(named: frozenset[str], analysis: WorldAnalysis) -> Iterator[tuple[str, float]]:
    """Yield the ends of the disputed quantities that a claim names, or of all if it names none."""
    disputed = [each for each in analysis.world.quantities.values() if each.kind is QuantityKind.DISPUTED]
    for quantity in [each for each in disputed if each.name in named] or disputed:
        yield from ((quantity.name, end) for end in (quantity.low, quantity.high) if end is not None)


def _describe_preferred_value(outcome: PlanOutcome, analysis: WorldAnalysis) -> str:
    """Describe the value of a working plan by which the record prefers plans, unless that is its time."""
    preference = analysis.world.preference
    if preference.what == "time":
        return ""
    if preference.what == "margin":
        return "" if outcome.least_margin is None else f", with {outcome.least_margin:.0%} to spare"
    final = outcome.values[analysis.engine.places[preference.what]]
    if not isinstance(final, float):
        return ""
    wanted = "the more the better" if preference.most else "the less the better"
    return f", with {format_quantity(analysis.world, preference.what, final)} (`{preference.what}`, {wanted})"


def _describe_known_limits(named: frozenset[str], facts: SeedFacts, engine: WorldEngine) -> Iterator[str]:
    """Yield each named limit of an open frontier, and each demand that it concerns at the best known values.

    A demand is also described if the claim names the demand itself.
    """
    frontier = facts.seed.mechanics.get("frontier")
    if not isinstance(frontier, dict):
        return
    limits = [
        (limit, tree.left.name, tree.right, is_sole)
        for limit, tree, is_sole in _iterate_comparisons(frontier.get("known"), facts)
        if isinstance(tree.left, ex.Name) and engine.has_all_names(tree.right)
    ]
    for limit, variable, bound, _ in limits:
        if limit in named:
            yield f"`{limit}` limits “{variable.replace('_', ' ')}” by {describe_expression(engine.world, bound)}."
    limited = {variable for limit, variable, _, _ in limits if limit in named}
    for demand, tree, _ in _iterate_comparisons(frontier.get("envelope"), facts):
        if demand not in named and ex.collect_paths(tree).isdisjoint(limited):
            continue
        yield from _describe_demand(demand, tree, limits, engine)


def _describe_demand(
    demand: str, tree: ex.Comparison, limits: list[tuple[str, str, ex.Expression, bool]], engine: WorldEngine
) -> Iterator[str]:
    """Yield how far the known values are from a demand.

    Limits that stand alone are put in together. One of several alternatives is put in by itself.
    """
    sole = {variable: bound for _, variable, bound, is_sole in limits if is_sole}
    cases = [("at the best known values", sole)] if sole else []
    cases += [
        (f"where `{limit}` limits “{variable.replace('_', ' ')}”", {**sole, variable: bound})
        for limit, variable, bound, is_sole in limits
        if not is_sole
    ]
    for words, known in cases:
        if ex.collect_paths(tree).isdisjoint(known):
            continue
        bound_tree = ex.replace_leaves(tree, partial(_replace_known, known))
        found = compare_at(engine, bound_tree) if isinstance(bound_tree, ex.Comparison) else None
        if found is not None:
            yield f"`{demand}` {words}: {found.describe()}."


def _replace_known(known: Mapping[str, ex.Expression], node: ex.Name | ex.Property) -> ex.Expression:
    return known.get(ex.format_expression(node), node)


def iterate_frontier_conditions(section: str, facts: SeedFacts) -> Iterator[tuple[str, ex.Comparison]]:
    """Yield the conditions of a section of the record's frontier, `envelope` or `known`."""
    frontier = facts.seed.mechanics.get("frontier")
    if isinstance(frontier, dict):
        for name, comparison, _ in _iterate_comparisons(frontier.get(section), facts):
            yield name, comparison


def _iterate_comparisons(lines: object, facts: SeedFacts) -> Iterator[tuple[str, ex.Comparison, bool]]:
    """Yield the name and each comparison of the lines that can be read, and whether it stands alone.

    Of a line with alternatives, each one is yielded.
    """
    for line in _list_lines(lines):
        try:
            parts = parse_line(line, example="fits = a <= b")
        except LineError:
            continue
        tree = _parse_condition(parts.body, facts)
        alternatives = tree.parts if isinstance(tree, ex.Disjunction) else (tree,)
        for each in alternatives:
            if isinstance(each, ex.Comparison):
                yield parts.head, each, len(alternatives) == 1


def _parse_condition(text: str, facts: SeedFacts) -> ex.Expression | None:
    try:
        return parse_expression(text, facts.library.templates)
    except ExpressionError:
        return None


def _list_lines(value: object) -> list[str]:
    if isinstance(value, str):
        return list(split_lines(value))
    return [str(each) for each in value] if isinstance(value, list | tuple) else []
