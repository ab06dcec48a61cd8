"""Impossibility proofs: no plan reaches the goal anywhere in a box, and which conditions conflict."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.graph_search import GraphPlanSearch
from impossible_moments.mechanics.execution.moves import Move
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.interval_evaluation import Box
from impossible_moments.mechanics.proofs.certificates import Proof
from impossible_moments.mechanics.proofs.graph_proof import attempt_graph_proof, is_single_point
from impossible_moments.mechanics.proofs.impossibility_result import ImpossibilityResult, RefutedPlan
from impossible_moments.mechanics.proofs.proof_recheck import recheck_proof
from impossible_moments.mechanics.proofs.satisfiability import ProofBudget, decide_joint_satisfiability
from impossible_moments.mechanics.proofs.symbolic_execution import SymbolicExecutor, SymbolicPath
from impossible_moments.mechanics.proofs.witnesses import Witness
from impossible_moments.mechanics.records.plans import MAX_CALLS

NODES: Final = 4_000
PROOFS: Final = 120
"""Maximum number of plans that need a proof of their own because they might reach the goal."""


class GoalImpossibilityProver:
    """Prover of impossibility in one world with given moves over a box; `stop` may end an attempt early."""

    def __init__(
        self,
        executor: PlanExecutor,
        moves: tuple[Move, ...],
        box: Box,
        *,
        lifted: frozenset[str] = frozenset(),
        should_stop: Callable[[], bool] | None = None,
        graph: GraphPlanSearch | None = None,
    ) -> None:
        self.executor = executor
        self.moves = moves
        self.box = box
        self.lifted = lifted
        self.stop = should_stop
        self.graph = graph if graph is not None and is_single_point(self._select_read_part(box)) else None

    def _select_read_part(self, box: Box) -> Box:
        """Return the part of a box that a move, the goal, a rate, a danger or the deadline reads.

        A danger that nothing can bring about does not count: where it held, it would only forbid more.
        """
        world = self.executor.engine.world
        changed = {each.name for move in self.moves for each in move.changes} | set(world.rates)
        dangers = [never.tree for never in world.never_rules]
        trees = [world.goal, *world.rates.values()]
        trees += [tree for tree in dangers if changed & world.collect_stated_quantities(tree)]
        trees += [] if world.deadline is None else [world.deadline]
        for move in self.moves:
            trees += [
                move.takes_tree,
                *(test.tree for test in move.tests),
                *(each.tree for each in move.changes),
            ]
        read = frozenset().union(*map(world.collect_stated_quantities, trees)) - world.mutable
        return {name: value for name, value in box.items() if name in read}

    def attempt_proof(
        self, enforced: frozenset[str] | None = None, *, certified: bool = True
    ) -> ImpossibilityResult:
        """Try to prove that no plan reaches the goal while the `enforced` conditions hold (all if None).

        Every plan that may work is followed. Each one that might reach the goal needs a proof that its
        conditions conflict. `certified` adds smallest cores and re-checks; without it the result is the same
        but faster.
        """
        if self.graph is not None:
            return attempt_graph_proof(self.graph, enforced, self.lifted, certified=certified)
        symbolic = SymbolicExecutor(self.executor, self.box, lifted=self.lifted, enforced=enforced)
        first = symbolic.create_start_path()
        queue: deque[SymbolicPath] = deque([first])
        paths_by_key: dict[str, list[SymbolicPath]] = {_make_path_key(first): [first]}
        closed: list[RefutedPlan] = []
        reached = self._decide_goal_on_path(symbolic, first, certified=certified)
        if reached is not None and not isinstance(reached, RefutedPlan):
            return self._build_unproved_result(symbolic, first, reached, closed, 0)
        nodes = 0
        while queue:
            path = queue.popleft()
            for after in self._iterate_successor_paths(symbolic, path):
                nodes += 1
                if nodes > NODES or (self.stop is not None and self.stop()):
                    return ImpossibilityResult(
                        proved=False,
                        exhausted=False,
                        blocking_conditions=tuple(symbolic.blocked),
                        nodes=nodes,
                    )
                reached = self._decide_goal_on_path(symbolic, after, certified=certified)
                if isinstance(reached, RefutedPlan):
                    closed.append(reached)
                    if len(closed) > PROOFS:
                        return ImpossibilityResult(
                            proved=False,
                            exhausted=False,
                            blocking_conditions=tuple(symbolic.blocked),
                            nodes=nodes,
                        )
                elif reached is not None:
                    return self._build_unproved_result(symbolic, after, reached, closed, nodes)
                if len(after.calls) < MAX_CALLS and _is_path_worth_exploring(symbolic, after, paths_by_key):
                    queue.append(after)
        if certified:
            closed += self._prove_refuted_conditions(symbolic)
        return ImpossibilityResult(
            proved=True,
            exhausted=True,
            blocking_conditions=tuple(symbolic.blocked),
            refuted_plans=tuple(closed),
            nodes=nodes,
        )

    def _prove_refuted_conditions(self, symbolic: SymbolicExecutor) -> list[RefutedPlan]:
        """Prove every condition that stopped paths over the whole box, and check each proof again."""
        proofs: list[RefutedPlan] = []
        for name, tree in symbolic.refuted.items():
            conditions = {name: tree}
            verdict = decide_joint_satisfiability(conditions, self.box)
            if isinstance(verdict, Proof):
                proofs.append(RefutedPlan((name,), verdict, recheck_proof(verdict, conditions, self.box)))
        return proofs

    def _build_unproved_result(
        self,
        symbolic: SymbolicExecutor,
        path: SymbolicPath,
        reached: Witness | str,
        refuted_plans: list[RefutedPlan],
        nodes: int,
    ) -> ImpossibilityResult:
        return ImpossibilityResult(
            proved=False,
            exhausted=True,
            blocking_conditions=tuple(symbolic.blocked),
            refuted_plans=tuple(refuted_plans),
            open_plan=path.calls or ("waiting",),
            witness=reached if isinstance(reached, Witness) else None,
            approximated_names=tuple(name for name in symbolic.free_names if not name.startswith("wait")),
            nodes=nodes,
        )

    def find_smallest_conflict(self, candidates: tuple[str, ...]) -> tuple[str, ...]:
        """Return a smallest set of conditions that alone forbid the goal, or an empty tuple.

        It is found by leaving out one candidate after another.
        """
        kept = list(candidates)
        if not self.attempt_proof(frozenset(kept), certified=False).proved:
            return ()
        for name in candidates:
            fewer = frozenset(each for each in kept if each != name)
            if self.attempt_proof(fewer, certified=False).proved:
                kept.remove(name)
        return tuple(kept)

    def _iterate_successor_paths(
        self, symbolic: SymbolicExecutor, path: SymbolicPath
    ) -> Iterator[SymbolicPath]:
        """Yield the paths after each possible move, preceded by a wait of any length if a rate is active."""
        waited_path = symbolic.add_free_wait(path)
        for move in self.moves:
            for after in symbolic.apply_move(waited_path, move):
                if symbolic.can_path_meet_deadline(after) and (
                    move.unattended or _has_changed_state(waited_path, after, move)
                ):
                    yield after
        yield from (
            after
            for after in symbolic.iterate_unattended_completions(waited_path)
            if symbolic.can_path_meet_deadline(after)
        )

    def _decide_goal_on_path(
        self, symbolic: SymbolicExecutor, path: SymbolicPath, *, certified: bool
    ) -> RefutedPlan | Witness | str | None:
        """Decide whether a path can reach the goal.

        Return None if the goal is not met, the refuted plan if its conditions conflict, else a witness or
        `undecided`.
        """
        path = symbolic.add_free_wait(path)
        goal = symbolic.build_goal_condition(path)
        truth = goal.value if isinstance(goal, ex.Truth) else symbolic.intervals.decide_condition(goal)
        if truth is False:
            return None
        conditions = _make_condition_names_unique([*path.obligations, ("goal", goal)])
        in_time = symbolic.build_deadline_condition(path)
        if in_time is not None:
            conditions["deadline"] = in_time
        verdict = decide_joint_satisfiability(
            conditions, symbolic.box, ProofBudget(), smallest_core=certified
        )
        if isinstance(verdict, Proof):
            for name in verdict.core:
                symbolic.record_blocking_condition(name.split("#")[0])
            return RefutedPlan(
                path.calls, verdict, not certified or recheck_proof(verdict, conditions, symbolic.box)
            )
        return verdict if isinstance(verdict, Witness) else "undecided"


def _has_changed_state(before: SymbolicPath, after: SymbolicPath, move: Move) -> bool:
    return any(after.state[change.name] != before.state[change.name] for change in move.changes)


def _make_condition_names_unique(
    named_conditions: list[tuple[str, ex.Expression]],
) -> dict[str, ex.Expression]:
    """Return conditions by name; repeated names get a number."""
    conditions: dict[str, ex.Expression] = {}
    for name, tree in named_conditions:
        free = (
            name
            if name not in conditions
            else f"{name}#{sum(each.split('#')[0] == name for each in conditions) + 1}"
        )
        conditions[free] = tree
    return conditions


def _make_path_key(path: SymbolicPath) -> str:
    """Return a text that is equal for paths with the same state and the same unfinished work."""
    state = "; ".join(f"{name}={ex.format_expression(tree)}" for name, tree in path.state.items())
    return f"{state} | {sorted(f'{move.text} until {ex.format_expression(finish)}' for move, finish in path.pending)}"


def _is_path_worth_exploring(
    symbolic: SymbolicExecutor, path: SymbolicPath, paths_by_key: dict[str, list[SymbolicPath]]
) -> bool:
    """Return whether no earlier path reached the same state sooner with fewer obligations."""
    earlier = paths_by_key.setdefault(_make_path_key(path), [])
    for other in earlier:
        if set(other.obligations) <= set(path.obligations) and symbolic.is_not_earlier(path, other):
            return False
    earlier.append(path)
    return True
