"""Conversion of a check report to plain data, for JSON, documents and the command line."""

from __future__ import annotations

from collections.abc import Mapping

from impossible_moments.mechanics.checks.record_check import CheckReport
from impossible_moments.mechanics.checks.sensitivity import compute_sensitivity_profile
from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.variants.counterfactual_variants import find_counterfactual_variants
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.records.puzzle_forms import CodePuzzle


def build_report_data(report: CheckReport, *, deep: bool = False) -> dict[str, object]:
    """Return findings, verdict, approaches, timing, sensitivity, cover and proofs as plain data.

    `deep` adds the counterfactual variants.
    """
    data: dict[str, object] = {
        "title": report.record.title if report.record else None,
        "claim": report.record.status.claim if report.record else None,
        "accepted": report.is_accepted,
        "findings": [finding.to_data() for finding in report.findings],
    }
    if report.analysis is None or report.verdict is None:
        return data
    analysis, verdict = report.analysis, report.verdict
    data["library"] = str(analysis.world.library)
    data["verdict"] = _build_verdict_data(verdict)
    data["approaches"] = {name: build_outcome_data(outcome) for name, outcome in analysis.outcomes.items()}
    data["sensitivity"] = build_sensitivity_data(analysis, verdict)
    data["puzzles"] = {
        name: {"answers": list(puzzle.answers), "explanation": puzzle.explanation, "facts": puzzle.facts}
        for name, puzzle in analysis.world.puzzles.items()
    }
    data["distractors"] = list(find_things_unused_by_plans(analysis, verdict))
    if deep:
        data["variants"] = [variant.to_data() for variant in find_counterfactual_variants(analysis, verdict)]
    return data


def _build_verdict_data(verdict: StatusVerdict) -> dict[str, object]:
    data: dict[str, object] = {
        "status": verdict.status,
        "reason": verdict.reason,
        "exhausted": verdict.exhausted,
    }
    data["ways"] = [list(way.calls) for way in verdict.ways]
    if verdict.crux is not None:
        data["crux"] = {"quantity": verdict.crux.quantity, "at": verdict.crux.at}
    if verdict.fragile_in:
        data["fragile_in"] = {
            each.quantity: {"breaks_at": each.breaks_at, "end": each.end} for each in verdict.fragile_in
        }
    if verdict.premises and verdict.outside is not None:
        data["premise"] = {"names": list(verdict.premises), "outside": list(verdict.outside.calls)}
    if verdict.cells:
        data["cover"] = {cell.name: cell.closed_by or f"EMPTY: {cell.lacks}" for cell in verdict.cells}
    if verdict.impossibility is not None:
        proof = verdict.impossibility
        data["impossibility"] = {
            "proved": proof.proved, "exhausted": proof.exhausted, "blocked_by": list(proof.blocking_conditions), "open_plan": list(proof.open_plan),
            "proofs": [{"plan": list(each.calls), "core": list(each.proof.core), "method": each.proof.method, "rechecked": each.rechecked} for each in proof.refuted_plans],
        }  # fmt: skip
    if verdict.frontier is not None:
        data["frontier"] = {
            "holds": verdict.frontier.holds,
            "gaps": dict(verdict.frontier.gaps),
            "example": dict(verdict.frontier.example),
        }
    return data


def build_outcome_data(outcome: PlanOutcome) -> dict[str, object]:
    """Return the outcome of a plan as plain data."""
    return {
        "end": outcome.end, "time_s": outcome.time, "deadline_s": outcome.deadline, "time_margin": outcome.time_margin,
        "least_margin": outcome.least_margin, "failing_margin": outcome.failing_margin, "note": outcome.note,
        "steps": [{"call": step.call, "started_s": step.started, "took_s": step.took, "margins": dict(step.margins), "inserted": step.inserted} for step in outcome.steps],
        "dangers": dict(outcome.dangers),
    }  # fmt: skip


def build_sensitivity_data(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return how each plan of the verdict ends with each quantity 20 % lower and higher."""
    return {
        " then ".join(way.calls): {
            each.quantity: {"-20%": each.lower, "+20%": each.higher}
            for each in compute_sensitivity_profile(analysis.executor, way.plan)
        }
        for way in verdict.ways
    }


def find_things_unused_by_plans(analysis: WorldAnalysis, verdict: StatusVerdict) -> tuple[str, ...]:
    """Return the objects and substances that no plan of the verdict uses, reads or changes.

    The plans of a contested scenario are those that work at either end of the dispute.
    """
    plans = (*verdict.ways, *((verdict.outside,) if verdict.outside is not None else ()))
    if verdict.crux is not None:
        plans += (*verdict.crux.all_low, *verdict.crux.all_high)
    used_things = {
        name for way in plans for move in way.plan for name in _find_involved_things(analysis, move)
    }
    return tuple(
        name
        for name, thing in analysis.world.things.items()
        if thing.own and thing.kind in {"object", "substance"} and name not in used_things
    )


def list_things_used_by_plans(analysis: WorldAnalysis, verdict: StatusVerdict) -> dict[str, str]:
    """Return each thing that is an argument of a working plan, with the call that uses it."""
    return {
        name: move.text
        for way in verdict.ways
        for move in way.plan
        for name in move.arguments
        if name in analysis.world.things
    }


def _find_involved_things(analysis: WorldAnalysis, move: Move) -> set[str]:
    """Return the things that a call involves: its arguments, what it reads and changes, and code items."""
    world = analysis.world
    trees = [*(test.tree for test in move.tests), move.takes_tree, *(change.tree for change in move.changes)]
    paths = {
        *(path for tree in trees for path in world.collect_stated_quantities(tree)),
        *(change.name for change in move.changes),
    }
    things = {*move.arguments, *(path.split(".")[0] for path in paths)}
    if move.verb == "answer":
        for puzzle in world.record.puzzles:
            if isinstance(puzzle, CodePuzzle) and puzzle.name in move.arguments:
                things |= set(puzzle.items)
    return things
