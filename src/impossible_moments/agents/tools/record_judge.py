"""Results of checking a record: the computed status, working plans, traps that work, and findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field

from impossible_moments.agents.tools.argument_checks import require_positive_integer_argument
from impossible_moments.agents.tools.record_workbench import RecordWorkbench, serialize_record
from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.mechanics.checks import CheckReport, StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.execution import MinimalPlan
from impossible_moments.mechanics.findings import Finding
from impossible_moments.mechanics.language import Value
from impossible_moments.mechanics.world import format_quantity_value

MOST_SHOWN: Final = 12
MOST_FINDINGS: Final = 30
UNDECIDED: Final = "undecided"
NOT_EXHAUSTED: Final = "Not exhausted: the search stopped at its limits, so there may be more than it found."


@dataclass(frozen=True)
class RecordJudge:
    """The tools that report what is computed from the record, and from trial records."""

    workbench: RecordWorkbench

    def search_world(
        self,
        *,
        limit: Annotated[int, Field(description=f"Number of ways and traps to show, 1 to {MOST_SHOWN}.")] = 4,
    ) -> Data:
        """Search the record for every plan that reaches the goal. Return the computed status, the ways, traps that work, and errors."""
        most_results = require_positive_integer_argument(limit, "limit", MOST_SHOWN)
        report = self.workbench.report
        analysis, verdict = report.analysis, report.verdict
        if analysis is None or verdict is None:
            return describe_uncomputable_record(report)
        exhausted = verdict.exhausted and analysis.bounds.exhausted
        plans = list(_list_working_plans(analysis, verdict))
        traps = list(_find_working_traps(analysis))
        data: Data = {
            "status": verdict.status or UNDECIDED,
            "claimed": analysis.world.record.status.claim,
            "reason": verdict.reason,
            "within": f"library {analysis.world.library}",
            "exhausted": exhausted,
            "ways_found": len(plans),
            "ways": plans[:most_results],
            "traps_that_work": traps[:most_results],
            "errors": [describe_finding(finding) for finding in report.findings.errors[:MOST_FINDINGS]],
        }
        return data if exhausted else {**data, "note": NOT_EXHAUSTED}

    def check_record(
        self,
        *,
        record: Annotated[
            dict[str, Any],
            Field(
                description="A complete mechanics record, as in the field `mechanics` of the seed document."
            ),
        ],
    ) -> Data:
        """Check a record before you hand it in. Return whether it is accepted, its computed status, and every finding with how to fix it."""
        report = self.workbench.check_record_json(serialize_record(record))
        verdict = report.verdict
        findings = sorted(report.findings, key=lambda each: each.severity != "error")
        data: Data = {
            "accepted": report.is_accepted,
            "status": (verdict.status if verdict is not None else None) or UNDECIDED,
            "reason": verdict.reason
            if verdict is not None
            else "Nothing was computed: fix the errors first.",
            "errors": len(report.findings.errors),
            "findings": [describe_finding(finding) for finding in findings[:MOST_FINDINGS]],
        }
        if len(findings) > MOST_FINDINGS:
            data["more_findings"] = len(findings) - MOST_FINDINGS
        return data


def describe_finding(finding: Finding) -> Data:
    """Describe a finding so that a model can act on it. Empty fields are left out."""
    expected, _, example = finding.expected.partition("e.g. ")
    fields = {
        "severity": str(finding.severity),
        "code": finding.code,
        "path": finding.where,
        "what": finding.what,
        "expected": expected.strip() or finding.rule,
        "found": finding.found,
        "example": example,
    }
    return {name: said for name, said in fields.items() if said}


def describe_uncomputable_record(report: CheckReport) -> Data:
    """Describe why a record could not be computed."""
    return {
        "status": UNDECIDED,
        "reason": "The record cannot be computed until these errors are fixed.",
        "errors": [describe_finding(finding) for finding in report.findings.errors[:MOST_FINDINGS]],
    }


def _list_working_plans(analysis: WorldAnalysis, verdict: StatusVerdict) -> Iterator[Data]:
    """Yield working plans and where they work: as stated, at one end of a dispute, or without a premise."""
    if verdict.crux is not None:
        quantity = analysis.world.quantities[verdict.crux.quantity]
        ends = ((quantity.low, verdict.crux.all_low), (quantity.high, verdict.crux.all_high))
        for end, best in ends:
            if end is not None:
                at = f"best at {format_quantity_value(analysis.world, quantity.name, end)}"
                yield from (_describe_working_plan(analysis, way, at, {quantity.name: end}) for way in best)
        return
    yield from (_describe_working_plan(analysis, way, "as stated", {}) for way in verdict.ways)
    if verdict.outside is not None:
        lifted = frozenset(verdict.premises)
        at = f"without the premise {', '.join(verdict.premises)}"
        yield _describe_working_plan(analysis, verdict.outside, at, {}, lifted)


def _describe_working_plan(
    analysis: WorldAnalysis,
    plan: MinimalPlan,
    works: str,
    changes: dict[str, Value],
    lifted: frozenset[str] = frozenset(),
) -> Data:
    outcome = analysis.executor.run_plan(plan.plan, changes=changes, lifted=lifted)
    return {
        "calls": list(plan.calls),
        "works": works,
        "takes_s": outcome.time,
        "deadline_s": outcome.deadline,
        "time_margin": outcome.time_margin,
        "least_margin": outcome.least_margin,
        "margins": dict(_find_narrowest_margins([pair for step in outcome.steps for pair in step.margins])),
    }


def _find_narrowest_margins(margins: Sequence[tuple[str, float | None]]) -> Iterator[tuple[str, float]]:
    """Yield the narrowest margin of each condition in ascending order. Counts and facts have no margin."""
    found: dict[str, float] = {}
    for name, margin in margins:
        if margin is not None:
            found[name] = min(margin, found.get(name, margin))
    yield from sorted(found.items(), key=lambda each: each[1])


def _find_working_traps(analysis: WorldAnalysis) -> Iterator[Data]:
    """Yield the approaches that are stated to fail but reach the goal."""
    for approach in analysis.world.record.approaches:
        outcome = analysis.outcomes.get(approach.name)
        if outcome is not None and outcome.reaches_goal and approach.ends.strip() != "goal":
            yield {
                "name": approach.name,
                "says": approach.ends,
                "ends": outcome.end,
                "calls": list(approach.plan),
            }
