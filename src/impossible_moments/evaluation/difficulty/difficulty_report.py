"""A report on measured difficulty: success by group with intervals, and difficulties of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from impossible_moments.evaluation.difficulty.rasch_model import fit_rasch_model
from impossible_moments.evaluation.difficulty.solver_responses import SolverResponses
from impossible_moments.evaluation.difficulty.success_intervals import SuccessRate, compute_success_rate


@dataclass(frozen=True, slots=True)
class SuccessGroup:
    """The success of one solver in one group of scenarios, such as a tier or a level."""

    solver: str
    group: str
    rate: SuccessRate


@dataclass(frozen=True, slots=True)
class ItemDifficulty:
    """The difficulty of a scenario in logits, with its standard error and mean squares of residuals."""

    scenario_id: str
    difficulty: float
    error: float
    infit: float
    outfit: float


@dataclass(frozen=True)
class DifficultyReport:
    """Success by solver and group, abilities of solvers, and difficulties of scenarios from easy to hard."""

    groups: tuple[SuccessGroup, ...]
    abilities: Mapping[str, tuple[float, float]]
    """For each solver its ability in logits and the standard error."""
    items: tuple[ItemDifficulty, ...]


def build_difficulty_report(
    responses: Sequence[SolverResponses], groups: Mapping[str, Sequence[str]]
) -> DifficultyReport:
    """Build the report of solvers. `groups` names for each scenario the groups it belongs to, such as its tier."""
    names = tuple(dict.fromkeys(name for each in responses for name in each.shares))
    order = tuple(dict.fromkeys(group for name in names for group in groups.get(name, ())))
    rates = tuple(
        SuccessGroup(each.solver, group, _compute_group_rate(each, group, groups))
        for each in responses
        for group in order
    )
    if not names:
        return DifficultyReport(rates, {}, ())
    matrix = np.array([[each.shares.get(name, np.nan) for name in names] for each in responses])
    fit = fit_rasch_model(matrix)
    items = [
        ItemDifficulty(name, *(round(float(column[place]), 3) for column in columns))
        for columns in [(fit.difficulties, fit.difficulty_errors, fit.infit, fit.outfit)]
        for place, name in enumerate(names)
    ]
    abilities = {
        each.solver: (round(float(fit.abilities[row]), 3), round(float(fit.ability_errors[row]), 3))
        for row, each in enumerate(responses)
    }
    return DifficultyReport(rates, abilities, tuple(sorted(items, key=lambda each: each.difficulty)))


def _compute_group_rate(
    responses: SolverResponses, group: str, groups: Mapping[str, Sequence[str]]
) -> SuccessRate:
    shares = [share for name, share in responses.shares.items() if group in groups.get(name, ())]
    return compute_success_rate(sum(shares), len(shares))
