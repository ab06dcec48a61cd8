"""Solver strategies from the weakest (the first idea) to the strongest (a patient search)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.solver.first_reading import IMPATIENCE, perform_first_reading
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText, normalize_label
from impossible_moments.solver.solver import PATIENCE, SolverResult, solve_public_text

GLANCE: Final = 4


@dataclass(frozen=True, slots=True)
class StrategyAttempt:
    """The answer of one strategy: a status, and a plan where it found one."""

    status: str
    plan: tuple[str, ...] = ()
    works: bool = False
    """Whether executing the plan reaches the goal."""


def try_most_salient_plan(text: PublicText, lore: KnownSituations) -> StrategyAttempt:
    """Return the plan that uses the things which the text mentions most often, whether it works or not."""
    solved = solve_public_text(text, lore, nodes=1, depth=1)
    analysis = solved.report.analysis if solved.report is not None else None
    if analysis is None or not analysis.outcomes:
        return StrategyAttempt("OF")
    story = " ".join(text.parts.values()).lower()
    labels = {name: normalize_label(thing.label) for name, thing in analysis.world.things.items()}

    def compute_salience(name: str) -> tuple[float, str]:
        """Return a sort key: plans whose things are mentioned more often come first."""
        things = {
            argument for move in analysis.plans[name] for argument in move.arguments if argument in labels
        }
        spoken = sum(story.count(labels[thing]) for thing in things)
        return (-spoken / max(len(things), 1), name)

    chosen = min(analysis.outcomes, key=compute_salience)
    return StrategyAttempt(
        "KS", tuple(move.text for move in analysis.plans[chosen]), analysis.outcomes[chosen].reaches_goal
    )


def build_depth_limited_strategy(depth: int) -> Callable[[PublicText, KnownSituations], StrategyAttempt]:
    """Return a strategy that tries every plan of at most `depth` calls."""

    def try_short_plans(text: PublicText, lore: KnownSituations) -> StrategyAttempt:
        return _convert_result_to_attempt(solve_public_text(text, lore, depth=depth))

    return try_short_plans


def build_node_limited_strategy(nodes: int) -> Callable[[PublicText, KnownSituations], StrategyAttempt]:
    """Return a strategy that performs a first reading and searches at most `nodes` nodes."""

    def try_limited_search(text: PublicText, lore: KnownSituations) -> StrategyAttempt:
        reading = perform_first_reading(text, lore, nodes)
        return StrategyAttempt("MT") if reading.premise else _convert_result_to_attempt(reading.solved)

    return try_limited_search


def try_patient_search(text: PublicText, lore: KnownSituations) -> StrategyAttempt:
    """Search with the full node limit."""
    return _convert_result_to_attempt(solve_public_text(text, lore, PATIENCE))


def _convert_result_to_attempt(solved: SolverResult) -> StrategyAttempt:
    """Convert a solver result; an undecided or unreadable situation counts as open (OF)."""
    if solved.plans:
        return StrategyAttempt(
            solved.status if solved.status != "undecided" else "KS", solved.plans[0], works=True
        )
    return StrategyAttempt("OF" if solved.status in {"undecided", "unread"} else solved.status)


STRATEGIES: Final[Mapping[str, Callable[[PublicText, KnownSituations], StrategyAttempt]]] = {
    "the first idea": try_most_salient_plan,
    "one step": build_depth_limited_strategy(1),
    "two steps": build_depth_limited_strategy(2),
    "a glance": build_node_limited_strategy(GLANCE),
    "a first reading": build_node_limited_strategy(IMPATIENCE),
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
