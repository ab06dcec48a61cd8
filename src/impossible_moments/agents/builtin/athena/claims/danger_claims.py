"""Claims about dangers: that a wrong answer runs into one, and that the solution stays clear of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from impossible_moments.agents.builtin.athena.claims.claim_expressions import (
    format_checked_expression,
    is_measured,
    is_vacuous,
)
from impossible_moments.agents.builtin.athena.claims.claim_wording import ClaimWriter
from impossible_moments.agents.builtin.athena.claims.comparison_trees import (
    collect_comparisons,
    list_failing_comparisons,
    negate_comparison,
)
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign, DeclaredStep
from impossible_moments.domain.seed import PhysicalClaim
from impossible_moments.mechanics.language import UNDEFINED
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.world import NeverRule


@dataclass(frozen=True, slots=True)
class _DangerDraft:
    """A comparison that decides about a danger after a step of an approach."""

    tree: ex.Comparison
    approach: str
    step: DeclaredStep
    prefix: str = ""


def list_danger_claims(
    declared: DeclaredDesign, writer: ClaimWriter, wrong_answers: Mapping[str, str], *, is_decided: bool
) -> list[PhysicalClaim]:
    """Return the claims about the dangers that a wrong answer is stated to run into, each solution first.

    `wrong_answers` holds the wrong answers by approach. If nothing else decides the design (`is_decided` is
    false), the nearest danger does, however wide its margin is.
    """
    broken = {name: rule for name in declared.traps if (rule := declared.find_broken_rule(name)) is not None}
    rules = {rule.name: rule for rule in broken.values()}
    drafts = [
        draft
        for rule in rules.values()
        for name in declared.answering
        for draft in _iterate_avoided_dangers(declared, name, rule)
    ]
    for name, rule in broken.items():
        answer = wrong_answers.get(name, name.replace("_", " ")).rstrip(".")
        drafts += _iterate_met_dangers(declared, name, rule, f"The wrong answer “{answer}” fails. ")
    kept = [
        each for each in drafts if not is_vacuous(each.tree, declared, each.approach, each.step, after=True)
    ]
    if not kept and not is_decided:
        kept = list(_iterate_nearest_dangers(declared, drafts))
    return [_write_claim(each, declared, writer) for each in kept]


def _iterate_nearest_dangers(declared: DeclaredDesign, drafts: list[_DangerDraft]) -> Iterator[_DangerDraft]:
    """Yield the danger with the smallest margin that a solution avoids, and that a wrong answer meets."""
    for is_wrong in (False, True):
        side = [each for each in drafts if bool(each.prefix) is is_wrong]
        if side:
            yield min(
                side, key=lambda each: abs(declared.measure_margin(each.tree, each.step.values_after) or 1.0)
            )


def _iterate_avoided_dangers(declared: DeclaredDesign, name: str, rule: NeverRule) -> Iterator[_DangerDraft]:
    """Yield how an approach stays clear of a danger, after the step that comes nearest to it."""
    drafts = [
        (margin, _DangerDraft(avoided, name, step))
        for step in declared.list_steps(name)
        for comparison in list_failing_comparisons(rule.tree, declared.engine, step.values_after)
        if is_measured(avoided := negate_comparison(comparison), declared, step.effects_after)
        and (margin := declared.measure_margin(avoided, step.values_after)) is not None
    ]
    if drafts:
        yield min(drafts, key=lambda each: each[0])[1]


def _iterate_met_dangers(
    declared: DeclaredDesign, name: str, rule: NeverRule, prefix: str
) -> Iterator[_DangerDraft]:
    """Yield what is too much or too little after the step with which an approach runs into a danger."""
    steps = declared.list_steps(name)
    step = next((each for each in steps if _is_in_danger(declared, each, rule)), steps[-1])
    for comparison in collect_comparisons(rule.tree, declared.engine, step.values_after):
        if is_measured(comparison, declared, step.effects_after):
            yield _DangerDraft(comparison, name, step, prefix)


def _is_in_danger(declared: DeclaredDesign, step: DeclaredStep, rule: NeverRule) -> bool:
    try:
        return bool(declared.engine.evaluate_expression(rule.tree, step.values_after))
    except UNDEFINED:
        return False


def _write_claim(draft: _DangerDraft, declared: DeclaredDesign, writer: ClaimWriter) -> PhysicalClaim:
    """Write a claim. Its expression contains what the steps have set, so it holds from the start."""
    step = draft.step
    sentence = writer.describe_comparison(draft.tree, step.values_after, step.effects_after.keys())
    tree = declared.replace_effects(draft.tree, step.effects_after)
    return PhysicalClaim(
        claim_id="C",
        text=f"{draft.prefix}After step {step.number}, `{step.move.text}`: {sentence}.",
        expression=format_checked_expression(tree, declared, draft.approach),
    )
