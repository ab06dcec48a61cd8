"""An answer's plan played in the record: the most charitable reading of its words that executes.

First the likeliest reading of every step; where that fails, other readings of its words, within bounds. Nothing is added
that the answer does not say: what it leaves out, it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from typing import Final

from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Step
from impossible_moments.evaluation.reading.loose import parts_of
from impossible_moments.evaluation.reading.mending import fails_by_itself, mended
from impossible_moments.evaluation.reading.resolution import Readings, readings
from impossible_moments.evaluation.reading.verbs import family_of
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.outcomes import Outcome
from impossible_moments.mechanics.scalars import Value

MOST_RUNS: Final = 160
"""Readings of one plan that are executed."""
MOST_DOUBTS: Final = 3
"""Challenges that are heard: who doubts every line of a text has found none."""


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
    lifted: frozenset[str] = frozenset()
    """Never-lines that were not watched."""
    read_loosely: bool = False
    """Whether it reaches the goal only by the things it puts to use, whatever its verbs are."""
    unsaid: tuple[Move, ...] = ()
    """Calls that go without saying."""
    mended: bool = False
    """Whether steps of it had to be read otherwise, left out or put later."""
    loosely_ends: Outcome | None = None
    """How it ends read loosely, where that reaches the goal no more than read strictly."""

    @property
    def is_understood(self) -> bool:
        """Whether what failed is the plan, and not the reading of it."""
        if self.moves:
            return fails_by_itself(self.outcome)
        return self.loosely_ends is not None and fails_by_itself(self.loosely_ends)

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
    challenged = _challenged(read)
    whole = lifted | _lifted(challenged, key)
    spoken = [each for each in read if each.calls]
    executor = key.analysis.executor
    best: Played | None = None
    for moves in islice(_candidates(spoken), MOST_RUNS):
        outcome = executor.run(moves, changes=changes, lifted=whole)
        if best is None or _better(outcome, best.outcome):
            best = Played(moves, outcome, unknown, idle, challenged, changes or {}, whole)
        if outcome.reaches_goal:
            break
    if best is None or not best.outcome.reaches_goal:
        best = _loosely(plan, read, key, best, whole, changes) or best
    if best is None:
        outcome = executor.run((), changes=changes, lifted=whole)
        best = Played((), outcome, unknown, idle, challenged, changes or {}, whole)
    return best


def _loosely(
    plan: Sequence[Step],
    read: Sequence[Readings],
    key: AnswerKey,
    strictly: Played | None,
    lifted: frozenset[str],
    changes: dict[str, Value] | None,
) -> Played | None:
    """The plan read loosely, if that reaches the goal; if not, how it ends so is told beside the strict reading."""
    parts = parts_of(plan, key, [each.calls for each in read])
    run = partial(key.analysis.executor.run, changes=changes, lifted=lifted)
    found = mended(parts, key, run) if parts else None
    if found is None:
        return None
    if not found.outcome.reaches_goal:
        # it earns nothing: what was only guessed at was not said
        return None if strictly is None else replace(strictly, loosely_ends=found.outcome)
    return Played(
        found.moves,
        found.outcome,
        challenged=_challenged(read),
        changes=changes or {},
        lifted=lifted,
        read_loosely=True,
        unsaid=found.unsaid,
        mended=not found.straight,
    )


def challenged_in(plan: Sequence[Step], key: AnswerKey) -> frozenset[str]:
    """The premises that a plan drops."""
    return frozenset(_challenged([readings(step, key) for step in plan if "challenge" in family_of(step.do)]))


def _challenged(read: Sequence[Readings]) -> tuple[str, ...]:
    doubts = [each for each in read if each.is_doubt][:MOST_DOUBTS]
    return tuple(dict.fromkeys(quote for each in doubts for quote in each.challenges))


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
