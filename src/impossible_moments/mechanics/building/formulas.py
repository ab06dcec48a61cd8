"""The library's formulas as a record calls them: what they are given, and whether they hold for it."""

from __future__ import annotations

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.building.draft import Draft
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.scalars import UNDEFINED
from impossible_moments.mechanics.sorts import Sort, TypeProblem, type_of


def check_formula_arguments(draft: Draft) -> None:
    """Each argument measures what the formula's parameter measures."""
    for where, call in draft.formula_calls:
        template = draft.library.templates.by_name[call.name]
        for (name, wanted), argument in zip(template.parameters, call.arguments, strict=True):
            try:
                found = type_of(argument, draft.lookup)
            except TypeProblem:
                continue  # the quantity that reads it has been reported
            bare_zero = isinstance(argument, ex.Number) and argument.is_bare_zero
            if found != wanted and not bare_zero:
                got = found.value if isinstance(found, Sort) else str(found)
                draft.findings.add(
                    "formula.argument", where, f"`{call.name}` takes a {wanted} as `{name}`, and `{ex.written(argument)}` is a {got}",
                    found=ex.written(argument), expected=template.form.call,
                )  # fmt: skip


def check_formula_ranges(draft: Draft, engine: Engine) -> None:
    """Each formula is called where it holds, as stated."""
    for where, call in draft.formula_calls:
        template = draft.library.templates.by_name[call.name]
        bindings = template.bindings(call.arguments)
        for name, tree in template.valid:
            try:
                holds = bool(engine.value(ex.bound(tree, bindings)))
            except UNDEFINED:
                holds = False
            if not holds:
                shown = ", ".join(f"{each} = {ex.written(argument)}" for each, argument in bindings.items())
                draft.findings.add(
                    "formula.range", where, f"`{call.name}` does not hold here: {name} ({ex.written(tree)}) is not met",
                    found=shown, expected="values for which the formula holds, or another formula",
                )  # fmt: skip
