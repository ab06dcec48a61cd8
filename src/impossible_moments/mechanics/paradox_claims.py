"""The claim of a paradox compared: that nothing works, that the cover is whole, that the conflict is smallest."""

from __future__ import annotations

from typing import Final

from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.approaches import condition_names
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.impossibility import Impossibility
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
    for name in status.chains:
        if name not in analysis.plans:
            known = f"{did_you_mean(name, analysis.plans)}"
            findings.add(
                "status.chain",
                "/status/chains",
                f"`{name}` is no approach{known}",
                found=name,
                expected=f"one of {', '.join(analysis.plans)}",
            )
        elif len(analysis.plans[name]) < SHORTEST_CHAIN:
            findings.add(
                "status.chain",
                "/status/chains",
                f"`{name}` is a single call",
                found=name,
                expected="an approach in which one call is to make another possible",
            )
    for closed in verdict.impossibility.closed if verdict.impossibility is not None else ():
        if not closed.rechecked:
            findings.add(
                "proof.recheck",
                "/status",
                f"the proof that {' then '.join(closed.calls)} is impossible did not pass its re-check",
                found=closed.proof.method,
                expected="report this record: the prover is at fault",
            )
    _untold_locks(analysis, findings)
    if verdict.impossibility is not None:
        _conflict(analysis, verdict.impossibility, status, findings)


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
    prover = analysis.prover(doubled=True)
    alone = prover.attempt(frozenset(status.conflict), certified=False)
    smallest = prover.conflict(proof.blocked)
    if not alone.proved:
        findings.add(
            "status.conflict",
            "/status/conflict",
            f"with these alone {' then '.join(alone.open_plan)} would work",
            found=", ".join(status.conflict),
            expected=", ".join(smallest),
        )
        return
    for name in status.conflict:
        if prover.attempt(frozenset(status.conflict) - {name}, certified=False).proved:
            findings.add(
                "status.conflict",
                "/status/conflict",
                f"`{name}` is not needed: the others already forbid the goal",
                found=", ".join(status.conflict),
                expected=", ".join(smallest),
            )
            return


def _within_stated_ranges(analysis: Analysis) -> bool:
    return analysis.prover(doubled=False).attempt(certified=False).proved
