"""Names of a record inside the texts of agents, replaced by the words of the scenario.

Agents quote approaches, conditions, calls and expressions of the record in backticks, and calls also without. A reader
of the evaluation document does not know these names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from impossible_moments.agents.orchestrator.documents.wording.record_wording import (
    RecordWording,
    normalize_call,
)
from impossible_moments.agents.orchestrator.documents.wording.unit_grammar import correct_units
from impossible_moments.mechanics.checks import StatusVerdict
from impossible_moments.mechanics.language import ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.proofs import Frontier

_QUOTED: Final = re.compile(r"`([^`]+)`")
_CALL: Final = re.compile(r"[a-z][a-z_0-9]*\((?:[^()`]*)\)")
_CONDITION: Final = re.compile(r"([a-z][a-z_0-9]*)\.([a-z][a-z_0-9]*)")
_EXPRESSION_OF_QUOTE: Final = re.compile(r"” \(`[^`]+`\)")
_EXPRESSION_OF_GOAL: Final = re.compile(r"the goal `[^`]+`")
_EXPRESSION_OF_RULE: Final = re.compile(r"in which `[^`]+` comes to hold")
_NAMED_VALUE: Final = r"[a-z][\w.]* -?[\d.,e+-]*\d(?: [^\s,().]+(?:\([^\s()]*\))?)?"
"""A name of the record with its value and unit, such as `fastest 1800 g/(m**2*day)`."""
_VALUES_OF_EXPRESSION: Final = re.compile(rf"` with ({_NAMED_VALUE}(?:, {_NAMED_VALUE})*)")
_DEADLINE: Final = "deadline"
_END: Final = re.compile(r"(?:blocked [\w.]+|late|short|never \w+)")


def replace_record_names(text: str, wording: RecordWording, verdict: StatusVerdict | None) -> str:
    """Return a text in which quoted names, calls and conditions of the record stand in words."""
    frontier_names = {} if verdict is None or verdict.frontier is None else _name_frontier(verdict.frontier)

    def describe(found: re.Match[str]) -> str:
        name = found[1].strip()
        if name in frontier_names:
            return frontier_names[name]
        return next(filter(None, (reader(name, wording) for reader in _READERS)), f"“{name}”")

    plain = _QUOTED.sub(describe, _drop_repeated_expressions(text, wording))
    plain = _CALL.sub(lambda found: _describe_call(found[0], wording) or found[0], plain)
    return correct_units(plain)


def _name_frontier(frontier: Frontier) -> dict[str, str]:
    """Return a name for each demand and each shown limit of an open frontier, by the figures of an answer that it is about.

    Claims print the conditions themselves beside these names.
    """
    found: dict[str, str] = {}
    for kind, conditions in (("demand on", frontier.envelope), ("shown limit of", frontier.known)):
        for name, tree in conditions.items():
            figures = [
                f"“{each.replace('_', ' ')}”" for each in frontier.claims if each in ex.collect_paths(tree)
            ]
            words = " and ".join(filter(None, (", ".join(figures[:-1]), *figures[-1:])))
            found[name] = f"the {kind} {words}" if words else f"“{name.replace('_', ' ')}”"
    return found


def _drop_repeated_expressions(text: str, wording: RecordWording) -> str:
    """Return a text without expressions that say again what stands beside them in words, and without their values."""
    text = _EXPRESSION_OF_QUOTE.sub("”", text)
    text = _EXPRESSION_OF_GOAL.sub("the goal", text)
    text = _EXPRESSION_OF_RULE.sub("that breaks it", text)

    def drop_known_values(found: re.Match[str]) -> str:
        names = [each.split()[0] for each in found[1].split(", ")]
        return "`" if all(name in wording.world.quantities for name in names) else found[0]

    return _VALUES_OF_EXPRESSION.sub(drop_known_values, text)


def _describe_approach(name: str, wording: RecordWording) -> str:
    plan = wording.analysis.plans.get(name)
    return "" if plan is None else f"“{wording.describe_plan(tuple(move.text for move in plan))}”"


def _describe_call(name: str, wording: RecordWording) -> str:
    if not _CALL.fullmatch(name) or wording.find_move(name) is None:
        return ""
    return f"“{wording.describe_call(normalize_call(name))}”"


def _describe_end(name: str, wording: RecordWording) -> str:
    if not _END.fullmatch(name):
        return ""
    kind, _, condition = name.partition(" ")
    if kind == "blocked":
        sentence = wording.acts.find_condition(condition)
        return (
            f"because this does not hold: {sentence}"
            if sentence
            else f"at “{condition.rpartition('.')[2].replace('_', ' ')}”"
        )
    return {"late": "too late", "short": "short of the goal"}.get(kind) or _describe_rule(condition, wording)


def _describe_rule(name: str, wording: RecordWording) -> str:
    rule = next((each for each in wording.world.never_rules if each.name == name), None)
    return "" if rule is None else f"“{wording.render_text(rule.evidence) or name.replace('_', ' ')}”"


def _describe_condition(name: str, wording: RecordWording) -> str:
    if name == _DEADLINE and (sentence := wording.acts.find_condition(name)):
        return f"the condition that {sentence}"
    found = _CONDITION.fullmatch(name)
    if found is None or name in wording.world.quantities:
        return ""
    if wording.acts.is_bookkeeping(name):
        return f"the order of the steps before “{wording.describe_verb(found[1])}”"
    words = wording.explain_condition(name, wording.describe_condition_of_verb(found[1], found[2]))
    return f"the condition that {words}" if words else ""


def _describe_quantity(name: str, wording: RecordWording) -> str:
    return wording.name_quantity(name) if name in wording.world.quantities else ""


def _describe_expression(name: str, wording: RecordWording) -> str:
    if not re.search(r"[<>=+*/()]|\bif\b|\band\b", name):
        return ""
    try:
        tree = parse_expression(name, wording.world.library.templates)
    except ExpressionError:
        return ""
    if isinstance(tree, ex.Comparison | ex.Conjunction | ex.Disjunction):
        return wording.describe_tree(tree)
    names = ", ".join(dict.fromkeys(map(wording.name_quantity, sorted(ex.collect_paths(tree)))))
    return f"a rate that depends on {names}" if names else ""


def _describe_plain_name(name: str, _wording: RecordWording) -> str:
    return f"“{name.replace('_', ' ').replace('.', ', ')}”" if re.fullmatch(r"[a-z][a-z_0-9.]*", name) else ""


_READERS: Final[tuple[Callable[[str, RecordWording], str], ...]] = (
    _describe_approach,
    _describe_call,
    _describe_end,
    _describe_rule,
    _describe_condition,
    _describe_quantity,
    _describe_expression,
    _describe_plain_name,
)
