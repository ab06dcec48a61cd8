"""An answer's plan played in the record: the most charitable reading of its words that executes.

First the likeliest reading of every step; where that fails, other readings of its words, within bounds. Nothing is added
that the answer does not say: what it leaves out, it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

from impossible_moments.evaluation.answers import Step
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.resolution import Readings, readings
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.scalars import Value

MOST_RUNS: Final = 160
"""Readings of one plan that are executed."""


@dataclass(frozen=True)
class Played:
    """How a plan went, in the reading that went best."""

    moves: tuple[Move, ...]
    outcome: Outcome
    unknown: tuple[Step, ...] = ()
    """Steps that could not be read."""
    idle: tuple[Step, ...] = ()
    """Steps that could, and that nothing comes of here."""
    challenged: tuple[str, ...] = ()
    changes: dict[str, Value] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls it was read as."""
        return tuple(move.text for move in self.moves)

    @property
    def valid(self) -> tuple[str, ...]:
        """The calls that were carried out."""
        return tuple(step.call for step in self.outcome.steps if not step.inserted)


def played(
    plan: Sequence[Step],
    key: AnswerKey,
    *,
    lifted: frozenset[str] = frozenset(),
    changes: dict[str, Value] | None = None,
) -> Played:
    """Play a plan."""
    read = [readings(step, key) for step in plan]
    unknown = tuple(each.step for each in read if each.is_unknown)
    idle = tuple(each.step for each in read if not each.calls and not each.challenges and not each.is_unknown)
    challenged = tuple(dict.fromkeys(quote for each in read for quote in each.challenges))
    whole = lifted | _lifted(challenged, key)
    spoken = [each for each in read if each.calls]
    executor = key.analysis.executor
    best: Played | None = None
    for moves in islice(_candidates(spoken), MOST_RUNS):
        outcome = executor.run(moves, changes=changes, lifted=whole)
        if best is None or _better(outcome, best.outcome):
            best = Played(moves, outcome, unknown, idle, challenged, changes or {})
        if outcome.reaches_goal:
            break
    if best is None:
        best = Played(
            (), executor.run((), changes=changes, lifted=whole), unknown, idle, challenged, changes or {}
        )
    return best


def _lifted(challenged: Sequence[str], key: AnswerKey) -> frozenset[str]:
    return frozenset(never.name for never in key.analysis.world.nevers if never.evidence in challenged)


def _better(one: Outcome, other: Outcome) -> bool:
    return (one.reaches_goal, len(one.steps)) > (other.reaches_goal, len(other.steps))


def _candidates(read: Sequence[Readings]) -> Iterator[tuple[Move, ...]]:
    """Readings of a plan: the likeliest; with one step read otherwise; then mixtures."""
    likeliest = [each.calls[0] for each in read]
    yield tuple(likeliest)
    for at, each in enumerate(read):
        for other in each.calls[1:]:
            yield (*likeliest[:at], other, *likeliest[at + 1 :])
    yield from product(*(each.calls[:3] for each in read))
