"""Solver strategies from the weakest (the first idea) to the strongest (a patient search)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.solving.first_reading import IMPATIENCE, first_reading
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.solver import PATIENCE, Solved, solve
from impossible_moments.solving.text import PublicText, bare

GLANCE: Final = 4


@dataclass(frozen=True, slots=True)
class Attempt:
    """The answer of one strategy: a status, and a plan where it found one."""

    status: str
    plan: tuple[str, ...] = ()
    works: bool = False
    """Whether executing the plan reaches the goal."""


def first_idea(text: PublicText, lore: Lore) -> Attempt:
    """Return the plan that uses the things which the text mentions most often, whether it works or not."""
    solved = solve(text, lore, nodes=1, depth=1)
    analysis = solved.report.analysis if solved.report is not None else None
    if analysis is None or not analysis.outcomes:
        return Attempt("OF")
    story = " ".join(text.parts.values()).lower()
    labels = {name: bare(thing.label) for name, thing in analysis.world.things.items()}

    def salience(name: str) -> tuple[float, str]:
        """Return a sort key: plans whose things are mentioned more often come first."""
        things = {
            argument for move in analysis.plans[name] for argument in move.arguments if argument in labels
        }
        spoken = sum(story.count(labels[thing]) for thing in things)
        return (-spoken / max(len(things), 1), name)

    chosen = min(analysis.outcomes, key=salience)
    return Attempt(
        "KS", tuple(move.text for move in analysis.plans[chosen]), analysis.outcomes[chosen].reaches_goal
    )


def few_steps(depth: int) -> Callable[[PublicText, Lore], Attempt]:
    """Return a strategy that tries every plan of at most `depth` calls."""

    def attempt(text: PublicText, lore: Lore) -> Attempt:
        return _of(solve(text, lore, depth=depth))

    return attempt


def patience(nodes: int) -> Callable[[PublicText, Lore], Attempt]:
    """Return a strategy that performs a first reading and searches at most `nodes` nodes."""

    def attempt(text: PublicText, lore: Lore) -> Attempt:
        reading = first_reading(text, lore, nodes)
        return Attempt("MT") if reading.premise else _of(reading.solved)

    return attempt


def patient(text: PublicText, lore: Lore) -> Attempt:
    """Search with the full node limit."""
    return _of(solve(text, lore, PATIENCE))


def _of(solved: Solved) -> Attempt:
    """Convert a solver result; an undecided or unreadable situation counts as open (OF)."""
    if solved.plans:
        return Attempt(solved.status if solved.status != "undecided" else "KS", solved.plans[0], works=True)
    return Attempt("OF" if solved.status in {"undecided", "unread"} else solved.status)


STRATEGIES: Final[Mapping[str, Callable[[PublicText, Lore], Attempt]]] = {
    "the first idea": first_idea,
    "one step": few_steps(1),
    "two steps": few_steps(2),
    "a glance": patience(GLANCE),
    "a first reading": patience(IMPATIENCE),
    "a patient search": patient,
}
"""The strategies by name, ordered from the weakest to the strongest."""


def succeeds(attempt: Attempt, status: str) -> bool:
    """Return whether an attempt answers a scenario of the given status.

    A solvable scenario (KS, DG) needs a working plan. Any other status must be named correctly.
    """
    kind = status.partition("-")[0]
    if kind in {"KS", "DG"}:
        return attempt.works
    return attempt.status.partition("-")[0] == kind
