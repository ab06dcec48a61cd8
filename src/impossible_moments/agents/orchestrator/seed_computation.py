"""Results that the mechanics compute for a seed document. No report, vote or confidence overrides them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.domain.seed import PhysicalClaim, SeedDocument
from impossible_moments.domain.vocabulary import Status, parse_main_status
from impossible_moments.mechanics.checks import (
    ROUNDING,
    CheckReport,
    QuantitySensitivity,
    StatusVerdict,
    WorldAnalysis,
    compute_sensitivity_profile,
    find_numbers_behind_plan,
    scale_quantity,
    verify_record_by_content,
)
from impossible_moments.mechanics.execution import MinimalPlan
from impossible_moments.mechanics.findings import Finding
from impossible_moments.mechanics.language import (
    UNDEFINED,
    Dimension,
    ExpressionError,
    ExpressionTypeError,
    NonNumericType,
    parse_expression,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import VARIED_SHARE, Library, QuantityKind
from impossible_moments.mechanics.world import CONSTANTS, WorldEngine, format_quantity_value

FRAGILE: Final = "KS-Fragile"


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """The computed truth of a claim's expression."""

    holds: bool | None
    """None if the expression has no value, or none before an action or a choice."""
    problem: str = ""
    """Why the expression can never have a value."""


@dataclass(frozen=True)
class SeedComputation:
    """Findings, status, timing and fragility of a seed's record."""

    report: CheckReport
    deadline: float | None = None
    """In seconds. None if nothing is timed."""
    margins: tuple[float, ...] = ()
    """For each plan, the share of the deadline that is left."""
    rests_on: tuple[str, ...] = ()
    """The record's own numbers that a plan reads."""
    breaking_quantities: tuple[str, ...] = ()
    """The quantities for which a change of 20 % makes a plan fail."""
    breaking_changes: Mapping[str, str] = field(default_factory=dict)
    """For each of these quantities the value that was tried, its direction, and how the plan ends."""
    claims: Mapping[str, ClaimValue] = field(default_factory=dict)
    """The flagged claims that have an expression, by identifier."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings of the check."""
        return tuple(self.report.findings)

    @property
    def full_status(self) -> str | None:
        """The computed status with its subtype. None if it could not be decided."""
        return self.report.verdict.status if self.report.verdict is not None else None

    @property
    def status(self) -> Status | None:
        """The computed status without its subtype."""
        return None if self.full_status is None else parse_main_status(self.full_status)

    @property
    def is_fragile(self) -> bool:
        """Whether every plan works only within tight ranges."""
        return self.full_status == FRAGILE

    @property
    def false_claims(self) -> tuple[str, ...]:
        """The claims that the record computes as false. They are INVALID whatever a report states."""
        return tuple(name for name, value in self.claims.items() if value.holds is False)


def compute_seed_results(seed: SeedDocument, library: Library) -> SeedComputation:
    """Check a seed's record and compute the values that gates compare reports with."""
    report = verify_record_by_content(seed.mechanics, library)
    analysis, verdict = report.analysis, report.verdict
    if analysis is None or verdict is None:
        return SeedComputation(report)
    trials = tuple(_iterate_plans_with_working_values(analysis, verdict))
    lifted_premises = frozenset(verdict.premises)
    ends = [
        analysis.executor.run_plan(way.plan, changes=changes, lifted=lifted_premises)
        for way, changes in trials
    ]
    plans = list(dict.fromkeys(way.plan for way, _ in trials))
    numbers_behind_plans = [
        name for plan in plans for name in find_numbers_behind_plan(analysis.executor, plan)
    ]
    profiles = [
        each
        for way, working_values in trials
        for each in compute_sensitivity_profile(
            analysis.executor, way.plan, lifted_premises, working_values=working_values
        )
    ]
    return SeedComputation(
        report,
        deadline=_compute_deadline(analysis),
        margins=tuple(end.time_margin for end in ends if end.time_margin is not None),
        rests_on=tuple(
            dict.fromkeys(name for name in numbers_behind_plans if _is_stated_in_record(analysis, name))
        ),
        breaking_quantities=tuple(dict.fromkeys(each.quantity for each in profiles if each.breaks)),
        breaking_changes={
            each.quantity: _describe_breaking_change(analysis, each)
            for each in reversed(profiles)
            if each.breaks
        },
        claims=dict(_evaluate_claims(seed.solution_sketch.claims, analysis.engine, library)),
    )


def _describe_breaking_change(analysis: WorldAnalysis, found: QuantitySensitivity) -> str:
    world = analysis.world
    tried = (("less", 1 - VARIED_SHARE, found.lower), ("more", 1 + VARIED_SHARE, found.higher))
    ends = [
        f"{format_quantity_value(world, found.quantity, scale_quantity(world, found.quantity, factor))}"
        f" ({VARIED_SHARE:.0%} {side}) ends `{end}`"
        for side, factor, end in tried
        if end != "goal"
    ]
    return ", and ".join(ends)


class SeedComputationCache:
    """The computations of one scenario, so that each record is checked only once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._computations: dict[str, SeedComputation] = {}

    def get_computation(self, seed: SeedDocument) -> SeedComputation:
        """Return the computation for a seed document, from the cache if possible."""
        claims = [claim.model_dump() for claim in seed.solution_sketch.claims]
        key = json.dumps([seed.mechanics, claims], sort_keys=True, default=str)
        if key not in self._computations:
            self._computations[key] = compute_seed_results(seed, self.library)
        return self._computations[key]


def _iterate_plans_with_working_values(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[tuple[MinimalPlan, dict[str, float]]]:
    """Yield plans with the quantity values at which they work.

    These are the stated values, both ends of a disputed value, or the values without the premise.
    """
    if verdict.crux is not None:
        quantity = analysis.world.quantities[verdict.crux.quantity]
        for plans, end in ((verdict.crux.all_low, quantity.low), (verdict.crux.all_high, quantity.high)):
            for plan in plans:
                yield plan, {} if end is None else {quantity.name: end}
        return
    for plan in (*verdict.ways, *((verdict.outside,) if verdict.outside is not None else ())):
        yield plan, {}


def _compute_deadline(analysis: WorldAnalysis) -> float | None:
    deadline = analysis.executor.deadline
    return None if deadline is None else float(deadline(analysis.engine.build_start_values()))


def _is_stated_in_record(analysis: WorldAnalysis, name: str) -> bool:
    """Return whether the record itself states a number. Inherited numbers are documented in the library."""
    world = analysis.world
    return name in world.own_paths or ("." not in name and name in world.quantities)


def _evaluate_claims(
    claims: tuple[PhysicalClaim, ...], engine: WorldEngine, library: Library
) -> Iterator[tuple[str, ClaimValue]]:
    for claim in claims:
        if claim.expression.strip():
            yield claim.claim_id, _evaluate_claim_expression(claim.expression, engine, library)


def _evaluate_claim_expression(text: str, engine: WorldEngine, library: Library) -> ClaimValue:
    try:
        tree = parse_expression(text, library.templates)
        if (
            engine.infer_expression_type(tree) is not NonNumericType.TRUTH
            or not ex.collect_paths(tree) - CONSTANTS.keys()
        ):
            return ClaimValue(
                None,
                "it is not a condition on the world: write a comparison, as in `tool.edge <= plate.slot`",
            )
        return ClaimValue(
            None if _depends_on_actions_or_decisions(tree, engine) else _is_condition_true(tree, engine)
        )
    except (ExpressionError, ExpressionTypeError) as problem:
        return ClaimValue(None, str(problem))
    except UNDEFINED:
        return ClaimValue(None, "it has no value: a division by zero or a root of a negative number")


def _depends_on_actions_or_decisions(tree: ex.Expression, engine: WorldEngine) -> bool:
    """Return whether a condition reads something that an action changes or a solver chooses.

    The record states no value to compare such a condition with.
    """
    world = engine.world
    bases = world.collect_stated_quantities(tree)
    return bool(bases & world.mutable) or any(
        world.quantities[name].kind is QuantityKind.DECISION for name in bases if name in world.quantities
    )


def _is_condition_true(tree: ex.Expression, engine: WorldEngine) -> bool:
    """Return whether a condition holds as stated. Equal measures may differ by rounding."""
    if isinstance(tree, ex.Comparison) and tree.operator == "==":
        kind = engine.infer_expression_type(tree.left)
        if isinstance(kind, Dimension):
            left, right = (
                float(engine.evaluate_expression(tree.left)),
                float(engine.evaluate_expression(tree.right)),
            )
            return abs(left - right) <= ROUNDING * max(abs(left), abs(right))
    return bool(engine.evaluate_expression(tree))
