"""Responses of solvers: for each scenario the share of runs that solve it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.results import Results


@dataclass(frozen=True)
class SolverResponses:
    """The share of solved runs of one solver, by scenario. Scenarios without a scored run are left out."""

    solver: str
    shares: Mapping[str, float]


def read_result_file(path: Path) -> tuple[SolverResponses, Results]:
    """Read the responses of a model from a result file of `im eval`, with the results themselves."""
    try:
        results = Results.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as problem:
        reason = str(problem).splitlines()[0]
        raise ConfigurationError(
            f"Cannot read results from {path}: {reason}. Name a file that `im eval` wrote."
        ) from None
    budget = f" (thinking {results.thinking_asked})" if results.thinking_asked else ""
    shares = {each.scenario_id: each.pass_rate for each in results.scenarios if each.pass_rate is not None}
    return SolverResponses(f"{results.model}{budget}", shares), results
