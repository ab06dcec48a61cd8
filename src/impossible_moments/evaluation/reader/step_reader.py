"""Reading of one step: which calls it says, by everything that the wording demands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind
from impossible_moments.evaluation.reader.stated_values import find_chosen_value, find_puzzle_answer
from impossible_moments.evaluation.reader.step_texts import refers_back, remove_negated_clauses
from impossible_moments.mechanics.records import PlannedCall
from impossible_moments.mechanics.wording import (
    CallWording,
    extract_word_stems,
    list_unsaid_statements,
    list_word_stems,
    match_statements,
)

NEAR_MISS_SHARE: Final = 0.8
"""The share of the words of a near miss that a step must have to be read as one."""
HARMLESS_SHARE: Final = 0.6
HARMLESS_VERBS: Final = frozenset(
    """look watch observe inspect check examine measure count note write record film tell inform explain warn announce say
    thank rest sit think consider plan decide remember compute calculate estimate read study verify confirm prepare gather
    keep stay remain report sign call shout signal""".split()
)
"""Verbs of steps that change nothing, if the step says none of the calls."""


@dataclass(frozen=True, slots=True)
class SaidCall:
    """A call of which a step says everything that is needed."""

    wording: CallWording
    said: Mapping[str, str]

    @property
    def weight(self) -> int:
        """How many words of the step say the call."""
        return len(extract_word_stems(" ".join(self.said.values())))


class StepReader:
    """Reads steps of answers to one scenario."""

    def __init__(self, key: AnswerKey) -> None:
        self._key = key
        self._harmless_stems = [extract_word_stems(text) for text in key.wording.harmless]
        self._harmless_verbs = frozenset().union(*(extract_word_stems(each) for each in HARMLESS_VERBS))

    @cached_property
    def _wordings(self) -> tuple[CallWording, ...]:
        found = (
            self._key.wording.find_wording(PlannedCall(move.verb, move.arguments))
            for move in self._key.analysis.executor.moves.all_actions
        )
        return tuple(each for each in found if each is not None and each.needed)

    @cached_property
    def _unsaid_texts(self) -> tuple[frozenset[str], ...]:
        """The words of the steps that follow by themselves. An answer may state them."""
        found = (
            self._key.wording.find_wording(PlannedCall(move.verb, move.arguments))
            for move in self._key.unsaid_moves
        )
        return tuple(
            extract_word_stems(text)
            for each in found
            if each is not None
            for text in (each.menu, each.deed, *each.also)
        )

    def read_plan(self, texts: Sequence[str]) -> tuple[InterpretedStep, ...]:
        """Read the steps of a plan. A step that refers back is read together with the one before it."""
        found: list[InterpretedStep] = []
        before = ""
        for text in texts:
            found += self.read_step(text, before)
            before = text
        return tuple(found)

    def read_step(self, text: str, before: str = "") -> list[InterpretedStep]:
        """Return what a step says: calls, values and answers, or one step of another kind."""
        done = remove_negated_clauses(text)
        steps = self._read_values(text, done)
        calls = self._find_calls(done)
        if not calls and refers_back(text):
            calls = [
                each
                for each in self._find_calls(f"{remove_negated_clauses(before)} {done}")
                if list_unsaid_statements(before, each.wording)  # the step before did not say it alone
            ]
        rivals = _find_rivals(calls)
        if rivals:
            reason = f"it can be read as {' or as '.join(repr(each.wording.menu) for each in rivals[:3])}"
            return [*steps, InterpretedStep(text, StepKind.UNREAD, reason=reason)]
        steps += [
            InterpretedStep(text, StepKind.CALL, str(each.wording.call), each.said)
            for each in sorted(calls, key=lambda each: _find_position(done, each))
        ]
        return steps or [self._read_other(text, done)]

    def _find_calls(self, text: str) -> list[SaidCall]:
        """Return the calls that a text says, the best one of each verb and all of several verbs."""
        found = []
        for wording in self._wordings:
            said = match_statements(text, wording)
            if all(said.values()) and not self._is_near_miss(text, wording):
                found.append(SaidCall(wording, said))
        return _keep_best_of_each_verb(found)

    def _is_near_miss(self, text: str, wording: CallWording) -> bool:
        """Return whether a text says a near miss of a call: most of its words, and all that tell it from the call."""
        stems = extract_word_stems(text)
        own = extract_word_stems(" ".join((wording.menu, *wording.also)))
        return any(
            _compute_share(each, stems) >= NEAR_MISS_SHARE
            and bool(telling := extract_word_stems(each) - own)
            and telling <= stems
            for each in wording.near_misses
        )

    def _read_values(self, text: str, done: str) -> list[InterpretedStep]:
        calls = [
            call
            for quantity in self._key.analysis.engine.decisions
            if (call := find_chosen_value(done, quantity, self._key))
        ]
        calls += [
            call
            for puzzle in self._key.analysis.world.record.puzzles
            if (call := find_puzzle_answer(done, puzzle, self._key))
        ]
        return [InterpretedStep(text, StepKind.CALL, call) for call in calls]

    def _read_other(self, text: str, done: str) -> InterpretedStep:
        """Read a step that says no call."""
        stems = extract_word_stems(done)
        if any(self._is_near_miss(done, each) for each in self._wordings):
            return InterpretedStep(text, StepKind.NEAR_MISS)
        if any(each and len(each & stems) / len(each) >= HARMLESS_SHARE for each in self._unsaid_texts):
            return InterpretedStep(text, StepKind.HARMLESS, reason="it follows by itself")
        if (
            any(each and len(each & stems) / len(each) >= HARMLESS_SHARE for each in self._harmless_stems)
            or next(iter(list_word_stems(done)), "") in self._harmless_verbs
        ):
            return InterpretedStep(text, StepKind.HARMLESS)
        partly = self._find_partly_said_call(done)
        if partly is not None:
            unsaid = ", ".join(list_unsaid_statements(done, partly))
            reason = f"for {partly.menu!r} it does not say: {unsaid}"
            return InterpretedStep(text, StepKind.UNREAD, reason=reason)
        return InterpretedStep(text, StepKind.UNMODELLED, reason="the record has no such action")

    def _find_partly_said_call(self, text: str) -> CallWording | None:
        """Return the call of which a text says most, or None if it says nothing of any."""
        shares = {
            1 - len(list_unsaid_statements(text, each)) / len(each.needed): each for each in self._wordings
        }
        best = max(shares, default=0.0)
        return shares[best] if best > 0 else None


def _keep_best_of_each_verb(calls: Sequence[SaidCall]) -> list[SaidCall]:
    """Return for each verb the calls that the most words say."""
    best: dict[str, int] = {}
    for each in calls:
        verb = each.wording.call.verb
        best[verb] = max(best.get(verb, 0), each.weight)
    return [each for each in calls if each.weight == best[each.wording.call.verb]]


def _find_rivals(calls: Sequence[SaidCall]) -> list[SaidCall]:
    """Return calls of one verb that are said equally well, so that the step is ambiguous."""
    verbs = [each.wording.call.verb for each in calls]
    return [each for each in calls if verbs.count(each.wording.call.verb) > 1]


def _find_position(text: str, call: SaidCall) -> int:
    """Return where a text says the deed of a call, for the order of several calls in one step."""
    stems = list_word_stems(text)
    words = [extract_word_stems(each) for each in call.said.values()]
    places = [stems.index(stem) for each in words for stem in each if stem in stems]
    return max(places, default=0)


def _compute_share(sentence: str, stems: frozenset[str]) -> float:
    wanted = extract_word_stems(sentence)
    return len(wanted & stems) / len(wanted) if wanted else 0.0
