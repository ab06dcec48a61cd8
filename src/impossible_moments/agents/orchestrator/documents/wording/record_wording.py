"""The calls, plans and conditions of a record in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from impossible_moments.agents.orchestrator.documents.wording.act_wording import ActWording
from impossible_moments.agents.orchestrator.documents.wording.quantity_wording import (
    ComparisonInWords,
    QuantityWording,
)
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import UNDEFINED
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import parse_call

_ENDS: Final = {
    "goal": "reaches the goal",
    "late": "comes too late",
    "short": "ends without reaching the goal",
}
_TOOL_VERBS: Final = frozenset({"use_on", "swing_at", "throw_at", "tap_at"})
"""Verbs whose first argument is used on the second."""
_SPOKEN_CALLS: Final = {
    "wait": "Wait {0}",
    "wait_until": "Wait until {0}",
    "choose": "Settle on {0}",
    "answer": "Answer: {1}",
    "challenge": "Question an assumption: {0}",
    "claim": "State: {0}",
    "impossible": "Show that it cannot be done: {0}",
}


@dataclass(frozen=True)
class RecordWording(QuantityWording):
    """Words for what a record names. `steps` holds the author's wording of calls by normalized call."""

    steps: Mapping[str, str]

    @cached_property
    def acts(self) -> ActWording:
        """The words of the section `wording`."""
        return ActWording(self)

    def describe_call(self, call: str) -> str:
        """Describe a call as the section `wording` puts it, else in the author's words, else by its verb.

        The author's words for a call with the same verb serve for other arguments too.
        """
        said = self.acts.describe_statement(call) or self.acts.find_menu_line(call)
        if said:
            return said
        known = self.steps.get(normalize_call(call)) or self._adapt_wording_of_same_verb(call)
        if known:
            return known.strip().rstrip(".")
        parsed = parse_call(call)
        arguments = [self._describe_argument(each) for each in parsed.arguments]
        if parsed.verb in _SPOKEN_CALLS:
            padded = [*arguments, "", ""]
            return _SPOKEN_CALLS[parsed.verb].format(*padded).strip()
        verb = parsed.verb.replace("_", " ")
        first, *others = arguments or [""]
        if others and parsed.verb in _TOOL_VERBS:
            act, _, preposition = verb.rpartition(" ")
            return f"{act[:1].upper()}{act[1:]} {first} {preposition} {' and '.join(others)}"
        text = f"{verb} {first}{''.join(f', with {each}' for each in others)}".strip()
        return text[:1].upper() + text[1:]

    def describe_verb(self, verb: str) -> str:
        """Describe an action by its first call in an approach, else by its verb."""
        moves = (move for plan in self.analysis.plans.values() for move in plan if move.verb == verb)
        found = next(moves, None)
        return self.describe_call(found.text) if found is not None else verb.replace("_", " ")

    def describe_deed(self, call: str) -> str:
        """Describe what is really done by a call: the deed of the section `wording`, else the call itself."""
        return self.acts.find_deed(call) or self.describe_call(call)

    def _adapt_wording_of_same_verb(self, call: str) -> str:
        parsed = parse_call(call)
        labels = [self._describe_argument(each) for each in parsed.arguments]
        for known_call, text in self.steps.items():
            known = parse_call(known_call)
            known_labels = [self._describe_argument(each) for each in known.arguments]
            if (
                known.verb == parsed.verb
                and parsed.verb not in _SPOKEN_CALLS
                and len(labels) == len(known_labels) == len(set(known_labels))
                and all(text.count(label) == 1 for label in known_labels)
            ):
                return _rename_labels(text, dict(zip(known_labels, labels, strict=True)))
        return ""

    def describe_plan(self, calls: tuple[str, ...]) -> str:
        """Describe the calls of a plan in order, as one phrase."""
        texts = [self.describe_call(call) for call in calls]
        return "; then ".join([*texts[:1], *(each[:1].lower() + each[1:] for each in texts[1:])])

    def find_move(self, call: str) -> Move | None:
        """Return the compiled move of a call, if the record or the library has it."""
        return self._moves.get(normalize_call(call))

    def explain_condition(self, condition: str, compared: ComparisonInWords | None) -> str:
        """Return the sentence of a condition `verb.name` with the figures that it compares, or those alone.

        Return an empty text if the section `wording` has no sentence for it and it compares no two quantities.
        """
        sentence = self.acts.find_condition(condition)
        if not sentence:
            return str(compared) if compared is not None else ""
        return f"{sentence} ({compared.figures})" if compared is not None and compared.figures else sentence

    def describe_condition(self, call: str, condition: str) -> ComparisonInWords | None:
        """Describe a numeric condition of a call, or return None if it compares no two quantities.

        `condition` has the form `verb.name`.
        """
        move = self.find_move(call)
        return self._describe_test(() if move is None else (move,), condition.rpartition(".")[2])

    def describe_condition_of_verb(self, verb: str, name: str) -> ComparisonInWords | None:
        """Describe a numeric condition by a move of a verb that it stops, or return None if it compares nothing.

        The moves of approaches that end there come first, then those that fail at the start, then the others. Of these
        the one that comes nearest to the condition is described, because it shows most about the others.
        """
        moves = sorted(
            (move for move in self._moves.values() if move.verb == verb),
            key=lambda move: (
                self._rank_stop(move, f"{verb}.{name}"),
                -self._measure_at_start(move, name),
                move.text,
            ),
        )
        return self._describe_test(tuple(moves), name)

    def _rank_stop(self, move: Move, condition: str) -> int:
        """Return 0 for the move at which an approach was stopped by a condition, 1 if it fails at the start, else 2."""
        for key, outcome in self.analysis.outcomes.items():
            if outcome.end == f"blocked {condition}" and any(
                each.text == move.text for each in self.analysis.plans[key]
            ):
                return 0
        engine = self.analysis.engine
        trees = [
            test.tree for test in move.tests if test.name.rpartition(".")[2] == condition.rpartition(".")[2]
        ]
        return (
            1
            if any(not engine.evaluate_expression(tree) for tree in trees if engine.has_all_names(tree))
            else 2
        )

    def _measure_at_start(self, move: Move, name: str) -> float:
        """Return the margin by which a move meets a condition at the start, negative where it fails."""
        engine, margins = self.analysis.engine, []
        for test in move.tests:
            if test.name.rpartition(".")[2] == name and engine.has_all_names(test.tree):
                try:
                    _, margin = engine.compile_condition_judge(test.tree)(engine.build_start_values())
                except UNDEFINED:
                    continue
                margins += [margin] if margin is not None else []
        return max(margins, default=-math.inf)

    def _describe_test(self, moves: tuple[Move, ...], name: str) -> ComparisonInWords | None:
        trees = (
            comparison
            for move in moves
            for test in move.tests
            if test.name.rpartition(".")[2] == name
            for comparison in _iterate_comparisons(test.tree)
        )
        return next((words for words in map(self.describe_comparison, trees) if words is not None), None)

    def describe_end(self, end: str, calls: tuple[str, ...]) -> str:
        """Describe how a plan ends: `goal`, `late`, `short`, `blocked verb.condition` or `never name`."""
        kind, _, name = end.partition(" ")
        if kind == "blocked":
            verb = name.partition(".")[0]
            own = [call for call in calls if parse_call(call).verb == verb]
            found = next(filter(None, (self.describe_condition(call, name) for call in own)), None)
            if self.acts.find_condition(name):
                return f"stopped, because this does not hold: {self.explain_condition(name, found)}"
            if found is not None:
                return f"stopped: {found}"
            return f"stopped: {self._describe_unworded_condition(name, own)}"
        if kind == "never":
            return self._describe_broken_rule(name)
        return _ENDS.get(kind, end)

    def _describe_broken_rule(self, name: str) -> str:
        """Describe the end of a plan at a danger or a premise: what must hold, else the words of the text."""
        sentence = self.acts.find_condition(name)
        if sentence and not self.acts.is_premise(name):
            return f"fails, because this does not hold: {sentence}"
        rule = next((each for each in self.world.never_rules if each.name == name), None)
        words = self.render_text(rule.evidence) if rule is not None else ""
        return f"fails: “{words}”" if words else f"fails: {name.replace('_', ' ')}"

    def _describe_unworded_condition(self, name: str, calls: list[str]) -> str:
        verb, _, condition = name.partition(".")
        if verb == "answer":
            return "the answer contradicts the clues"
        call = self.describe_call(calls[0]) if calls else verb.replace("_", " ")
        return f"“{call}” needs “{condition.replace('_', ' ')}”, which does not hold"

    @cached_property
    def _moves(self) -> dict[str, Move]:
        plans = (*self.analysis.plans.values(), self.analysis.executor.logistics)
        moves = {normalize_call(move.text): move for move in self.analysis.searcher.moves}
        return moves | {normalize_call(move.text): move for plan in plans for move in plan}

    def _describe_argument(self, argument: str) -> str:
        return self.name_thing(argument.strip("'\""))


def format_margin(margin: float | None) -> str:
    """Return a margin as a signed percentage, or as a factor if a limit is exceeded more than twofold."""
    if margin is None:
        return "not measurable"
    return f"{margin:+.0%}" if margin >= -1 else f"exceeded by a factor of {1 - margin:.3g}"


def normalize_call(call: str) -> str:
    """Return a call without spaces and with one kind of quotation marks."""
    return "".join(call.split()).replace('"', "'")


def parse_insight_patterns(lines: list[str]) -> dict[str, str]:
    """Return the explanations of calls in a record, by call pattern."""
    parted = (line.partition("=") for line in lines)
    return {pattern.strip(): text.strip() for pattern, _, text in parted}


def _rename_labels(text: str, labels: Mapping[str, str]) -> str:
    """Replace labels in a text by others, all at once."""
    if not labels:
        return text
    pattern = re.compile("|".join(map(re.escape, sorted(labels, key=len, reverse=True))))
    return pattern.sub(lambda found: labels[found[0]], text)


def _iterate_comparisons(tree: ex.Expression) -> Iterator[ex.Comparison]:
    match tree:
        case ex.Comparison():
            yield tree
        case ex.Conjunction(parts):
            for part in parts:
                yield from _iterate_comparisons(part)
