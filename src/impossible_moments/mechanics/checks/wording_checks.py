"""Checks of the section `wording`: it covers every working plan, and its texts fit the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.checks.approaches import matches_any_call
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.moves import Move, MoveKind
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.units import UnitError, parse_unit
from impossible_moments.mechanics.records.lines import parse_line
from impossible_moments.mechanics.records.plans import PlanError, PlannedCall, parse_call
from impossible_moments.mechanics.records.puzzle_forms import DiagnosisPuzzle
from impossible_moments.mechanics.records.status_forms import Contested, Paradox
from impossible_moments.mechanics.records.wording_forms import ActionWording, ValueWording
from impossible_moments.mechanics.wording import (
    CallWording,
    RecordWording,
    list_unsaid_statements,
    says_everything,
)
from impossible_moments.mechanics.wording.call_wording import ANY, parse_call_pattern
from impossible_moments.mechanics.wording.record_wording import WORDING_ERRORS
from impossible_moments.mechanics.world.world_model import NeverRuleSource, World

FEWEST_HARMLESS: Final = 3
FEWEST_DECOYS: Final = 3
DEADLINE: Final = "deadline"
SPOKEN: Final = frozenset({"wait", "wait_until", "choose", "challenge", "claim", "impossible", "answer"})
"""Verbs of the language, whose wording is the same in every record or belongs to a value or premise."""
PLAIN_FORMS: Final = frozenset({"plain", "words", "percent"})


def check_wording(analysis: WorldAnalysis, findings: Findings) -> None:
    """Check that the wording covers every working plan and fits the record.

    Without the section answers are not scored. That is an error if the prose is complete enough to be published.
    """
    form = analysis.world.record.wording
    if form is None:
        _report_missing_section(analysis, findings)
        return
    wording = RecordWording(analysis.engine)
    if not _check_texts(wording, analysis, findings):
        return
    for entry in form.actions:
        _check_call_pattern(entry, analysis.world, findings)
    for move in _list_moves_of_working_plans(analysis):
        _check_move(move, wording, analysis, findings)
    _check_values(wording, analysis, findings)
    _check_answers(wording, analysis.world, findings)
    _check_conditions(wording, analysis, findings)
    _check_premises(wording, analysis.world, findings)
    _check_uncertainties(wording, analysis.world, findings)
    if len(form.harmless) < FEWEST_HARMLESS:
        findings.add(
            "wording.harmless",
            "/wording/harmless",
            f"the section lists {len(form.harmless)} harmless deeds",
            expected=f"{FEWEST_HARMLESS} or more",
        )
    for name in wording.names.keys() - analysis.world.things.keys():
        findings.add("wording.name", "/wording/names", f"`{name}` is not a thing of the record")


def _report_missing_section(analysis: WorldAnalysis, findings: Findings) -> None:
    prose = analysis.world.record.prose
    calls = ", ".join(f"`{move.text}`" for move in _list_moves_of_working_plans(analysis))
    findings.add(
        "wording.unpublishable" if prose.threat and prose.position else "wording.none",
        "/wording",
        f"there is no section `wording`{f', and working plans call {calls}' if calls else ''}",
        expected="menu, deed, needs_said and near_misses for each action of a working plan, and harmless deeds and decoys",
    )


def _check_texts(wording: RecordWording, analysis: WorldAnalysis, findings: Findings) -> bool:
    """Resolve every text once. Return whether all of them could be resolved."""
    before = len(findings)
    for read in (
        lambda: wording.names,
        lambda: wording.conditions,
        lambda: wording.premises,
        lambda: wording.decoy_premises,
        lambda: wording.harmless,
        lambda: wording.answers,
        lambda: wording.uncertainties,
    ):
        try:
            read()
        except WORDING_ERRORS as problem:
            findings.add("wording.text", "/wording", str(problem))
    for move in analysis.executor.moves.all_actions:
        try:
            wording.find_wording(PlannedCall(move.verb, move.arguments))
        except WORDING_ERRORS as problem:
            findings.add(
                "wording.text",
                f"/wording/actions/{move.verb}",
                str(problem),
                expected=_describe_slots(analysis.world, move.verb),
            )
    for line in wording.form.names:
        thing = parse_line(line, example="lace = shoe lace", evidence=False).head
        if thing not in analysis.world.things:
            findings.add("wording.name", "/wording/names", f"`{thing}` is not a thing of the record")
    return len(findings) == before


def _describe_slots(world: World, verb: str) -> str:
    """Return the slots that the wording of an action can print, and what else it can."""
    action = world.actions.get(verb)
    slots = ", ".join(f"{{{slot.name}}}" for slot in action.slots) if action is not None else ""
    others = "{thing:NAME} for a thing, or a quantity with its unit, such as {clock|s}"
    return f"a slot of `{action.signature}`: {slots}; or {others}" if action is not None and slots else others


def _check_call_pattern(entry: ActionWording, world: World, findings: Findings) -> None:
    path = f"/wording/actions/{entry.call}"
    try:
        pattern = parse_call_pattern(entry.call)
    except PlanError as problem:
        findings.add("wording.call", path, str(problem), expected="tie(magnet, *)")
        return
    if pattern.verb == MoveKind.WAIT_UNTIL:
        return
    action = world.actions.get(pattern.verb)
    if action is None and pattern.verb not in world.library.verbs:
        findings.add("wording.call", path, f"`{pattern.verb}` is not an action of the record or the library")
    elif action is not None and pattern.arguments is not None and len(pattern.arguments) != len(action.slots):
        findings.add(
            "wording.call", path, f"`{entry.call}` has another number of arguments", expected=action.signature
        )
    for argument in pattern.arguments or ():
        if argument != ANY and argument not in world.things:
            findings.add("wording.call", path, f"`{argument}` is not a thing of the record")


def _list_moves_of_working_plans(analysis: WorldAnalysis) -> tuple[Move, ...]:
    """Return the moves of all working approaches, each once."""
    return tuple(
        {
            move.text: move
            for name, outcome in analysis.outcomes.items()
            if outcome.reaches_goal
            for move in analysis.plans[name]
            if move.verb not in SPOKEN
        }.values()
    )


def _check_move(move: Move, wording: RecordWording, analysis: WorldAnalysis, findings: Findings) -> None:
    call = PlannedCall(move.verb, move.arguments)
    found = wording.find_wording(call)
    path = f"/wording/actions/{move.text}"
    if found is None:
        findings.add(
            "wording.missing",
            path,
            f"a working plan calls `{move.text}`, which has no wording",
            expected=f"an entry of `actions` with `call: {move.verb}`, menu, deed, needs_said and near_misses",
        )
        return
    if found.is_unsaid:
        _check_unsaid_step(move, path, analysis, findings)
        return
    if not found.needed:
        findings.add(
            "wording.silent",
            path,
            f"nothing has to be said for `{move.text}` to count",
            expected="lines of `needs_said`: the deed, and each thing that is chosen",
        )
    if not found.near_misses:
        findings.add(
            "wording.near-miss",
            path,
            f"`{move.text}` has no near miss",
            expected="a text of `near_misses`: another deed with the same thing",
        )
    for text in found.near_misses:
        if says_everything([text], found):
            findings.add("wording.near-miss-counts", path, f"the near miss {text!r} counts as `{move.text}`")
    for text in (found.menu, *found.also):
        if unsaid := list_unsaid_statements(text, found):
            findings.add("wording.also", path, f"{text!r} does not say {', '.join(unsaid)}")
    _check_choices(move, found, wording, analysis, findings)


def _check_unsaid_step(move: Move, path: str, analysis: WorldAnalysis, findings: Findings) -> None:
    heads = (parse_line(line, example="", evidence=False).head for line in analysis.world.record.insights)
    # a verdict such as challenge(*) is shown by no act
    insights = [head for head in heads if head.partition("(")[0] not in SPOKEN]
    if any(matches_any_call(insight, [move.text]) for insight in insights):
        findings.add("wording.unsaid", path, f"`{move.text}` shows an insight, and is marked as unsaid")
    elif _find_choices(move, analysis):
        findings.add(
            "wording.unsaid", path, f"`{move.text}` chooses among several things, and is marked as unsaid"
        )


def _find_choices(move: Move, analysis: WorldAnalysis) -> tuple[int, ...]:
    """Return the positions of the arguments that other calls of the verb fill with another thing."""
    others = [each.arguments for each in analysis.executor.moves.all_actions if each.verb == move.verb]
    return tuple(
        place
        for place, argument in enumerate(move.arguments)
        if any(each[place] != argument for each in others)
    )


def _check_choices(
    move: Move, found: CallWording, wording: RecordWording, analysis: WorldAnalysis, findings: Findings
) -> None:
    """Check that an answer has to name each thing that it chooses."""
    said = " ".join(each for statement in found.needed for each in statement.alternatives).casefold()
    for place in _find_choices(move, analysis):
        names = wording.names.get(move.arguments[place], ())
        words = {word for name in names for word in name.casefold().split()}
        if words and not any(word in said for word in words):
            findings.add(
                "wording.choice",
                f"/wording/actions/{move.text}",
                f"`{move.text}` counts without naming {analysis.world.things[move.arguments[place]].label}",
                expected="a line of `needs_said` with the slot in braces",
            )


def _check_values(wording: RecordWording, analysis: WorldAnalysis, findings: Findings) -> None:
    chosen = {
        argument.partition("=")[0].strip()
        for name, outcome in analysis.outcomes.items()
        if outcome.reaches_goal
        for text in (move.text for move in analysis.plans[name] if move.verb == "choose")
        for argument in parse_call(text).arguments
    }
    decisions = {each.name for each in analysis.engine.decisions}
    known = decisions | {puzzle.name for puzzle in analysis.world.record.puzzles}
    for name in sorted(chosen - wording.values.keys()):
        findings.add(
            "wording.value", "/wording/values", f"a working plan chooses `{name}`, which has no wording"
        )
    for value in wording.values.values():
        path = f"/wording/values/{value.name}"
        if value.name not in known:
            findings.add("wording.value", path, f"`{value.name}` is neither a decision nor a puzzle")
        for problem in _find_value_problems(value, is_decision=value.name in decisions):
            findings.add("wording.value", path, problem)


def _find_value_problems(value: ValueWording, *, is_decision: bool) -> Iterator[str]:
    if value.unit is not None and value.unit not in PLAIN_FORMS:
        try:
            parse_unit(value.unit)
        except UnitError as problem:
            yield str(problem)
    if is_decision and (value.unit is None or value.tolerance is None):
        yield f"`{value.name}` needs a unit and a tolerance"
    for text in (value.tolerance, *(value.options if value.unit is not None else ())):
        try:
            float(text or "0")
        except ValueError:
            yield f"`{text}` is not a number in the unit {value.unit}"


def _check_answers(wording: RecordWording, world: World, findings: Findings) -> None:
    for puzzle in world.record.puzzles:
        if isinstance(puzzle, DiagnosisPuzzle):
            for hypothesis in puzzle.hypotheses:
                name = f"{puzzle.name}.{hypothesis.name}"
                if name not in wording.answers:
                    findings.add("wording.answer", "/wording/answers", f"`{name}` has no sentence")


def _check_conditions(wording: RecordWording, analysis: WorldAnalysis, findings: Findings) -> None:
    world = analysis.world
    known = (
        {
            f"{action.verb}.{name}"
            for action in world.actions.values()
            for name in (*(each.name for each in action.when), *(slot.name for slot in action.slots))
        }
        | {rule.name for rule in world.never_rules}
        | {f"answer.{each.name}" for each in world.record.puzzles}
    )
    known.add(DEADLINE)
    for name in sorted((wording.conditions.keys() | wording.bookkeeping) - known):
        findings.add("wording.condition", "/wording/conditions", f"`{name}` is not a condition of the record")
    worded = wording.conditions.keys() | wording.bookkeeping
    for name in sorted(_list_deciding_conditions(analysis) - worded):
        findings.add(
            "wording.condition",
            "/wording/conditions",
            f"the condition `{name}` has no sentence",
            expected=f"the line `{name} = sentence of the text`, or the name in `bookkeeping`",
        )


def _list_deciding_conditions(analysis: WorldAnalysis) -> frozenset[str]:
    """Return the own conditions at which approaches fail, and those of the claimed conflict."""
    own = {action.verb for action in analysis.world.actions.values() if action.own}
    found = set[str]()
    for outcome in analysis.outcomes.values():
        kind, _, name = outcome.end.partition(" ")
        if kind == "late":
            found.add(DEADLINE)
        elif kind == "never" or (kind == "blocked" and name.partition(".")[0] in own):
            found.add(name)
    status = analysis.world.record.status
    if isinstance(status, Paradox):
        found |= set(status.conflict)
    return frozenset(found - analysis.world.library.never_names)


def _check_uncertainties(wording: RecordWording, world: World, findings: Findings) -> None:
    path = "/wording/uncertainties"
    for name in sorted(wording.uncertainties.keys() - world.quantities.keys()):
        findings.add("wording.uncertainty", path, f"`{name}` is not a quantity of the record")
    if len(wording.uncertainties) < FEWEST_DECOYS:
        findings.add(
            "wording.uncertainty",
            path,
            f"the section lists {len(wording.uncertainties)} quantities",
            expected=f"{FEWEST_DECOYS} or more",
        )
    status = world.record.status
    if isinstance(status, Contested) and status.crux not in wording.uncertainties:
        findings.add("wording.uncertainty", path, f"the crux `{status.crux}` has no sentence")


def _check_premises(wording: RecordWording, world: World, findings: Findings) -> None:
    premises = [rule.name for rule in world.never_rules if rule.by is NeverRuleSource.PREMISE]
    for name in premises:
        if name not in wording.premises:
            findings.add("wording.premise", "/wording/premises", f"the premise `{name}` has no sentence")
    if len(wording.decoy_premises) < FEWEST_DECOYS:
        findings.add(
            "wording.premise",
            "/wording/decoy_premises",
            f"there are {len(wording.decoy_premises)} statements that are not the premise",
            expected=f"{FEWEST_DECOYS} or more",
        )
