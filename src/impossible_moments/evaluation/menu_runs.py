"""Runs with menus and episodes: the counts of acts, and answers shown to judges in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.episodes import interpret_transcript, limit_restarts
from impossible_moments.evaluation.menus import ActionMenu, render_menu_answer_in_words
from impossible_moments.evaluation.results import EpisodeCounts, EvaluationRun, Results
from impossible_moments.evaluation.run_scoring import score_run
from impossible_moments.evaluation.runs.answer_collection import Reply, RunConditions
from impossible_moments.evaluation.runs.presentation import AnswerForm


def score_reply(number: int, reply: Reply, key: AnswerKey, conditions: RunConditions) -> EvaluationRun:
    """Score one reply. The acts of an episode are counted, and restarts beyond those allowed have no effect."""
    if conditions.form is not AnswerForm.INTERACTIVE:
        return score_run(number, reply, key, conditions.form)
    limited = replace(reply, text=limit_restarts(reply.text, conditions.restarts))
    run = score_run(number, limited, key, conditions.form)
    _, episode = interpret_transcript(limited.text, key)
    if reply.failure or episode is None:
        return run
    counts = EpisodeCounts(
        acts=len(episode.acts),
        invalid_acts=episode.invalid_acts,
        wasted_acts=episode.wasted_acts,
        restarts=episode.restarts,
    )
    return run.model_copy(update={"episode": counts})


def show_menu_answers_in_words(results: Results, menus: Mapping[str, ActionMenu]) -> Results:
    """Return the results with the sentences of the menus in place of the codes of each answer."""
    return _replace_answers(
        results,
        {
            (each.scenario_id, run.number): render_menu_answer_in_words(run.answer, menus[each.scenario_id])
            for each in results.scenarios
            for run in each.runs
        },
    )


def restore_answers(results: Results, original: Results) -> Results:
    """Return results with the answers as they were given."""
    return _replace_answers(
        results,
        {(each.scenario_id, run.number): run.answer for each in original.scenarios for run in each.runs},
    )


def _replace_answers(results: Results, answers: Mapping[tuple[str, int], str]) -> Results:
    scenarios = tuple(
        each.model_copy(
            update={
                "runs": tuple(
                    run.model_copy(update={"answer": answers[each.scenario_id, run.number]})
                    for run in each.runs
                )
            }
        )
        for each in results.scenarios
    )
    return results.model_copy(update={"scenarios": scenarios})
