"""The solver of puzzles of any kind, and the world as puzzles see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    NonNumericType,
    suggest_similar_name,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import IntervalEvaluator
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.proofs.admissible_box import build_admissible_box
from impossible_moments.mechanics.puzzles import (
    clue_puzzle_solver,
    code_puzzle_solver,
    diagnosis_puzzle_solver,
    signal_puzzle_solver,
)
from impossible_moments.mechanics.puzzles.puzzle_context import Want
from impossible_moments.mechanics.records.puzzle_forms import CluesPuzzle, CodePuzzle, DiagnosisPuzzle, Puzzle
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.engine import WorldEngine
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle


class WorldPuzzleContext:
    """Implementation of `PuzzleContext` on the draft and the engine of a world."""

    def __init__(self, draft: WorldDraft, engine: WorldEngine) -> None:
        self._draft = draft
        self._engine = engine
        self._intervals: IntervalEvaluator | None = None

    @property
    def things(self) -> Collection[str]:
        """The names of all things."""
        return self._draft.things

    def check_expression_type(
        self, tree: Expression, *, variables: Mapping[str, ExpressionType], expected: Want, path: str
    ) -> bool:
        """Check names and type of an expression. Return whether it is valid, and add findings if not.

        A variable that stands for a thing is checked with a thing that has all properties read.
        """
        bindings: dict[str, Expression] = {}
        for variable in variables:
            names = sorted(
                {
                    node.name
                    for node in ex.walk_nodes(tree)
                    if isinstance(node, ex.Property) and node.thing == variable
                }
            )
            if not names:
                continue
            fitting = next(
                (
                    thing
                    for thing in self.things
                    if all(self._draft.has_property(thing, name) for name in names)
                ),
                None,
            )
            if fitting is None:
                known = sorted({name.split(".")[1] for name in self._draft.quantities if "." in name})
                missing = next((name for name in names if name not in known), names[0])
                self._draft.findings.add(
                    "name.unknown",
                    path,
                    f"no thing has a property `{missing}`{suggest_similar_name(missing, known)}",
                    found=ex.format_expression(tree),
                    expected="a property that the things in question have",
                )
                return False
            bindings[variable] = ex.Text(fitting)
        found = self._draft.check_expression_type(
            ex.bind_variables(tree, bindings),
            path,
            variables=variables,
            expected=NonNumericType.TRUTH if expected == "condition" else None,
        )
        if found is None:
            return False
        if expected == "number" and not isinstance(found, Dimension):
            self._draft.findings.add(
                "dimension.mismatch",
                path,
                f"`{ex.format_expression(tree)}` is not a number",
                found=ex.format_expression(tree),
                expected="a number",
            )
            return False
        return True

    def evaluate_expression(self, tree: Expression) -> Value:
        """Evaluate an expression without variables at the stated values."""
        return self._engine.evaluate_expression(tree)

    def judge_condition(self, tree: Expression) -> tuple[bool, float | None]:
        """Return the truth and margin of a condition at the stated values."""
        return self._engine.compile_condition_judge(tree)(self._engine.build_start_values())

    def decide_over_ranges(self, tree: Expression) -> bool | None:
        """Return the truth of a condition over all ranges, or None if it varies."""
        if self._intervals is None:
            self._intervals = IntervalEvaluator(
                build_admissible_box(self._engine.world.quantities, estimates_doubled=False)
            )
        return self._intervals.decide_condition(self._engine.world.expand_derived_quantities(tree))


def solve_puzzle(puzzle: Puzzle, setting: WorldPuzzleContext, findings: Findings) -> SolvedPuzzle:
    """Solve a puzzle with the solver of its kind, and add findings about its lines."""
    path = f"/puzzles/{puzzle.name}"
    match puzzle:
        case CodePuzzle():
            return code_puzzle_solver.solve_code_puzzle(puzzle, setting, findings, path)
        case CluesPuzzle():
            return clue_puzzle_solver.solve_clue_puzzle(puzzle, setting, findings, path)
        case DiagnosisPuzzle():
            return diagnosis_puzzle_solver.solve_diagnosis_puzzle(puzzle, setting, findings, path)
        case _:
            return signal_puzzle_solver.solve_signal_puzzle(puzzle, setting, findings, path)
