"""Checks of record sections for single categories: scale, misdirection and a missing component."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import Dimension
from impossible_moments.mechanics.language.expression_types import NonNumericType, suggest_similar_name
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.scalar_evaluation import UNDEFINED
from impossible_moments.mechanics.records.line_findings import parse_line_or_report
from impossible_moments.mechanics.records.quantities import QuantityError, QuantityKind, parse_quantity_value
from impossible_moments.mechanics.records.record import MisdirectionForm, MissingForm, ScaleForm
from impossible_moments.mechanics.world.building.world_draft import WorldDraft

_SCALE_SAMPLES: Final = 5
_HEAD: Final = re.compile(r"([A-Za-z]\w*)\s*\(\s*([A-Za-z]\w*)\s*\)")


def check_scale_misdirection_and_missing_sections(analysis: WorldAnalysis, draft: WorldDraft) -> None:
    """Check the sections `scale`, `misdirection` and `missing` of a record, if it has them."""
    record = analysis.world.record
    if record.scale is not None:
        _check_scale(analysis, record.scale, draft.findings)
    if record.misdirection is not None:
        _check_misdirection(analysis, record.misdirection, draft.findings)
    if record.missing is not None:
        _check_missing_component(analysis, record.missing, draft)


def _check_scale(analysis: WorldAnalysis, form: ScaleForm, findings: Findings) -> None:
    """Check the scale variable, the regimes, and that outcomes change at human size."""
    quantity = analysis.world.quantities.get(form.variable)
    try:
        tree = parse_quantity_value("human", form.human).tree
        human = (
            tree.value
            if isinstance(tree, ex.Number)
            and quantity is not None
            and isinstance(quantity.tree, ex.Number)
            and tree.dimension == quantity.tree.dimension
            else None
        )
    except QuantityError:
        human = None
    if (
        quantity is None
        or not quantity.is_number
        or not isinstance(human, float)
        or quantity.kind not in {QuantityKind.GIVEN, QuantityKind.ASSUMED}
    ):
        findings.add(
            "scale.form",
            "/scale",
            f"`{form.variable}` at `{form.human}` is not a scale: it needs a given number and its human value",
            found=form.variable,
            expected="variable: s, human: 1",
        )
        return
    for name in form.regimes:
        try:
            plain = (
                isinstance(measured := analysis.engine.infer_expression_type(ex.Name(name)), Dimension)
                and measured.is_plain
            )
        except ValueError:
            plain = False
        if not plain:
            findings.add(
                "scale.form",
                "/scale/regimes",
                f"regime `{name}` is not a dimensionless number such as the Reynolds number",
                found=name,
                expected="a derived dimensionless number",
            )
    if not form.flips:
        findings.add(
            "scale.form",
            "/scale/flips",
            "no outcome changes with size",
            expected="just_step = never broken",
        )
    for line in form.flips:
        _check_approach_end_flips_with_scale(analysis, line, form.variable, human, findings)


def _check_approach_end_flips_with_scale(
    analysis: WorldAnalysis, line: str, variable: str, human: float, findings: Findings
) -> None:
    name, _, end = (part.strip() for part in line.partition("="))
    path = f"/scale/flips/{name}"
    if name not in analysis.plans:
        findings.add(
            "scale.form",
            path,
            f"`{name}` is not an approach{suggest_similar_name(name, analysis.plans)}",
            found=line,
            expected="just_step = never broken",
        )
        return
    end_at_scale = analysis.outcomes[name].end
    end_at_human_scale = analysis.executor.run_plan(analysis.plans[name], changes={variable: human}).end
    if end_at_human_scale == end_at_scale:
        findings.add(
            "scale.no-flip",
            path,
            f"approach `{name}` ends `{end_at_scale}` at both sizes, the stated one and human size",
            found=line,
            expected="an approach with a different end at human size",
        )
    elif end_at_human_scale != " ".join(end.split()):
        findings.add(
            "scale.no-flip",
            path,
            f"approach `{name}` ends `{end_at_human_scale}` at human size, not as the line states",
            found=line,
            expected=f"{name} = {end_at_human_scale}",
        )


def _check_misdirection(analysis: WorldAnalysis, form: MisdirectionForm, findings: Findings) -> None:
    """Check that the obvious plan fails, but would work for other values of the hidden quantities."""
    if form.obvious not in analysis.plans:
        findings.add(
            "misdirection.form",
            "/misdirection/obvious",
            f"`{form.obvious}` is not an approach{suggest_similar_name(form.obvious, analysis.plans)}",
            found=form.obvious,
            expected="an approach",
        )
        return
    hidden = [
        name
        for name in form.hides
        if (quantity := analysis.world.quantities.get(name)) is not None
        and quantity.kind is QuantityKind.GIVEN
        and quantity.low is not None
    ]
    for name in form.hides:
        if name not in hidden:
            findings.add(
                "misdirection.form",
                "/misdirection/hides",
                f"hidden quantity `{name}` has no range of values that are possible without the clue",
                found=name,
                expected=f"{name} = 5[cm] (5..30) given",
            )
    outcome = analysis.outcomes[form.obvious]
    if not outcome.end.startswith(("never", "blocked")):
        findings.add(
            "misdirection.obvious-works",
            "/misdirection/obvious",
            f"the obvious approach `{form.obvious}` does not fail: it ends `{outcome.end}`",
            found=outcome.end,
            expected="never or blocked, because the obvious plan must fail",
        )
    if hidden and not any(
        analysis.executor.run_plan(analysis.plans[form.obvious], changes=changes).reaches_goal
        for changes in _iterate_hidden_values(analysis, hidden)
    ):
        findings.add(
            "misdirection.knowable",
            "/misdirection/hides",
            f"the obvious approach `{form.obvious}` fails for every value of {', '.join(hidden)}, so the clue decides nothing",
            found=", ".join(hidden),
            expected="ranges in which the obvious plan would work",
        )


def _iterate_hidden_values(
    analysis: WorldAnalysis, names: list[str]
) -> Iterator[dict[str, float | bool | str]]:
    """Yield a grid of values of the hidden quantities, of the first four at most."""
    ranges = []
    for name in names[:4]:
        quantity = analysis.world.quantities[name]
        low, high = quantity.low or 0.0, quantity.high or 0.0
        ranges.append([low + (high - low) * step / (_SCALE_SAMPLES - 1) for step in range(_SCALE_SAMPLES)])
    for values in product(*ranges):
        yield dict(zip(names, values, strict=False))


def _check_missing_component(analysis: WorldAnalysis, form: MissingForm, draft: WorldDraft) -> None:
    """Check the functions of a missing component, its near substitutes, and the plans without it."""
    functions = dict(_read_component_functions(form, draft))
    if not functions:
        draft.findings.add(
            "missing.form",
            "/missing/functions",
            "the functions of the missing component are not stated",
            expected="keeps_time(o) = o.drift <= tol @ marks the bath",
        )
    for line in form.near:
        name, _, failed = (part.strip() for part in line.partition("="))
        path = f"/missing/near/{name}"
        if name not in analysis.world.things or failed not in functions:
            draft.findings.add(
                "missing.form",
                path,
                f"the line `{line}` does not name a thing and a function of the missing component",
                found=line,
                expected=f"thing = one of {', '.join(functions)}",
            )
            continue
        fails = [
            each
            for each, (variable, tree) in functions.items()
            if not _is_component_function_fulfilled_at_start(
                analysis, ex.bind_variables(tree, {variable: ex.Text(name)})
            )
        ]
        if fails != [failed]:
            draft.findings.add(
                "missing.near",
                path,
                f"the thing `{name}` fails these functions of the missing component: {', '.join(fails) or 'none'}",
                found=line,
                expected="a thing that fails exactly the function that the line names",
            )
    for name in form.without:
        _check_plan_without_substitute(analysis, name, form, functions, draft.findings)


def _read_component_functions(
    form: MissingForm, draft: WorldDraft
) -> Iterator[tuple[str, tuple[str, Expression]]]:
    """Yield name, variable and condition of each function of a missing component."""
    for line in form.functions:
        example = "keeps_time(o) = o.drift <= tol @ marks the bath"
        parts = parse_line_or_report(
            line, "/missing/functions", draft.findings, example=example, code="missing.form"
        )
        if parts is None:
            continue
        head = _HEAD.fullmatch(parts.head)
        tree = draft.parse_expression(parts.body, "/missing/functions", example)
        if head is None or tree is None:
            draft.findings.add(
                "missing.form",
                "/missing/functions",
                "the head of a function must name its variable",
                found=line,
                expected=example,
            )
            continue
        names = {
            node.name
            for node in ex.walk_nodes(tree)
            if isinstance(node, ex.Property) and node.thing == head[2]
        }
        for name in sorted(names):
            if not any(draft.has_property(thing, name) for thing in draft.things):
                draft.findings.add(
                    "name.unknown",
                    f"/missing/functions/{head[1]}",
                    f"no thing has a property `{name}`",
                    found=line,
                    expected="a property of some thing",
                )
        fitting = next(
            (thing for thing in draft.things if all(draft.has_property(thing, name) for name in names)), None
        )
        if (
            fitting is None
            or draft.check_expression_type(
                ex.bind_variables(tree, {head[2]: ex.Text(fitting)}),
                f"/missing/functions/{head[1]}",
                expected=NonNumericType.TRUTH,
            )
            is not None
        ):
            yield head[1], (head[2], tree)


def _is_component_function_fulfilled_at_start(analysis: WorldAnalysis, tree: Expression) -> bool:
    """Return whether the condition of a function holds at the start; False if it is unknown."""
    if not analysis.engine.has_all_names(tree):
        return False
    try:
        return bool(analysis.engine.evaluate_expression(tree))
    except UNDEFINED:
        return False


def _check_plan_without_substitute(
    analysis: WorldAnalysis,
    name: str,
    form: MissingForm,
    functions: dict[str, tuple[str, Expression]],
    findings: Findings,
) -> None:
    path = f"/missing/without/{name}"
    outcome = analysis.outcomes.get(name)
    if outcome is None or not outcome.reaches_goal:
        findings.add(
            "missing.without",
            path,
            f"approach `{name}` does not reach the goal",
            found=name,
            expected="an approach that ends in goal",
        )
        return
    used_things = {argument for move in analysis.plans[name] for argument in move.arguments}
    near_components = {line.partition("=")[0].strip() for line in form.near}
    complete_plans = {
        thing
        for thing in used_things
        if functions
        and all(
            _is_component_function_fulfilled_at_start(
                analysis, ex.bind_variables(tree, {variable: ex.Text(thing)})
            )
            for variable, tree in functions.values()
        )
    }
    if used_things & (near_components | complete_plans):
        findings.add(
            "missing.without",
            path,
            f"approach `{name}` uses the substitute {', '.join(sorted(used_things & (near_components | complete_plans)))}",
            found=name,
            expected="a plan that needs no substitute",
        )
