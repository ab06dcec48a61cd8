"""Physical claims: the conditions on which the solution and each trap turn, in words and as expressions.

They come from the structure of the record: the conditions of the stated plans, the conditions at which wrong
answers are stated to fail, the dangers that they run into, the conflict of a paradox, the envelope of an open problem, the disputed comparison
of a contested one, the premise of a metamorphic one. Nothing is searched for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.agents.builtin.athena.claims.claim_expressions import (
    format_checked_expression,
    is_measured,
    is_vacuous,
)
from impossible_moments.agents.builtin.athena.claims.claim_wording import ClaimWriter, format_duration
from impossible_moments.agents.builtin.athena.claims.comparison_trees import (
    collect_comparisons,
    list_failing_comparisons,
    negate_comparison,
)
from impossible_moments.agents.builtin.athena.claims.danger_claims import list_danger_claims
from impossible_moments.agents.builtin.athena.claims.record_level_claims import list_record_level_claims
from impossible_moments.agents.builtin.athena.declared_design import LATE, DeclaredDesign, DeclaredStep
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.mechanics.language import expressions as ex

MOST_CLAIMS: Final = 8


@dataclass(frozen=True)
class _Draft:
    """A comparison that may become a claim."""

    tree: ex.Comparison
    approach: str
    step: DeclaredStep
    condition: str
    prefix: str = ""
    is_crux: bool = False


def derive_physical_claims(
    declared: DeclaredDesign, words: Mapping[str, str], wrong_answers: Mapping[str, str]
) -> tuple[PhysicalClaim, ...]:
    """Derive the claims that a design rests on, the ones that decide it first.

    `words` are the scenario's names of quantities, `wrong_answers` the wrong answers by approach.
    """
    writer = ClaimWriter(declared.engine, words)
    drafts = _mark_crux([*_iterate_conditions_of_ways(declared), *_iterate_stops(declared, wrong_answers)])
    kept = [each for each in drafts if not is_vacuous(each.tree, declared, each.approach, each.step)]
    first = list(list_record_level_claims(declared, writer))
    if not first and not any(each.is_crux for each in kept):
        kept += _select_nearest_crux(drafts, declared)
    ordered = sorted(kept, key=lambda each: not each.is_crux)
    claims = [_write_claim(each, declared, writer) for each in ordered]
    claims += list_danger_claims(declared, writer, wrong_answers, is_decided=bool(first or claims))
    is_decided = bool(first or claims)
    claims += _iterate_time_claims(declared, is_decided=is_decided)
    found = {(claim.expression or claim.text): claim for claim in (*first, *claims)}
    return tuple(
        claim.model_copy(update={"claim_id": f"C{number}"})
        for number, claim in enumerate(list(found.values())[:MOST_CLAIMS], 1)
    )


def _iterate_conditions_of_ways(declared: DeclaredDesign) -> Iterator[_Draft]:
    for name in declared.answering:
        for step, condition, tree in declared.iterate_conditions(name):
            for comparison in collect_comparisons(tree, declared.engine, step.values):
                if is_measured(comparison, declared, step.effects):
                    yield _Draft(comparison, name, step, condition)


def _iterate_stops(declared: DeclaredDesign, wrong_answers: Mapping[str, str]) -> Iterator[_Draft]:
    """Yield the conditions at which the wrong answers are stated to fail, negated."""
    for name in declared.traps:
        stop = declared.find_stop(name)
        if stop is None:
            continue
        for comparison in list_failing_comparisons(stop.tree, declared.engine, stop.step.values):
            if is_measured(comparison, declared, stop.step.effects):
                answer = wrong_answers.get(name, name.replace("_", " ")).rstrip(".")
                prefix = f"The wrong answer “{answer}” fails. "
                yield _Draft(negate_comparison(comparison), name, stop.step, stop.name, prefix)


def _mark_crux(drafts: list[_Draft]) -> list[_Draft]:
    """Mark the conditions that hold for a way and fail for a trap: the same named condition on both sides.

    Where no way and trap share a condition, each trap turns on the condition that stops it.
    """
    ways = {each.condition for each in drafts if not each.prefix}
    stops = {each.condition for each in drafts if each.prefix}
    shared = ways & stops
    return [
        replace(each, is_crux=each.condition in shared if shared else bool(each.prefix)) for each in drafts
    ]


def _select_nearest_crux(drafts: list[_Draft], declared: DeclaredDesign) -> list[_Draft]:
    """Return the crux with the smallest margin, of a way and of a trap, however wide that margin is."""

    def measure(draft: _Draft) -> float:
        margin = declared.measure_margin(draft.tree, draft.step.values)
        return 1.0 if margin is None else abs(margin)

    sides = (
        [each for each in drafts if each.is_crux and bool(each.prefix) is side] for side in (False, True)
    )
    return [min(side, key=measure) for side in sides if side]


def _write_claim(draft: _Draft, declared: DeclaredDesign, writer: ClaimWriter) -> PhysicalClaim:
    """Write a claim. Its expression contains what earlier steps have set, so it holds from the start."""
    reads_state = bool(declared.world.collect_stated_quantities(draft.tree) & declared.world.mutable)
    sentence = writer.describe_comparison(draft.tree, draft.step.values, draft.step.effects.keys())
    where = f"Before step {draft.step.number}, `{draft.step.move.text}`: " if reads_state else ""
    text = where + sentence if where else sentence[:1].upper() + sentence[1:]
    return PhysicalClaim(
        claim_id="C",
        text=f"{draft.prefix}{text}.",
        expression=format_checked_expression(
            declared.replace_effects(draft.tree, draft.step.effects), declared, draft.approach
        ),
    )


def _iterate_time_claims(declared: DeclaredDesign, *, is_decided: bool) -> Iterator[PhysicalClaim]:
    """Yield that the solution is in time, and that wrong answers which are stated as late are not.

    If nothing else decides the design (`is_decided` is false), the clock does, however much time it leaves.
    """
    deadline = declared.world.deadline
    if deadline is None or declared.deadline is None:
        return
    late = [name for name in declared.traps if declared.ends[name] == LATE]
    for name in (*declared.answering, *late):
        total = declared.sum_stated_durations(name)
        # other delays than the stated durations are for the validators to find
        if not total or (name in late and total <= declared.deadline):
            continue
        tree = ex.Comparison(">" if name in late else "<=", _add_durations(declared, name), deadline)
        if is_decided and is_vacuous(tree, declared, name, declared.list_steps(name)[-1]):
            continue
        fixed = not declared.world.collect_stated_quantities(tree) & declared.world.mutable
        is_stated = fixed and declared.can_evaluate(tree)
        expression = format_checked_expression(tree, declared, name) if is_stated else ""
        relation = "more than" if name in late else "within"
        yield PhysicalClaim(
            claim_id="C",
            text=f"The steps of `{name}` take {format_duration(total)} as stated, {relation} the deadline of {format_duration(declared.deadline)}.",
            expression=expression,
        )


def _add_durations(declared: DeclaredDesign, name: str) -> ex.Expression:
    """Return the sum of the stated durations, each with what earlier steps have set or chosen."""
    times = [
        declared.replace_effects(step.move.takes_tree, step.effects)
        for step in declared.list_steps(name)
        if step.move.takes is not None
    ]
    total = times[0]
    for time in times[1:]:
        total = ex.Arithmetic("+", total, time)
    return total
