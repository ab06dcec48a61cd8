"""Verdicts on claims: the numbers compared, the margin, and the source of each property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.newton.human_limits import compute_quantities_of_weakest_person
from impossible_moments.agents.builtin.newton.open_claims import judge_claim_without_expression
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts
from impossible_moments.agents.builtin.quantity_wording import (
    Compared,
    PropertySource,
    SourcedName,
    collect_comparisons,
    compare_at,
    describe_sources,
    format_quantity,
    list_sources,
)
from impossible_moments.agents.builtin.repair_values import find_repair
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.domain.validation import ClaimVerdict, Correction
from impossible_moments.mechanics.language import (
    UNDEFINED,
    ExpressionError,
    ExpressionTypeError,
    NonNumericType,
    Value,
    parse_expression,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.mechanics.world import WorldEngine

UNSURE_SOURCES: Final = frozenset({PropertySource.ASSUMED, PropertySource.DISPUTED})


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A verdict with the facts behind it."""

    claim: PhysicalClaim
    verdict: ClaimVerdict
    computed: bool
    margin: float | None = None
    weakest: Compared | None = None
    """The comparison at the weakest admitted person, if it differs."""
    sources: tuple[SourcedName, ...] = ()
    correction: Correction | None = None

    @property
    def holds(self) -> bool:
        """Whether the claim is VALID."""
        return self.verdict.verdict == "VALID"


@dataclass(frozen=True, slots=True)
class _Moment:
    """A state in which a claim is evaluated, and its wording."""

    values: list[Value]
    words: str = ""


def judge_claims(facts: SeedFacts) -> tuple[JudgedClaim, ...]:
    """Judge every flagged claim."""
    return tuple(judge_claim(claim, facts) for claim in facts.seed.solution_sketch.claims)


def judge_claim(claim: PhysicalClaim, facts: SeedFacts) -> JudgedClaim:
    """Judge one claim by its numbers."""
    engine = facts.engine
    if engine is None:
        return _refuse_claim(
            claim, f"The record cannot be read, so nothing can be computed: {facts.problems[0]}"
        )
    if not claim.expression.strip():
        holds, reasoning = judge_claim_without_expression(claim.text, facts)
        return JudgedClaim(claim, _build_verdict(claim, reasoning, holds=holds), computed=False)
    try:
        tree = parse_expression(claim.expression, facts.library.templates)
        if engine.infer_expression_type(tree) is not NonNumericType.TRUTH:
            return _refuse_claim(claim, f"`{claim.expression}` is not a condition that can hold or fail.")
        return _judge_condition(claim, tree, facts, engine)
    except (ExpressionError, ExpressionTypeError, KeyError) as problem:
        return _refuse_claim(claim, f"`{claim.expression}` cannot be computed: {problem}")
    except UNDEFINED:
        return _refuse_claim(
            claim,
            f"`{claim.expression}` has no value at the stated numbers: a division by zero or a root of a negative number.",
        )


def _judge_condition(
    claim: PhysicalClaim, tree: ex.Expression, facts: SeedFacts, engine: WorldEngine
) -> JudgedClaim:
    moments = tuple(_list_moments(claim, tree, facts, engine))
    moment = next((each for each in moments if engine.evaluate_expression(tree, each.values)), moments[-1])
    holds = bool(engine.evaluate_expression(tree, moment.values))
    compared = [
        found for each in collect_comparisons(tree) if (found := compare_at(engine, each, moment.values))
    ]
    margins = [each.margin for each in compared if each.margin is not None]
    sources = list_sources(engine.world, tree)
    weakest = _compare_for_weakest_person(tree, engine) if len(moments) == 1 else None
    numbers = "; ".join(each.describe() for each in compared) or (
        f"`{claim.expression}` is {'true' if holds else 'false'}; it compares no numbers"
    )
    sentences = [
        f"{moment.words}{numbers}.",
        f"Sources: {describe_sources(sources) or 'numbers of the claim itself'}.",
    ]
    if weakest is not None:
        sentences.insert(1, f"For the weakest person that the text admits: {weakest.describe()}.")
    correction = None if holds else _propose_correction(claim, tree, engine, numbers)
    return JudgedClaim(
        claim,
        _build_verdict(claim, " ".join(sentences), holds=holds),
        computed=True,
        margin=min(margins, default=None),
        weakest=weakest,
        sources=sources,
        correction=correction,
    )


def _list_moments(
    claim: PhysicalClaim, tree: ex.Expression, facts: SeedFacts, engine: WorldEngine
) -> Iterator[_Moment]:
    """Yield the states in which a claim may hold: the one before the step that it names, else the start.

    If it does not hold at the start, a step may bring it about. What a solver chooses is known after a step only.
    """
    bases = engine.world.collect_stated_quantities(tree)
    decided = {name for name in bases if engine.world.quantities[name].kind is QuantityKind.DECISION}
    start = engine.build_start_values()
    if not bases & engine.world.mutable and not decided:
        yield _Moment(start)
        return
    step = claim.step or 0
    named = [run.moments[step - 1] for run in facts.sketch_runs if 0 < step <= len(run.moments)]
    if named:
        yield from (_Moment(each.before, f"Before step {step}, {each.move.text}: ") for each in named)
        return
    if not decided:
        yield _Moment(start, "At the start: ")
    for run in facts.sketch_runs:
        for number, moment in enumerate(run.moments, 1):
            if moment.after is not None:
                yield _Moment(moment.after, f"After step {number}, {moment.move.text}: ")
    yield _Moment(start, "At the start, since no step of the sketch brings it about: ")


def _compare_for_weakest_person(tree: ex.Expression, engine: WorldEngine) -> Compared | None:
    """Return the comparison with the thinnest margin for the weakest person, if such a person changes it."""
    weakest = compute_quantities_of_weakest_person(engine)
    if not weakest.keys() & engine.world.collect_stated_quantities(tree):
        return None
    values = engine.build_start_values(weakest)
    found = [
        each for tree_part in collect_comparisons(tree) if (each := compare_at(engine, tree_part, values))
    ]
    return min(
        found, key=lambda each: (each.holds, each.margin if each.margin is not None else 1.0), default=None
    )


def _propose_correction(
    claim: PhysicalClaim, tree: ex.Expression, engine: WorldEngine, numbers: str
) -> Correction:
    repair = find_repair(engine, tree)
    if repair is None:
        return Correction(
            subject=claim.claim_id,
            problem=f"Claim {claim.claim_id} is false at the stated numbers.",
            evidence=numbers,
            proposal="No change of a single number repairs it: withdraw the claim, or change what it compares.",
        )
    name, value = repair
    return Correction(
        subject=name,
        problem=f"Claim {claim.claim_id} is false at the stated numbers.",
        evidence=numbers,
        proposal=f"{name} = {format_quantity(engine.world, name, value)} makes it hold with 15 % to spare.",
    )


def _refuse_claim(claim: PhysicalClaim, reasoning: str) -> JudgedClaim:
    correction = Correction(
        subject=claim.claim_id,
        problem=f"Claim {claim.claim_id} cannot be computed.",
        evidence=reasoning,
        proposal="Write the claim as a comparison of quantities that the record states.",
    )
    return JudgedClaim(
        claim, _build_verdict(claim, reasoning, holds=False), computed=False, correction=correction
    )


def _build_verdict(claim: PhysicalClaim, reasoning: str, *, holds: bool) -> ClaimVerdict:
    return ClaimVerdict(claim_id=claim.claim_id, verdict="VALID" if holds else "INVALID", reasoning=reasoning)
