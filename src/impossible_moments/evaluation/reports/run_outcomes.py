"""The outcome of a run in one word, by which runs are listed and filtered."""

from __future__ import annotations

from typing import Final

from impossible_moments.evaluation.results import EvaluationRun, RunState

OUTCOMES: Final = ("passed", "failed", "review", "unscored")


def classify_run(run: EvaluationRun) -> str:
    """Return the outcome of a run: passed, failed, review or unscored."""
    if run.state is RunState.REVIEW:
        return "review"
    if run.score is None:
        return "unscored"
    return "passed" if run.passed else "failed"
