"""Proof that no plan works over the whole admissible range, or the plan that disproves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.tools.record_judge import NOT_EXHAUSTED, describe_uncomputable_record
from impossible_moments.agents.tools.record_workbench import RecordWorkbench
from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.mechanics.checks import CheckReport, WorldAnalysis, explain_missing_proof
from impossible_moments.mechanics.execution import MinimalPlan
from impossible_moments.mechanics.proofs import ImpossibilityResult, RefutedPlan
from impossible_moments.mechanics.records import Paradox
from impossible_moments.mechanics.world import format_point_values

MOST_PROOFS: Final = 6
_NUMBERS: Final = "An action accepts any number, but only whole numbers up to twelve were tried. This is not a proof for other numbers."


@dataclass(frozen=True)
class ImpossibilityProver:
    """The tool that proves that no plan of the record works, or reports one that does."""

    workbench: RecordWorkbench

    def prove(self) -> Data:
        """Try to prove that no plan reaches the goal anywhere in the admissible ranges. Return the conflict and the cover, or a plan that disproves it."""
        report = self.workbench.report
        analysis = report.analysis
        if analysis is None or report.verdict is None:
            return describe_uncomputable_record(report)
        if analysis.minimal_plans.ways:
            return _describe_working_plan(analysis, (report.verdict.ways or analysis.minimal_plans.ways)[0])
        proof, doubled = self.workbench.impossibility
        ranges = "estimates with twice their range" if doubled else "as stated"
        data: Data = {
            "proved": proof.proved,
            "exhausted": proof.exhausted,
            "over": f"the whole admissible range of every quantity, {ranges}",
            "partial_plans": proof.nodes,
            "stopped_by": list(proof.blocking_conditions),
        }
        data |= (
            _describe_proof_basis(report, proof) if proof.proved else _describe_missing_proof(analysis, proof)
        )
        if any(slot.type == "number" for action in analysis.world.actions.values() for slot in action.slots):
            data["note"] = _NUMBERS
        return data


def _describe_working_plan(analysis: WorldAnalysis, plan: MinimalPlan) -> Data:
    outcome = analysis.executor.run_plan(plan.plan)
    return {
        "proved": False,
        "exhausted": analysis.minimal_plans.exhausted,
        "why": "A plan reaches the goal at the stated values.",
        "broken_by": {
            "calls": list(plan.calls),
            "at": "stated values",
            "takes_s": outcome.time,
            "deadline_s": outcome.deadline,
            "least_margin": outcome.least_margin,
        },
    }


def _describe_proof_basis(report: CheckReport, proof: ImpossibilityResult) -> Data:
    """Describe the basis of a proof: the conflict, the cover, and the plans that needed their own proof."""
    record, verdict = report.record, report.verdict
    data: Data = {
        "rechecked": all(each.rechecked for each in proof.refuted_plans),
        "proofs": len(proof.refuted_plans),
        "some_proofs": [
            _describe_closing_proof(each)
            for each in sorted(proof.refuted_plans, key=_is_single_condition_proof)[:MOST_PROOFS]
        ],
    }
    if record is not None and isinstance(record.status, Paradox):
        confirmed = "status.conflict" not in report.findings.codes
        data["claimed_conflict"] = {"conditions": list(record.status.conflict), "is_smallest": confirmed}
    if verdict is not None and verdict.cells:
        empty = {cell.name: cell.lacks for cell in verdict.cells if not cell.closed_by}
        data["cover"] = {
            "cells": len(verdict.cells),
            "closed": len(verdict.cells) - len(empty),
            "empty": empty,
        }
    return data


def _is_single_condition_proof(refuted: RefutedPlan) -> bool:
    """Return whether a proof shows that one condition never holds.

    Other proofs show that the conditions of a plan conflict.
    """
    return refuted.calls == refuted.proof.core


def _describe_closing_proof(refuted: RefutedPlan) -> Data:
    description: Data = (
        {"holds_nowhere": refuted.calls[0]}
        if _is_single_condition_proof(refuted)
        else {"plan": list(refuted.calls)}
    )
    return {
        **description,
        "conflict": list(refuted.proof.core),
        "method": refuted.proof.method,
        "rechecked": refuted.rechecked,
    }


def _describe_missing_proof(analysis: WorldAnalysis, proof: ImpossibilityResult) -> Data:
    data: Data = {"why": explain_missing_proof(analysis.world, proof)}
    if not proof.exhausted:
        data["note_on_bounds"] = NOT_EXHAUSTED
    elif proof.open_plan:
        at = (
            format_point_values(analysis.world, proof.witness.point)
            if proof.witness is not None
            else "no point was found"
        )
        data["broken_by" if proof.witness is not None else "not_excluded"] = {
            "calls": list(proof.open_plan),
            "at": at,
        }
    return data
