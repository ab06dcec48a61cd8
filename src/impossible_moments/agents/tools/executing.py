"""Execution of a plan against the record: each step with its time and margins, and the first failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from impossible_moments.agents.tools.arguments import ToolRefused, text
from impossible_moments.agents.tools.bench import Bench
from impossible_moments.agents.tools.judging import unread
from impossible_moments.agents.tools.results import Data
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.document_values import excerpt, in_words
from impossible_moments.mechanics.execute import Executor
from impossible_moments.mechanics.findings import shortened
from impossible_moments.mechanics.move_arguments import MoveError
from impossible_moments.mechanics.moves import Move, Way
from impossible_moments.mechanics.outcomes import Outcome, Step
from impossible_moments.mechanics.plans import MAX_CALLS, PlanError, read_call, split_calls

LONGEST_CALL: Final = 300
_ENDS: Final = {
    "goal": "The goal is reached in time.",
    "late": "The goal is reached, and too late.",
    "short": "Every call was made, and the goal is not reached.",
}


@dataclass(frozen=True)
class Runner:
    """Executor of plans in the world of the record."""

    bench: Bench

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
        """Carry out a plan step by step: times, margins of the conditions, the first failure, and whether the goal is reached."""
        plan = _calls(calls)
        report = self.bench.report
        if report.analysis is None or report.verdict is None:
            return unread(report)
        analysis = report.analysis
        moves = tuple(_move(analysis, number, call) for number, call in enumerate(plan, 1))
        outcome = analysis.executor.run(moves)
        data: Data = {
            "reaches_goal": outcome.reaches_goal,
            "end": outcome.end,
            "time_s": outcome.time,
            "deadline_s": outcome.deadline,
            "time_margin": outcome.time_margin,
            "least_margin": outcome.least_margin,
            "steps": [_step(step) for step in outcome.steps],
        }
        if not outcome.reaches_goal:
            data["first_failure"] = _failure(analysis.executor, moves, outcome)
        if outcome.said:
            data["said"] = list(outcome.said)
        if outcome.dangers:
            data["margins_to_dangers"] = dict(outcome.dangers)
        return data


def _calls(calls: object) -> list[str]:
    if not isinstance(calls, list | tuple | str):
        raise ToolRefused(
            f'`calls` is {in_words(calls)}, but must be a list of calls, as in ["wrap(tube, hose)", "drive(bus)"].'
        )
    whole = [calls] if isinstance(calls, str) else list(calls)
    if not 1 <= len(whole) <= MAX_CALLS:
        raise ToolRefused(
            f"a plan has 1 to {MAX_CALLS} calls, but this one has {len(whole)}; give only those that matter."
        )
    read = split_calls([text(call, f"call {number}", LONGEST_CALL) for number, call in enumerate(whole, 1)])
    if not 1 <= len(read) <= MAX_CALLS:
        raise ToolRefused(
            f"a plan has 1 to {MAX_CALLS} calls, but this one has {len(read)}; give only those that matter."
        )
    return read


def _move(analysis: Analysis, number: int, call: str) -> Move:
    try:
        return analysis.executor.moves.move(read_call(call))
    except PlanError as problem:
        raise ToolRefused(f"cannot parse call {number}: {problem}.") from None
    except MoveError as problem:
        expected = f"; expected: {shortened(problem.expected, 300)}" if problem.expected else ""
        raise ToolRefused(
            f"call {number}, `{excerpt(call, 80)}`, is not a possible move: {shortened(str(problem), 300)}{expected}."
        ) from None


def _step(step: Step) -> Data:
    """Describe an executed step.

    A condition without a margin, such as a count or a fact, is reported as met.
    """
    margins = {name: "met" if margin is None else margin for name, margin in step.margins}
    data: Data = {"call": step.call, "started_s": step.started, "took_s": step.took, "margins": margins}
    return {**data, "inserted": True} if step.inserted else data


def _failure(executor: Executor, moves: Sequence[Move], outcome: Outcome) -> Data:
    """Describe what stopped the plan: the call, the condition as written, and the failing margin."""
    kind, _, name = outcome.end.partition(" ")
    if kind in _ENDS:
        return {"what": _ENDS[kind], "margin": outcome.failing_margin}
    move = _failing(executor, moves, outcome)
    data: Data = {
        "what": f"A danger comes true: {name}." if kind == "never" else f"A condition does not hold: {name}.",
        "call": move.text,
        "margin": outcome.failing_margin,
    }
    tree = next((each.tree for each in executor.engine.world.nevers if each.name == name), None)
    if kind == "blocked":
        tree = next((test.tree for test in move.tests if test.name == name), None)
    if tree is not None and tree != ex.FALSE:
        data["condition"] = ex.written(tree)
    return {**data, "note": outcome.note} if outcome.note else data


def _failing(executor: Executor, moves: Sequence[Move], outcome: Outcome) -> Move:
    """Return the call at which the plan ends: the last of the shortest prefix with the same outcome."""
    for number in range(1, len(moves)):
        if moves[number - 1].way is Way.SAY:
            continue
        begun = executor.run(moves[:number])
        if (begun.end, begun.time, len(begun.steps)) == (outcome.end, outcome.time, len(outcome.steps)):
            return moves[number - 1]
    return moves[-1]
