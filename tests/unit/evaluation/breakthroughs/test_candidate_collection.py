"""Collecting: what passed the filter and the judges becomes a candidate once, and a file is not believed where one can look."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidate_collection import (
    CandidateCollection,
    CandidateCollector,
)
from impossible_moments.evaluation.breakthroughs.candidates import (
    BreakthroughCandidate,
    compute_candidate_name,
    rebuild_candidates_from_events,
)
from impossible_moments.evaluation.breakthroughs.events import CandidateJudged
from impossible_moments.evaluation.breakthroughs.novelty import NoveltyFinding
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.judging.judgement_aggregation import CANDIDATE
from impossible_moments.evaluation.results import EvaluationRun, Results
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder
from support.breakthrough_answers import (
    OPEN,
    POINTS,
    build_collected_event,
    build_failing_claims,
    build_judged_run,
    build_open_answer,
    build_results,
    build_unjudged_run,
    build_vote,
)
from support.scored_scenarios import create_published_folder, load_published_keys

pytestmark = pytest.mark.slow  # the passing answer is found by a search of seconds


@cache
def passing_answer() -> str:
    return build_open_answer()


def candidate_name() -> str:
    return compute_candidate_name(OPEN, passing_answer())


def collect(
    *runs: EvaluationRun,
    unjudged: bool = False,
    known: Mapping[str, BreakthroughCandidate] | None = None,
    results: Results | None = None,
) -> CandidateCollection:
    collector = CandidateCollector(
        Environment(create_published_folder()), load_wordllama_embedder(), unjudged
    )
    return collector.collect(results or build_results(*runs), known or {})


def short_of_the_envelope() -> str:
    """An answer with every figure stated, and one of them where a condition is not met."""
    return build_open_answer(claims=build_failing_claims(load_published_keys()[OPEN]))


def test_a_flagged_answer_becomes_a_candidate_with_its_grounds() -> None:
    (event,) = collect(build_judged_run(passing_answer())).new_candidates
    assert (event.candidate, event.scenario_id, event.answer) == (candidate_name(), OPEN, passing_answer())
    assert event.filtered.passes
    assert event.novelty.found is NoveltyFinding.BEYOND
    assert event.judging is not None
    assert (event.judging.flagged, event.judging.points) == (True, POINTS)
    assert event.figures.keys() == event.claims.keys() == json.loads(passing_answer())["claims"].keys()
    assert event.quantities


def test_the_event_does_not_name_who_answered() -> None:
    found = collect(build_judged_run(passing_answer()))
    assert "maker:model" not in found.new_candidates[0].model_dump_json()
    assert [each.model for each in found.authors] == ["maker:model"]


def test_what_no_judge_has_settled_is_collected_only_if_asked_for() -> None:
    found = collect(build_unjudged_run(passing_answer()))
    assert (found.events, found.authors, found.unjudged_answers) == ([], [], 1)
    (event,) = collect(build_unjudged_run(passing_answer()), unjudged=True).new_candidates
    assert event.judging is None


def test_what_judges_gave_too_little_is_no_candidate_even_if_the_unjudged_are_taken() -> None:
    found = collect(build_judged_run(passing_answer(), 1, "judged"), unjudged=True)
    assert (found.events, found.answers_below_threshold) == ([], 1)


def test_judges_who_could_not_agree_have_settled_nothing() -> None:
    run = build_unjudged_run(passing_answer()).model_copy(
        update={"flags": ("judged",), "note": "two judges differ on 'Novelty'"}
    )
    assert collect(run).unjudged_answers == 1


def test_figures_that_do_not_pass_are_no_candidate() -> None:
    found = collect(
        build_unjudged_run(short_of_the_envelope()), build_unjudged_run("Believe me.", 2), unjudged=True
    )
    assert (found.events, found.answers_failing_filter) == ([], 2)


def test_a_flag_that_the_figures_contradict_counts_for_nothing() -> None:
    found = collect(build_judged_run(short_of_the_envelope()))
    assert (found.events, found.answers_failing_filter) == ([], 1)


def test_plain_words_that_judges_flagged_are_collected_and_not_told_by_figures() -> None:
    (event,) = collect(build_judged_run("Grow a film of tame bacteria, twice as tight.")).new_candidates
    assert event.novelty.found is NoveltyFinding.UNTOLD
    assert event.filtered.unstated
    assert event.figures == {}


def test_the_same_words_twice_are_one_candidate_of_both() -> None:
    found = collect(build_judged_run(passing_answer()), build_judged_run(f"  {passing_answer()}\n", 2))
    assert len(found.new_candidates) == 1
    assert [each.run for each in found.authors] == [1, 2]


def test_what_the_log_holds_is_not_collected_again() -> None:
    first = collect(build_judged_run(passing_answer()))
    again = collect(build_judged_run(passing_answer()), known=rebuild_candidates_from_events(first.events))
    assert (again.events, again.known_candidates) == ([], [candidate_name()])


@pytest.mark.parametrize("flags", [("judged", CANDIDATE), ("judged",)], ids=["above", "below"])
def test_judges_that_come_later_are_added_once(flags: tuple[str, ...]) -> None:
    first = collect(build_unjudged_run(passing_answer()), unjudged=True)
    known = rebuild_candidates_from_events(first.events)
    later = collect(
        build_judged_run(passing_answer(), 1, *flags),
        build_judged_run(passing_answer(), 2, *flags),
        known=known,
    )
    (event,) = later.events
    assert isinstance(event, CandidateJudged)
    assert event.judging.flagged is (CANDIDATE in flags)
    done = rebuild_candidates_from_events([*first.events, event])
    assert collect(build_judged_run(passing_answer()), known=done).events == []


def test_judges_that_come_after_the_panel_change_nothing() -> None:
    first = collect(build_unjudged_run(passing_answer()), unjudged=True)
    votes = [build_vote(each, candidate=candidate_name()) for each in ("first expert", "second expert")]
    later = collect(
        build_judged_run(passing_answer()), known=rebuild_candidates_from_events([*first.events, *votes])
    )
    assert (later.events, later.known_candidates) == ([], [candidate_name()])


def test_a_scenario_that_is_open_no_more_takes_no_candidate() -> None:
    """The file says OF of a scenario whose record says KS."""
    results = build_results(build_judged_run(passing_answer()), scenario="IM-0001")
    found = collect(results=results)
    assert (found.events, found.answers_to_closed_scenarios) == ([], 1)


def test_a_file_that_hides_the_status_hides_no_answer() -> None:
    assert collect(results=build_results(build_judged_run(passing_answer()), status="KS")).new_candidates


def test_a_scenario_that_the_folder_does_not_hold_is_one_sentence() -> None:
    results = build_results(build_judged_run(passing_answer()), scenario="IM-9999")
    collector = CandidateCollector(Environment(create_published_folder()), load_wordllama_embedder())
    with pytest.raises(ConfigurationError, match="is not a scenario of"):
        collector.check_known_scenarios(results)


@pytest.mark.parametrize("text", ["", "   ", "{" * 5_000, '{"verdict": "open", "claims": [1]}', "\x00"])
def test_what_is_no_answer_is_no_candidate(text: str) -> None:
    assert collect(build_unjudged_run(text), unjudged=True).events == []


def test_events_are_the_same_however_often_a_file_is_read() -> None:
    assert (
        collect(build_judged_run(passing_answer())).events
        == collect(build_judged_run(passing_answer())).events
    )
    assert (
        build_collected_event(passing_answer()).candidate != candidate_name()
    )  # the same words about another scenario
