"""Steps that could change the meaning of a plan that works, so that the plan is left for review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import InterpretedStep, StepKind
from impossible_moments.evaluation.reader.stated_values import speaks_of_answer
from impossible_moments.evaluation.reader.step_reader import StepReader
from impossible_moments.evaluation.reader.step_texts import remove_negated_clauses, undoes_something
from impossible_moments.mechanics.records import PlannedCall, parse_call
from impossible_moments.mechanics.wording import extract_word_stems

MOST_LOOSE_SHARE: Final = 0.5
"""The largest share of the statements of a call with which a step may well be about something else."""
FEWEST_LISTED: Final = 2
"""The fewest steps of a plan that is no more than a list of things."""
_STATEMENTS: Final = ("answer(", "choose(")
_ALTERNATIVE: Final = re.compile(
    r"\b(?:or|either|otherwise|alternatively|if (?:that|this|it|not))\b", re.IGNORECASE
)
"""Words with which a step offers another answer beside the one that was read."""
_BARE_VERBS: Final = ("use", "using", "try", "apply", "employ", "utilise")
_WITH: Final = r"\b(?:with|in|into|using|on|onto)\s+(?:(?:the|an?|some|your|my)\s+)?"

_AT_START: Final = r"^\s+(?:to\s+)?(?:(?:the|an?|some|your|my)\s+)?"


def list_doubts(steps: tuple[InterpretedStep, ...], reader: StepReader, key: AnswerKey) -> tuple[str, ...]:
    """Return what may give a plan another meaning than it was read with.

    Steps that say little of any act, or say once more what another step does, give it none.
    """
    calls = frozenset(step.call for step in steps if step.kind is StepKind.CALL)
    used = {thing for call in calls for thing in parse_call(call).arguments}
    return (*_iterate_doubts(steps, calls, used, reader, key), *_iterate_doubts_about_plan(steps, key))


def _iterate_doubts_about_plan(steps: tuple[InterpretedStep, ...], key: AnswerKey) -> Iterator[str]:
    """Yield that a plan only lists things to use, answers a question twice, or does mostly what was not read.

    What works in such a plan may be there by chance.
    """
    things = [each for each in key.analysis.world.things.values() if each.own]
    names = [name for each in things for name in (each.label, *key.wording.names.get(each.name, ()))]
    idle = extract_word_stems(" ".join((*names, *_BARE_VERBS)))
    texts = {step.text for step in steps}
    if len(texts) >= FEWEST_LISTED and all(extract_word_stems(each) <= idle for each in texts):
        yield "the plan only lists things to use, and not what is done with them"
    calls = {step.call for step in steps if step.kind is StepKind.CALL}
    answers = {call for call in calls if call.startswith(_STATEMENTS)}
    if len({re.split("[,=]", call, maxsplit=1)[0] for call in answers}) < len(answers):
        yield "the plan gives several answers to one question"
    others = {step.text for step in steps if step.kind is not StepKind.CALL and _may_answer(step.text)}
    if others and any(call.startswith("answer(") for call in answers):
        yield f"{min(others)[:120]!r} may give another answer"
    read = {step.text for step in steps if step.kind is StepKind.CALL}
    unread = {step.text for step in steps if step.kind in {StepKind.UNREAD, StepKind.UNMODELLED}} - read
    if len(unread) > len(read):
        yield f"most steps were not read, such as {min(unread)[:120]!r}"


def _may_answer(text: str) -> bool:
    """Return whether a step that was not read may give a code, or several answers."""
    return speaks_of_answer(text) and (any(map(str.isdigit, text)) or _ALTERNATIVE.search(text) is not None)


def _iterate_doubts(
    steps: tuple[InterpretedStep, ...],
    calls: frozenset[str],
    used: set[str],
    reader: StepReader,
    key: AnswerKey,
) -> Iterator[str]:
    for step in steps:
        quoted = repr(step.text[:120])
        done = remove_negated_clauses(step.text)
        if (
            step.kind is StepKind.CALL
            and step.call.startswith(_STATEMENTS)
            and _ALTERNATIVE.search(step.text)
        ):
            yield f"{quoted} may give two answers"
        elif step.kind is StepKind.CALL:
            other = _find_other_thing(done, used, key)
            if other:
                yield f"{quoted} may be done with the {other}"
            elif target := _find_other_target(step, steps, key):
                yield f"{quoted} may be done to the {target}"
        elif step.kind is StepKind.NEAR_MISS and (missed := _find_missed_deed(done, calls, reader)):
            yield f"{quoted} is not {missed!r}, which was read elsewhere or goes without saying"
        elif step.kind is not StepKind.NEAR_MISS and _takes_back(done, used, key):
            yield f"{quoted} may take back what was done"
        elif step.kind is StepKind.UNREAD and _may_be_another_act(done, calls, reader):
            yield f"{quoted}: {step.reason}"


def _find_missed_deed(text: str, calls: frozenset[str], reader: StepReader) -> str:
    """Return the deed of the plan in whose place a step does something else; empty if there is none."""
    missed = reader.find_missed_wordings(text)
    return next((each.menu for each in missed if each.is_unsaid or str(each.call) in calls), "")


def _may_be_another_act(text: str, calls: frozenset[str], reader: StepReader) -> bool:
    partly = reader.find_partly_said_call(text)
    return partly is not None and partly.share > MOST_LOOSE_SHARE and str(partly.wording.call) not in calls


def _takes_back(text: str, used: set[str], key: AnswerKey) -> bool:
    return undoes_something(text) and any(_mentions(text, thing, key) for thing in used)


def _mentions(text: str, thing: str, key: AnswerKey, *, before: str = r"\b") -> str:
    """Return the name by which a text mentions a thing; empty if it does not."""
    names = key.wording.names.get(thing, ())
    return next(
        (each for each in names if re.search(rf"{before}{re.escape(each)}\b", text, re.IGNORECASE)), ""
    )


def _find_other_thing(text: str, used: set[str], key: AnswerKey) -> str:
    """Return the name of a thing with which a step is done, although no call of the plan has it."""
    choices = {thing for move in key.analysis.executor.moves.all_actions for thing in move.arguments} - used
    things = (each for each in key.analysis.world.things.values() if each.own and each.name in choices)
    return next((name for each in things if (name := _mentions(text, each.name, key, before=_WITH))), "")


def _find_other_target(step: InterpretedStep, steps: tuple[InterpretedStep, ...], key: AnswerKey) -> str:
    """Return the name of a thing to which a step is done, although no call of these words has to do with it.

    Every mention of a deed must have such a thing directly after it: who sets fire to the wagon does not burn the grass.
    """
    same = [parse_call(each.call) for each in steps if each.text == step.text and each.kind is StepKind.CALL]
    own = {thing for call in same for thing in call.arguments}
    choices = {thing for move in key.analysis.executor.moves.all_actions for thing in move.arguments} - own
    things = [each.name for each in key.analysis.world.things.values() if each.own and each.name in choices]
    done = remove_negated_clauses(step.text)
    for words in step.said.values():
        deeds = [each for each in re.finditer(r"[a-z']+", done, re.IGNORECASE) if _is_form_of(each[0], words)]
        targets = [_find_thing_at(done[each.end() :], things, key) for each in deeds]
        if targets and all(targets) and not _speaks_of(same, targets[0], key):
            return targets[0]
    return ""


def _speaks_of(calls: list[PlannedCall], name: str, key: AnswerKey) -> bool:
    """Return whether the wording of a call mentions a thing that is none of its arguments."""
    found = filter(None, map(key.wording.find_wording, calls))
    words = " ".join(text for each in found for text in (each.menu, each.deed, *each.also, *each.implied))
    return extract_word_stems(name) <= extract_word_stems(words)


def _is_form_of(word: str, words: str) -> bool:
    stems = extract_word_stems(word)
    return bool(stems) and stems == extract_word_stems(words)


def _find_thing_at(text: str, things: list[str], key: AnswerKey) -> str:
    """Return the name of a thing that stands at the beginning of a text, after `to` and an article at most."""
    return next((name for each in things if (name := _mentions(text, each, key, before=_AT_START))), "")
