"""The interface through which a puzzle reads the world of its record."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal, Protocol, TypeAlias

from impossible_moments.mechanics.language.expression_types import ExpressionType
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED, Value

Want: TypeAlias = Literal["condition", "number", "any"]

NO_VALUE: Final = (KeyError, TypeError, *UNDEFINED)
"""The exceptions raised where an expression is undefined, or a property is missing or of another type."""


class PuzzleContext(Protocol):
    """The quantities and things of the record, as far as a puzzle reads them."""

    @property
    def things(self) -> Collection[str]:
        """The names of all things."""
        ...

    def check_expression_type(
        self, tree: Expression, *, variables: Mapping[str, ExpressionType], expected: Want, path: str
    ) -> bool:
        """Check names, dimensions and sort of an expression.

        Return whether it is valid, and add findings if not.

        A variable of type `Sort.TEXT` may stand for a thing, whose properties are then checked as well.
        """
        ...

    def evaluate_expression(self, tree: Expression) -> Value:
        """Evaluate an expression without variables at the stated values.

        Raise one of `UNDEFINED` if it has no value, and KeyError for a property that a thing lacks.
        """
        ...

    def judge_condition(self, tree: Expression) -> tuple[bool, float | None]:
        """Return the truth and the signed margin of a condition at the stated values.

        Raise the same exceptions as `evaluate_expression`.
        """
        ...

    def decide_over_ranges(self, tree: Expression) -> bool | None:
        """Return the truth of a condition over all assumed and disputed ranges, or None if it varies."""
        ...
