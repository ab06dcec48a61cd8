"""The score of one reply in the form in which it was requested."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import parse_answer
from impossible_moments.evaluation.episodes import interpret_transcript
from impossible_moments.evaluation.interpretation import score_interpreted_answer
from impossible_moments.evaluation.menus import build_action_menu, interpret_menu_answer
from impossible_moments.evaluation.results import FOR_JUDGES, EvaluationRun, RunState
from impossible_moments.evaluation.runs.answer_collection import Reply
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer

MENU_FORMS: Final = frozenset({AnswerForm.MENU, AnswerForm.INTERACTIVE})
"""Forms in which an answer consists of lines of a menu."""
CUT_FLAGS: Final = frozenset({"truncated", "refused"})
"""Flags of replies that the model or its provider ended early."""


def score_run(number: int, reply: Reply, key: AnswerKey, form: AnswerForm = AnswerForm.PLAN) -> EvaluationRun:
    """Score one reply.

    It is unscored, not wrong, if it failed for technical reasons or if no answer to the scenario can be scored.
    """
    if reason := reply.failure or key.unscorable_reason:
        return EvaluationRun(
            number=number,
            state=RunState.UNSCORED,
            note=reason,
            answer=_replace_lone_surrogates(reply.text),
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            thinking_tokens=reply.thinking_tokens,
            cost=reply.cost,
        )
    found = _score_text(reply.text, key, form)
    if _is_cut_off(reply, form):
        note = "the answer ends before it is complete"
        found = ScoredAnswer(RunState.UNSCORED, None, note, (), ("unreadable",))
    if form is AnswerForm.FREE and "unreadable" in found.flags:
        # no plan was requested, so plain text is left to judges
        found = ScoredAnswer(
            RunState.UNSCORED, None, "an answer in plain text needs judges", (), (FOR_JUDGES,)
        )
    return EvaluationRun(
        number=number,
        state=found.state,
        score=found.score,
        components=found.components,
        note=found.note,
        executed=found.calls,
        flags=(*reply.flags, *found.flags),
        answer=_replace_lone_surrogates(reply.text),
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        thinking_tokens=reply.thinking_tokens,
        cost=reply.cost,
    )


def _replace_lone_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which a model may write and which cannot be stored in a file."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_cut_off(reply: Reply, form: AnswerForm) -> bool:
    """Return whether a reply stops before its answer is complete. What is there may be only thinking."""
    if form in MENU_FORMS or not reply.text.strip() or not CUT_FLAGS.intersection(reply.flags):
        return False
    return parse_answer(reply.text) is None


def _score_text(text: str, key: AnswerKey, form: AnswerForm) -> ScoredAnswer:
    """Score an answer in the form in which it was requested."""
    match form:
        case AnswerForm.MENU:
            return score_interpreted_answer(interpret_menu_answer(text, build_action_menu(key), key), key)
        case AnswerForm.INTERACTIVE:
            answer, episode = interpret_transcript(text, key)
            found = score_interpreted_answer(answer, key)
            acts = (
                f"; {len(episode.acts)} acts, {episode.invalid_acts} invalid, {episode.wasted_acts} wasted"
                if episode
                else ""
            )
            return replace(found, note=f"{found.note}{acts}")
        case _:
            return score_answer(text, key)
