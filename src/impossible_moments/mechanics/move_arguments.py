"""Arguments of calls: what a slot is bound to, and values written into a call."""

from __future__ import annotations

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.quantities import QuantityError, read_value
from impossible_moments.mechanics.scalars import Value
from impossible_moments.mechanics.sorts import Type
from impossible_moments.mechanics.world import Action


class MoveError(ValueError):
    """A call that is no move of this world; `code` says why."""

    def __init__(self, code: str, message: str, expected: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.expected = expected


def bindings_of(action: Action, arguments: tuple[str, ...]) -> dict[str, Expression]:
    """What each slot stands for: a thing by its name, or a number."""
    return {
        slot.name: ex.Number(number_in(argument), text=argument)
        if slot.type == "number"
        else ex.Text(argument)
        for slot, argument in zip(action.slots, arguments, strict=True)
    }


def number_in(argument: str) -> float:
    """The number an argument writes, or a `MoveError`."""
    try:
        return float(argument)
    except ValueError:
        raise MoveError("plan.argument", f"`{argument}` is no number", "a plain number") from None


def chosen_value(text: str, wanted: Type) -> Value:
    """The value that a choice writes, of the type that is chosen, or a `MoveError`."""
    try:
        quantity = read_value("choice", text)
    except QuantityError:
        raise MoveError("plan.argument", f"`{text}` is no value", "choose(angle=35[deg])") from None
    if isinstance(quantity.tree, ex.Number) and quantity.tree.dimension != wanted:
        raise MoveError(
            "plan.argument",
            f"`{text}` is a {quantity.tree.dimension}, and a {wanted} is chosen",
            "choose(angle=35[deg])",
        )
    return quantity.value if quantity.value is not None else text.strip()
