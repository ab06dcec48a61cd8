"""Moves that every world has: answering a puzzle, waiting, and choosing the value of a decision."""

from __future__ import annotations

from impossible_moments.mechanics.execution.move_arguments import MoveError, parse_chosen_value
from impossible_moments.mechanics.execution.moves import (
    Move,
    MoveCondition,
    MoveKind,
    StateChange,
    compile_state_change,
    find_decisions_read,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import TIME
from impossible_moments.mechanics.language.expression_parser import ExpressionError, parse_expression
from impossible_moments.mechanics.language.expression_types import (
    ExpressionTypeError,
    NonNumericType,
    suggest_similar_name,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import is_same_value
from impossible_moments.mechanics.records.plans import PlannedCall, strip_quotes
from impossible_moments.mechanics.records.quantities import QuantityError, QuantityKind, parse_quantity_value
from impossible_moments.mechanics.world.engine import WorldEngine


def build_answer_move(engine: WorldEngine, call: PlannedCall) -> Move:
    """Build the move that gives a value as the answer to a puzzle."""
    puzzles = engine.world.puzzles
    if len(call.arguments) != 2:  # noqa: PLR2004 - a puzzle and a value
        raise MoveError(
            "plan.argument",
            f"`{call}` must have two arguments: a puzzle and a value",
            "answer(shelf, '8274')",
        )
    name, value = call.arguments[0], strip_quotes(call.arguments[1])
    puzzle = puzzles.get(name)
    if puzzle is None:
        raise MoveError(
            "plan.argument",
            f"`{name}` is not a puzzle{suggest_similar_name(name, puzzles)}",
            "answer(shelf, '8274')",
        )
    right = ex.Truth(puzzle.accepts_answer(value))
    test = MoveCondition(f"answer.{name}", right, engine)
    changes = tuple(
        compile_state_change(engine, effect, {}, call=call)
        for effect in engine.world.effects_of_answers.get(name, ())
    )
    return Move(str(call), "answer", call.arguments, tests=(test,), changes=changes)


def build_wait_move(engine: WorldEngine, call: PlannedCall) -> Move:
    """Build the move that waits for a duration."""
    tree = _parse_wait_duration(engine, ", ".join(call.arguments))
    if tree is None:
        raise MoveError("plan.argument", f"`{call}` does not give a duration", "wait(20[s])")
    return Move(
        str(call), "wait", call.arguments, takes=engine.compile_expression(tree), takes_tree=tree,
        decides=find_decisions_read(engine, [tree]),
    )  # fmt: skip


def _parse_wait_duration(engine: WorldEngine, text: str) -> Expression | None:
    try:
        tree = parse_quantity_value("wait", text).tree
        return tree if engine.infer_expression_type(tree) == TIME else None
    except (QuantityError, ExpressionTypeError):
        return None


def build_wait_until_move(engine: WorldEngine, call: PlannedCall) -> Move:
    """Build the move that waits until a condition holds."""
    text = strip_quotes(", ".join(call.arguments))
    try:
        tree = parse_expression(text)
        is_truth = engine.infer_expression_type(tree) is NonNumericType.TRUTH
    except (ExpressionError, ExpressionTypeError) as problem:
        raise MoveError(
            "plan.argument", f"`{call}`: {problem}", "wait_until('level >= hatch.sill')"
        ) from None
    if not is_truth:
        raise MoveError(
            "plan.argument", f"`{call}` does not give a condition", "wait_until('level >= hatch.sill')"
        )
    test = MoveCondition("wait_until", tree, engine)
    return Move(
        str(call), "wait_until", call.arguments, MoveKind.WAIT_UNTIL, tests=(test,), decides=find_decisions_read(engine, [tree])
    )  # fmt: skip


def build_choose_move(engine: WorldEngine, call: PlannedCall) -> Move:
    """Build the move that sets decisions."""
    changes = tuple(_parse_choice(engine, argument) for argument in call.arguments)
    if not changes:
        raise MoveError("plan.argument", f"`{call}` does not give a choice", "choose(angle=35[deg])")
    return Move(str(call), "choose", call.arguments, MoveKind.CHOOSE, changes=changes)


def _parse_choice(engine: WorldEngine, argument: str) -> StateChange:
    name, _, text = (part.strip() for part in argument.partition("="))
    quantity = engine.world.quantities.get(name)
    if quantity is None or quantity.kind is not QuantityKind.DECISION:
        decisions = [each.name for each in engine.decisions]
        raise MoveError(
            "plan.argument",
            f"`{name}` cannot be chosen{suggest_similar_name(name, decisions)}",
            "choose(angle=35[deg])",
        )
    value = parse_chosen_value(text, engine.infer_expression_type(quantity.tree))
    if quantity.options:
        # the written value may have fewer digits than the option it means
        matched_option = next((option for option in quantity.options if is_same_value(option, value)), None)
        fits, value = matched_option is not None, value if matched_option is None else matched_option
    else:
        fits = isinstance(value, float) and (quantity.low or 0.0) <= value <= (quantity.high or 0.0)
    if not fits:
        raise MoveError(
            "plan.argument",
            f"`{argument}` is outside the values that can be chosen",
            ex.format_expression(quantity.tree),
        )
    tree: Expression = (
        ex.Number(value)
        if isinstance(value, float)
        else ex.Truth(value)
        if isinstance(value, bool)
        else ex.Text(value)
    )
    return StateChange(name, engine.places[name], tree, engine.compile_expression(tree), None, None)
