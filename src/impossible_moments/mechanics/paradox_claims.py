"""The claim of a paradox compared: that nothing works, that the cover is whole, that the conflict is smallest."""

from __future__ import annotations

from typing import Final

from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.approaches import condition_names
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.impossibility import Impossibility, Prover
from impossible_moments.mechanics.search import Situation
from impossible_moments.mechanics.sorts import did_you_mean
from impossible_moments.mechanics.status import Verdict
from impossible_moments.mechanics.status_forms import Paradox

HALF: Final = 0.5
SHORTEST_CHAIN: Final = 2


def compare_paradox(analysis: Analysis, verdict: Verdict, status: Paradox, findings: Findings) -> None:
    """Compare a claimed paradox: nothing works, every cell is closed, the conflict is a smallest one."""
    for name, outcome in analysis.outcomes.items():
        if outcome.reaches_goal:
            findings.add(
                "status.trap-works",
                f"/approaches/{name}",
                f"`{name}` reaches the goal in {outcome.time:.4g} s",
                found=name,
                expected="a paradox has no approach that works",
            )
    _cells(verdict, findings)
    _chains(analysis, status, findings)
    _untold_locks(analysis, findings)
    if verdict.impossibility is not None:
        _rechecks(verdict.impossibility, findings)
        _conflict(analysis, verdict.impossibility, status, findings)


def _cells(verdict: Verdict, findings: Findings) -> None:
    """Every cell is closed, and not most of them by words alone."""
    for cell in verdict.cells:
        if not cell.closed_by:
            findings.add(
                "cover.empty",
                f"/cover/{cell.name}",
                f"nothing closes `{cell.name}`: {cell.lacks}",
                found="an empty cell",
                expected=f"{cell.name} = <approach with of: {cell.mechanism} on {cell.thing}>, or {cell.name} = @ exact quote that rules it out, or the properties",
            )
    stipulated = [cell.name for cell in verdict.cells if cell.closed_by == "quote"]
    if len(stipulated) > HALF * len(verdict.cells):
        findings.add(
            "cover.stipulated",
            "/cover",
            f"{len(stipulated)} of {len(verdict.cells)} cells are closed by words alone",
            found=", ".join(stipulated),
            expected="approaches that fail by their numbers",
        )


def _chains(analysis: Analysis, status: Paradox, findings: Findings) -> None:
    """A chain is an approach in which one call is to make another possible."""
    for name in status.chains:
        problem = ""
        if name not in analysis.plans:
            problem = f"`{name}` is no approach{did_you_mean(name, analysis.plans)}"
        elif len(analysis.plans[name]) < SHORTEST_CHAIN:
            problem = f"`{name}` is a single call"
        if problem:
            chains = [other for other, plan in analysis.plans.items() if len(plan) >= SHORTEST_CHAIN]
            findings.add(
                "status.chain",
                "/status/chains",
                problem,
                found=name,
                expected=f"one of {', '.join(chains) or 'none: leave it empty'}",
            )


def _rechecks(proof: Impossibility, findings: Findings) -> None:
    for closed in proof.closed:
        if not closed.rechecked:
            findings.add(
                "proof.recheck",
                "/status",
                f"the proof that {' then '.join(closed.calls)} is impossible did not pass its re-check",
                found=closed.proof.method,
                expected="report this record: the prover is at fault",
            )


def _untold_locks(analysis: Analysis, findings: Findings) -> None:
    """Whether the paradox falls once an inherited lock or lid, of which the record says nothing, is open."""
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
        plan = analysis.searcher.plan(analysis.bounds, Situation({path: False}))
        if plan is not None:
            calls = " then ".join(move.text for move in plan)
            findings.add(
                "status.untold-lock", f"/things/{thing}", f"`{path}` comes from the library and nothing tells it; were it false, {calls} would work", found=path,
                expected=f"props: `{name} = true @ exact quote that tells it`",
            )  # fmt: skip


def _conflict(analysis: Analysis, proof: Impossibility, status: Paradox, findings: Findings) -> None:
    """Whether the named conditions alone forbid the goal, and each of them is needed."""
    known = [*condition_names(analysis), "deadline", "goal", *(never.name for never in analysis.world.nevers)]
    for name in status.conflict:
        if status.conflict.count(name) > 1:
            findings.add(
                "status.conflict",
                "/status/conflict",
                f"`{name}` is named twice",
                found=", ".join(status.conflict),
                expected="each condition once",
            )
            return
        if name not in known:
            findings.add(
                "status.conflict",
                "/status/conflict",
                f"nothing is called `{name}`{did_you_mean(name, known)}",
                found=name,
                expected="verb.condition, verb.slot, deadline, a never-line or answer.puzzle",
            )
            return
    if not proof.proved:
        if proof.exhausted and not _within_stated_ranges(analysis):
            return
        if proof.exhausted:
            findings.add(
                "proof.estimate",
                "/status",
                f"impossible within the stated ranges, but not when estimates count twice: {' then '.join(proof.open_plan)} then works",
                found=" then ".join(proof.open_plan),
                expected="a cited source instead of an estimate, or clearer numbers",
            )
        return
    problem = _conflict_problem(analysis.prover(doubled=True), status)
    if problem:
        # a smallest conflict takes a proof for each condition: it is sought only to mend a wrong one
        smallest = analysis.prover(doubled=True).conflict(proof.blocked)
        findings.add(
            "status.conflict",
            "/status/conflict",
            problem,
            found=", ".join(status.conflict),
            expected=", ".join(smallest),
        )


def _conflict_problem(prover: Prover, status: Paradox) -> str:
    """What is wrong with a claimed conflict: too little, or something too much."""
    alone = prover.attempt(frozenset(status.conflict), certified=False)
    if not alone.exhausted:
        return "whether these alone forbid the goal could not be followed to the end"
    if not alone.proved:
        return f"with these alone {' then '.join(alone.open_plan)} would work"
    for name in status.conflict:
        if prover.attempt(frozenset(status.conflict) - {name}, certified=False).proved:
            return f"`{name}` is not needed: the others already forbid the goal"
    return ""


def _within_stated_ranges(analysis: Analysis) -> bool:
    return analysis.prover(doubled=False).attempt(certified=False).proved
