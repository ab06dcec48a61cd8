"""Impossibility proofs: no plan reaches the goal anywhere in a box, and which conditions conflict."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.execute import Executor
from impossible_moments.mechanics.intervals import Box
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.plans import MAX_CALLS
from impossible_moments.mechanics.proofs import Budget, Proof, Witness, decide, recheck
from impossible_moments.mechanics.symbolic import Path, Symbolic

NODES: Final = 4_000
PROOFS: Final = 120
"""Maximum number of plans that need a proof of their own because they might reach the goal."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A plan that is impossible everywhere in the box, with its proof."""

    calls: tuple[str, ...]
    proof: Proof
    rechecked: bool


@dataclass(frozen=True, slots=True)
class Impossibility:
    """Result of an attempt to prove impossibility over a box.

    - `proved`: no plan reaches the goal
    - `exhausted`: the search ended before its limits were reached
    - `blocking_conditions`: the conditions that stopped paths
    - `refuted_plans`: plans and conditions with a proof of their own
    - `open_plan`: a plan that may work somewhere; `witness` is a point where it works, if one was found
    - `approximated_names`: the free names that replaced values of the open plan that could not be followed
    """

    proved: bool
    exhausted: bool
    blocked: tuple[str, ...]
    closed: tuple[Closed, ...] = ()
    open_plan: tuple[str, ...] = ()
    witness: Witness | None = None
    loose: tuple[str, ...] = ()
    nodes: int = 0


class Prover:
    """Prover of impossibility in one world with given moves over a box; `stop` may end an attempt early."""

    def __init__(
        self,
        executor: Executor,
        moves: tuple[Move, ...],
        box: Box,
        *,
        lifted: frozenset[str] = frozenset(),
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.executor = executor
        self.moves = moves
        self.box = box
        self.lifted = lifted
        self.stop = stop

    def attempt(self, enforced: frozenset[str] | None = None, *, certified: bool = True) -> Impossibility:
        """Try to prove that no plan reaches the goal while the `enforced` conditions hold (all if None).

        Every plan that may work is followed. Each one that might reach the goal needs a proof that its
        conditions conflict. `certified` adds smallest cores and re-checks; without it the result is the same
        but faster.
        """
        symbolic = Symbolic(self.executor, self.box, lifted=self.lifted, enforced=enforced)
        first = symbolic.start()
        queue: deque[Path] = deque([first])
        seen: dict[str, list[Path]] = {_key(first): [first]}
        closed: list[Closed] = []
        reached = self._reached(symbolic, first, certified=certified)
        if reached is not None and not isinstance(reached, Closed):
            return self._open(symbolic, first, reached, closed, 0)
        nodes = 0
        while queue:
            path = queue.popleft()
            for after in self._successors(symbolic, path):
                nodes += 1
                if nodes > NODES or (self.stop is not None and self.stop()):
                    return Impossibility(
                        proved=False, exhausted=False, blocked=tuple(symbolic.blocked), nodes=nodes
                    )
                reached = self._reached(symbolic, after, certified=certified)
                if isinstance(reached, Closed):
                    closed.append(reached)
                    if len(closed) > PROOFS:
                        return Impossibility(
                            proved=False, exhausted=False, blocked=tuple(symbolic.blocked), nodes=nodes
                        )
                elif reached is not None:
                    return self._open(symbolic, after, reached, closed, nodes)
                if len(after.calls) < MAX_CALLS and _worth_it(symbolic, after, seen):
                    queue.append(after)
        if certified:
            closed += self._refuted(symbolic)
        return Impossibility(
            proved=True, exhausted=True, blocked=tuple(symbolic.blocked), closed=tuple(closed), nodes=nodes
        )

    def _refuted(self, symbolic: Symbolic) -> list[Closed]:
        """Prove every condition that stopped paths over the whole box, and check each proof again."""
        proofs: list[Closed] = []
        for name, tree in symbolic.refuted.items():
            conditions = {name: tree}
            verdict = decide(conditions, self.box)
            if isinstance(verdict, Proof):
                proofs.append(Closed((name,), verdict, recheck(verdict, conditions, self.box)))
        return proofs

    def _open(
        self, symbolic: Symbolic, path: Path, reached: Witness | str, closed: list[Closed], nodes: int
    ) -> Impossibility:
        return Impossibility(
            proved=False,
            exhausted=True,
            blocked=tuple(symbolic.blocked),
            closed=tuple(closed),
            open_plan=path.calls or ("waiting",),
            witness=reached if isinstance(reached, Witness) else None,
            loose=tuple(name for name in symbolic.free_names if not name.startswith("wait")),
            nodes=nodes,
        )

    def conflict(self, candidates: tuple[str, ...]) -> tuple[str, ...]:
        """Return a smallest set of conditions that alone forbid the goal, or an empty tuple.

        It is found by leaving out one candidate after another.
        """
        kept = list(candidates)
        if not self.attempt(frozenset(kept), certified=False).proved:
            return ()
        for name in candidates:
            fewer = frozenset(each for each in kept if each != name)
            if self.attempt(fewer, certified=False).proved:
                kept.remove(name)
        return tuple(kept)

    def _successors(self, symbolic: Symbolic, path: Path) -> Iterator[Path]:
        """Yield the paths after each possible move, preceded by a wait of any length if a rate is active."""
        here = symbolic.waited(path)
        for move in self.moves:
            for after in symbolic.after(here, move):
                if symbolic.can_be_in_time(after) and (move.unattended or _changed(here, after, move)):
                    yield after
        yield from (after for after in symbolic.completions(here) if symbolic.can_be_in_time(after))

    def _reached(self, symbolic: Symbolic, path: Path, *, certified: bool) -> Closed | Witness | str | None:
        """Decide whether a path can reach the goal.

        Return None if the goal is not met, the refuted plan if its conditions conflict, else a witness or
        `undecided`.
        """
        path = symbolic.waited(path)
        goal = symbolic.goal(path)
        truth = goal.value if isinstance(goal, ex.Truth) else symbolic.reading.truth(goal)
        if truth is False:
            return None
        conditions = _numbered([*path.obligations, ("goal", goal)])
        in_time = symbolic.deadline(path)
        if in_time is not None:
            conditions["deadline"] = in_time
        verdict = decide(conditions, symbolic.box, Budget(), smallest_core=certified)
        if isinstance(verdict, Proof):
            for name in verdict.core:
                symbolic.block(name.split("#")[0])
            return Closed(path.calls, verdict, not certified or recheck(verdict, conditions, symbolic.box))
        return verdict if isinstance(verdict, Witness) else "undecided"


def _changed(before: Path, after: Path, move: Move) -> bool:
    return any(after.state[change.name] != before.state[change.name] for change in move.changes)


def _numbered(named: list[tuple[str, ex.Expression]]) -> dict[str, ex.Expression]:
    """Return conditions by name; repeated names get a number."""
    conditions: dict[str, ex.Expression] = {}
    for name, tree in named:
        free = (
            name
            if name not in conditions
            else f"{name}#{sum(each.split('#')[0] == name for each in conditions) + 1}"
        )
        conditions[free] = tree
    return conditions


def _key(path: Path) -> str:
    """Return a text that is equal for paths with the same state and the same unfinished work."""
    state = "; ".join(f"{name}={ex.written(tree)}" for name, tree in path.state.items())
    return f"{state} | {sorted(f'{move.text} until {ex.written(finish)}' for move, finish in path.pending)}"


def _worth_it(symbolic: Symbolic, path: Path, seen: dict[str, list[Path]]) -> bool:
    """Return whether no earlier path reached the same state sooner with fewer obligations."""
    earlier = seen.setdefault(_key(path), [])
    for other in earlier:
        if set(other.obligations) <= set(path.obligations) and symbolic.is_later(path, other):
            return False
    earlier.append(path)
    return True
