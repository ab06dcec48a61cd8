"""Execution of an answer's plan in the record, in the most favourable reading of its words.

The likeliest reading of every step is executed first, then a bounded number of other readings. If none
reaches the goal, the loose interpretation is tried. The strict readings add nothing that the answer does not
state.
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
"""Maximum number of readings of one plan that are executed."""
MOST_DOUBTS: Final = 3
"""Maximum number of challenges considered, so that doubting every line of the text does not succeed."""


@dataclass(frozen=True)
class Played:
    """The best reading of a plan, with its outcome."""

    moves: tuple[Move, ...]
    outcome: Outcome
    unknown: tuple[Step, ...] = ()
    """Steps that could not be interpreted."""
    idle: tuple[Step, ...] = ()
    """Steps that were understood and have no effect in this scenario."""
    challenged: tuple[str, ...] = ()
    changes: dict[str, Value] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()
    """Names of never-lines that were not enforced."""
    read_loosely: bool = False
    """Whether the goal is reached only in the loose interpretation, which ignores verbs."""
    unsaid: tuple[Move, ...] = ()
    """Implicit calls that were inserted."""
    mended: bool = False
    """Whether steps had to be reinterpreted, removed or deferred."""
    loosely_ends: Outcome | None = None
    """Outcome of the loose interpretation, if neither it nor the strict reading reaches the goal."""

    @property
    def is_understood(self) -> bool:
        """Whether the plan itself failed, and not its interpretation."""
        if self.moves:
            return fails_by_itself(self.outcome)
        return self.loosely_ends is not None and fails_by_itself(self.loosely_ends)

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls that the plan was read as."""
        return tuple(move.text for move in self.moves)

    @property
    def valid(self) -> tuple[str, ...]:
        """The calls of the plan that were executed, without inserted errands."""
        return tuple(step.call for step in self.outcome.steps if not step.inserted)


def played(
    plan: Sequence[Step],
    key: AnswerKey,
    *,
    lifted: frozenset[str] = frozenset(),
    changes: dict[str, Value] | None = None,
) -> Played:
    """Execute a plan in its best reading.

    `lifted` names never-lines that are not enforced, `changes` gives other values to quantities. Premises
    that the plan challenges are lifted as well.
    """
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
    """Return the loosely interpreted plan if it reaches the goal, else the strict one with both outcomes.

    None is returned if the plan has no loose interpretation, or fails and there is no strict reading either.
    """
    parts = parts_of(plan, key, [each.calls for each in read])
    run = partial(key.analysis.executor.run, changes=changes, lifted=lifted)
    found = mended(parts, key, run) if parts else None
    if found is None:
        return None
    if not found.outcome.reaches_goal:
        # a failed loose interpretation earns nothing, since its calls are only guesses
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
    """Return the premises that the `challenge` steps of a plan drop."""
    return frozenset(_challenged([readings(step, key) for step in plan if "challenge" in family_of(step.do)]))


def _challenged(read: Sequence[Readings]) -> tuple[str, ...]:
    doubts = [each for each in read if each.is_doubt][:MOST_DOUBTS]
    return tuple(dict.fromkeys(quote for each in doubts for quote in each.challenges))


def _lifted(challenged: Sequence[str], key: AnswerKey) -> frozenset[str]:
    return frozenset(never.name for never in key.analysis.world.nevers if never.evidence in challenged)


def _better(one: Outcome, other: Outcome) -> bool:
    return (one.reaches_goal, len(one.steps)) > (other.reaches_goal, len(other.steps))


def _candidates(read: Sequence[Readings]) -> Iterator[tuple[Move, ...]]:
    """Yield readings of a plan: the likeliest, then those with one step changed, then combinations."""
    likeliest = [each.calls[0] for each in read]
    yield tuple(likeliest)
    for at, each in enumerate(read):
        for other in each.calls[1:]:
            yield (*likeliest[:at], other, *likeliest[at + 1 :])
    yield from product(*(each.calls[:3] for each in read))
