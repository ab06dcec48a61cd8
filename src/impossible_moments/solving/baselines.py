"""Weaker solvers: what common strategies come to, from the first idea to a patient search."""

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
    """What a strategy says: a status, and a plan where it has one."""

    status: str
    plan: tuple[str, ...] = ()
    works: bool = False
    """Whether its plan reaches the goal when it is executed."""


def first_idea(text: PublicText, lore: Lore) -> Attempt:
    """The plan with the things that the story speaks of most: what is salient is tried."""
    solved = solve(text, lore, nodes=1, depth=1)
    analysis = solved.report.analysis if solved.report is not None else None
    if analysis is None or not analysis.outcomes:
        return Attempt("OF")
    story = " ".join(text.parts.values()).lower()
    labels = {name: bare(thing.label) for name, thing in analysis.world.things.items()}

    def salience(name: str) -> tuple[float, str]:
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
    """Every plan of at most so many calls."""

    def attempt(text: PublicText, lore: Lore) -> Attempt:
        return _of(solve(text, lore, depth=depth))

    return attempt


def patience(nodes: int) -> Callable[[PublicText, Lore], Attempt]:
    """A first reader who looks at so many half-plans."""

    def attempt(text: PublicText, lore: Lore) -> Attempt:
        reading = first_reading(text, lore, nodes)
        return Attempt("MT") if reading.premise else _of(reading.solved)

    return attempt


def patient(text: PublicText, lore: Lore) -> Attempt:
    """A search to its end."""
    return _of(solve(text, lore, PATIENCE))


def _of(solved: Solved) -> Attempt:
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
"""From the weakest to the strongest."""


def succeeds(attempt: Attempt, status: str) -> bool:
    """Whether an attempt answers a scenario of that status: a plan that works, or the right word where none does."""
    kind = status.partition("-")[0]
    if kind in {"KS", "DG"}:
        return attempt.works
    return attempt.status.partition("-")[0] == kind
