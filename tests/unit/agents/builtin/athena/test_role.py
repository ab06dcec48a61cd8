"""ATHENA: what it hands in to a brief, and what it says plainly where it cannot."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest

from impossible_moments.agents.builtin.athena.offer_selection import (
    UnreachableBrief,
    find_fitting_offers,
    list_reachable_targets,
    order_offers,
)
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, CATEGORIES, Phase
from impossible_moments.mechanics.checks.record_check import CheckReport
from support.every_case import find_failures, name_cases
from support.golden_records import check_record
from support.planted_faults import HEALTHY, build_healthy_seed, perform_role

ROOM: Final = {"category": "The Locked Room", "solution_status": "KS", "difficulty_tier": "FRACTURE"}
TOO_NEAR: Final = "The concept is too near to a scenario that exists (cosine 0.93, the limit is 0.85)."


def _brief(**fields: Any) -> GenerationBrief:
    return GenerationBrief.model_validate({**ROOM, **fields})


def _drawn(brief: GenerationBrief, *earlier: SeedDocument, notes: tuple[str, ...] = ()) -> SeedDocument:
    dossier = Dossier.create_for_brief(brief)
    for each in earlier:
        dossier = dossier.add_deliverable(Phase.SEED, ATHENA, each)
    dossier = dossier.replace_notes(AgentNote(ATHENA, text, Phase.SEED) for text in notes)
    seed = perform_role(dossier, ATHENA, Phase.SEED, SeedDocument)
    assert isinstance(seed, SeedDocument)
    return seed


def _labels(seed: SeedDocument) -> list[str]:
    return sorted(str(thing["label"]) for thing in seed.mechanics["things"])


@cache
def _briefs() -> dict[str, GenerationBrief]:
    """A brief for each category."""
    return {
        category: GenerationBrief(category=category, solution_status=status, difficulty_tier=tier, seed=1)
        for category, status, tier in reversed(list_reachable_targets(load_builtin_cast().catalogue))
        # searching what nobody has found yet takes its time, and is done once, in the integration tests
        if status not in {"OF", "PX"}
    }


@pytest.mark.parametrize("category", CATEGORIES)
def test_three_to_five_different_situations_are_thought_of_where_the_catalogue_has_them(
    category: str,
) -> None:
    brief = _briefs()[category]
    skins = {
        (offer.blueprint.name, offer.skin.name)
        for offer in find_fitting_offers(load_builtin_cast().catalogue, brief)
    }
    candidates = set(_drawn(brief).candidates)
    assert min(3, len(skins)) <= len(candidates) <= 5


@pytest.mark.parametrize("name", HEALTHY)
def test_an_insight_needs_only_other_insights_and_never_in_a_ring(name: str) -> None:
    chain = build_healthy_seed(name).insight_chain
    settled: set[int] = set()
    for _ in chain:
        settled |= {number for number, insight in enumerate(chain, 1) if set(insight.depends_on) <= settled}
    assert settled == set(range(1, len(chain) + 1))


def test_dependencies_of_insights_are_told() -> None:
    linked = [
        name for name in HEALTHY if any(each.depends_on for each in build_healthy_seed(name).insight_chain)
    ]
    assert len(linked) >= 5


def _by_the_book(report: CheckReport, name: str) -> str:
    """docs/blueprints.md: strong if an approach that uses it survives, moderate if some approach tries it, else weak."""
    analysis = report.analysis
    assert analysis is not None
    tried = [
        outcome
        for approach, outcome in analysis.outcomes.items()
        if outcome.end != "goal"
        and (approach == name or any(name in move.arguments for move in analysis.plans[approach]))
    ]
    for outcome in tried:
        begun = any(not step.inserted for step in outcome.steps)
        missed = outcome.failing_margin
        if begun or outcome.end == "late" or (missed is not None and abs(missed) < 0.3):
            return "strong"
    return "moderate" if tried else "weak"


@pytest.mark.parametrize("name", HEALTHY)
def test_the_strength_of_a_distractor_is_measured_and_not_chosen(name: str) -> None:
    seed = build_healthy_seed(name)
    report = check_record(seed.mechanics)
    assert report.analysis is not None
    names = {thing.label: key for key, thing in report.analysis.world.things.items()}
    # a wrong idea that misleads is called by its answer, which does not say which approach it is
    stated = {each.name: each.strength for each in seed.distractor_inventory if each.name in names}
    assert seed.distractor_inventory
    assert stated == {label: _by_the_book(report, names[label]) for label in stated}


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_limit_of_objects_is_kept_or_said_to_be_unmet(number: int) -> None:
    constraint = f"at most {number} objects"
    seed = _drawn(_brief(constraints=(constraint,), seed=2))
    kept = len(seed.scenario.objects) <= number
    assert any(constraint in question for question in seed.open_questions) is not kept


def test_a_limit_that_nothing_keeps_is_said_to_be_unmet_with_the_count() -> None:
    seed = _drawn(_brief(constraints=("at least 30 objects",), seed=1))
    told = [question for question in seed.open_questions if "at least 30 objects" in question]
    assert len(told) == 1
    assert f"there are {len(seed.scenario.objects)} objects" in told[0]


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_constraint_that_nothing_keeps_does_not_cost_another_one(seed: int) -> None:
    drawn = _drawn(_brief(constraints=("set inside a volcano", "at most 3 objects"), seed=seed))
    unmet = [question for question in drawn.open_questions if "volcano" in question or "objects" in question]
    assert len(unmet) == 1
    assert len(drawn.scenario.objects) <= 3


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_place_that_the_catalogue_has_is_taken(seed: int) -> None:
    drawn = _drawn(_brief(constraints=("must take place in an organ loft",), seed=seed))
    assert "organ" in f"{drawn.candidates[0]} {drawn.scenario.narrative}".lower()
    assert not [question for question in drawn.open_questions if "organ loft" in question]


def test_a_place_that_the_catalogue_does_not_have_is_said_to_be_unmet() -> None:
    seed = _drawn(_brief(constraints=("must take place inside a volcano",), seed=1))
    assert any("inside a volcano" in question for question in seed.open_questions)


def test_a_place_is_not_kept_because_of_another_word_in_the_same_sentence() -> None:
    seed = _drawn(_brief(constraints=("must take place in a volcano, with water outside",), seed=1))
    assert "volcano" not in seed.scenario.narrative
    assert any("volcano" in question for question in seed.open_questions)


def test_what_the_brief_does_not_want_is_not_looked_for() -> None:
    seed = _drawn(_brief(constraints=("without water",), seed=1))
    told = any("without water" in question for question in seed.open_questions)
    assert told or "water" not in seed.scenario.narrative.lower()


def test_a_brief_that_no_blueprint_meets_is_refused_with_what_can_be_met() -> None:
    found = set(list_reachable_targets(load_builtin_cast().catalogue))
    brief = next(
        GenerationBrief(category=category, solution_status="KS", difficulty_tier="IMPOSSIBLE")
        for category in CATEGORIES
        if (category, "KS", "IMPOSSIBLE") not in found and any(each[0] == category for each in found)
    )
    with pytest.raises(
        UnreachableBrief, match=r"no blueprint makes .* with status KS at IMPOSSIBLE"
    ) as refusal:
        _drawn(brief)
    sentence = str(refusal.value)
    for category, status, tier in found:
        if category == brief.category:
            told = sentence.partition(f"{status} at ")[2].partition(";")[0]
            assert tier in told


def test_a_category_without_any_blueprint_is_refused_as_such() -> None:
    bare = [
        category
        for category in CATEGORIES
        if not any(each[0] == category for each in list_reachable_targets(load_builtin_cast().catalogue))
    ]
    if not bare:
        assert len(CATEGORIES) == 12
        return
    brief = GenerationBrief(category=bare[0], solution_status="KS", difficulty_tier="FRACTURE")
    with pytest.raises(UnreachableBrief, match="no blueprint of"):
        _drawn(brief)


def test_a_note_that_it_is_too_near_to_another_leads_to_another_situation() -> None:
    brief = _brief(seed=1)
    first = _drawn(brief)
    second = _drawn(brief, first, notes=(TOO_NEAR,))
    third = _drawn(brief, first, second, notes=(TOO_NEAR,))
    assert len({tuple(_labels(seed)) for seed in (first, second, third)}) == 3


def test_any_other_note_leads_to_other_numbers_in_the_same_situation() -> None:
    brief = _brief(seed=1)
    first = _drawn(brief)
    second = _drawn(brief, first, notes=("EULER asks for more time.",))
    assert _labels(second) == _labels(first)
    assert second.mechanics != first.mechanics


def test_the_same_brief_gives_the_same_seed_document() -> None:
    assert _drawn(_brief(seed=3)) == _drawn(_brief(seed=3))


def check_walk(each: tuple[str, str, str]) -> None:
    brief = _brief(category=each[0], solution_status=each[1], difficulty_tier=each[2])
    offers = find_fitting_offers(load_builtin_cast().catalogue, brief)
    skins = {(offer.blueprint.name, offer.skin.name) for offer in offers}
    walked = [
        next(order_offers(offers, brief.model_copy(update={"seed": seed}))) for seed in range(len(offers))
    ]
    first_round = [(offer.blueprint.name, offer.skin.name) for offer in walked[: len(skins)]]
    assert set(first_round) == skins
    assert {offer.name for offer in walked} == {offer.name for offer in offers}


def test_neighbouring_seeds_walk_through_all_skins_before_they_repeat_one() -> None:
    targets = list_reachable_targets(load_builtin_cast().catalogue)
    assert find_failures(check_walk, name_cases(targets, "/".join)) == []


def test_seeds_that_follow_each_other_are_told_in_different_places() -> None:
    seeds = [_drawn(_brief(seed=number)) for number in range(4)]
    assert len({tuple(_labels(seed)) for seed in seeds}) == 4


@pytest.mark.parametrize("name", HEALTHY)
def test_what_is_handed_in_computes_as_it_claims(name: str) -> None:
    seed = build_healthy_seed(name)
    report = check_record(seed.mechanics)
    assert report.findings.errors == ()
    assert report.verdict is not None
    assert report.verdict.status == seed.mechanics["status"]["claim"]


def test_a_contested_scenario_is_not_said_to_leave_one_answer_and_no_other() -> None:
    assert "no other" not in " ".join(
        claim.text for claim in build_healthy_seed("chiefs").solution_sketch.claims
    )
