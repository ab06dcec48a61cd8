"""The section `wording` of a record, resolved against its world: labels, names and figures filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.prose import (
    PlaceholderError,
    ProseRequirements,
    build_rendering_requirements,
    render_template_text,
)
from impossible_moments.mechanics.records.lines import LineError, RecordLine, parse_line
from impossible_moments.mechanics.records.plans import PlannedCall
from impossible_moments.mechanics.records.wording_forms import ActionWording, ValueWording, WordingForm
from impossible_moments.mechanics.wording.call_wording import (
    VALUE,
    CallWording,
    NeededStatement,
    find_call_pattern,
)
from impossible_moments.mechanics.wording.thing_names import list_short_names, strip_article
from impossible_moments.mechanics.world.engine import WorldEngine

_SLOT: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")
ALTERNATIVES: Final = "|"
_EXAMPLE: Final = "joined = tie | knot"
WORDING_ERRORS: Final = (PlaceholderError, LineError)
"""Errors of a faulty section."""


class RecordWording:
    """The plain words of a record. A record without the section has no wording for any call."""

    def __init__(self, engine: WorldEngine) -> None:
        self._engine = engine
        self.form = engine.world.record.wording or WordingForm()

    def find_wording(self, call: PlannedCall) -> CallWording | None:
        """Return the wording of a call, or None if the record has none.

        Raise `PlaceholderError` or `LineError` if the section is faulty, which a check reports before.
        """
        entry = find_call_pattern(self.form.actions, call)
        return None if entry is None else self._resolve_entry(entry, call)

    def find_fault(self, calls: Iterable[PlannedCall]) -> str:
        """Return why a text of the section cannot be resolved for these calls; empty if all of them can."""
        resolved: set[str] = set()
        try:
            for call in calls:
                entry = find_call_pattern(self.form.actions, call)
                if entry is not None and entry.call not in resolved:
                    self._resolve_entry(entry, call)
                    resolved.add(entry.call)
            for name in (
                "names",
                "conditions",
                "premises",
                "decoy_premises",
                "harmless",
                "answers",
                "uncertainties",
            ):
                getattr(self, name)
        except WORDING_ERRORS as problem:
            return str(problem)
        return ""

    @cached_property
    def values(self) -> Mapping[str, ValueWording]:
        """The wording of each decision and puzzle, by name."""
        return {each.name: each for each in self.form.values}

    @cached_property
    def conditions(self) -> Mapping[str, str]:
        """The sentence of each condition, by name."""
        return dict(self._iterate_sentences(self.form.conditions))

    @cached_property
    def bookkeeping(self) -> frozenset[str]:
        """The conditions that only keep steps in order."""
        return frozenset(self.form.bookkeeping)

    @cached_property
    def premises(self) -> Mapping[str, str]:
        """The sentence of each premise, by the name of its never-line."""
        return dict(self._iterate_sentences(self.form.premises))

    @cached_property
    def decoy_premises(self) -> tuple[str, ...]:
        """Statements of the text that are not the premise."""
        return tuple(map(self.render_text, self.form.decoy_premises))

    @cached_property
    def uncertainties(self) -> Mapping[str, str]:
        """What a solver may think the answer depends on, by quantity."""
        return dict(self._iterate_sentences(self.form.uncertainties))

    @cached_property
    def harmless(self) -> tuple[str, ...]:
        """Deeds that change nothing."""
        return tuple(map(self.render_text, self.form.harmless))

    @cached_property
    def answers(self) -> Mapping[str, tuple[str, ...]]:
        """The wordings of each hypothesis, by `puzzle.hypothesis`."""
        return {
            name: split_alternatives(sentence)
            for name, sentence in self._iterate_sentences(self.form.answers)
        }

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """All names of each thing without articles: its label, the names that the section adds, and short forms."""
        added = {
            parts.head: split_alternatives(parts.body) for parts in map(_parse_wording_line, self.form.names)
        }
        things = self._engine.world.things
        short = list_short_names({name: thing.label for name, thing in things.items() if thing.own})
        return {
            name: tuple(
                dict.fromkeys(map(strip_article, (thing.label, *added.get(name, ()), *short.get(name, ()))))
            )
            for name, thing in things.items()
        }

    def render_text(self, text: str) -> str:
        """Return a text with its placeholders filled in."""
        return render_template_text(text, self._requirements)

    def _resolve_entry(self, entry: ActionWording, call: PlannedCall) -> CallWording:
        arguments = self._bind_slots(call)
        return CallWording(
            call,
            self._fill_slots(entry.menu, arguments),
            self._fill_slots(entry.deed, arguments),
            self._resolve_statements(entry, arguments),
            tuple(self._fill_slots(each, arguments) for each in entry.implied),
            tuple(self._fill_slots(each, arguments) for each in entry.also),
            tuple(self._fill_slots(each, arguments) for each in entry.near_misses),
            entry.unsaid,
        )

    def _bind_slots(self, call: PlannedCall) -> Mapping[str, str]:
        action = self._engine.world.actions.get(call.verb)
        if action is None or len(action.slots) != len(call.arguments):
            return {}
        return {slot.name: argument for slot, argument in zip(action.slots, call.arguments, strict=True)}

    def _fill_slots(self, text: str, arguments: Mapping[str, str]) -> str:
        things = self._engine.world.things

        def fill_slot(match: re.Match[str]) -> str:
            argument = arguments.get(match[1])
            if argument is None:
                return match[0]
            return f"{{thing:{argument}}}" if argument in things else argument

        protected = _SLOT.sub(fill_slot, text).replace(VALUE, "\0")
        return self.render_text(protected).replace("\0", VALUE)

    def _resolve_statements(
        self, entry: ActionWording, arguments: Mapping[str, str]
    ) -> tuple[NeededStatement, ...]:
        """Return what a call needs. Lines that ask for the same words, under two names, are one statement.

        A skin that names a line otherwise than its family asks for nothing more. The last name counts.
        """
        found = (self._resolve_statement(line, arguments) for line in entry.needs_said)
        return tuple({(each.alternatives, each.is_value): each for each in found}.values())

    def _resolve_statement(self, line: str, arguments: Mapping[str, str]) -> NeededStatement:
        parts = _parse_wording_line(line)
        alternatives: list[str] = []
        for each in split_alternatives(parts.body):
            alternatives += self._list_alternatives(each, arguments)
        names = [
            name
            for match in _SLOT.finditer(parts.body)
            if match[1] in arguments
            for name in self.names.get(arguments[match[1]], ())
        ]
        return NeededStatement(
            parts.head, tuple(dict.fromkeys(alternatives)), VALUE in parts.body, tuple(names)
        )

    def _list_alternatives(self, text: str, arguments: Mapping[str, str]) -> list[str]:
        """Return one alternative for each name of the thing that the text stands for."""
        match = _SLOT.search(text)
        if match is None or match[1] not in arguments:
            return [self._fill_slots(text, arguments)]
        names = self.names.get(arguments[match[1]], (arguments[match[1]],))
        return [
            found
            for name in names
            for found in self._list_alternatives(
                text[: match.start()] + name + text[match.end() :], arguments
            )
        ]

    def _iterate_sentences(self, lines: list[str]) -> Iterator[tuple[str, str]]:
        for parts in map(_parse_wording_line, lines):
            yield parts.head, self.render_text(parts.body)

    @cached_property
    def _requirements(self) -> ProseRequirements:
        return build_rendering_requirements(self._engine)


def split_alternatives(text: str) -> tuple[str, ...]:
    """Split `tie | knot` into its alternatives. A `|` inside braces belongs to a placeholder."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == ALTERNATIVES and depth <= 0:
            parts.append(text[start:place])
            start = place + 1
    return tuple(each.strip() for each in (*parts, text[start:]) if each.strip())


def _parse_wording_line(line: str) -> RecordLine:
    return parse_line(line, example=_EXAMPLE, evidence=False)
