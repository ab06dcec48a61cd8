"""Novelty: figures, plans and words are held against what a record knows, and what cannot be told is not told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.breakthroughs.novelty import (
    NEAREST,
    SIMILARITY_THRESHOLD,
    KnownLimit,
    NoveltyFinding,
    NoveltyReport,
    evaluate_novelty,
)
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder
from support.breakthrough_answers import build_passing_claims
from support.golden_records import list_records_claiming, load_golden_record
from support.judge_scripts import build_key

FIGURES = {"white": "0.998", "clear": "0.97", "leak": "0.05 W/(m**2*K)"}
NEW = "Grow a film of tame bacteria that mends itself overnight."
PAINTED = "Coat the emitter plate with barium paint and point it at the sky."
PAINT_STEP = {"do": "paint and point", "with": ["the barium paint"], "to": "the emitter plate"}


def found(*because: str, record: str = "ice_at_noon", before: str = "", **fields: Any) -> NoveltyReport:
    said = {"verdict": "open", "claims": FIGURES, "because": list(because), **fields}
    return evaluate_novelty(before + json.dumps(said), build_key(record), load_wordllama_embedder())


def limit(name: str, finding: NoveltyReport) -> KnownLimit:
    return next(each for each in finding.limits if each.name == name)


def test_figures_beyond_every_limit_in_words_like_no_approach_are_beyond() -> None:
    finding = found(NEW)
    assert finding.found is NoveltyFinding.BEYOND
    assert [each.passed for each in finding.limits] == [True, True, True]
    assert finding.similar_approaches == ()
    assert "`shown_white`, `shown_clear`, `shown_leak`" in finding.reason


def test_a_known_approach_in_other_words_looks_known() -> None:
    finding = found(NEW, PAINTED)
    assert finding.found is NoveltyFinding.FAMILIAR
    assert finding.similar_approaches[0].approach == "paint_it"
    assert finding.similar_approaches[0].line == PAINTED
    assert "`paint_it`" in finding.reason


def test_a_plan_that_repeats_a_known_approach_looks_known_whatever_it_is_called() -> None:
    finding = found(NEW, plan=[PAINT_STEP])
    assert finding.repeated == ("paint_it",)
    assert finding.found is NoveltyFinding.FAMILIAR


def test_figures_without_a_word_of_how_are_bare() -> None:
    assert found().found is NoveltyFinding.BARE
    assert found("Better things.").found is NoveltyFinding.BARE


def test_what_was_shown_before_is_within_the_boundary() -> None:
    finding = found(NEW, claims={"white": "0.981", "clear": "0.87", "leak": "0.3 W/(m**2*K)"})
    assert finding.found is NoveltyFinding.WITHIN
    assert [each.passed for each in finding.limits] == [False, False, False]


def test_a_figure_that_is_not_stated_passes_nothing_and_keeps_within_nothing() -> None:
    finding = found(NEW, claims={"white": "0.97"})
    assert finding.found is NoveltyFinding.UNTOLD
    assert [each.passed for each in finding.limits] == [False, None, None]


def test_a_limit_that_may_lie_further_out_is_passed_only_as_stated() -> None:
    """The whitest paint reflects 98.1 %, and 98.5 % within the uncertainty of the report."""
    near, far = (found(NEW, claims={**FIGURES, "white": white}) for white in ("0.984", "0.99"))
    assert limit("shown_white", near).passed
    assert not limit("shown_white", near).beyond_doubt
    assert "`shown_white` only as stated" in near.reason
    assert limit("shown_white", far).beyond_doubt
    assert "only as stated" not in far.reason


def test_the_factor_says_by_how_much_a_limit_is_passed() -> None:
    finding = found(NEW)
    assert limit("shown_white", finding).factor == pytest.approx(0.019 / 0.002, abs=1e-3)
    assert limit("shown_leak", finding).factor == pytest.approx(0.3 / 0.05, abs=1e-3)


def test_a_limit_that_comes_to_nothing_is_passed_by_no_factor() -> None:
    """A perfect mirror takes up nothing of the light, and nothing is no measure."""
    record = load_golden_record("ice_at_noon")
    record["frontier"]["claims"][0] = "white = choose 0.9..1"
    said = json.dumps({"verdict": "open", "claims": {**FIGURES, "white": "1"}, "because": [NEW]})
    finding = evaluate_novelty(
        said, AnswerKey.from_record("IM-0001", record, load_everyday_library()), load_wordllama_embedder()
    )
    assert limit("shown_white", finding).passed
    assert limit("shown_white", finding).factor is None


def test_a_limit_is_told_with_its_source() -> None:
    assert limit("shown_white", found(NEW)).source == "Li et al. 2021, the whitest paint reported"


def test_thinking_before_the_form_is_not_taken_for_the_approach() -> None:
    finding = found(NEW, before=f"{PAINTED} That falls short, so no.\n")
    assert finding.found is NoveltyFinding.BEYOND


def test_an_answer_without_a_form_is_compared_sentence_by_sentence() -> None:
    finding = evaluate_novelty(f"I think so. {PAINTED}", build_key("ice_at_noon"), load_wordllama_embedder())
    assert finding.found is NoveltyFinding.UNTOLD
    assert finding.nearest[0].line == PAINTED


def test_the_same_answer_gives_the_same_finding() -> None:
    assert found(NEW, PAINTED) == found(NEW, PAINTED)


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00" * 50, "a " * 50_000, '{"verdict": 3, "because": {}}'])
def test_what_is_no_answer_is_not_told(text: str) -> None:
    assert (
        evaluate_novelty(text, build_key("ice_at_noon"), load_wordllama_embedder()).found
        is NoveltyFinding.UNTOLD
    )


@pytest.mark.parametrize("record", list_records_claiming("OF"))
def test_every_open_record_finds_figures_of_its_own_envelope_beyond(record: str) -> None:
    finding = found(NEW, record=record, claims=build_passing_claims(build_key(record)))
    assert finding.found is NoveltyFinding.BEYOND
    assert any(each.passed for each in finding.limits)


@pytest.mark.parametrize("record", list_records_claiming("OF"))
def test_every_approach_of_an_open_record_sounds_like_itself(record: str) -> None:
    """Each approach in the words of the record: the comparison hears at least that."""
    key = AnswerKey.from_record("IM-0001", load_golden_record(record), load_everyday_library())
    for approach in key.analysis.world.record.approaches:
        things = key.analysis.world.things
        labels = [
            things[each].label
            for move in key.analysis.plans[approach.name]
            for each in move.arguments
            if each in things
        ]
        said = f"I would use {', '.join(labels)}, because {approach.why}."
        finding = found(said, record=record, claims=build_passing_claims(key))
        assert approach.name in {each.approach for each in finding.similar_approaches}, (
            approach.name,
            finding.nearest,
        )


def test_the_nearest_are_few_and_in_order() -> None:
    nearest = found(PAINTED).nearest
    assert len(nearest) == NEAREST
    assert [each.cosine for each in nearest] == sorted((each.cosine for each in nearest), reverse=True)
    assert nearest[0].cosine >= SIMILARITY_THRESHOLD
