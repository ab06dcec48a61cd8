"""Executions that end otherwise than the seed document says: plans of the sketch, times of steps, and approaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.figure_formats import format_duration
from impossible_moments.agents.builtin.newton.seed_facts import SeedFacts

SAME_TIME: Final = 0.02
"""The largest relative difference between a stated and an executed time."""


def find_unexpected_executions(facts: SeedFacts) -> Iterator[str]:
    """Yield each difference between what was stated and what execution shows, with both figures."""
    stated = {step.call: step.seconds for step in facts.seed.solution_sketch.steps}
    for run in facts.sketch_runs:
        if run.problem:
            yield f"The sketch cannot be executed: {run.problem}"
        elif run.outcome is not None and not run.outcome.reaches_goal:
            yield f"Executed, the sketch {' then '.join(run.plan.calls)} ends `{run.outcome.end}` after {format_duration(run.outcome.time)}"
        for moment in run.moments:
            seconds = stated.get(moment.move.text)
            if seconds is not None and moment.after is not None and _differ(seconds, moment.seconds):
                yield f"{moment.move.text} takes {moment.seconds:.4g} s when executed, and {seconds:.4g} s are stated"
    yield from _find_unexpected_approaches(facts)


def _find_unexpected_approaches(facts: SeedFacts) -> Iterator[str]:
    approaches = facts.seed.mechanics.get("approaches") or []
    for each in approaches if isinstance(approaches, list) else []:
        name, ends = str(each.get("name", "")), str(each.get("ends", ""))
        outcome = facts.approach_outcomes.get(name)
        if outcome is not None and ends and outcome.end != ends:
            yield f"The approach {name.replace('_', ' ')} ends `{outcome.end}` when executed, and `{ends}` is stated"


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > SAME_TIME * max(one, other, 1e-9)
