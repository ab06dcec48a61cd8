"""Reading of one step: which calls it says, by everything that the wording demands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind
from impossible_moments.evaluation.reader.stated_values import find_chosen_value, find_puzzle_answer
from impossible_moments.evaluation.reader.step_texts import (
    list_verbs_of_pronouns,
    opens_negated_clause,
    refers_back,
    remove_negated_clauses,
    remove_reasons,
)
from impossible_moments.evaluation.reader.times_of_calls import is_time_of_call
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
OBTAINING_VERBS: Final = frozenset(
    "buy get fetch take obtain choose pick select order bring collect grab borrow find purchase acquire".split()
)
"""Verbs of steps that only get a thing ready, if another step uses it."""

CHOOSE: Final = "choose"
_USE: Final = re.compile(r"\b(?:use|select|pick)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SaidCall:
    """A call of which a step says everything that is needed."""

    wording: CallWording
    said: Mapping[str, str]

    @property
    def words(self) -> frozenset[str]:
        """The words of the step that say the call."""
        return extract_word_stems(" ".join(self.said.values()))


@dataclass(frozen=True, slots=True)
class PartlySaidCall:
    """A call of which a step says something."""

    wording: CallWording
    share: float
    """The share of the needed statements that it makes."""


class StepReader:
    """Reads steps of answers to one scenario."""

    def __init__(self, key: AnswerKey) -> None:
        self._key = key
        self._harmless_stems = [extract_word_stems(text) for text in key.wording.harmless]
        self._harmless_verbs = extract_word_stems(" ".join(HARMLESS_VERBS))
        self._obtaining_verbs = extract_word_stems(" ".join(OBTAINING_VERBS))

    @cached_property
    def _wordings(self) -> tuple[CallWording, ...]:
        return tuple(wording for _, wording in self._key.worded_moves if wording.needed)

    @cached_property
    def _unsaid_texts(self) -> tuple[frozenset[str], ...]:
        """The words of the steps that follow by themselves. An answer may state them."""
        return tuple(
            extract_word_stems(text)
            for _, each in self._key.worded_moves
            if each.is_unsaid
            for text in (each.menu, each.deed, *each.also)
        )

    def read_plan(self, texts: Sequence[str]) -> tuple[InterpretedStep, ...]:
        """Read the steps of a plan. A step that refers back is read together with the one before it."""
        found: list[InterpretedStep] = []
        before = ""
        for text in texts:
            found += self.read_step(text, before)
            before = text
        calls = frozenset(step.call for step in found if step.kind is StepKind.CALL)
        return tuple(self._read_beside(step, calls) for step in found)

    def _read_beside(self, step: InterpretedStep, calls: frozenset[str]) -> InterpretedStep:
        """Return a step that says no call as harmless if it belongs to a call of the plan."""
        if step.kind is StepKind.UNREAD and self._obtains_something(step.text, calls):
            return replace(step, kind=StepKind.HARMLESS, reason="another step uses it")
        is_open = step.kind in {StepKind.UNREAD, StepKind.UNMODELLED}
        if is_open and is_time_of_call(step.text, calls, self._key):
            return replace(step, kind=StepKind.HARMLESS, reason="it is the time that another deed takes")
        return step

    def _obtains_something(self, text: str, calls: frozenset[str]) -> bool:
        """Return whether a step only gets a thing that a call of the plan uses: who buys the tape then sticks it on."""
        done = remove_negated_clauses(text)
        if next(iter(list_word_stems(done)), "") not in self._obtaining_verbs:
            return False
        used = (each for each in self._wordings if str(each.call) in calls)
        return any(
            bool(match_statements(done, each)[statement.name])
            for each in used
            for statement in each.needed
            if statement.names
        )

    def read_step(self, text: str, before: str = "") -> list[InterpretedStep]:
        """Return what a step says: calls, values and answers, or one step of another kind."""
        done = remove_negated_clauses(text)
        steps = self._read_values(text, done)
        calls = self._find_calls_with_context(done, remove_negated_clauses(before))
        calls = calls or self._find_replacements(text)
        rivals = _find_rivals(calls)
        if rivals:
            reason = f"it can be read as {' or as '.join(repr(each.wording.menu) for each in rivals[:3])}"
            return [*steps, InterpretedStep(text, StepKind.UNREAD, reason=reason)]
        steps += [
            InterpretedStep(text, StepKind.CALL, str(each.wording.call), each.said)
            for each in sorted(calls, key=lambda each: _find_position(done, each))
        ]
        return steps or [self._read_other(text, done)]

    def _find_replacements(self, text: str) -> list[SaidCall]:
        """Return the calls whose deed is to do one thing instead of another, which a negated clause names."""
        return [
            each
            for each in self._find_calls(text)
            if any(opens_negated_clause(said) for said in each.said.values())
        ]

    def _find_calls_with_context(self, done: str, before: str) -> list[SaidCall]:
        """Return the calls that a step says, alone or together with the step before it.

        A reason within the step is read only if the rest says no call.
        """
        alone = self._find_calls(remove_reasons(done)) or self._find_calls(done)
        if not before or (alone and not list_verbs_of_pronouns(done)):
            return alone
        joined = [
            each
            for each in self._find_calls(f"{before} {done}")
            if list_unsaid_statements(before, each.wording)  # the step before did not say it alone
        ]
        if alone:
            governed = [each for each in joined if _governs_pronoun(each, done)]
            return governed or alone
        if refers_back(done):
            return joined
        return [each for each in joined if self._continues(each.wording, done, before)]

    def _continues(self, wording: CallWording, done: str, before: str) -> bool:
        """Return whether a step says the deed of a call, of whose things the step before speaks as well."""
        unsaid = set(list_unsaid_statements(done, wording))
        if len(unsaid) == len(wording.needed) or any(
            each.name in unsaid and not each.names for each in wording.needed
        ):
            return False
        return bool(extract_word_stems(before) & extract_word_stems(done) & self._name_stems)

    @cached_property
    def _name_stems(self) -> frozenset[str]:
        """The words of the names of all things of the scenario."""
        things = self._key.analysis.world.things
        names = (
            each for thing, names in self._key.wording.names.items() if things[thing].own for each in names
        )
        return frozenset().union(*map(extract_word_stems, names))

    def _find_calls(self, text: str) -> list[SaidCall]:
        """Return the calls that a text says, the best one of each verb and all of several verbs."""
        found = []
        for wording in self._wordings:
            said = match_statements(_name_choice(text, wording), wording)
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
        if self.find_missed_wordings(done):
            return InterpretedStep(text, StepKind.NEAR_MISS)
        if any(each and len(each & stems) / len(each) >= HARMLESS_SHARE for each in self._unsaid_texts):
            return InterpretedStep(text, StepKind.HARMLESS, reason="it follows by itself")
        if (
            any(each and len(each & stems) / len(each) >= HARMLESS_SHARE for each in self._harmless_stems)
            or next(iter(list_word_stems(done)), "") in self._harmless_verbs
        ):
            return InterpretedStep(text, StepKind.HARMLESS)
        partly = self.find_partly_said_call(done)
        if partly is None:
            return InterpretedStep(text, StepKind.UNMODELLED, reason="the record has no such action")
        if partly.wording.is_unsaid:
            return InterpretedStep(text, StepKind.HARMLESS, reason="it follows by itself")
        unsaid = ", ".join(list_unsaid_statements(done, partly.wording))
        reason = f"for {partly.wording.menu!r} it does not say: {unsaid}"
        return InterpretedStep(text, StepKind.UNREAD, reason=reason)

    def find_missed_wordings(self, text: str) -> tuple[CallWording, ...]:
        """Return the wordings of which a text says a near miss."""
        return tuple(each for each in self._wordings if self._is_near_miss(text, each))

    def find_partly_said_call(self, text: str) -> PartlySaidCall | None:
        """Return the call of which a text says most, or None if it says nothing of any."""
        found = [
            PartlySaidCall(each, 1 - len(list_unsaid_statements(text, each)) / len(each.needed))
            for each in self._wordings
        ]
        best = max(found, key=lambda each: (each.share, each.wording.is_unsaid), default=None)
        return best if best is not None and best.share > 0 else None


def _name_choice(text: str, wording: CallWording) -> str:
    """Return a text in which using a thing is choosing it, if the call is the choice of a thing and nothing else."""
    deeds = [each.alternatives for each in wording.needed if not each.names]
    is_choice = len(deeds) == 1 and len(wording.needed) > 1 and CHOOSE in deeds[0]
    return _USE.sub(CHOOSE, text) if is_choice else text


def _keep_best_of_each_verb(calls: Sequence[SaidCall]) -> list[SaidCall]:
    """Return the calls without those whose words all belong to a call of the same verb that more words say.

    Who names the ribbed hose does not also name the hose. Who names two things names both, whichever has the longer name.
    """
    return [each for each in calls if not any(_says_more(other, each) for other in calls)]


def _says_more(call: SaidCall, other: SaidCall) -> bool:
    return call.wording.call.verb == other.wording.call.verb and call.words > other.words


def _find_rivals(calls: Sequence[SaidCall]) -> list[SaidCall]:
    """Return calls of one verb that are said equally well, so that the step is ambiguous."""
    verbs = [each.wording.call.verb for each in calls]
    return [each for each in calls if verbs.count(each.wording.call.verb) > 1]


def _governs_pronoun(call: SaidCall, text: str) -> bool:
    """Return whether a pronoun is the thing of a call: in "press it", `it` is what is pressed."""
    unsaid = list_unsaid_statements(text, call.wording)
    if not any(each.names and each.name in unsaid for each in call.wording.needed):
        return False
    deeds = (words for each in call.wording.needed if not each.names for words in each.alternatives)
    stems = frozenset().union(*map(extract_word_stems, deeds))
    return any(extract_word_stems(verb) & stems for verb in list_verbs_of_pronouns(text))


def _find_position(text: str, call: SaidCall) -> int:
    """Return where a text says the deed of a call, for the order of several calls in one step."""
    stems = list_word_stems(text)
    words = [extract_word_stems(each) for each in call.said.values()]
    places = [stems.index(stem) for each in words for stem in each if stem in stems]
    return max(places, default=0)


def _compute_share(sentence: str, stems: frozenset[str]) -> float:
    wanted = extract_word_stems(sentence)
    return len(wanted & stems) / len(wanted) if wanted else 0.0
