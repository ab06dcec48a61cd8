"""Execution of a plan against the record: each step with its time and margins, and the first failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.argument_checks import ToolRefusal, require_text_argument
from impossible_moments.agents.tools.record_judge import describe_uncomputable_record
from impossible_moments.agents.tools.record_workbench import RecordWorkbench
from impossible_moments.agents.tools.tool_results import Data
from impossible_moments.mechanics.checks import WorldAnalysis
from impossible_moments.mechanics.execution import (
    ExecutedStep,
    Move,
    MoveError,
    MoveKind,
    PlanExecutor,
    PlanOutcome,
)
from impossible_moments.mechanics.findings import shorten_text
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import (
    MAX_CALLS,
    PlanError,
    PlannedCall,
    describe_data_type,
    format_short_text,
    parse_call,
)

LONGEST_CALL: Final = 300
_END_DESCRIPTIONS: Final = {
    "goal": "The goal is reached in time.",
    "late": "The goal is reached, but too late.",
    "short": "Every call succeeded, but the goal is not reached.",
}


@dataclass(frozen=True)
class PlanRunner:
    """Executor of plans in the world of the record."""

    workbench: RecordWorkbench

    def execute(
        self,
        *,
        calls: Annotated[
            list[str],
            Field(
                description=f"The plan: up to {MAX_CALLS} calls in order, each a text such as wrap(tube, hose), wait(20[s]) or answer(shelf, '8274')."
            ),
        ],
    ) -> Data:
        """Execute a plan step by step. Return times, margins of the conditions, the first failure, and whether the goal is reached."""
        plan = _parse_calls(calls)
        report = self.workbench.report
        if report.analysis is None or report.verdict is None:
            return describe_uncomputable_record(report)
        analysis = report.analysis
        moves = tuple(_convert_call_to_move(analysis, number, call) for number, call in enumerate(plan, 1))
        outcome = analysis.executor.run_plan(moves)
        data: Data = {
            "reaches_goal": outcome.reaches_goal,
            "end": outcome.end,
            "time_s": outcome.time,
            "deadline_s": outcome.deadline,
            "time_margin": outcome.time_margin,
            "least_margin": outcome.least_margin,
            "steps": [_describe_step(step) for step in outcome.steps],
        }
        if not outcome.reaches_goal:
            data["first_failure"] = _describe_first_failure(analysis.executor, moves, outcome)
        if outcome.said:
            data["said"] = list(outcome.said)
        if outcome.dangers:
            data["margins_to_dangers"] = dict(outcome.dangers)
        return data


def _parse_calls(calls: object) -> list[str]:
    if not isinstance(calls, list | tuple | str):
        raise ToolRefusal(
            f'`calls` is {describe_data_type(calls)}, but must be a list of calls, as in ["wrap(tube, hose)", "drive(bus)"].'
        )
    texts = [calls] if isinstance(calls, str) else list(calls)
    if not 1 <= len(texts) <= MAX_CALLS:
        raise ToolRefusal(
            f"a plan has 1 to {MAX_CALLS} calls, but this one has {len(texts)}; give only those that matter."
        )
    parsed = PlannedCall.split_plan(
        [require_text_argument(call, f"call {number}", LONGEST_CALL) for number, call in enumerate(texts, 1)]
    )
    if not 1 <= len(parsed) <= MAX_CALLS:
        raise ToolRefusal(
            f"a plan has 1 to {MAX_CALLS} calls, but this one has {len(parsed)}; give only those that matter."
        )
    return parsed


def _convert_call_to_move(analysis: WorldAnalysis, number: int, call: str) -> Move:
    try:
        return analysis.executor.moves.get_move(parse_call(call))
    except PlanError as problem:
        raise ToolRefusal(f"cannot parse call {number}: {problem}.") from None
    except MoveError as problem:
        expected = f"; expected: {shorten_text(problem.expected, 300)}" if problem.expected else ""
        raise ToolRefusal(
            f"call {number}, `{format_short_text(call, 80)}`, is not a possible move: {shorten_text(str(problem), 300)}{expected}."
        ) from None


def _describe_step(step: ExecutedStep) -> Data:
    """Describe an executed step.

    A condition without a margin, such as a count or a fact, is reported as met.
    """
    margins = {name: "met" if margin is None else margin for name, margin in step.margins}
    data: Data = {"call": step.call, "started_s": step.started, "took_s": step.took, "margins": margins}
    return {**data, "inserted": True} if step.inserted else data


def _describe_first_failure(executor: PlanExecutor, moves: Sequence[Move], outcome: PlanOutcome) -> Data:
    """Describe what stopped the plan: the call, the condition as written, and the failing margin."""
    kind, _, name = outcome.end.partition(" ")
    if kind in _END_DESCRIPTIONS:
        return {"what": _END_DESCRIPTIONS[kind], "margin": outcome.failing_margin}
    move = _find_failing_move(executor, moves, outcome)
    data: Data = {
        "what": f"A danger occurs: {name}." if kind == "never" else f"A condition does not hold: {name}.",
        "call": move.text,
        "margin": outcome.failing_margin,
    }
    tree = next((each.tree for each in executor.engine.world.never_rules if each.name == name), None)
    if kind == "blocked":
        tree = next((test.tree for test in move.tests if test.name == name), None)
    if tree is not None and tree != ex.FALSE:
        data["condition"] = ex.format_expression(tree)
    return {**data, "note": outcome.note} if outcome.note else data


def _find_failing_move(executor: PlanExecutor, moves: Sequence[Move], outcome: PlanOutcome) -> Move:
    """Return the call at which the plan ends: the last of the shortest prefix with the same outcome."""
    for number in range(1, len(moves)):
        if moves[number - 1].kind is MoveKind.SAY:
            continue
        partial_run = executor.run_plan(moves[:number])
        if (partial_run.end, partial_run.time, len(partial_run.steps)) == (
            outcome.end,
            outcome.time,
            len(outcome.steps),
        ):
            return moves[number - 1]
    return moves[-1]
