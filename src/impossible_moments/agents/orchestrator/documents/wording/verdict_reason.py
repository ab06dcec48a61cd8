"""Why the mechanics compute a status, in words without names of the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.documents.solution_plans import describe_premises
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import StatusVerdict, describe_breaking_side


def describe_verdict_reason(wording: RecordWording, verdict: StatusVerdict) -> str:
    """Return the reason of a verdict as a clause."""
    describe = _REASONS.get(verdict.status or "")
    return describe(wording, verdict) if describe is not None else verdict.reason


def _describe_only_way(_wording: RecordWording, _verdict: StatusVerdict) -> str:
    return "one way reaches the goal, and a search of all plans found no other"


def _describe_several_ways(_wording: RecordWording, verdict: StatusVerdict) -> str:
    return f"{len(verdict.ways)} different ways reach the goal"


def _describe_plain_answer(wording: RecordWording, verdict: StatusVerdict) -> str:
    plan = verdict.degenerate[0]
    margin = wording.analysis.executor.run_plan(plan.plan).least_margin
    spare = "" if margin is None else f", and every condition has at least {margin:.0%} to spare"
    steps = "one everyday step" if len(plan.calls) == 1 else f"{len(plan.calls)} everyday steps"
    return f"a plan of {steps} works{spare}"


def _describe_premise(wording: RecordWording, verdict: StatusVerdict) -> str:
    premises = describe_premises(wording, verdict)
    return f"no plan works while {premises} is taken for granted, and one does once it is not"


def _describe_frontier(_wording: RecordWording, _verdict: StatusVerdict) -> str:
    return "nothing known reaches the goal, no law forbids it, and an answer must pass a known limit"


def _describe_fragility(wording: RecordWording, verdict: StatusVerdict) -> str:
    ranges = "; ".join(
        f"{wording.name_quantity(each.quantity)} (nothing works {describe_breaking_side(wording.world, each)} "
        f"{wording.format_value(each.quantity, each.last_working)})"
        for each in verdict.fragile_in
    )
    return f"a plan works as stated, and no plan works somewhere in the range of {ranges}"


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


def _describe_impossibility(_wording: RecordWording, verdict: StatusVerdict) -> str:
    proved = "no plan reaches the goal anywhere in the ranges of what is stated"
    cells = len(verdict.cells)
    if not cells:
        return proved
    closed = sum(bool(cell.closed_by) for cell in verdict.cells)
    return f"{proved}, and {closed} of {cells} pairs of boundary and mechanism are closed"


_REASONS: Final[Mapping[str, Callable[[RecordWording, StatusVerdict], str]]] = {
    "KS-Singular": _describe_only_way,
    "KS-Multiple": _describe_several_ways,
    "KS-Fragile": _describe_fragility,
    "CT": _describe_crux,
    "DG": _describe_plain_answer,
    "MT": _describe_premise,
    "OF": _describe_frontier,
    "PX": _describe_impossibility,
}
