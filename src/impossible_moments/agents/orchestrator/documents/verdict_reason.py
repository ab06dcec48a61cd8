"""Why the mechanics compute a status, in words without names of the record."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.documents.record_wording import RecordWording
from impossible_moments.agents.orchestrator.documents.solution_plans import describe_premises
from impossible_moments.mechanics.checks import StatusVerdict


def describe_verdict_reason(wording: RecordWording, verdict: StatusVerdict) -> str:
    """Return the reason of a verdict as a clause."""
    match verdict.status:
        case "KS-Singular":
            return "one way reaches the goal, and a search of all plans found no other"
        case "KS-Multiple":
            return f"{len(verdict.ways)} different ways reach the goal"
        case "KS-Fragile":
            return f"a plan works as stated, and no plan works somewhere in the range of {_describe_fragility(wording, verdict)}"
        case "CT" if verdict.crux is not None:
            return _describe_crux(wording, verdict)
        case "DG" if verdict.degenerate:
            margin = wording.analysis.executor.run_plan(verdict.degenerate[0].plan).least_margin
            spare = "" if margin is None else f", and every condition has at least {margin:.0%} to spare"
            return f"a plan of {len(verdict.degenerate[0].calls)} everyday steps works{spare}"
        case "MT" if verdict.outside is not None:
            return (
                f"no plan works while {describe_premises(wording, verdict)} is taken for granted, "
                "and one does once it is not"
            )
        case "OF":
            return "nothing known reaches the goal, no law forbids it, and an answer must pass a known limit"
        case "PX":
            return _describe_impossibility(verdict)
        case _:
            return verdict.reason


def _describe_fragility(wording: RecordWording, verdict: StatusVerdict) -> str:
    return "; ".join(
        f"{wording.name_quantity(each.quantity)} (nothing works beyond {wording.format_value(each.quantity, each.breaks_at)})"
        for each in verdict.fragile_in
    )


def _describe_crux(wording: RecordWording, verdict: StatusVerdict) -> str:
    crux = verdict.crux
    assert crux is not None
    low, high = (
        wording.describe_plan(plans[0].calls) if plans else "nothing works"
        for plans in (crux.all_low, crux.all_high)
    )
    return (
        f"the best plan turns on {wording.name_quantity(crux.quantity)}, which is disputed. At its low end: {low}. "
        f"At its high end: {high}"
    )


def _describe_impossibility(verdict: StatusVerdict) -> str:
    proved = "no plan reaches the goal anywhere in the ranges of what is stated"
    cells = len(verdict.cells)
    if not cells:
        return proved
    closed = sum(bool(cell.closed_by) for cell in verdict.cells)
    return f"{proved}, and {closed} of {cells} pairs of boundary and mechanism are closed"
