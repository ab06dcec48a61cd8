"""Bounded breadth-first search for plans that reach the goal.

A plan has at most twelve calls. That is a rule of the language, not a bound of the search. Within this limit
the search is complete unless it runs out of nodes. In that case `SearchBounds.exhausted` is false.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.curves import TooFast
from impossible_moments.mechanics.execute import Executor, Run
from impossible_moments.mechanics.moves import Move, Way
from impossible_moments.mechanics.outcomes import RunEnded
from impossible_moments.mechanics.plans import MAX_CALLS, PlannedCall
from impossible_moments.mechanics.quantities import Quantity
from impossible_moments.mechanics.scalars import UNDEFINED, Value

WAITS: Final = 16
"""How many lengths of a wait until a danger has passed are tried, and how often the result is refined."""
LONGEST_SEARCHED: Final = 1e5
CURVED: Final = 60
GRID: Final = 17
"""How many values of a continuous decision the search tries. Proofs cover the whole range."""


@dataclass
class Bounds:
    """The limits of a search. Nodes are counted over all searches that share the bounds.

    `stop` is called for each node and ends the search once it returns true, for example after a timeout.
    """

    nodes: int = 20_000
    depth: int = MAX_CALLS
    used: int = 0
    exhausted: bool = True
    stop: Callable[[], bool] | None = None

    def spend(self, cost: int = 1) -> bool:
        """Add the cost of a node. Return False once the limits are reached."""
        self.used += cost
        if self.used > self.nodes or (self.stop is not None and self.stop()):
            self.exhausted = False
        return self.exhausted


@dataclass(frozen=True, slots=True)
class Situation:
    """The start and the restrictions of a search.

    `changes` replaces stated values, `lifted` names never-lines to ignore, and calls that are in `forbidden`
    or use a thing of `without_things` are not allowed.
    """

    changes: Mapping[str, Value] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    without_things: frozenset[str] = frozenset()


class Searcher:
    """Search for plans in one world."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        engine = executor.engine
        # a node whose rates must be integrated numerically costs as much as many others
        self._lost = False
        self._cost = 1 if executor.dynamics.straight else CURVED
        self._places = [engine.places[name] for name in sorted(engine.world.mutable) if name in engine.places]
        self._moves = tuple(self._relevant((*executor.moves.all_actions, *executor.moves.answers())))
        self._choices = tuple(move for quantity in engine.decisions for move in self._options(quantity))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that can contribute to the goal."""
        return self._moves

    def plan(self, bounds: Bounds, situation: Situation | None = None) -> tuple[Move, ...] | None:
        """Find a plan with the fewest calls that reaches the goal in time, or None. No call is unneeded."""
        situation = situation or Situation()
        allowed = [move for move in self._moves if _allowed(move, situation)]
        found = self._breadth_first(allowed, situation, bounds)
        return None if found is None else self.minimal(found, situation)

    def minimal(self, plan: tuple[Move, ...], situation: Situation | None = None) -> tuple[Move, ...]:
        """Return the plan without the moves that it can reach the goal without."""
        situation = situation or Situation()
        kept = list(plan)
        for move in plan:
            fewer = [each for each in kept if each is not move]
            if len(fewer) < len(kept) and fewer and self._reaches(fewer, situation):
                kept = fewer
        return tuple(kept)

    def _reaches(self, plan: list[Move], situation: Situation) -> bool:
        return self.executor.run(plan, changes=situation.changes, lifted=situation.lifted).reaches_goal

    def _breadth_first(
        self, allowed: list[Move], situation: Situation, bounds: Bounds
    ) -> tuple[Move, ...] | None:
        self._lost = False
        first = Run(self.executor, self.executor.engine.start(situation.changes), situation.lifted)
        allowed = [move for move in allowed if self._can_ever(move, first)]
        best: dict[object, float] = {self._key(first): 0.0}
        queue: deque[tuple[Run, tuple[Move, ...]]] = deque([(first, ())])
        while queue:
            run, path = queue.popleft()
            if len(path) >= bounds.depth:
                continue
            for move, after in self._successors(run, allowed):
                if not bounds.spend(self._cost):
                    return None
                if after.is_late:
                    continue
                if after.goal_met():
                    return (*path, move)
                if self._ends_well(after):
                    return (*path, move)
                key = self._key(after)
                if after.time < best.get(key, float("inf")):
                    best[key] = after.time
                    queue.append((after, (*path, move)))
        # a plan may have been missed where the rates could not be followed
        bounds.exhausted = bounds.exhausted and not self._lost
        return None

    def _successors(self, run: Run, allowed: list[Move]) -> Iterator[tuple[Move, Run]]:
        dynamics = self.executor.dynamics
        for move in (*allowed, *self._choices):
            if move.way is Way.CHOOSE:
                if not {change.name for change in move.changes} <= run.undecided:
                    continue
            elif move.decides & run.undecided:
                continue
            elif dynamics.moving and (wait := self._wait_for(move, run)) is not None:
                yield from self._after(run, wait)
                continue
            yield from self._after(run, move)
        if dynamics.moving and (wait := self._waiting(run, (self.executor.engine.world.goal,))) is not None:
            yield from self._after(run, wait)
        if run.pending:
            moment = max(min(each[0] for each in run.pending) - run.time, 0.0)
            yield from self._after(run, self.executor.moves.move(PlannedCall("wait", (f"{moment:.9g}[s]",))))

    def _after(self, run: Run, move: Move) -> Iterator[tuple[Move, Run]]:
        try:
            if move.way is Way.ACT and not self._may_succeed(move, run):
                return
            after = run.copy()
            after.make(move)
        except RunEnded as ended:
            self._lost = self._lost or ended.lost
            if ended.end.startswith("never ") and (wait := self._until_safe(run, move)) is not None:
                yield from self._after(run, wait)
            return
        except UNDEFINED:
            return
        # an action without a change is only a wait, and waits are tried separately; a choice always counts
        if (
            not move.changes
            or move.unattended
            or move.way is Way.CHOOSE
            or any(after.values[each.place] != run.values[each.place] for each in move.changes)
        ):
            yield move, after

    def _until_safe(self, run: Run, move: Move) -> Move | None:
        """Find the shortest wait after which a move no longer triggers a never-line, or None."""
        if not self.executor.dynamics.moving or move.verb in {"wait", "wait_until"}:
            return None
        horizon = (run.deadline or LONGEST_SEARCHED) - run.time
        safe = next(
            (step for step in range(1, WAITS + 1) if self._survives(run, move, horizon * step / WAITS)), None
        )
        if safe is None or horizon <= 0:
            return None
        low, high = horizon * (safe - 1) / WAITS, horizon * safe / WAITS
        for _ in range(WAITS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._survives(run, move, middle) else (middle, high)
        return self.executor.moves.move(PlannedCall("wait", (f"{high:.9g}[s]",)))

    def _survives(self, run: Run, move: Move, wait: float) -> bool:
        trial = run.copy()
        try:
            trial.pass_time(wait)
            trial.make(move)
        except RunEnded as ended:
            self._lost = self._lost or ended.lost
            return False
        except UNDEFINED:
            return False
        return True

    def _can_ever(self, move: Move, run: Run) -> bool:
        """Return whether all conditions of a move that nothing can change hold at the start."""
        return all(test.reads_state or move.decides or _holds(test.holds, run) for test in move.tests)

    def _may_succeed(self, move: Move, run: Run) -> bool:
        """Return whether each condition of a move holds, or a logistics move might make it hold."""
        return all(test.holds(run.values) or self.executor.logistics_for(test) for test in move.tests)

    def _wait_for(self, move: Move, run: Run) -> Move | None:
        """Return a wait for the failing conditions of a move if rates alone make them true, or None."""
        failing = tuple(test.tree for test in move.tests if not _holds(test.holds, run))
        return self._waiting(run, failing) if failing else None

    def _waiting(self, run: Run, trees: tuple[ex.Expression, ...]) -> Move | None:
        dynamics, world = self.executor.dynamics, self.executor.engine.world
        if not all(world.bases(tree) & dynamics.changing for tree in trees):
            return None
        wanted = trees[0] if len(trees) == 1 else ex.All(trees)
        text = ex.written(wanted)
        if "[SI]" in text:
            return None
        mark = '"' if "'" in text else "'"
        move = self.executor.moves.move(PlannedCall("wait_until", (f"{mark}{text}{mark}",)))
        try:
            return move if run.comes(move.tests[0]) else None
        except TooFast:
            self._lost = True
            return None

    def _ends_well(self, run: Run) -> bool:
        if not run.pending:
            return False
        trial = run.copy()
        try:
            trial.let_unattended_end()
        except RunEnded as ended:
            self._lost = self._lost or ended.lost
            return False
        return trial.goal_met() and not trial.is_late

    def _key(self, run: Run) -> object:
        values = tuple(_rounded(run.values[place]) for place in self._places)
        pending = tuple(sorted((round(moment - run.time, 6), move.text) for moment, move in run.pending))
        chosen = tuple(
            run.values[self.executor.engine.places[quantity.name]]
            for quantity in self.executor.engine.decisions
            if quantity.name not in run.undecided
        )
        return values, pending, chosen

    def _relevant(self, moves: tuple[Move, ...]) -> Iterator[Move]:
        """Yield the moves that change what the goal, a rate, a never-line or another such move reads."""
        world = self.executor.engine.world
        wanted = set(world.bases(world.goal))
        for tree in (*world.rates.values(), *(never.tree for never in world.nevers)):
            wanted |= world.bases(tree)
        chosen: dict[str, Move] = {}
        while True:
            fresh = [
                move
                for move in moves
                if move.text not in chosen and any(change.name in wanted for change in move.changes)
            ]
            if not fresh:
                return (yield from (move for move in moves if move.text in chosen))
            for move in fresh:
                chosen[move.text] = move
                trees = [
                    *(test.tree for test in move.tests),
                    move.takes_tree,
                    *(change.tree for change in move.changes),
                ]
                wanted |= set().union(*(world.bases(tree) for tree in trees))

    def _options(self, quantity: Quantity) -> Iterator[Move]:
        for text in _choices(quantity):
            yield self.executor.moves.move(PlannedCall("choose", (f"{quantity.name}={text}",)))


def _allowed(move: Move, situation: Situation) -> bool:
    return move.text not in situation.forbidden and not situation.without_things.intersection(move.arguments)


def _holds(holds: object, run: Run) -> bool:
    try:
        return bool(holds(run.values))  # type: ignore[operator]
    except UNDEFINED:
        return False


def _rounded(value: Value) -> Value:
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _choices(quantity: Quantity) -> list[str]:
    unit = quantity.shown
    if quantity.options:
        return [_spelled(value, quantity) for value in quantity.options]
    low, high = quantity.low or 0.0, quantity.high or 0.0
    values = [low + (high - low) * step / (GRID - 1) for step in range(GRID)]
    if low > 0 and high / low > 50:  # noqa: PLR2004 - a range over orders of magnitude is walked in ratios
        values = [low * (high / low) ** (step / (GRID - 1)) for step in range(GRID)]
    return [f"{unit.from_si(value):.12g}[{unit.text}]" if unit else f"{value:.12g}" for value in values]


def _spelled(value: Value, quantity: Quantity) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    tree = quantity.tree
    dimension = tree.dimension if isinstance(tree, ex.Number) else None
    if dimension is None or dimension.is_plain:
        return f"{value:.12g}"
    return f"{value:.12g}[{_si(tree)}]"


def _si(tree: ex.Expression) -> str:
    names = {
        "length": "m",
        "mass": "kg",
        "time": "s",
        "current": "A",
        "temperature": "K",
        "amount": "mol",
        "luminous intensity": "cd",
        "information": "bit",
        "euro": "eur",
        "dollar": "usd",
    }
    powers = tree.dimension.powers if isinstance(tree, ex.Number) else ()
    return "*".join(f"{names[base]}**{power}" for base, power in powers)
