"""The menu of a scenario: its calls, values and answers as lines, with decoys between them, in a neutral order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import OfferedChoices
from impossible_moments.mechanics.records import DiagnosisPuzzle
from impossible_moments.mechanics.wording import CallWording

FEWEST_LINES: Final = 20
GENERAL_DEEDS: Final = (
    "Sit down and think it over once more",
    "Look around carefully",
    "Tell the others what you intend",
    "Write down what you know",
    "Check the time",
    "Ask another person for an opinion",
    "Rest for a moment",
    "Put everything in order",
    "Go through the list of what is at hand",
    "Repeat aloud what has to be achieved",
    "Take a deep breath and count to ten",
    "Draw a sketch of the place",
    "Make a note of who is present",
    "Compare the figures in the text once more",
    "Explain the difficulty to a bystander",
    "Clear a little space to work in",
    "Decide who will keep an eye on the time",
    "Ask whether anything has been overlooked",
    "Tidy away what is in the way",
    "Wait for a moment and listen",
)
"""Harmless lines that fill short menus."""


class LineKind(StrEnum):
    """What choosing a line does."""

    CALL = "call"
    VALUE = "value"
    """It sets a value that the solver writes."""
    ANSWER = "answer"
    """It answers a puzzle with a value that the solver writes."""
    NEAR_MISS = "near miss"
    HARMLESS = "harmless"


@dataclass(frozen=True, slots=True)
class MenuLine:
    """A line of the menu. `code` is what an answer writes."""

    code: str
    text: str
    kind: LineKind
    call: str = ""
    """The call of the line. A value or puzzle has its name here."""
    unit: str | None = None
    """The unit of a value, or None if the line takes none."""

    @property
    def takes_value(self) -> bool:
        """Whether an answer writes a value with the line."""
        return self.kind in {LineKind.VALUE, LineKind.ANSWER}


@dataclass(frozen=True)
class ActionMenu:
    """All lines of a scenario, and the statements that verdicts refer to."""

    lines: tuple[MenuLine, ...]
    premises: Mapping[str, str]
    """Codes of statements that may be unfounded, with their sentences."""
    premise_names: Mapping[str, str]
    """Codes of real premises, with the names of their never-lines."""
    conditions: Mapping[str, str]
    """Codes of conditions, with their sentences, and of other statements of the text."""
    condition_names: Mapping[str, str]
    uncertainties: Mapping[str, str]
    """Codes of quantities that may decide, with their sentences."""
    uncertainty_names: Mapping[str, str]

    @cached_property
    def by_code(self) -> Mapping[str, MenuLine]:
        """The lines by their codes."""
        return {line.code: line for line in self.lines}

    @cached_property
    def offered(self) -> OfferedChoices:
        """How many lines and statements there are to choose from."""
        return OfferedChoices(
            calls=frozenset(line.call for line in self.lines if line.kind is LineKind.CALL),
            acts=sum(line.kind is not LineKind.HARMLESS for line in self.lines),
            premises=len(self.premises),
            conditions=len(self.conditions),
            uncertainties=len(self.uncertainties),
        )

    def find_line_of_call(self, call: str) -> MenuLine | None:
        """Return the line of a call, or None if it has none."""
        return next((line for line in self.lines if line.kind is LineKind.CALL and line.call == call), None)


def build_action_menu(key: AnswerKey, *, with_unsaid: bool = False) -> ActionMenu:
    """Build the menu of a scenario. The same scenario has the same menu.

    Steps that follow by themselves have a line only if `with_unsaid` is set.
    """
    lines = _remove_repeated_texts(list(_iterate_lines(key, with_unsaid=with_unsaid)))
    missing = max(FEWEST_LINES - len(lines), 0)
    fillers = [MenuLine("", text, LineKind.HARMLESS) for text in GENERAL_DEEDS[:missing]]
    ordered = sorted(
        _remove_repeated_texts([*lines, *fillers]), key=lambda line: _compute_rank(key, line.text)
    )
    wording = key.wording
    decoys = {f"decoy {at}": text for at, text in enumerate(wording.decoy_premises)}
    premises = {**wording.premises, **decoys}
    premise_codes = _assign_codes("P", premises, key)
    conditions = {
        **{name: text for name, text in wording.conditions.items() if name not in wording.bookkeeping},
        **decoys,
    }
    condition_codes = _assign_codes("C", conditions, key)
    uncertainty_codes = _assign_codes("U", wording.uncertainties, key)
    return ActionMenu(
        tuple(
            MenuLine(f"A{number}", line.text, line.kind, line.call, line.unit)
            for number, line in enumerate(ordered, start=1)
        ),
        {code: premises[name] for code, name in premise_codes.items()},
        {code: name for code, name in premise_codes.items() if name in wording.premises},
        {code: conditions[name] for code, name in condition_codes.items()},
        condition_codes,
        {code: wording.uncertainties[name] for code, name in uncertainty_codes.items()},
        uncertainty_codes,
    )


def _compute_rank(key: AnswerKey, text: str) -> str:
    """Return a key for sorting that says nothing about the lines."""
    return sha256(f"{key.scenario_id}\0{text}".encode()).hexdigest()


def _assign_codes(letter: str, sentences: Mapping[str, str], key: AnswerKey) -> Mapping[str, str]:
    ordered = sorted(sentences, key=lambda name: _compute_rank(key, sentences[name]))
    return {f"{letter}{number}": name for number, name in enumerate(ordered, start=1)}


def _remove_repeated_texts(lines: list[MenuLine]) -> list[MenuLine]:
    """Return the lines with every text once. A line that does something comes before a decoy."""
    effective = {LineKind.CALL, LineKind.VALUE, LineKind.ANSWER}
    found: dict[str, MenuLine] = {}
    for line in sorted(lines, key=lambda each: each.kind not in effective):
        found.setdefault(line.text.casefold().rstrip("."), line)
    return list(found.values())


def _iterate_lines(key: AnswerKey, *, with_unsaid: bool) -> Iterator[MenuLine]:
    for move, found in key.worded_moves:
        if found.is_unsaid and not with_unsaid:
            continue
        yield MenuLine("", _capitalize(found.menu), LineKind.CALL, move.text)
        yield from _iterate_near_misses(found)
    yield from _iterate_values(key)
    yield from _iterate_puzzle_answers(key)
    for text in key.wording.harmless:
        yield MenuLine("", _capitalize(text), LineKind.HARMLESS)


def _iterate_near_misses(wording: CallWording) -> Iterator[MenuLine]:
    for text in wording.near_misses:
        yield MenuLine("", _capitalize(text), LineKind.NEAR_MISS)


def _iterate_values(key: AnswerKey) -> Iterator[MenuLine]:
    for quantity in key.analysis.engine.decisions:
        value = key.wording.values.get(quantity.name)
        if value is not None:
            unit = value.unit or ""
            yield MenuLine("", f"Choose the {value.label}", LineKind.VALUE, quantity.name, unit)


def _iterate_puzzle_answers(key: AnswerKey) -> Iterator[MenuLine]:
    for puzzle in key.analysis.world.record.puzzles:
        if isinstance(puzzle, DiagnosisPuzzle):
            for hypothesis in puzzle.hypotheses:
                words = key.wording.answers.get(f"{puzzle.name}.{hypothesis.name}", ())
                call = f"answer({puzzle.name}, '{hypothesis.name}')"
                yield MenuLine("", f"Conclude: {words[0] if words else hypothesis.name}", LineKind.CALL, call)
            continue
        value = key.wording.values.get(puzzle.name)
        label = value.label if value is not None else "answer"
        yield MenuLine("", f"State the {label}", LineKind.ANSWER, puzzle.name, "")


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")
