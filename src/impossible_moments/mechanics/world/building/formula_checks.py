"""Checks of the library formulas that a record calls: argument dimensions and validity ranges."""

from __future__ import annotations

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_types import (
    ExpressionTypeError,
    NonNumericType,
    infer_type,
)
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.engine import WorldEngine


def check_formula_arguments(draft: WorldDraft) -> None:
    """Check that each argument of a formula call has the dimension of its parameter."""
    for path, call in draft.formula_calls:
        template = draft.library.templates.by_name[call.name]
        for (name, expected_dimension), argument in zip(template.parameters, call.arguments, strict=True):
            try:
                found = infer_type(argument, draft.look_up_type)
            except ExpressionTypeError:
                continue  # already reported for the quantity that contains the call
            bare_zero = isinstance(argument, ex.Number) and argument.is_bare_zero
            if found != expected_dimension and not bare_zero:
                actual_type = found.value if isinstance(found, NonNumericType) else str(found)
                draft.findings.add(
                    "formula.argument", path, f"the formula `{call.name}` takes a {expected_dimension} as `{name}`, but `{ex.format_expression(argument)}` is a {actual_type}",
                    found=ex.format_expression(argument), expected=template.form.call,
                )  # fmt: skip


def check_formula_ranges(draft: WorldDraft, engine: WorldEngine) -> None:
    """Check at the stated values that each formula call is within the validity range of the formula."""
    for path, call in draft.formula_calls:
        template = draft.library.templates.by_name[call.name]
        bindings = template.bind_parameters(call.arguments)
        for name, tree in template.valid:
            try:
                holds = bool(engine.evaluate_expression(ex.bind_variables(tree, bindings)))
            except UNDEFINED:
                holds = False
            if not holds:
                ranges_text = ", ".join(
                    f"{each} = {ex.format_expression(argument)}" for each, argument in bindings.items()
                )
                draft.findings.add(
                    "formula.range", path, f"the formula `{call.name}` does not apply here: its condition {name} ({ex.format_expression(tree)}) is not met",
                    found=ranges_text, expected="values for which the formula is valid, or another formula",
                )  # fmt: skip
