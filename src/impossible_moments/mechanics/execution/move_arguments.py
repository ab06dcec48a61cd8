"""Arguments of calls: binding of slots, and parsing of numbers and chosen values."""

from __future__ import annotations

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import ExpressionType
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.records.quantities import QuantityError, parse_quantity_value
from impossible_moments.mechanics.world.world_model import Action


class MoveError(ValueError):
    """A call that is invalid in this world. `code` is the code of the finding, `expected` the advice."""

    def __init__(self, code: str, message: str, expected: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.expected = expected


def bind_arguments_to_slots(action: Action, arguments: tuple[str, ...]) -> dict[str, Expression]:
    """Return the expression that each slot stands for: the name of a thing, or a number."""
    return {
        slot.name: ex.Number(parse_number_argument(argument), text=argument)
        if slot.type == "number"
        else ex.Text(argument)
        for slot, argument in zip(action.slots, arguments, strict=True)
    }


def parse_number_argument(argument: str) -> float:
    """Parse a number argument. Raise `MoveError` if it is not a number."""
    try:
        return float(argument)
    except ValueError:
        raise MoveError("plan.argument", f"`{argument}` is not a number", "a plain number") from None


def parse_chosen_value(text: str, expected_type: ExpressionType) -> Value:
    """Parse the value of a choice. Raise `MoveError` if it is malformed or not of type `expected_type`."""
    try:
        quantity = parse_quantity_value("choice", text)
    except QuantityError:
        raise MoveError("plan.argument", f"`{text}` is not a value", "choose(angle=35[deg])") from None
    if isinstance(quantity.tree, ex.Number) and quantity.tree.dimension != expected_type:
        raise MoveError(
            "plan.argument",
            f"`{text}` is a {quantity.tree.dimension}, but a {expected_type} is needed",
            "choose(angle=35[deg])",
        )
    return quantity.value if quantity.value is not None else text.strip()
