"""A small world for puzzles: quantities and things given as lines, read by the package's own modules."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    ExpressionTypeError,
    NonNumericType,
    infer_type,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import Closure, Value, compile_expression
from impossible_moments.mechanics.puzzles.puzzle_context import Want
from impossible_moments.mechanics.records.quantities import Quantity, parse_quantity


class FakeContext:
    """Implementation of `PuzzleContext` that tries ranges only at their corners."""

    def __init__(self, things: Mapping[str, str] | None = None, quantities: Sequence[str] = ()) -> None:
        self.findings = Findings()
        self._quantities = {each.name: each for each in map(parse_quantity, quantities)}
        self._properties = {
            f"{thing}.{each.name}": each
            for thing, lines in (things or {}).items()
            for each in map(parse_quantity, filter(None, map(str.strip, lines.split(";"))))
        }
        self._things = tuple(things or {})

    @property
    def things(self) -> Collection[str]:
        return self._things

    def check_expression_type(
        self, tree: Expression, *, variables: Mapping[str, ExpressionType], expected: Want, path: str
    ) -> bool:
        def lookup(node: ex.Name | ex.Property) -> ExpressionType:
            if isinstance(node, ex.Name):
                return variables[node.name] if node.name in variables else self._infer_type(node.name)
            if variables.get(node.thing) is NonNumericType.TEXT:
                return self._infer_type(
                    next((f"{each}.{node.name}" for each in self._list_things_with(node.name)), node.path)
                )
            return self._infer_type(node.path)

        try:
            found = infer_type(tree, lookup)
        except ExpressionTypeError as problem:
            self.findings.add("dimension.mismatch", path, str(problem))
            return False
        fine = {
            "any": True,
            "condition": found is NonNumericType.TRUTH,
            "number": not isinstance(found, NonNumericType),
        }[expected]
        if not fine:
            self.findings.add("dimension.mismatch", path, f"a {expected} is needed")
        return fine

    def evaluate_expression(self, tree: Expression) -> Value:
        value: Value = compile_expression(tree, self._compile_closure)([])
        return value

    def judge_condition(self, tree: Expression) -> tuple[bool, float | None]:
        if not isinstance(tree, ex.Comparison) or tree.operator not in {"<=", ">="}:
            return bool(self.evaluate_expression(tree)), None
        left, right = float(self.evaluate_expression(tree.left)), float(self.evaluate_expression(tree.right))
        slack = right - left if tree.operator == "<=" else left - right
        return bool(self.evaluate_expression(tree)), slack / max(abs(left), abs(right))

    def decide_over_ranges(self, tree: Expression) -> bool | None:
        ranged = [
            each for each in self._quantities.values() if each.low is not None and each.high is not None
        ]
        corners = itertools.product(*((each.low or 0.0, each.high or 0.0) for each in ranged))
        verdicts = {
            bool(
                self.evaluate_expression(
                    ex.bind_variables(
                        tree, {each.name: ex.Number(end) for each, end in zip(ranged, corner, strict=True)}
                    )
                )
            )
            for corner in corners
        }
        return verdicts.pop() if len(verdicts) == 1 else None

    def _list_things_with(self, name: str) -> list[str]:
        return [path.partition(".")[0] for path in self._properties if path.endswith(f".{name}")]

    def _find_quantity(self, path: str) -> Quantity:
        return (self._properties if "." in path else self._quantities)[path]

    def _infer_type(self, path: str) -> ExpressionType:
        try:
            tree = self._find_quantity(path).tree
        except KeyError:
            raise ExpressionTypeError(f"`{path}` is unknown") from None
        match tree:
            case ex.Number(_, dimension, _):
                return dimension
            case ex.Text():
                return NonNumericType.TEXT
            case ex.Truth():
                return NonNumericType.TRUTH
            case _:
                return infer_type(
                    tree, lambda node: self._infer_type(node.name if isinstance(node, ex.Name) else node.path)
                )

    def _compile_closure(self, path: str) -> Closure:
        return compile_expression(self._find_quantity(path).tree, self._compile_closure)
