"""Proof that no plan works over the whole admissible range, or the plan that disproves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.tools.bench import Bench
from impossible_moments.agents.tools.judging import NOT_EXHAUSTED, unread
from impossible_moments.agents.tools.results import Data
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.check import Report
from impossible_moments.mechanics.figures import point
from impossible_moments.mechanics.impossibility import Closed, Impossibility
from impossible_moments.mechanics.status import unproved
from impossible_moments.mechanics.status_forms import Paradox
from impossible_moments.mechanics.ways import Way

MOST_PROOFS: Final = 6
_NUMBERS: Final = "An action takes any number, but only whole numbers up to twelve were tried: this is not a proof for others."


@dataclass(frozen=True)
class Prover:
    """The tool that proves that no plan of the record works, or reports one that does."""

    bench: Bench

    def prove(self) -> Data:
        """Try to prove that no plan reaches the goal anywhere in the admissible ranges: the conflict and the cover, or the way that breaks it."""
        report = self.bench.report
        analysis = report.analysis
        if analysis is None or report.verdict is None:
            return unread(report)
        if analysis.found.ways:
            return _broken_as_stated(analysis, (report.verdict.ways or analysis.found.ways)[0])
        proof, doubled = self.bench.impossibility
        ranges = "estimates with twice their range" if doubled else "as stated"
        data: Data = {
            "proved": proof.proved,
            "exhausted": proof.exhausted,
            "over": f"the whole admissible range of every quantity, {ranges}",
            "partial_plans": proof.nodes,
            "stopped_by": list(proof.blocked),
        }
        data |= _closed(report, proof) if proof.proved else _open(analysis, proof)
        if any(slot.type == "number" for action in analysis.world.actions.values() for slot in action.slots):
            data["note"] = _NUMBERS
        return data


def _broken_as_stated(analysis: Analysis, way: Way) -> Data:
    outcome = analysis.executor.run(way.plan)
    return {
        "proved": False,
        "exhausted": analysis.found.exhausted,
        "why": "A plan reaches the goal at the stated values.",
        "broken_by": {
            "calls": list(way.calls),
            "at": "stated values",
            "takes_s": outcome.time,
            "deadline_s": outcome.deadline,
            "least_margin": outcome.least_margin,
        },
    }


def _closed(report: Report, proof: Impossibility) -> Data:
    """Describe the basis of a proof: the conflict, the cover, and the plans that needed their own proof."""
    record, verdict = report.record, report.verdict
    data: Data = {
        "rechecked": all(each.rechecked for each in proof.closed),
        "proofs": len(proof.closed),
        "some_proofs": [_proof(each) for each in sorted(proof.closed, key=_is_of_a_condition)[:MOST_PROOFS]],
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


def _is_of_a_condition(closed: Closed) -> bool:
    """Return whether a proof shows that one condition never holds.

    Other proofs show that the conditions of a plan conflict.
    """
    return closed.calls == closed.proof.core


def _proof(closed: Closed) -> Data:
    shown: Data = (
        {"holds_nowhere": closed.calls[0]} if _is_of_a_condition(closed) else {"plan": list(closed.calls)}
    )
    return {
        **shown,
        "conflict": list(closed.proof.core),
        "method": closed.proof.method,
        "rechecked": closed.rechecked,
    }


def _open(analysis: Analysis, proof: Impossibility) -> Data:
    data: Data = {"why": unproved(analysis.world, proof)}
    if not proof.exhausted:
        data["note_on_bounds"] = NOT_EXHAUSTED
    elif proof.open_plan:
        at = point(analysis.world, proof.witness.point) if proof.witness is not None else "no point was found"
        data["broken_by" if proof.witness is not None else "not_excluded"] = {
            "calls": list(proof.open_plan),
            "at": at,
        }
    return data
