"""The calls, values and statements of a record as opaque codes in neutral order, as a translator sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.menus import build_action_menu
from impossible_moments.evaluation.translation.signal_answers import list_signals
from impossible_moments.mechanics.records import DiagnosisPuzzle, SignalPuzzle
from impossible_moments.mechanics.wording import NeededStatement

WAIT: Final = "You let a stated length of time pass and do nothing else."
_NOT_WAITING: Final = (
    "a time that another deed takes",
    "waiting until something has happened or is ready",
    "a deadline",
)
_WAITED: Final = NeededStatement("time", (), is_value=True)


class DeedKind(StrEnum):
    """What a coded deed does."""

    CALL = "call"
    CONCLUSION = "conclusion"
    """It answers a diagnosis with one of its hypotheses."""
    VALUE = "value"
    """It sets a decision, or answers a puzzle, with a value of the answer."""
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class CodedDeed:
    """A deed that an answer may state."""

    code: str
    kind: DeedKind
    call: str
    """The call of the record. A value has the name of its decision or puzzle here."""
    text: str
    """The deed as a sentence, or the label of a value."""
    needed: tuple[NeededStatement, ...] = ()
    also: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    is_unsaid: bool = False
    unit: str | None = None
    """The unit of a value. None if it is stated in words."""
    options: tuple[str, ...] = ()
    """The values in words among which an answer chooses."""


@dataclass(frozen=True)
class CodedRecord:
    """Everything of a record that an answer may refer to, by codes that reveal nothing."""

    deeds: tuple[CodedDeed, ...]
    harmless: tuple[str, ...]
    premises: Mapping[str, str]
    """Statements that may be an unfounded assumption, decoys among them."""
    premise_names: Mapping[str, str]
    """The real premises among them, by the names of their never-lines."""
    conditions: Mapping[str, str]
    condition_names: Mapping[str, str]
    uncertainties: Mapping[str, str]
    uncertainty_names: Mapping[str, str]

    @cached_property
    def deeds_by_code(self) -> Mapping[str, CodedDeed]:
        """The deeds by their codes."""
        return {deed.code: deed for deed in self.deeds}


def build_coded_record(key: AnswerKey) -> CodedRecord:
    """Return the codes of a scenario. The same scenario always has the same codes."""
    menu = build_action_menu(key)
    return CodedRecord(
        (
            *_assign_codes("A", (*_iterate_calls(key), *_iterate_conclusions(key)), key),
            *_assign_codes("V", _iterate_values(key), key),
            CodedDeed("W1", DeedKind.WAIT, "wait", WAIT, (_WAITED,), near_misses=_NOT_WAITING),
        ),
        key.wording.harmless,
        menu.premises,
        menu.premise_names,
        menu.conditions,
        menu.condition_names,
        menu.uncertainties,
        menu.uncertainty_names,
    )


def _compute_rank(key: AnswerKey, text: str) -> str:
    """Return a key for sorting that says nothing about the deeds."""
    return sha256(f"{key.scenario_id}\0{text}".encode()).hexdigest()


def _assign_codes(letter: str, deeds: Iterable[CodedDeed], key: AnswerKey) -> Iterator[CodedDeed]:
    ordered = sorted(deeds, key=lambda deed: _compute_rank(key, f"{deed.text}\0{deed.call}"))
    for number, deed in enumerate(ordered, start=1):
        yield replace(deed, code=f"{letter}{number}")


def _iterate_calls(key: AnswerKey) -> Iterator[CodedDeed]:
    for move, found in key.worded_moves:
        yield CodedDeed(
            "", DeedKind.CALL, move.text, found.deed, () if found.is_unsaid else found.needed, found.also, found.near_misses,
            found.implied, found.is_unsaid,
        )  # fmt: skip


def _iterate_conclusions(key: AnswerKey) -> Iterator[CodedDeed]:
    for puzzle in key.analysis.world.record.puzzles:
        if not isinstance(puzzle, DiagnosisPuzzle):
            continue
        for hypothesis in puzzle.hypotheses:
            words = key.wording.answers.get(f"{puzzle.name}.{hypothesis.name}", ())
            if words:
                call = f"answer({puzzle.name}, '{hypothesis.name}')"
                text = f"The answer concludes, or gives as its reason: {words[0].rstrip('.')}."
                yield CodedDeed("", DeedKind.CONCLUSION, call, text, also=words[1:])


def _iterate_values(key: AnswerKey) -> Iterator[CodedDeed]:
    """Yield the decisions and the puzzles that are answered with a value of the answer."""
    for quantity in key.analysis.engine.decisions:
        value = key.wording.values.get(quantity.name)
        if value is not None:
            named = tuple(str(each) for each in quantity.options or () if isinstance(each, str))
            unit = None if named or value.unit == "words" else value.unit or "plain"
            yield CodedDeed("", DeedKind.VALUE, quantity.name, value.label, unit=unit, options=named)
    for puzzle in key.analysis.world.record.puzzles:
        if isinstance(puzzle, SignalPuzzle):
            signals = tuple(each.replace("_", " ") for each in list_signals(puzzle))
            for state in puzzle.states:
                text = f"signal for {state.replace('_', ' ')!r}"
                yield CodedDeed("", DeedKind.VALUE, f"{puzzle.name}.{state}", text, options=signals)
        elif not isinstance(puzzle, DiagnosisPuzzle):
            value = key.wording.values.get(puzzle.name)
            yield CodedDeed(
                "", DeedKind.VALUE, puzzle.name, value.label if value is not None else "the answer"
            )
