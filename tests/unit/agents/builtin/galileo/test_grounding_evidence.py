"""The computed parts of the grounding report: contamination, prediction, rubric fit, confounds and confidence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.agents.builtin.galileo.cognitive_constructs import find_share_breaking_habit
from impossible_moments.agents.builtin.galileo.contamination import (
    NEAR_PUZZLE,
    CorpusPosition,
    check_contamination,
)
from impossible_moments.agents.builtin.galileo.difficulty_votes import score_by_research
from impossible_moments.agents.builtin.galileo.distractor_constructs import review_distractor_construct
from impossible_moments.agents.builtin.galileo.grounding_report import (
    build_grounding_report,
    collect_grounding_evidence,
)
from impossible_moments.agents.builtin.galileo.measurement_validity import find_confounds
from impossible_moments.agents.builtin.galileo.performance_prediction import (
    COMPARABLE,
    InsightChain,
    MeasuredAttempts,
    compare_with_tier,
    compute_insight_share,
    predict_performance,
)
from impossible_moments.domain.difficulty_scoring import score_difficulty_evidence
from impossible_moments.domain.seed import Insight
from support.difficulty_evidence import collect_seed_evidence
from support.planted_faults import (
    HEALTHY,
    add_sentence,
    build_healthy_seed,
    change_tier,
    keep_distractors,
    replace_insights,
)


def _position(similarity: float, **figures: Any) -> CorpusPosition:
    nearest = [{"rank": 1, "similarity": similarity, "shared_object_words": ["rope"]}]
    corpus = {
        "size": 12,
        "similarity_limit": 0.8,
        "length_percentile": 0.5,
        "figures_percentile": 0.5,
        "objects_percentile": 0.5,
    }
    return CorpusPosition.from_context(nearest, {**corpus, **figures})


def test_a_near_scenario_is_flagged_with_its_figure_and_lowers_merit_and_confidence() -> None:
    seed = build_healthy_seed("loft")
    far, near = (
        build_grounding_report(collect_grounding_evidence(seed, _position(value))) for value in (0.3, 0.7)
    )
    assert "FLAGGED" not in far.contamination_resistance
    assert "an existing scenario is at 0.70, close from 0.64" in near.contamination_resistance
    assert near.confidence < far.confidence
    assert any("similarity 0.70" in each for each in near.recommendations)


def test_without_a_corpus_the_report_says_so() -> None:
    report = build_grounding_report(collect_grounding_evidence(build_healthy_seed("cellar")))
    assert report.contamination_resistance.startswith("The existing scenarios were not available")


def test_a_story_of_a_classic_puzzle_is_flagged_with_its_source() -> None:
    seed = build_healthy_seed("cellar")
    told = "A wolf, a goat and a cabbage wait at the river; the boat takes one, and you row back alone after each cross."
    before = check_contamination(seed, CorpusPosition(None))
    after = check_contamination(add_sentence(told)(seed), CorpusPosition(None))
    assert "river crossing" not in {each.puzzle.name for each in before.near_puzzles}
    assert after.puzzles[0].puzzle.name == "river crossing"
    assert after.puzzles[0].share >= NEAR_PUZZLE
    assert "Alcuin" in after.describe()


def test_measured_solvers_move_the_prediction_and_never_make_the_stronger_worse() -> None:
    chain = InsightChain((0.5, 0.5))
    names = list(dict.fromkeys(COMPARABLE.values()))
    failing = predict_performance(chain, MeasuredAttempts(dict.fromkeys(names, False)))
    plain = predict_performance(chain)
    first_only = predict_performance(chain, MeasuredAttempts({name: name == names[0] for name in names}))
    assert failing.direct_answer < plain.direct_answer < first_only.direct_answer
    assert first_only.agentic >= first_only.direct_answer
    assert first_only.agentic > failing.agentic


def test_usual_uses_of_the_thing_make_another_use_harder_to_see() -> None:
    plain = Insight(text="Something here bears weight.", fixedness_type="functional fixedness")
    named = plain.model_copy(update={"text": "A wooden table is a step."})
    other = named.model_copy(update={"fixedness_type": "mental set"})
    assert compute_insight_share(named) < compute_insight_share(plain)
    assert compute_insight_share(other) == compute_insight_share(
        other.model_copy(update={"text": "No thing."})
    )


@pytest.mark.parametrize(
    ("shares", "tier", "word"),
    [((0.8,), "SINGULARITY", "easier"), ((0.2, 0.2, 0.2), "SPARK", "harder"), ((0.45, 0.5), "FRACTURE", "")],
)
def test_a_chain_that_does_not_suit_its_tier_is_named(
    shares: tuple[float, ...], tier: Any, word: str
) -> None:
    found = compare_with_tier(InsightChain(shares), tier)
    assert (word in found) if word else found == ""


def test_a_construct_that_no_component_measures_is_named() -> None:
    paradox = build_grounding_report(collect_grounding_evidence(build_healthy_seed("no_step")))
    solvable = build_grounding_report(collect_grounding_evidence(build_healthy_seed("cellar")))
    assert "No component measures decision under a deadline" in paradox.rubric_fits
    assert "Outcome correctness measures" in solvable.rubric_fits
    assert "Every construct is measured by a component" in solvable.rubric_fits


def test_confounds_carry_their_figures() -> None:
    seed = build_healthy_seed("cellar")
    long_words = (
        "Extraordinarily incomprehensible terminological sophistication characterises everything. " * 4
    )
    assert not any(each.startswith("vocabulary") for each in find_confounds(seed, CorpusPosition(None)))
    found = find_confounds(add_sentence(long_words)(seed), _position(0.1, figures_percentile=0.95))
    assert any(each.startswith("vocabulary: ") and "%" in each for each in found)
    assert any(each.startswith("arithmetic: ") and "95%" in each for each in found)


@pytest.mark.parametrize("name", HEALTHY)
def test_every_distractor_is_said_to_test_a_construct(name: str) -> None:
    seed = build_healthy_seed(name)
    for distractor in seed.distractor_inventory:
        finding = review_distractor_construct(distractor, seed)
        assert finding.remark.startswith("It tests ")


def test_only_weak_lures_at_a_hard_tier_are_too_weak() -> None:
    seed = keep_distractors(1, strength="weak")(build_healthy_seed("cellar"))
    (lure,) = seed.distractor_inventory
    easy, hard = change_tier("SPARK")(seed), change_tier("RUPTURE")(seed)
    assert review_distractor_construct(lure, hard).verdict == "too weak"
    assert review_distractor_construct(lure, easy).verdict == "right"


@pytest.mark.parametrize(("habit", "step"), [("surprise", -1), ("functional fixedness", 0), ("frame", 1)])
def test_research_moves_counter_intuition_by_one_step_at_most(habit: str, step: int) -> None:
    evidence = replace(
        collect_seed_evidence(build_healthy_seed("cellar")),
        habits=(habit,),
        deep_alternatives=1,
        opposed_habits=(),
    )
    counted, _ = score_difficulty_evidence(evidence)
    profile, reasons = score_by_research(evidence)
    assert min(max(counted.C + step, 1), 5) == profile.C
    assert profile.model_copy(update={"C": counted.C}) == counted
    assert f"a share of {find_share_breaking_habit(habit):.2f}" in reasons["C"]


def test_an_unknown_habit_lowers_the_confidence() -> None:
    known, unknown = (
        build_grounding_report(
            collect_grounding_evidence(
                replace_insights(("One.", kind, ()), ("Two.", "inversion", ()))(build_healthy_seed("cellar"))
            )
        )
        for kind in ("mental set", "furniture blindness")
    )
    assert unknown.confidence < known.confidence
