"""The solver of puzzles of any kind, and the world as puzzles see it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.building.draft import Draft
from impossible_moments.mechanics.dimensions import Dimension
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.intervals import Reading
from impossible_moments.mechanics.puzzles import clues, code, diagnosis, signal
from impossible_moments.mechanics.puzzles.context import Want
from impossible_moments.mechanics.puzzles.forms import CluesPuzzle, CodePuzzle, DiagnosisPuzzle, Puzzle
from impossible_moments.mechanics.puzzles.solved import SolvedPuzzle
from impossible_moments.mechanics.scalars import Value
from impossible_moments.mechanics.sorts import Sort, Type, did_you_mean
from impossible_moments.mechanics.symbolic import admissible_box


class Setting:
    """Implementation of `PuzzleContext` on the draft and the engine of a world."""

    def __init__(self, draft: Draft, engine: Engine) -> None:
        self._draft = draft
        self._engine = engine
        self._reading: Reading | None = None

    @property
    def things(self) -> Collection[str]:
        """The names of all things."""
        return self._draft.things

    def typed(self, tree: Expression, *, variables: Mapping[str, Type], want: Want, where: str) -> bool:
        """Check names and type of an expression. Return whether it is valid, and add findings if not.

        A variable that stands for a thing is checked with a thing that has all properties read.
        """
        bindings: dict[str, Expression] = {}
        for variable in variables:
            names = sorted(
                {
                    node.name
                    for node in ex.walk(tree)
                    if isinstance(node, ex.Property) and node.thing == variable
                }
            )
            if not names:
                continue
            fitting = next(
                (thing for thing in self.things if all(self._draft.has(thing, name) for name in names)), None
            )
            if fitting is None:
                known = sorted({path.split(".")[1] for path in self._draft.quantities if "." in path})
                missing = next((name for name in names if name not in known), names[0])
                self._draft.findings.add(
                    "name.unknown",
                    where,
                    f"no thing has a property `{missing}`{did_you_mean(missing, known)}",
                    found=ex.written(tree),
                    expected="a property that the things in question have",
                )
                return False
            bindings[variable] = ex.Text(fitting)
        found = self._draft.typed(
            ex.bound(tree, bindings),
            where,
            variables=variables,
            want=Sort.TRUTH if want == "condition" else None,
        )
        if found is None:
            return False
        if want == "number" and not isinstance(found, Dimension):
            self._draft.findings.add(
                "dimension.mismatch",
                where,
                f"`{ex.written(tree)}` is not a number",
                found=ex.written(tree),
                expected="a number",
            )
            return False
        return True

    def value(self, tree: Expression) -> Value:
        """Evaluate an expression without variables at the stated values."""
        return self._engine.value(tree)

    def judged(self, tree: Expression) -> tuple[bool, float | None]:
        """Return the truth and margin of a condition at the stated values."""
        return self._engine.judge(tree)(self._engine.start())

    def over_ranges(self, tree: Expression) -> bool | None:
        """Return the truth of a condition over all ranges, or None if it varies."""
        if self._reading is None:
            self._reading = Reading(admissible_box(self._engine.world.quantities, estimates_doubled=False))
        return self._reading.truth(self._engine.world.expanded(tree))


def solve(puzzle: Puzzle, setting: Setting, findings: Findings) -> SolvedPuzzle:
    """Solve a puzzle with the solver of its kind, and add findings about its lines."""
    where = f"/puzzles/{puzzle.name}"
    match puzzle:
        case CodePuzzle():
            return code.solve(puzzle, setting, findings, where)
        case CluesPuzzle():
            return clues.solve(puzzle, setting, findings, where)
        case DiagnosisPuzzle():
            return diagnosis.solve(puzzle, setting, findings, where)
        case _:
            return signal.solve(puzzle, setting, findings, where)
