"""Computed status of a world, in a fixed order and from its facts alone. The claimed status is never read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from math import ceil, floor
from typing import Final

from impossible_moments.mechanics.checks.disputed_quantities import Crux
from impossible_moments.mechanics.checks.sensitivity import (
    Fragility,
    find_quantities_that_break_all_plans,
    find_worst_outcome_over_ranges,
    locate_value_breaking_last_plan,
)
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.minimal_plans import MinimalPlan, are_equivalent_signatures
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.search_limits import SearchSituation
from impossible_moments.mechanics.proofs.cover import CoverCell
from impossible_moments.mechanics.proofs.frontier import Frontier
from impossible_moments.mechanics.proofs.impossibility_result import ImpossibilityResult
from impossible_moments.mechanics.records.status_forms import StatusName
from impossible_moments.mechanics.world.value_formatting import format_point_values, format_quantity_value
from impossible_moments.mechanics.world.world_model import NeverRuleSource, World

TRIVIAL_CALLS: Final = 2
TRIVIAL_MARGIN: Final = 0.5
_MOST_FURTHER_PLANS: Final = 4
_WHOLE: Final = 1e-4
"""An edge that is this close to a whole number is taken for it."""
_NOT_TRIVIAL: Final = frozenset({"answer", "choose", "challenge"})


@dataclass(frozen=True, slots=True)
class StatusVerdict:
    """The computed status with its reason and the results it is based on. `status` is None if undecided."""

    status: StatusName | None
    reason: str
    ways: tuple[MinimalPlan, ...] = ()
    exhausted: bool = True
    crux: Crux | None = None
    fragile_in: tuple[Fragility, ...] = ()
    premises: tuple[str, ...] = ()
    outside: MinimalPlan | None = None
    degenerate: tuple[MinimalPlan, ...] = ()
    impossibility: ImpossibilityResult | None = None
    cells: tuple[CoverCell, ...] = ()
    frontier: Frontier | None = None


def compute_status(
    analysis: WorldAnalysis, cells: tuple[CoverCell, ...], frontier: Frontier | None
) -> StatusVerdict:
    """Compute the first status that applies.

    The order is CT, DG, KS-Fragile, KS-Multiple, KS-Singular, MT, OF, PX.
    """
    if analysis.crux is not None:
        return _build_contested_verdict(analysis, analysis.crux)
    found = analysis.minimal_plans
    if found.ways:
        return _decide_verdict_with_working_plans(analysis)
    if not found.exhausted:
        return StatusVerdict(None, "the search was not exhausted and found no plan", exhausted=False)
    return _decide_metamorphic(analysis) or _decide_verdict_without_working_plans(analysis, cells, frontier)


def _build_contested_verdict(analysis: WorldAnalysis, crux: Crux) -> StatusVerdict:
    low = " then ".join(crux.all_low[0].calls) if crux.all_low else "nothing works"
    high = " then ".join(crux.all_high[0].calls) if crux.all_high else "nothing works"
    reason = (
        f"the best plan turns on the disputed `{crux.quantity}`: at its low end {low}, at its high end {high}"
    )
    return StatusVerdict(
        "CT", reason, analysis.minimal_plans.ways, analysis.minimal_plans.exhausted, crux=crux
    )


def _decide_verdict_with_working_plans(analysis: WorldAnalysis) -> StatusVerdict:
    """Return the verdict of a world with working plans: DG or a subtype of KS."""
    plans = tuple(_find_approach_matching_plan(analysis, way) for way in analysis.minimal_plans.ways)
    exhausted = analysis.minimal_plans.exhausted
    # Only the plans that the search found decide. Approaches provide the wording, so padding them has no effect.
    trivial = tuple(way for way in analysis.minimal_plans.ways if _is_trivial_plan(analysis, way))
    if trivial:
        calls = " then ".join(trivial[0].calls)
        reason = f"{calls} works with everyday uses and margins of at least {TRIVIAL_MARGIN:.0%}"
        return StatusVerdict("DG", reason, plans, exhausted, degenerate=trivial)
    fragile = _find_fragile_quantities(analysis, analysis.minimal_plans.ways)
    if fragile and not analysis.bounds.exhausted:
        return StatusVerdict(
            None,
            f"{' then '.join(plans[0].calls)} works, but whether another way holds where it breaks could not be searched to the end",
            plans,
            exhausted=False,
        )
    if fragile:
        names = ", ".join(
            f"{each.quantity} ({_describe_breaking_value(analysis.world, each)})" for each in fragile
        )
        return StatusVerdict(
            "KS-Fragile",
            f"works as stated, and nothing works somewhere in the range of {names}",
            plans,
            exhausted,
            fragile_in=fragile,
        )
    if len(plans) > 1:
        return StatusVerdict("KS-Multiple", f"{len(plans)} different ways reach the goal", plans, exhausted)
    calls = " then ".join(plans[0].calls)
    if not exhausted:
        return StatusVerdict(
            None,
            f"{calls} works, but whether it is the only way could not be searched to the end",
            plans,
            exhausted,
        )
    return StatusVerdict(
        "KS-Singular", f"{calls} is the only way within library {analysis.world.library}", plans, exhausted
    )


def _find_approach_matching_plan(analysis: WorldAnalysis, plan: MinimalPlan) -> MinimalPlan:
    """Return the matching approach of the record, or the plan itself if there is none."""
    return next(
        (
            listed
            for listed in analysis.minimal_approach_plans.values()
            if are_equivalent_signatures(listed.signature, plan.signature)
        ),
        plan,
    )


def _describe_breaking_value(world: World, fragility: Fragility) -> str:
    side = describe_breaking_side(world, fragility)
    return f"{side} {format_quantity_value(world, fragility.quantity, fragility.breaks_at).partition(' = ')[2]}: {fragility.end}"


def describe_breaking_side(world: World, fragility: Fragility) -> str:
    """Return on which side of the breaking value nothing works: `below` or `above`."""
    stated = _get_stated_number_or_zero(world, fragility.quantity)
    return "below" if fragility.at < fragility.breaks_at or fragility.at < stated else "above"


def _get_stated_number_or_zero(world: World, name: str) -> float:
    value = world.quantities[name].value
    return value if isinstance(value, float) else 0.0


def _is_trivial_plan(analysis: WorldAnalysis, plan: MinimalPlan) -> bool:
    """Return whether a plan has few calls, everyday uses only, and large margins over all ranges."""
    deliberate_moves = [move for move in plan.plan if not move.logistics]
    record = analysis.world.record
    if (
        len(deliberate_moves) > TRIVIAL_CALLS
        or any(move.verb in _NOT_TRIVIAL for move in deliberate_moves)
        or record.scale is not None
    ):
        return False
    if record.misdirection is not None and _reads_hidden_quantity(analysis, plan, record.misdirection.hides):
        return False
    if not all(_is_everyday_use(analysis, move) for move in deliberate_moves):
        return False
    outcome = find_worst_outcome_over_ranges(analysis.executor, plan.plan)
    return outcome.reaches_goal and (outcome.least_margin is None or outcome.least_margin >= TRIVIAL_MARGIN)


def _reads_hidden_quantity(analysis: WorldAnalysis, plan: MinimalPlan, hidden: list[str]) -> bool:
    trees = [
        tree
        for move in plan.plan
        for tree in (*(test.tree for test in move.tests), *(change.tree for change in move.changes))
    ]
    trees += [never.tree for never in analysis.world.never_rules]
    return any(analysis.world.collect_stated_quantities(tree).intersection(hidden) for tree in trees)


def _is_everyday_use(analysis: WorldAnalysis, move: Move) -> bool:
    """Return whether a call uses every thing as the library lists it.

    Unknown things count as everyday use.
    """
    rows = analysis.world.library.rows
    action = analysis.world.actions.get(move.verb)
    slots = [slot.type for slot in action.slots] if action is not None else []
    for name, role in zip_longest(move.arguments, slots):
        thing = analysis.world.things.get(name)
        row = rows.get(thing.like) if thing is not None and thing.like is not None else None
        if row is not None and row.uses and not {move.verb, move.of, role}.intersection(row.uses):
            return False
    return True


def _find_fragile_quantities(
    analysis: WorldAnalysis, minimal_plans: tuple[MinimalPlan, ...]
) -> tuple[Fragility, ...]:
    """Return the assumed quantities with a value at which every plan fails and the search finds no other."""
    plans = tuple(way.plan for way in minimal_plans)
    found: list[Fragility] = []
    for name, value, end in find_quantities_that_break_all_plans(analysis.executor, plans):
        if analysis.searcher.find_plan(analysis.bounds, SearchSituation({name: value})) is None:
            found.append(_locate_fragility(analysis, plans, Fragility(name, value, value, value, end)))
    return tuple(found)


def _locate_fragility(
    analysis: WorldAnalysis, plans: tuple[tuple[Move, ...], ...], found: Fragility
) -> Fragility:
    """Return a fragility with the value nearest to the stated one at which nothing works.

    The search is repeated at the value found, because another plan may work where the known ones stop.
    """
    name, edge = found.quantity, found.at
    works = partial(_has_working_plan_at_value, analysis, plans, name)
    for _ in range(_MOST_FURTHER_PLANS):
        edge = locate_value_breaking_last_plan(analysis.executor, works, name, found.at)
        further = analysis.searcher.find_plan(analysis.bounds, SearchSituation({name: edge}))
        if further is None:
            break
        plans = (*plans, further)
        works = partial(_has_working_plan_at_value, analysis, plans, name)
    if not _is_whole_number(analysis.world, name):
        return replace(found, breaks_at=edge, last_working=edge)
    toward_stated = 1.0 if found.at < _get_stated_number_or_zero(analysis.world, name) else -1.0
    whole = float(floor(edge + _WHOLE) if toward_stated > 0 else ceil(edge - _WHOLE))
    failing = whole - toward_stated if works(whole) else whole
    return replace(found, breaks_at=failing, last_working=failing + toward_stated)


def _is_whole_number(world: World, name: str) -> bool:
    """Return whether a quantity counts something: its value and its range are whole and have no unit."""
    quantity = world.quantities[name]
    numbers = [each for each in (quantity.value, quantity.low, quantity.high) if isinstance(each, float)]
    return quantity.display_unit is None and max(numbers) > 1 and all(map(float.is_integer, numbers))


def _has_working_plan_at_value(
    analysis: WorldAnalysis, plans: tuple[tuple[Move, ...], ...], name: str, value: float
) -> bool:
    """Return whether a known plan, or another choice of the decisions, works with a quantity at a value."""
    if any(analysis.executor.run_plan(plan, changes={name: value}).reaches_goal for plan in plans):
        return True
    return (
        bool(analysis.engine.decisions)
        and analysis.searcher.find_plan(analysis.bounds, SearchSituation({name: value})) is not None
    )


def _decide_metamorphic(analysis: WorldAnalysis) -> StatusVerdict | None:
    """Return the verdict MT if a plan works once a premise is dropped, else None."""
    opening: dict[str, MinimalPlan] = {}
    for never in analysis.world.never_rules:
        if never.by is NeverRuleSource.PREMISE:
            plan = analysis.searcher.find_plan(
                analysis.bounds, SearchSituation(lifted=frozenset({never.name}))
            )
            if plan is not None:
                opening[never.name] = analysis.plan_finder.create_minimal_plan(plan)
    if not opening:
        return None
    inside = analysis.create_prover(estimates_doubled=False).attempt_proof(certified=False)
    if has_impossibility_counterexample(inside):
        return StatusVerdict(
            None,
            f"a premise could be dropped, but {explain_missing_proof(analysis.world, inside)}",
            impossibility=inside,
        )
    name, way = next(iter(opening.items()))
    reason = f"nothing works while `{name}` is kept, which nothing imposes; without it {' then '.join(way.calls)} does"
    exhausted = analysis.bounds.exhausted and inside.proved
    return StatusVerdict("MT", reason, exhausted=exhausted, premises=tuple(opening), outside=way)


def has_impossibility_counterexample(proof: ImpossibilityResult) -> bool:
    """Return whether the prover found an exactly followed plan that works somewhere in the ranges."""
    return not proof.proved and proof.exhausted and proof.witness is not None and not proof.approximated_names


def _decide_verdict_without_working_plans(
    analysis: WorldAnalysis, cells: tuple[CoverCell, ...], frontier: Frontier | None
) -> StatusVerdict:
    """Return the verdict OF or PX, or why neither could be established."""
    if frontier is not None:
        inside = analysis.create_prover(estimates_doubled=False).attempt_proof(certified=False)
        if has_impossibility_counterexample(inside):
            return StatusVerdict(
                None,
                f"no open frontier: {explain_missing_proof(analysis.world, inside)}",
                impossibility=inside,
                frontier=frontier,
            )
        if frontier.holds:
            gaps = ", ".join(f"{name} by a factor {gap:.3g}" for name, gap in frontier.gaps.items())
            return StatusVerdict(
                "OF", f"nothing known works; an answer must pass {gaps or 'a known limit'}", frontier=frontier
            )
        return StatusVerdict(None, "nothing works, and the frontier does not hold", frontier=frontier)
    if any(slot.type == "number" for action in analysis.world.actions.values() for slot in action.slots):
        return StatusVerdict(
            None,
            "nothing was found, but an action takes any number, and only whole ones up to twelve were tried: use a quantity to choose instead",
        )
    proof = analysis.create_prover(estimates_doubled=True).attempt_proof()
    if not proof.proved:
        return StatusVerdict(
            None,
            explain_missing_proof(analysis.world, proof),
            impossibility=proof,
            cells=cells,
            exhausted=proof.exhausted,
        )
    if not all(each.rechecked for each in proof.refuted_plans):
        return StatusVerdict(None, "a proof did not pass its re-check", impossibility=proof, cells=cells)
    empty = [cell.name for cell in cells if not cell.closed_by]
    if empty:
        return StatusVerdict(
            None,
            f"nothing works, but {len(empty)} cells of the cover are empty: {', '.join(empty[:6])}",
            impossibility=proof,
            cells=cells,
        )
    if not cells and not analysis.world.puzzles:
        return StatusVerdict(
            None,
            "nothing works, but no boundary thing, rule or puzzle stands in the way, so nothing shows that the list of actions is complete",
            impossibility=proof,
        )
    return StatusVerdict(
        "PX",
        f"no plan reaches the goal anywhere in the ranges, and all {len(cells)} cells of the cover are closed",
        impossibility=proof,
        cells=cells,
    )


def explain_missing_proof(world: World, proof: ImpossibilityResult) -> str:
    """Return why impossibility is not proved, with advice for the author of the record."""
    if not proof.exhausted:
        return (
            f"no plan was found, but the proof of impossibility gave up after {proof.nodes} partial plans: fewer actions, "
            "fewer wide ranges, or an action that takes the time it needs instead of a rate and a wait"
        )
    plan = " then ".join(proof.open_plan)
    if proof.approximated_names:
        states = sorted(
            {
                name.split(",")[0].removeprefix("pace of ").removeprefix("value of ")
                for name in proof.approximated_names
            }
        )
        return (
            f"nothing works as stated, but {plan} could not be excluded over the ranges: the proof follows {', '.join(states)} only "
            "between the least and the greatest rate, because that rate reads a changing state"
        )
    if proof.witness is not None:
        return f"nothing works as stated, but {plan} works at {format_point_values(world, proof.witness.point)} (estimates count with twice their range)"
    return f"nothing works as stated, but {plan} could not be proved impossible"
