"""Reading of a whole answer, in the plan form or in plain sentences, without a model."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import (
    MOST_TEXTS,
    AnswerVerdict,
    ParsedAnswer,
    describe_unclear_verdict,
    find_answer_object,
    parse_answer,
)
from impossible_moments.evaluation.interpretation import InterpretedAnswer, InterpretedStep, StepKind
from impossible_moments.evaluation.reader.doubtful_steps import list_doubts
from impossible_moments.evaluation.reader.partly_matched_reasons import list_partly_matched_reasons
from impossible_moments.evaluation.reader.recited_reasons import list_doubts_about_reasons
from impossible_moments.evaluation.reader.repeated_calls import select_working_order
from impossible_moments.evaluation.reader.stated_causes import find_stated_causes
from impossible_moments.evaluation.reader.stated_claims import find_false_claims, list_doubtful_figures
from impossible_moments.evaluation.reader.statement_reader import (
    find_named_conditions,
    find_named_premise,
    names_crux,
)
from impossible_moments.evaluation.reader.step_reader import StepReader
from impossible_moments.evaluation.reader.step_texts import list_step_texts, split_sentences
from impossible_moments.evaluation.reader.uncertain_readings import list_uncertain_readings

MOST_PLANS: Final = 5
_WEIGHED: Final = re.compile(
    r"\b(?:could|would|might|may|cannot|can't|impossible|unless|if|but|however|perhaps|otherwise|fails?|no way|hopeless)\b",
    re.IGNORECASE,
)
"""Words with which plain sentences weigh an act instead of stating that it is done."""
_BROKEN_FORM: Final = re.compile(r'\{\s*["\']?(?:verdict|plan)["\']?\s*:')


def read_answer(text: str, key: AnswerKey) -> InterpretedAnswer:
    """Read an answer by the wording of the record.

    Nothing counts that the answer does not say. What cannot be read is kept as an open point.
    """
    data, parsed = find_answer_object(text), parse_answer(text)
    reader = StepReader(key)
    if data is None or parsed is None:
        if _BROKEN_FORM.search(text):
            # its lines are no sentences: read one by one, a verdict would be lost and plans would be joined
            return InterpretedAnswer(
                unread=("the answer is in the requested form, but it is cut off or not valid",)
            )
        return _read_sentences(text, reader, key)
    steps = reader.read_plan(list_step_texts(data.get("plan")))
    others = data.get("other_plans")
    plans = [reader.read_plan(list_step_texts(each)) for each in (others if isinstance(others, list) else [])]
    premises, is_decoy = (
        find_named_premise(parsed.assumption, key) if parsed.assumption else (frozenset(), False)
    )
    found = InterpretedAnswer(
        verdict=parsed.verdict,
        steps=_add_causes(_add_reasons(steps, parsed, reader), parsed, key),
        other_plans=tuple(plan for plan in plans[:MOST_PLANS] if plan),
        premises=frozenset(premises),
        names_decoy=is_decoy,
        conflict=find_named_conditions(parsed.conflict[:MOST_TEXTS], key),
        names_crux=names_crux(parsed.crux, key),
        answer_tokens=-(-len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")) // 4),
    )
    found = replace(found, steps=select_working_order(found.steps, found.premises, key))
    false, asides = find_false_claims(parsed.claims, found.calls, key) if key.status != "OF" else ((), ())
    found = replace(found, false_claims=false, false_asides=asides)
    unread = (
        *_list_unread_statements(parsed, found),
        *list_uncertain_readings(found.steps, found.premises, key),
        *list_partly_matched_reasons(found, key),
    )
    doubts = (
        *filter(None, (describe_unclear_verdict(data),)),
        *list_doubts(found.steps, reader, key),
        *list_doubts_about_reasons(parsed.conflict, found.conflict, key),
        *list_doubtful_figures(parsed, key),
    )
    return replace(found, unread=unread, doubts=doubts)


def _read_sentences(text: str, reader: StepReader, key: AnswerKey) -> InterpretedAnswer:
    """Read plain sentences as steps. The verdict stays open, because plain words state it in too many ways."""
    sentences = split_sentences(text)
    if not sentences:
        return InterpretedAnswer(unread=("the answer is empty",))
    read = reader.read_plan(sentences)
    steps = [each for each in read if each.kind in {StepKind.CALL, StepKind.NEAR_MISS}]
    unread = ("the answer is in plain sentences; a translator or a judge reads them",)
    weighed = _WEIGHED.search(text)
    doubts = [f"{weighed[0]!r} may mean that an act is only considered"] if weighed is not None else []
    return InterpretedAnswer(
        steps=tuple(steps),
        unread=unread,
        doubts=(*list_doubts(tuple(read), reader, key), *doubts),
        answer_tokens=-(-len(text.encode("utf-8", "replace")) // 4),
    )


def _add_reasons(
    steps: tuple[InterpretedStep, ...], parsed: ParsedAnswer, reader: StepReader
) -> tuple[InterpretedStep, ...]:
    """Return the steps with values and findings that the answer states among its reasons.

    A chosen value or a diagnosis is often given there. Acts are taken from the plan alone.
    """
    subjects = {_get_call_subject(step.call) for step in steps}
    found = {
        _get_call_subject(step.call): step
        for line in parsed.because
        for step in reader.read_step(line)
        if step.kind is StepKind.CALL and step.call.startswith(("choose(", "answer("))
    }
    return (*(step for subject, step in found.items() if subject not in subjects), *steps)


def _add_causes(
    steps: tuple[InterpretedStep, ...], parsed: ParsedAnswer, key: AnswerKey
) -> tuple[InterpretedStep, ...]:
    """Return the steps with the cause that they name, if it is a question of the scenario and they act on it."""
    calls = [step.call for step in steps if step.kind is StepKind.CALL]
    texts = [*(step.text for step in steps), *parsed.because]
    return (*find_stated_causes(texts, calls, key), *steps) if calls else steps


def _get_call_subject(call: str) -> str:
    """Return what a call decides or answers, such as `choose(share` or `answer(source`."""
    return re.split("[,=]", call, maxsplit=1)[0]


def _list_unread_statements(parsed: ParsedAnswer, found: InterpretedAnswer) -> list[str]:
    """Return the statements that matter for the verdict and could not be matched with the record."""
    unread = []
    if parsed.assumption and not found.premises and not found.names_decoy:
        unread.append(f"the assumption {parsed.assumption[:120]!r} was not read")
    if parsed.verdict is AnswerVerdict.IMPOSSIBLE:
        unread += [
            f"the reason {line[:120]!r} was not read"
            for line, names in zip(parsed.conflict, found.conflict, strict=False)
            if not names
        ]
    if parsed.verdict is AnswerVerdict.CONTESTED and parsed.crux and not found.names_crux:
        unread.append(f"the crux {parsed.crux[:120]!r} was not read")
    return unread
