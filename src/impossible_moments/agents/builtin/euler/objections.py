"""EULER's objections: what the sketch, the status and the timing state and what was computed instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from impossible_moments.agents.builtin.euler.interval_timing import DISAGREEMENT, TimingSum
from impossible_moments.agents.builtin.euler.plan_closing import (
    find_missing_step,
    propose_closing_value,
    propose_opening_value,
)
from impossible_moments.agents.builtin.euler.record_workings import (
    AnsweringPlan,
    ExecutedSketch,
    RecordWorkings,
)
from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.quantity_wording import format_quantity
from impossible_moments.domain.disputes import Challenge, Evidence, Veto
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.mechanics.execution import PlanOutcome

NEEDED_MARGIN: Final = 0.10
"""2.2, 5.2: the share of the deadline that must be left."""
PROPOSED_MARGIN: Final = 0.15
_DEADLINE_LAW: Final = "the sum of the durations of a plan is at most the deadline"
_INDUCTION_LAW: Final = "induction over the steps: the conditions of each step hold after the steps before it, and the goal after all of them"


class Weight(IntEnum):
    """What an objection leads to."""

    CONCERN = 1
    CHALLENGE = 2
    VETO = 3


@dataclass(frozen=True, slots=True)
class Objection:
    """A stated fact that the computation contradicts."""

    claim: str
    law: str
    evidence: str
    weight: Weight
    subject: str = ""
    proposal: str = ""
    expression: str = ""

    def build_challenge(self, confidence: float) -> Challenge:
        """Return the challenge of the author of the seed document."""
        return Challenge(
            challenged=ATHENA,
            claim=self.claim,
            evidence=(Evidence(kind="calculation", text=self.evidence, expression=self.expression),),
            recommendation=self.proposal,
            confidence=confidence,
        )

    def build_veto(self) -> Veto:
        """Return the veto with its proof and a corrective proposal."""
        return Veto(
            claim=self.claim,
            law=self.law,
            proof=(Evidence(kind="calculation", text=self.evidence),),
            corrective_proposal=self.proposal,
        )

    def describe_adjustment(self) -> str:
        """Return the proposal with what was computed, for a concern that demands nothing."""
        return f"{self.evidence.rstrip('.')}. {self.proposal}"

    def build_correction(self) -> Correction:
        """Return the correction that the author must make."""
        return Correction(
            subject=self.subject,
            problem=f"Not as computed: {self.claim}",
            evidence=self.evidence,
            proposal=self.proposal,
        )


def find_sketch_objections(workings: RecordWorkings) -> Iterator[Objection]:
    """Yield the plans of the sketch that do not reach the goal, with the failing condition and its margin."""
    for each in workings.sketch:
        if each.works:
            continue
        calls = " then ".join(each.plan.calls)
        if each.executed is None:
            yield Objection(
                f"The sketch {calls} can be executed.",
                "definition of a plan: each call is an action of the record with its arguments",
                f"1 of {len(each.plan.calls)} calls cannot be executed: {each.problem}",
                Weight.VETO,
                each.plan.calls[0],
                "Write the sketch with calls of the record's actions.",
            )
            continue
        yield _object_to_failing_sketch(workings, each, each.executed)


def _object_to_failing_sketch(
    workings: RecordWorkings, sketch: ExecutedSketch, executed: AnsweringPlan
) -> Objection:
    outcome = executed.outcome
    done = len([step for step in outcome.steps if not step.inserted])
    failing = sketch.plan.calls[min(done, len(sketch.plan.calls) - 1)]
    missed = (
        f", which misses by {abs(outcome.failing_margin):.1%}" if outcome.failing_margin is not None else ""
    )
    repair = propose_opening_value(workings, executed)
    missing = find_missing_step(workings, executed, failing)
    subject = failing
    proposal = f"Add or change the step before {failing} so that `{outcome.end}` no longer stops it."
    if missing:
        subject = missing
        proposal = f"Add {missing} before {failing}: it brings about what `{outcome.end}` asks for."
    elif repair is not None:
        subject, proposal = repair[0], f"{repair[0]} = {repair[1]} lets the sketch reach the goal."
    return Objection(
        f"The sketch {' then '.join(sketch.plan.calls)} reaches the goal.",
        _DEADLINE_LAW if outcome.end == "late" else _INDUCTION_LAW,
        f"{_count_successful_calls(done, len(sketch.plan.calls))}, then {failing} ends `{outcome.end}`{missed}, {_compare_with_deadline(outcome)}",
        Weight.VETO,
        subject,
        proposal,
    )


def _count_successful_calls(done: int, calls: int) -> str:
    return f"{done} {'<' if done < calls else '='} {calls} calls succeed"


def _compare_with_deadline(outcome: PlanOutcome) -> str:
    if outcome.deadline is None:
        return f"after {format_duration(outcome.time)}"
    relation = ">" if outcome.end == "late" else "of"
    return f"after {format_duration(outcome.time)} {relation} {format_duration(outcome.deadline)}"


def find_status_objections(workings: RecordWorkings) -> Iterator[Objection]:
    """Yield how the computed status differs from the claimed one, and plans that the record does not list."""
    verdict, claimed = workings.verdict, workings.claimed_status
    if verdict is None or workings.status == claimed:
        return
    plan = next((each for each in workings.plans if not _is_sketched(workings, each)), None)
    closing = propose_closing_value(workings, plan) if plan is not None else None
    subject, proposal = (
        ("", f"Change the constraints until the record computes as {claimed}, or claim {workings.status}.")
        if closing is None
        else (
            closing[0],
            f"{closing[0]} = {closing[1]} closes {plan.name if plan is not None else 'the plan'} and leaves the sketch as it is.",
        )
    )
    yield Objection(
        f"The scenario is {claimed}.",
        "exhaustion: every plan of the record's own actions is tried",
        f"computed = {workings.status}, claimed = {claimed}: {verdict.reason}",
        Weight.VETO,
        subject,
        proposal,
    )


def find_contest_objections(workings: RecordWorkings) -> Iterator[Objection]:
    """Yield the plans of a contested scenario that reach the goal at both ends of the disputed range.

    Where the record states a preference between plans, the contest is about the better plan: the crux was found
    because the plan that is best at one end is clearly worse, or fails, at the other.
    """
    verdict, analysis = workings.verdict, workings.analysis
    if verdict is None or verdict.crux is None or analysis is None or analysis.world.record.prefer:
        return
    quantity = analysis.world.quantities[verdict.crux.quantity]
    ends = [end for end in (quantity.low, quantity.high) if end is not None]
    for plan in workings.plans:
        runs = [analysis.executor.run_plan(plan.moves, changes={quantity.name: end}) for end in ends]
        if len(runs) == 2 and all(run.reaches_goal for run in runs):  # noqa: PLR2004 - both ends of the range
            low, high = (format_quantity(analysis.world, quantity.name, end) for end in ends)
            yield Objection(
                f"The disputed {quantity.name} decides whether the goal is reached.",
                "a contest needs a value at which each plan fails or is worse",
                f"{' then '.join(move.text for move in plan.moves)} reaches the goal at {low} and at {high}",
                Weight.CHALLENGE,
                quantity.name,
                f"State why the safe plan is not enough, or widen the range of {quantity.name} until it fails at one end.",
            )
            return


def _is_sketched(workings: RecordWorkings, plan: AnsweringPlan) -> bool:
    calls = {tuple(each.plan.calls) for each in workings.sketch}
    return tuple(move.text for move in plan.moves) in calls


def find_timing_objections(
    workings: RecordWorkings, plan: AnsweringPlan, timing: TimingSum
) -> Iterator[Objection]:
    """Yield stated times that differ from computed ones, and deadlines that the worst case misses."""
    stated: dict[str, list[float | None]] = {}
    for sketched in workings.seed.solution_sketch.steps:
        stated.setdefault(sketched.call, []).append(sketched.seconds)
    for step in timing.steps:
        # a call that is repeated may take another time, so each is compared with its own place in the sketch
        claimed = stated[step.call].pop(0) if stated.get(step.call) else None
        if claimed is not None and abs(claimed - step.seconds) > DISAGREEMENT * max(
            claimed, step.seconds, 1e-9
        ):
            yield Objection(
                f"{step.call} takes {claimed:.6g} s.",
                "the sum of the stated durations",
                f"Computed from its duration ({step.basis}) it takes {step.seconds:.4g} s, and {claimed:.6g} s are stated.",
                Weight.CHALLENGE,
                step.call,
                f"State {step.seconds:.4g} s for {step.call}.",
            )
    waits = any(move.unattended for move in plan.moves)
    if (
        timing.disagrees_with_execution and not waits
    ):  # a plan that waits for what goes on takes longer than its sum
        yield Objection(
            f"{plan.name} takes {timing.executed_seconds:.4g} s.",
            "the sum of the stated durations",
            f"The sum of the durations is {format_duration(timing.seconds)}, and execution takes {format_duration(timing.executed_seconds)}.",
            Weight.CONCERN,
            "",
            "State durations that do not depend on the order of the steps.",
        )
    yield from _find_deadline_objections(workings, timing)


def _find_deadline_objections(workings: RecordWorkings, timing: TimingSum) -> Iterator[Objection]:
    worst = timing.worst_margin
    if worst is None or worst >= NEEDED_MARGIN or timing.earliest_deadline is None:
        return
    if workings.claimed_status == "KS-Fragile":
        return  # that it fails in its worst case is what such a scenario declares
    needed = timing.longest / (1 - PROPOSED_MARGIN)
    subject = str(workings.seed.mechanics.get("deadline") or "deadline")
    evidence = (
        f"With every assumed quantity at the slow end of its own range the steps take {format_duration(timing.longest)} "
        f"({format_duration(timing.seconds)} as stated), and {format_duration(timing.earliest_deadline)} are allowed: a margin of {worst:.0%}"
    )
    has_other_plan = workings.claimed_status == "KS-Multiple"
    yield Objection(
        "The plan fits into the deadline.",
        "interval arithmetic over the stated ranges",
        evidence,
        Weight.CHALLENGE if worst < 0 and not has_other_plan else Weight.CONCERN,
        subject,
        f"Lengthen the deadline to {needed:.3g} s, which leaves 15 % in the worst case, or give the assumed times narrower ranges.",
    )
