"""What a puzzle may ask of the world it stands in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal, Protocol, TypeAlias

from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.scalars import UNDEFINED, Value
from impossible_moments.mechanics.sorts import Type

Want: TypeAlias = Literal["condition", "number", "any"]

NO_VALUE: Final = (KeyError, TypeError, *UNDEFINED)
"""What reading a tree raises where it has no value: also a property of another type than on other things."""


class Context(Protocol):
    """The record's quantities and things, as far as a puzzle reads them."""

    @property
    def things(self) -> Collection[str]:
        """The names of all things."""
        ...

    def typed(self, tree: Expression, *, variables: Mapping[str, Type], want: Want, where: str) -> bool:
        """Check names, dimensions and sort of a tree; add findings on failure and say whether it is fine.

        A variable of type `Sort.TEXT` may stand for a thing: its properties are then checked as well.
        """
        ...

    def value(self, tree: Expression) -> Value:
        """The value of a ground tree at stated values.

        Raises one of `scalars.UNDEFINED` where it has none, and KeyError for a property that a thing lacks.
        """
        ...

    def judged(self, tree: Expression) -> tuple[bool, float | None]:
        """The truth and the signed margin of a ground condition at stated values; raises as `value` does."""
        ...

    def over_ranges(self, tree: Expression) -> bool | None:
        """Whether a condition holds or fails over all assumed and disputed ranges; None if it depends."""
        ...
