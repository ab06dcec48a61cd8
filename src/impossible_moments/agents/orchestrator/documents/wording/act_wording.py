"""Calls of a record in the words of its section `wording`: menu lines, deeds, answers, chosen values and premises."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from impossible_moments.agents.orchestrator.documents.wording.quantity_wording import QuantityWording
from impossible_moments.mechanics.language import ExpressionError, parse_expression
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import PlanError, PlannedCall, parse_call, strip_quotes
from impossible_moments.mechanics.wording import WORDING_ERRORS, CallWording, RecordWording

_VALUE: Final = "{value}"
_ASSIGNMENT: Final = re.compile(r"([a-z][a-z0-9_]*)\s*=\s*")


class ActWording:
    """The words of the section `wording` for the calls and conditions of a record. Each is empty if there are none."""

    def __init__(self, quantities: QuantityWording) -> None:
        self._quantities = quantities
        self._record = RecordWording(quantities.analysis.engine)

    def find_menu_line(self, call: str) -> str:
        """Return the order that a call stands for: `Run the varnish remover along the glue of the door`."""
        found = self._find(call)
        return "" if found is None else found.menu.strip().rstrip(".")

    def find_deed(self, call: str) -> str:
        """Return what is really done by a call, as a sentence without its full stop."""
        found = self._find(call)
        if found is None:
            return ""
        deed = found.deed.strip().rstrip(".")
        return deed[:1].upper() + deed[1:]

    def describe_statement(self, call: str) -> str:
        """Describe a call that answers, chooses, waits or questions a premise."""
        parsed = _parse(call)
        describe = {
            "answer": self._describe_answer,
            "choose": self._describe_choice,
            "challenge": self._describe_challenge,
            "wait": self._describe_waiting,
        }.get(parsed.verb if parsed is not None else "")
        return describe(parsed) if describe is not None and parsed is not None else ""

    def find_condition(self, name: str) -> str:
        """Return the sentence of a condition `verb.name`, of a danger or of the deadline."""
        return self._conditions.get(name, "")

    def is_premise(self, name: str) -> bool:
        """Return whether a rule is a premise that nothing imposes."""
        try:
            return name in self._record.premises
        except WORDING_ERRORS:
            return False

    def is_bookkeeping(self, name: str) -> bool:
        """Return whether a condition only keeps steps in order."""
        return name in self._record.bookkeeping

    @cached_property
    def _conditions(self) -> dict[str, str]:
        try:
            return {name: text.strip().rstrip(".") for name, text in self._record.conditions.items()}
        except WORDING_ERRORS:
            return {}

    def _find(self, call: str) -> CallWording | None:
        parsed = _parse(call)
        if parsed is None:
            return None
        try:
            found = self._record.find_wording(parsed)
        except WORDING_ERRORS:
            return None
        return None if found is None or _VALUE in found.menu + found.deed else found

    def _describe_answer(self, call: PlannedCall) -> str:
        puzzle, answer = (*map(strip_quotes, call.arguments), "", "")[:2]
        try:
            words = self._record.answers.get(f"{puzzle}.{answer}", ())
        except WORDING_ERRORS:
            words = ()
        plain = _ASSIGNMENT.sub(lambda match: f"{match[1].replace('_', ' ')} ", answer)
        plain = plain.replace("_", " ") if plain != answer else self._quantities.name_thing(answer)
        return f"Answer: {words[0] if words else plain}"

    def _describe_choice(self, call: PlannedCall) -> str:
        parts = []
        for argument in call.arguments:
            name, _, value = argument.partition("=")
            known = self._record.values.get(name.strip())
            label = known.label if known is not None else self._quantities.name_quantity(name.strip())
            parts.append(f"{label}: {self._format_chosen_value(name.strip(), value.strip())}")
        return f"Choose {' and '.join(parts)}" if parts else ""

    def _format_chosen_value(self, name: str, value: str) -> str:
        try:
            tree = parse_expression(value, self._quantities.world.library.templates)
        except ExpressionError:
            return strip_quotes(value).replace("_", " ")
        if isinstance(tree, ex.Number):
            return self._quantities.format_value(name, tree.value) or f"{tree.value:g}"
        return strip_quotes(value).replace("_", " ")

    def _describe_challenge(self, call: PlannedCall) -> str:
        name = strip_quotes(call.arguments[0]) if call.arguments else ""
        try:
            premise = self._record.premises.get(name, "")
        except WORDING_ERRORS:
            premise = ""
        return f"Drop the assumption that {premise.strip().rstrip('.')}" if premise else ""

    def _describe_waiting(self, call: PlannedCall) -> str:
        try:
            tree = parse_expression(call.arguments[0]) if call.arguments else None
        except ExpressionError:
            return ""
        return f"Wait {self._quantities.format_duration(tree.value)}" if isinstance(tree, ex.Number) else ""


def _parse(call: str) -> PlannedCall | None:
    try:
        return parse_call(call)
    except PlanError:
        return None
