"""Open frontier: the claims of an answer, the conditions it must meet, and the known limits to exceed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import ExpressionType, NonNumericType
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import KnownValue
from impossible_moments.mechanics.proofs.admissible_box import build_admissible_box
from impossible_moments.mechanics.proofs.certificates import Proof
from impossible_moments.mechanics.proofs.constrained_minimum import compute_minimum_bounds
from impossible_moments.mechanics.proofs.satisfiability import ProofBudget, decide_joint_satisfiability
from impossible_moments.mechanics.proofs.witnesses import Witness
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.records.quantities import (
    Quantity,
    QuantityError,
    QuantityKind,
    is_citable_source,
    parse_quantity,
)
from impossible_moments.mechanics.records.record import FrontierForm
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import World

GAP: Final = ProofBudget(boxes=500)
"""Budget for the bound on one gap. The figure is for information, and a loose one is still a lower bound."""


@dataclass(frozen=True, slots=True)
class Frontier:
    """A frontier of a record; `gaps` gives the least factor by which each known limit must be exceeded."""

    claims: Mapping[str, Quantity]
    envelope: Mapping[str, Expression]
    known: Mapping[str, Expression]
    holds: bool
    example: Mapping[str, float] = field(default_factory=dict)
    gaps: Mapping[str, float] = field(default_factory=dict)


def read_frontier(form: FrontierForm, draft: WorldDraft, world: World) -> Frontier:
    """Read and judge the frontier of a record. Problems are reported as findings."""
    before = len(draft.findings.errors)
    claims = _read_frontier_claims(form, draft)
    types: dict[str, ExpressionType] = {
        name: quantity.tree.dimension
        for name, quantity in claims.items()
        if isinstance(quantity.tree, ex.Number)
    }
    envelope = _read_frontier_conditions(form.envelope, "envelope", types, draft, sourced=False)
    known = _read_frontier_conditions(form.known, "known", types, draft, sourced=True)
    for section, found in (("claims", claims), ("envelope", envelope), ("known", known)):
        if not found:
            draft.findings.add(
                "frontier.form",
                f"/frontier/{section}",
                f"the frontier has no `{section}`",
                expected=_EXAMPLES[section],
            )
    _check_envelope_relevance(envelope, draft, world)
    if len(draft.findings.errors) > before:
        return Frontier(claims, envelope, known, holds=False)
    return _judge_frontier(Frontier(claims, envelope, known, holds=False), draft, world)


def _check_envelope_relevance(envelope: Mapping[str, Expression], draft: WorldDraft, world: World) -> None:
    """Check that the envelope and the actions have a quantity in common: both concern the same problem."""
    trees = [world.goal, *([world.deadline] if world.deadline is not None else [])]
    for action in world.actions.values():
        if action.own:
            trees += (
                [condition.tree for condition in action.when]
                + [action.takes]
                + [effect.tree for effect in action.then]
            )
    by_actions = frozenset().union(*(world.collect_stated_quantities(tree) for tree in trees))
    by_envelope = frozenset().union(*(world.collect_stated_quantities(tree) for tree in envelope.values()))
    if envelope and not by_actions & by_envelope:
        draft.findings.add(
            "frontier.form",
            "/frontier/envelope",
            "no action, goal or deadline reads a quantity of the envelope, so it may belong to a different problem",
            found=", ".join(envelope),
            expected="an envelope that reads the quantity that the actions cannot reach",
        )


_EXAMPLES = {
    "claims": "uptake = choose 0..1",
    "envelope": "enough = uptake*cycles*sorbent >= need",
    "known": "shown_uptake = uptake <= uptake_known @ work, table or page",
}


def _read_frontier_claims(form: FrontierForm, draft: WorldDraft) -> dict[str, Quantity]:
    claims: dict[str, Quantity] = {}
    for number, line in enumerate(form.claims):
        path = f"/frontier/claims/{number}"
        try:
            quantity = parse_quantity(line)
        except QuantityError as problem:
            draft.findings.add(problem.code, path, str(problem), found=line, expected=problem.expected)
            continue
        if quantity.kind is not QuantityKind.DECISION or not quantity.is_number:
            draft.findings.add(
                "frontier.form",
                path,
                f"claim `{quantity.name}` has no range to choose from",
                found=line,
                expected=_EXAMPLES["claims"],
            )
        elif quantity.name in draft.quantities or quantity.name in claims:
            draft.findings.add(
                "name.twice",
                path,
                f"the name `{quantity.name}` of a claim is already used",
                found=line,
                expected="another name",
            )
        else:
            claims[quantity.name] = quantity
    return claims


def _read_frontier_conditions(
    lines: list[str], section: str, types: dict[str, ExpressionType], draft: WorldDraft, *, sourced: bool
) -> dict[str, Expression]:
    found: dict[str, Expression] = {}
    for number, line in enumerate(lines):
        path = f"/frontier/{section}/{number}"
        parts = parse_line_or_report(line, path, draft.findings, example=_EXAMPLES[section])
        if parts is None:
            continue
        tree = draft.parse_expression(parts.body, path, _EXAMPLES[section])
        if (
            tree is None
            or draft.check_expression_type(tree, path, variables=types, expected=NonNumericType.TRUTH) is None
        ):
            continue
        draft.report_unnamed_literals(tree, path)
        if sourced and not (
            is_citable_source(parts.evidence) or parts.evidence.lower().startswith("estimate")
        ):
            draft.findings.add(
                "frontier.form",
                path,
                f"known limit `{parts.head}` has no source",
                found=line,
                expected=_EXAMPLES["known"],
            )
        if sourced and not ex.collect_paths(tree) & types.keys():
            draft.findings.add(
                "frontier.form",
                path,
                f"known limit `{parts.head}` does not limit any claim",
                found=line,
                expected=_EXAMPLES["known"],
            )
        found[parts.head] = tree
    return found


def build_frontier_box(frontier: Frontier, world: World, *, ranges: bool) -> dict[str, KnownValue]:
    """Return the box of the claims and the record's quantities, the latter over their ranges if `ranges`."""
    box = build_admissible_box(
        world.quantities, estimates_doubled=False, names=None if ranges else frozenset()
    )
    for name, quantity in frontier.claims.items():
        numbers = [value for value in quantity.options if isinstance(value, float)]
        box[name] = (min(numbers), max(numbers)) if numbers else (quantity.low or 0.0, quantity.high or 0.0)
    return box


def _judge_frontier(frontier: Frontier, draft: WorldDraft, world: World) -> Frontier:
    """Check that the envelope can be met, but not within the known limits, and compute the gaps."""
    envelope = {name: world.expand_derived_quantities(tree) for name, tree in frontier.envelope.items()}
    known = {name: world.expand_derived_quantities(tree) for name, tree in frontier.known.items()}
    stated_box, ranged = (
        build_frontier_box(frontier, world, ranges=False),
        build_frontier_box(frontier, world, ranges=True),
    )
    possible = decide_joint_satisfiability(envelope, stated_box)
    if not isinstance(possible, Witness):
        reason = (
            f"conflict: {', '.join(possible.core)}" if isinstance(possible, Proof) else "no point was found"
        )
        draft.findings.add(
            "frontier.empty",
            "/frontier/envelope",
            f"no values of the claims within their ranges meet the envelope ({reason})",
            found=", ".join(envelope),
            expected="an envelope that some answer could meet; if the conflict is proved, claim PX",
        )
        return frontier
    inside = decide_joint_satisfiability({**envelope, **known}, ranged)
    if not isinstance(inside, Proof):
        shown = (
            ", ".join(
                f"{name} = {inside.point[name]:.4g}" for name in frontier.claims if name in inside.point
            )
            if isinstance(inside, Witness)
            else "no proof found"
        )
        draft.findings.add(
            "frontier.known",
            "/frontier/known",
            f"the known limits do not exclude the envelope: {shown}",
            found=", ".join(known),
            expected="known limits that exclude the goal; or claim KS",
        )
        return frontier
    example = {name: float(possible.point[name]) for name in frontier.claims if name in possible.point}
    return Frontier(
        frontier.claims,
        frontier.envelope,
        frontier.known,
        holds=True,
        example=example,
        gaps=_compute_factors_beyond_limits(envelope, known, stated_box),
    )


def _compute_factors_beyond_limits(
    envelope: dict[str, Expression], known: dict[str, Expression], box: dict[str, KnownValue]
) -> dict[str, float]:
    """Return the least factor by which each limit must be exceeded, with the other limits if possible."""
    gaps: dict[str, float] = {}
    for name, tree in known.items():
        if not isinstance(tree, ex.Comparison) or tree.operator in {"==", "!="}:
            continue
        low, high = (tree.left, tree.right) if tree.operator in {"<", "<="} else (tree.right, tree.left)
        ratio = ex.Arithmetic("/", low, high)
        others = {other: condition for other, condition in known.items() if other != name}
        found = compute_minimum_bounds(ratio, {**envelope, **others}, box, GAP) or compute_minimum_bounds(
            ratio, envelope, box, GAP
        )
        if found is not None and found.lower > 1:
            gaps[name] = found.lower
    return gaps


def judge_answer_claims(
    frontier: Frontier, world: World, numbers: Mapping[str, float]
) -> tuple[dict[str, bool], tuple[str, ...]]:
    """Return which envelope conditions the numbers of an answer meet, and which known limits they exceed."""
    box = {name: (value, value) for name, value in numbers.items()}
    stated_box = {**build_frontier_box(frontier, world, ranges=False), **box}
    met = {
        name: isinstance(
            decide_joint_satisfiability({name: world.expand_derived_quantities(tree)}, stated_box), Witness
        )
        for name, tree in frontier.envelope.items()
    }
    beyond = tuple(
        name
        for name, tree in frontier.known.items()
        if not isinstance(
            decide_joint_satisfiability({name: world.expand_derived_quantities(tree)}, stated_box), Witness
        )
    )
    return met, beyond
