"""Check of a claimed paradox: nothing works, the cover is complete, and the conflict is minimal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from impossible_moments.mechanics.checks.approaches import list_names_that_can_block_plan
from impossible_moments.mechanics.checks.conflict_groups import group_conflict_names
from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.search_limits import SearchSituation
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.proofs.impossibility import GoalImpossibilityProver
from impossible_moments.mechanics.proofs.impossibility_result import ImpossibilityResult
from impossible_moments.mechanics.records.status_forms import Paradox

HALF: Final = 0.5
SHORTEST_CHAIN: Final = 2


def check_paradox_claim(
    analysis: WorldAnalysis, verdict: StatusVerdict, status: Paradox, findings: Findings
) -> None:
    """Check that no approach works, every cover cell is closed, and the claimed conflict is minimal."""
    for name, outcome in analysis.outcomes.items():
        if outcome.reaches_goal:
            findings.add(
                "status.trap-works",
                f"/approaches/{name}",
                f"approach `{name}` reaches the goal in {outcome.time:.4g} s",
                found=name,
                expected="no approach that reaches the goal, because the claim is a paradox",
            )
    _check_cover_cells(analysis, verdict, findings)
    _check_chains(analysis, status, findings)
    _report_unstated_locks(analysis, findings)
    if verdict.impossibility is not None:
        _report_failed_rechecks(verdict.impossibility, findings)
        _check_claimed_conflict(analysis, verdict.impossibility, status, findings)


def _check_cover_cells(analysis: WorldAnalysis, verdict: StatusVerdict, findings: Findings) -> None:
    """Report open cells, and a cover in which quotes alone close more than half of the cells.

    If every state was followed, the paradox is computed, whatever closes the cells.
    """
    for cell in verdict.cells:
        if not cell.closed_by:
            findings.add(
                "cover.empty",
                f"/cover/{cell.name}",
                f"cover cell `{cell.name}` is open: {cell.lacks}",
                found="an open cell",
                expected=f"{cell.name} = <approach with of: {cell.mechanism} on {cell.thing}>, or {cell.name} = @ exact quote that rules it out, or the properties",
            )
    stipulated = [cell.name for cell in verdict.cells if cell.closed_by == "quote"]
    if len(stipulated) > HALF * len(verdict.cells) and analysis.world.record.longest_plan is None:
        findings.add(
            "cover.stipulated",
            "/cover",
            f"{len(stipulated)} of {len(verdict.cells)} cells are closed only by quotes",
            found=", ".join(stipulated),
            expected="approaches that fail because of their numbers",
        )


def _check_chains(analysis: WorldAnalysis, status: Paradox, findings: Findings) -> None:
    """Check that every chain is an approach of at least two calls, of which one prepares another."""
    for name in status.chains:
        problem = ""
        if name not in analysis.plans:
            problem = f"`{name}` is not an approach{suggest_similar_name(name, analysis.plans)}"
        elif len(analysis.plans[name]) < SHORTEST_CHAIN:
            problem = f"approach `{name}` has only one call"
        if problem:
            chains = [other for other, plan in analysis.plans.items() if len(plan) >= SHORTEST_CHAIN]
            findings.add(
                "status.chain",
                "/status/chains",
                problem,
                found=name,
                expected=f"one of {', '.join(chains) or 'none: leave the list empty'}",
            )


def _report_failed_rechecks(proof: ImpossibilityResult, findings: Findings) -> None:
    """Report proofs that failed the independent check."""
    for closed in proof.refuted_plans:
        if not closed.rechecked:
            findings.add(
                "proof.recheck",
                "/status",
                f"the proof that {' then '.join(closed.calls)} is impossible failed the independent check",
                found=closed.proof.method,
                expected="a valid proof; please report this record as an error of the prover",
            )


def _report_unstated_locks(analysis: WorldAnalysis, findings: Findings) -> None:
    """Report locks and lids that the record does not mention but without which a plan would work."""
    world = analysis.world
    for path, quantity in world.quantities.items():
        thing, _, name = path.partition(".")
        if (
            name not in {"locked", "shut"}
            or path in world.own_paths
            or quantity.value is not True
            or not world.things[thing].own
        ):
            continue
        plan = analysis.searcher.find_plan(analysis.bounds, SearchSituation({path: False}))
        if plan is not None:
            calls = " then ".join(move.text for move in plan)
            findings.add(
                "status.untold-lock", f"/things/{thing}", f"`{path}` is inherited from the library and not stated, but without it {calls} would work", found=path,
                expected=f"props: `{name} = true @ exact quote that states it`",
            )  # fmt: skip


def _check_claimed_conflict(
    analysis: WorldAnalysis, proof: ImpossibilityResult, status: Paradox, findings: Findings
) -> None:
    """Check that the named conditions alone forbid the goal, and that each of them is needed."""
    known = [
        *list_names_that_can_block_plan(analysis),
        "deadline",
        "goal",
        *(never.name for never in analysis.world.never_rules),
    ]
    for name in status.conflict:
        if status.conflict.count(name) > 1:
            findings.add(
                "status.conflict",
                "/status/conflict",
                f"condition `{name}` is named twice",
                found=", ".join(status.conflict),
                expected="each condition once",
            )
            return
        if name not in known:
            findings.add(
                "status.conflict",
                "/status/conflict",
                f"no such condition: `{name}`{suggest_similar_name(name, known)}",
                found=name,
                expected="verb.condition, verb.slot, deadline, a never-line or answer.puzzle",
            )
            return
    if not proof.proved:
        if proof.exhausted and not _is_impossible_in_stated_ranges(analysis):
            return
        if proof.exhausted:
            findings.add(
                "proof.estimate",
                "/status",
                f"impossible within the stated ranges, but {' then '.join(proof.open_plan)} works if the ranges of estimates are doubled",
                found=" then ".join(proof.open_plan),
                expected="a cited source instead of an estimate, or larger margins",
            )
        return
    groups = group_conflict_names(analysis, status.conflict)
    problem = _explain_conflict_problem(analysis.create_prover(estimates_doubled=True), status, groups)
    if problem:
        # A smallest conflict needs a proof for each condition, so it is computed only to correct a wrong one.
        smallest = (
            analysis.create_prover(estimates_doubled=True).find_smallest_conflict(proof.blocking_conditions)
            if len(groups) == len(status.conflict)
            else ("all conditions on the states that matter, and none on others",)
        )
        findings.add(
            "status.conflict",
            "/status/conflict",
            problem,
            found=", ".join(status.conflict),
            expected=", ".join(smallest),
        )


def _explain_conflict_problem(
    prover: GoalImpossibilityProver, status: Paradox, groups: Sequence[frozenset[str]]
) -> str:
    """Return what is wrong with a claimed conflict: a condition is missing or not needed.

    Empty if it is right.
    """
    alone = prover.attempt_proof(frozenset(status.conflict), certified=False)
    if not alone.exhausted:
        return (
            "the search could not decide whether these conditions alone forbid the goal, because effects that can be "
            "repeated without end leave too many states; let such an effect set a fixed value instead of adding to one, or "
            "let its action be possible only once"
        )
    if not alone.proved:
        return f"these conditions alone do not forbid {' then '.join(alone.open_plan)}"
    for group in groups:
        if prover.attempt_proof(frozenset(status.conflict) - group, certified=False).proved:
            names = "`, `".join(sorted(group))
            return f"condition `{names}` is not needed in the conflict: the other conditions already forbid the goal"
    return ""


def _is_impossible_in_stated_ranges(analysis: WorldAnalysis) -> bool:
    """Return whether impossibility is proved within the stated ranges, without doubling estimates."""
    return analysis.create_prover(estimates_doubled=False).attempt_proof(certified=False).proved
