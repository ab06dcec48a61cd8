"""The explanation of the score of a run: its answer, how it was read and executed, and what was credited."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import (
    AnswerVerdict,
    find_answer_object,
)
from impossible_moments.evaluation.episodes import interpret_transcript
from impossible_moments.evaluation.interpretation import InterpretedAnswer, InterpretedStep, StepKind
from impossible_moments.evaluation.interpretation.credit_reasons import JUDGED
from impossible_moments.evaluation.interpretation.score_explanation import (
    ScoreExplanation,
    build_score_explanation,
    format_score_explanation,
)
from impossible_moments.evaluation.menus import ActionMenu, build_action_menu, interpret_menu_answer
from impossible_moments.evaluation.reader import read_answer
from impossible_moments.evaluation.results import EvaluationRun, ReadingEntry, RunState
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.translation.asserted_facts import (
    DOUBTFUL_CLAIM,
    FALSE_ASIDE,
    FALSE_CLAIM,
    read_turning_points,
)
from impossible_moments.evaluation.translation.run_translation import TRANSLATED_FORMS
from impossible_moments.llm import estimate_text_tokens

_STEP_KINDS = frozenset(map(str, StepKind))
_OTHER_PLAN = "other plan"


def explain_run(run: EvaluationRun, key: AnswerKey, form: AnswerForm) -> str:
    """Explain the score of a run as text."""
    if not run.answer.strip():
        return f"There is no answer to read: {run.note}"
    found = format_score_explanation(build_run_explanation(run, key, form))
    return f"The answer\n{run.answer.strip()}\n\n{found}"


def build_run_explanation(run: EvaluationRun, key: AnswerKey, form: AnswerForm) -> ScoreExplanation:
    """Explain the score of a run as data.

    Raise `ConfigurationError` if no answer to the scenario can be scored, so that there is no reading to explain.
    """
    key.require_scorable()
    return replace(_explain_score(run, key, form), advice=_advise(run, form))


def _advise(run: EvaluationRun, form: AnswerForm) -> str:
    """Return how an answer gets a score, or another reading. Choices from lists are executed as they are."""
    if form not in TRANSLATED_FORMS:
        return ""
    if run.state is not RunState.SCORED:
        return "For a score, score the answer again with --translator MODEL, or with --judge MODEL --judge MODEL."
    other = "another model" if run.reading or JUDGED in run.flags else "a model that reads the whole answer"
    return f"If a line is read wrongly, score the answer again with --translator and {other}."


def _explain_score(run: EvaluationRun, key: AnswerKey, form: AnswerForm) -> ScoreExplanation:
    found = ScoredAnswer(run.state, run.components, run.note, run.executed, run.flags)
    if run.reading:
        answer = replace(
            restore_translated_answer(run.reading, key), answer_tokens=_estimate_tokens(run.answer)
        )
        # the lines of a translation do not hold all of it, so they explain the score and do not repeat it
        return build_score_explanation(answer, found, key, is_rescored=False)
    match form:
        case AnswerForm.MENU:
            menu = build_action_menu(key)
            answer = interpret_menu_answer(run.answer, menu, key)
            return build_score_explanation(answer, found, key, menu_texts=_list_menu_texts(menu))
        case AnswerForm.INTERACTIVE:
            answer, _ = interpret_transcript(run.answer, key)
        case _:
            answer = read_answer(run.answer, key)
    return build_score_explanation(answer, found, key)


def _estimate_tokens(text: str) -> int:
    data = find_answer_object(text)
    return estimate_text_tokens(text if data is None else json.dumps(data, ensure_ascii=False))


def _list_menu_texts(menu: ActionMenu) -> Mapping[str, str]:
    return {line.code: line.text for line in menu.lines}


def restore_translated_answer(entries: Sequence[ReadingEntry], key: AnswerKey) -> InterpretedAnswer:
    """Return the answer that a translator read, from the lines that a result file keeps of it."""
    plans: list[list[InterpretedStep]] = [[]]
    for each in entries:
        if each.kind == _OTHER_PLAN:
            plans.append([])
        elif each.kind in _STEP_KINDS:
            step = InterpretedStep(each.text, StepKind(each.kind), each.call, each.said, each.reason)
            plans[-1].append(step)
    accepted = [each for each in entries if not each.reason]
    verdicts = [each.call for each in accepted if each.kind == "verdict"]
    premises = {each.call for each in accepted if each.kind == "premise"}
    cruxes = {each.call for each in accepted if each.kind == "crux"}
    crux = key.wording.uncertainties.get(getattr(key.block, "crux", None) or "")
    known = {words: name for name, words in key.wording.premises.items()}
    return InterpretedAnswer(
        verdict=AnswerVerdict(verdicts[0]) if verdicts else AnswerVerdict.NONE,
        steps=tuple(plans[0]),
        other_plans=tuple(tuple(plan) for plan in plans[1:] if plan),
        premises=frozenset(known[words] for words in premises if words in known),
        names_decoy=bool(premises - set(known)),
        conflict=tuple(_restore_reason(each, key) for each in accepted if each.kind == "reason"),
        names_crux=crux is not None and crux in cruxes,
        turning_points=tuple(point for each in entries for point in read_turning_points(each, key)),
        false_claims=tuple(each.call for each in accepted if each.kind == FALSE_CLAIM),
        false_asides=tuple(each.call for each in accepted if each.kind == FALSE_ASIDE),
        doubts=tuple(each.call for each in entries if each.kind == DOUBTFUL_CLAIM),
    )


def _restore_reason(entry: ReadingEntry, key: AnswerKey) -> frozenset[str]:
    """Return the conditions whose sentences a reason was read as."""
    return frozenset(name for name, words in key.wording.conditions.items() if words in entry.call)
