"""Calculated claims: each comparison at the stated values and over all stated ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.euler.claim_subjects import describe_claim_subjects
from impossible_moments.agents.builtin.euler.record_workings import AnsweringPlan, RecordWorkings
from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.quantity_wording import (
    PropertySource,
    collect_comparisons,
    compare_at,
    find_unit,
    format_number,
    format_quantity,
    format_relation,
    list_sources,
)
from impossible_moments.agents.builtin.repair_values import find_repair
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.domain.validation import ClaimCalculation, Correction
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.language import (
    UNDEFINED,
    ExpressionError,
    ExpressionTypeError,
    IntervalEvaluator,
    NonNumericType,
    Value,
    parse_expression,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Library, QuantityKind

MOST_LINES: Final = 12
_ROUNDING: Final = 1e-9
"""The share of the largest end of a comparison below which another end is zero up to rounding."""
_TIMED: Final = re.compile(r"steps of `([^`]+)` take")
"""Words of a claim about the duration of an approach."""


@dataclass(frozen=True, slots=True)
class CalculatedClaim:
    """A claim with its calculation, its margins and the share of uncertain numbers."""

    claim: PhysicalClaim
    calculation: ClaimCalculation
    computed: bool
    margin: float | None = None
    always_holds: bool | None = None
    """Whether it holds over all stated ranges: True, False (nowhere), or None (somewhere)."""
    uncertain: int = 0
    numbers: int = 0
    correction: Correction | None = None

    @property
    def holds(self) -> bool:
        """Whether the claim is VALID."""
        return self.calculation.verdict == "VALID"


def calculate_claim(claim: PhysicalClaim, workings: RecordWorkings, library: Library) -> CalculatedClaim:
    """Calculate a claim of the seed document with its numbers inserted."""
    analysis = workings.analysis
    if analysis is None:
        errors = "; ".join(str(finding) for finding in workings.report.findings.errors[:2])
        return _refuse(claim, f"The record cannot be computed: {errors}")
    if not claim.expression.strip():
        return _judge_claim_by_status(claim, workings)
    try:
        tree = parse_expression(claim.expression, library.templates)
        if analysis.engine.infer_expression_type(tree) is not NonNumericType.TRUTH:
            return _refuse(claim, "It is not a comparison, and nothing follows from it.")
        return _calculate_condition(claim, tree, workings, analysis)
    except (ExpressionError, ExpressionTypeError, KeyError) as problem:
        return _refuse(claim, f"It cannot be computed: {problem}")
    except UNDEFINED:
        return _refuse(claim, "It has no value at the stated numbers.")


def _calculate_condition(
    claim: PhysicalClaim, tree: ex.Expression, workings: RecordWorkings, analysis: WorldAnalysis
) -> CalculatedClaim:
    engine = analysis.engine
    states = list(_list_states(claim, tree, workings, analysis))
    words, values = next((each for each in states if engine.evaluate_expression(tree, each[1])), states[-1])
    holds = bool(engine.evaluate_expression(tree, values))
    compared = [found for each in collect_comparisons(tree) if (found := compare_at(engine, each, values))]
    measured = [each for each in compared if each.margin is not None]
    nearest = min(measured, key=lambda each: each.margin or 0.0, default=None)
    always = _decide_over_ranges(tree, analysis) if len(states) == 1 else None
    numbers = "; ".join(
        f"{each.left} {format_relation(each.tree.operator)} {each.right}" for each in compared
    ) or ex.format_expression(tree)
    text = f"{words}{numbers}: it {'holds' if holds else 'does not hold'}"
    if nearest is not None:
        slack = nearest.describe_slack()
        text += f" with {slack} to spare" if holds else f" and misses {slack}"
    if len(states) == 1:
        text += f"; {_describe_ranges(tree, analysis, always=always)}"
    sources = list_sources(analysis.world, tree)
    return CalculatedClaim(
        claim,
        ClaimCalculation(
            claim_id=claim.claim_id, verdict="VALID" if holds else "INVALID", calculation=f"{text}."
        ),
        computed=True,
        margin=None if nearest is None else nearest.margin,
        always_holds=always,
        uncertain=sum(each.source in {PropertySource.ASSUMED, PropertySource.DISPUTED} for each in sources),
        numbers=len(sources),
        correction=None if holds else _propose_correction(claim, tree, analysis, numbers),
    )


def _list_states(
    claim: PhysicalClaim, tree: ex.Expression, workings: RecordWorkings, analysis: WorldAnalysis
) -> Iterator[tuple[str, list[Value]]]:
    """Yield the states in which a condition is evaluated: the one before the step that it names, else the start.

    If it does not hold at the start, a prefix of a plan may bring it about.
    """
    world = analysis.world
    bases = world.collect_stated_quantities(tree)
    decided = any(world.quantities[name].kind is QuantityKind.DECISION for name in bases)
    start = analysis.engine.build_start_values()
    if not bases & world.mutable and not decided:
        yield "", start
        return
    plans = [each.executed for each in workings.sketch if each.executed is not None]
    step = claim.step or 0
    named = [each for each in plans if 0 < step <= len(each.moves)]
    for each in named:
        outcome = analysis.executor.run_plan(each.moves[: step - 1], changes=each.changes)
        words = f"before step {step}, {each.moves[step - 1].text}: "
        yield words, outcome.values or analysis.engine.build_start_values(each.changes)
    if named:
        return
    if not decided:
        yield "at the start: ", start
    for each in plans:
        for length in range(1, len(each.moves) + 1):
            outcome = analysis.executor.run_plan(each.moves[:length], changes=each.changes)
            if outcome.values:
                yield f"after {each.moves[length - 1].text}: ", outcome.values
    yield "at the start, as no step of the sketch brings it about: ", start


def _decide_over_ranges(tree: ex.Expression, analysis: WorldAnalysis) -> bool | None:
    return IntervalEvaluator(build_range_box(analysis)).decide_condition(
        analysis.world.expand_derived_quantities(tree)
    )


def build_range_box(analysis: WorldAnalysis) -> dict[str, tuple[float, float]]:
    """Return the stated range of each uncertain number, and the value of every other."""
    box: dict[str, tuple[float, float]] = {}
    for name, quantity in analysis.world.quantities.items():
        if not isinstance(quantity.value, float):
            continue
        uncertain = quantity.kind in {QuantityKind.ASSUMED, QuantityKind.DISPUTED}
        if uncertain and quantity.low is not None and quantity.high is not None:
            box[name] = (quantity.low, quantity.high)
        else:
            box[name] = (quantity.value, quantity.value)
    return box


def _describe_ranges(tree: ex.Expression, analysis: WorldAnalysis, *, always: bool | None) -> str:
    sides = []
    for comparison in collect_comparisons(tree):
        unit = find_unit(analysis.engine, comparison.left, comparison.right)
        evaluator = IntervalEvaluator(build_range_box(analysis))
        ends = [
            evaluator.compute_interval(analysis.world.expand_derived_quantities(side))
            for side in (comparison.left, comparison.right)
        ]
        if any(abs(high - low) > 1e-9 * max(abs(low), abs(high), 1e-12) for low, high in ends):
            noise = _ROUNDING * max(abs(end) for side in ends for end in side)
            rounded = [[0.0 if abs(end) < noise else end for end in side] for side in ends]
            printed = [dict.fromkeys(format_number(end, unit) for end in side) for side in rounded]
            left, right = (" to ".join(each) for each in printed)
            sides.append(f"{left} against {right}")
    if not sides:
        return "all its numbers are exact"
    verdict = (
        "it holds everywhere"
        if always
        else "it holds nowhere"
        if always is False
        else "it does not hold everywhere"
    )
    return f"over all stated ranges {'; '.join(sides)}: {verdict}"


def _judge_claim_by_status(claim: PhysicalClaim, workings: RecordWorkings) -> CalculatedClaim:
    """Judge a claim without an expression by whether the record computes as the status it claims.

    The text says what was computed about the subjects of the claim. Only if it names none, the reason of the verdict
    is repeated.
    """
    agrees = workings.status == workings.claimed_status
    reason = workings.verdict.reason if workings.verdict is not None else "nothing could be computed"
    text = f"The record computes as {workings.status}, and claims {workings.claimed_status}: {reason}."
    found = [*_iterate_named_durations(claim, workings), *describe_claim_subjects(claim.text, workings)]
    if agrees and found:
        text = " ".join(found)
    calculation = ClaimCalculation(
        claim_id=claim.claim_id, verdict="VALID" if agrees else "INVALID", calculation=text
    )
    return CalculatedClaim(claim, calculation, computed=workings.verdict is not None)


def _iterate_named_durations(claim: PhysicalClaim, workings: RecordWorkings) -> Iterator[str]:
    """Yield the sum of the steps of each approach whose duration a claim states, and the deadline."""
    analysis = workings.analysis
    for name in _TIMED.findall(claim.text) if analysis is not None else ():
        outcome = analysis.outcomes.get(name) if analysis is not None else None
        if outcome is not None and outcome.steps:
            limit = "" if outcome.deadline is None else f" of {format_duration(outcome.deadline)}"
            terms = " + ".join(format_duration(step.took, like=outcome.time) for step in outcome.steps)
            yield f"The steps of `{name}` add up to {terms} = {format_duration(outcome.time)}{limit}."


def _propose_correction(
    claim: PhysicalClaim, tree: ex.Expression, analysis: WorldAnalysis, numbers: str
) -> Correction:
    repair = find_repair(analysis.engine, tree)
    proposal = "Withdraw the claim: no change of one number makes it true."
    if repair is not None:
        proposal = (
            f"{repair[0]} = {format_quantity(analysis.world, *repair)} makes it hold with 15 % to spare."
        )
    return Correction(
        subject=repair[0] if repair is not None else claim.claim_id,
        problem=f"Claim {claim.claim_id} computes as false.",
        evidence=numbers,
        proposal=proposal,
    )


def _refuse(claim: PhysicalClaim, text: str) -> CalculatedClaim:
    calculation = ClaimCalculation(claim_id=claim.claim_id, verdict="INVALID", calculation=text)
    correction = Correction(
        subject=claim.claim_id,
        problem=f"Claim {claim.claim_id} cannot be computed.",
        evidence=text,
        proposal="Write it as a comparison of quantities of the same dimension that the record states.",
    )
    return CalculatedClaim(claim, calculation, computed=False, correction=correction)


def list_condition_margins(plan: AnsweringPlan) -> tuple[str, ...]:
    """Return every condition of the plan with the margin by which it holds."""
    lines = [
        f"{step.call}: `{name}` holds by {margin:.0%}"
        for step in plan.outcome.steps
        for name, margin in step.margins
        if margin is not None
    ]
    return tuple(dict.fromkeys(lines))[:MOST_LINES]
