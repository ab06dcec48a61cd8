"""Solver strategies from the weakest (the first idea) to the strongest (a patient search)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.solver.first_reading import QUICK_SEARCH_NODES, perform_first_reading
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText, normalize_label
from impossible_moments.solver.solver import SEARCH_NODES, SolverResult, solve_public_text

GLANCE_NODES: Final = 4


@dataclass(frozen=True, slots=True)
class StrategyAttempt:
    """The answer of one strategy: a status, and a plan where it found one."""

    status: str
    plan: tuple[str, ...] = ()
    works: bool = False
    """Whether executing the plan reaches the goal."""


def try_most_salient_plan(text: PublicText, situations: KnownSituations) -> StrategyAttempt:
    """Return the plan that uses the things which the text mentions most often, whether it works or not."""
    solver_result = solve_public_text(text, situations, nodes=1, depth=1)
    analysis = solver_result.report.analysis if solver_result.report is not None else None
    if analysis is None or not analysis.outcomes:
        return StrategyAttempt("OF")
    full_text = " ".join(text.parts.values()).lower()
    labels = {name: normalize_label(thing.label) for name, thing in analysis.world.things.items()}

    def compute_salience(name: str) -> tuple[float, str]:
        """Return a sort key: plans whose things are mentioned more often come first."""
        things = {
            argument for move in analysis.plans[name] for argument in move.arguments if argument in labels
        }
        mentions = sum(full_text.count(labels[thing]) for thing in things)
        return (-mentions / max(len(things), 1), name)

    most_salient = min(analysis.outcomes, key=compute_salience)
    return StrategyAttempt(
        "KS",
        tuple(move.text for move in analysis.plans[most_salient]),
        analysis.outcomes[most_salient].reaches_goal,
    )


def build_depth_limited_strategy(depth: int) -> Callable[[PublicText, KnownSituations], StrategyAttempt]:
    """Return a strategy that tries every plan of at most `depth` calls."""

    def try_short_plans(text: PublicText, situations: KnownSituations) -> StrategyAttempt:
        return _convert_result_to_attempt(solve_public_text(text, situations, depth=depth))

    return try_short_plans


def build_node_limited_strategy(nodes: int) -> Callable[[PublicText, KnownSituations], StrategyAttempt]:
    """Return a strategy that performs a first reading and searches at most `nodes` nodes."""

    def try_limited_search(text: PublicText, situations: KnownSituations) -> StrategyAttempt:
        reading = perform_first_reading(text, situations, nodes)
        return StrategyAttempt("MT") if reading.premise else _convert_result_to_attempt(reading.solved)

    return try_limited_search


def try_patient_search(text: PublicText, situations: KnownSituations) -> StrategyAttempt:
    """Search with the full node limit."""
    return _convert_result_to_attempt(solve_public_text(text, situations, SEARCH_NODES))


def _convert_result_to_attempt(solver_result: SolverResult) -> StrategyAttempt:
    """Convert a solver result; an undecided or unreadable situation counts as open (OF)."""
    if solver_result.plans:
        return StrategyAttempt(
            solver_result.status if solver_result.status != "undecided" else "KS",
            solver_result.plans[0],
            works=True,
        )
    return StrategyAttempt("OF" if solver_result.status in {"undecided", "unread"} else solver_result.status)


STRATEGIES: Final[Mapping[str, Callable[[PublicText, KnownSituations], StrategyAttempt]]] = {
    "the first idea": try_most_salient_plan,
    "one step": build_depth_limited_strategy(1),
    "two steps": build_depth_limited_strategy(2),
    "a glance": build_node_limited_strategy(GLANCE_NODES),
    "a first reading": build_node_limited_strategy(QUICK_SEARCH_NODES),
    "a patient search": try_patient_search,
}
"""The strategies by name, ordered from the weakest to the strongest."""


def is_successful_attempt(attempt: StrategyAttempt, status: str) -> bool:
    """Return whether an attempt answers a scenario of the given status.

    A solvable scenario (KS, DG) needs a working plan. Any other status must be named correctly.
    """
    kind = status.partition("-")[0]
    if kind in {"KS", "DG"}:
        return attempt.works
    return attempt.status.partition("-")[0] == kind
