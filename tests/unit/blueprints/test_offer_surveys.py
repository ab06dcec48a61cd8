"""A survey counts what came of an offer drawn many times."""

from __future__ import annotations

from collections import Counter

from impossible_moments.blueprints.offer_surveys import (
    OfferSurvey,
    survey_each_offer,
    survey_offer_over_seeds,
)
from impossible_moments.library.everyday_library import load_everyday_library
from support.small_blueprints import build_small_offer, change_offer, find_room_offer, load_room

SEEDS = range(3)


def test_a_survey_counts_what_is_accepted_and_at_which_tier() -> None:
    found = survey_offer_over_seeds(find_room_offer(), load_everyday_library(), SEEDS)

    assert (found.tried, found.accepted, found.tiers, found.reasons) == (3, 3, {"FRACTURE": 3}, {})
    assert sum(found.profiles.values()) == 3
    assert found.seconds > 0


def test_a_survey_counts_why_draws_are_refused() -> None:
    found = survey_offer_over_seeds(
        change_offer(find_room_offer(), telling={"concept": None}), load_everyday_library(), SEEDS
    )

    assert (found.tried, found.accepted) == (3, 0)
    assert found.reasons == {"telling.missing write `concept` in a `telling` section": 3}
    assert not found.tiers


def test_a_survey_goes_on_where_a_file_cannot_be_drawn_from() -> None:
    found = survey_offer_over_seeds(build_small_offer(titles=[]), load_everyday_library(), SEEDS)

    assert (found.tried, found.accepted) == (3, 0)
    assert found.reasons == {
        "file the blueprint plain/bare/only has no title: write `titles: [...]` in the skin.": 3
    }


def test_a_refused_draw_has_no_tier() -> None:
    offer = change_offer(find_room_offer(), draws={"bears": "40 | 150"})
    found = survey_offer_over_seeds(offer, load_everyday_library(), range(6))

    assert 0 < found.accepted < found.tried == 6
    assert found.tiers.total() == found.profiles.total() == found.accepted


def test_a_tier_differs_if_another_comes_out_more_often() -> None:
    offer = find_room_offer()
    often: Counter[str] = Counter({"FRACTURE": 2, "SPARK": 1})
    seldom: Counter[str] = Counter({"FRACTURE": 1, "SPARK": 2})

    assert not OfferSurvey(offer, tiers=often).tier_differs
    assert OfferSurvey(offer, tiers=seldom).tier_differs


def test_a_tier_that_nobody_expects_or_that_never_came_does_not_differ() -> None:
    assert not OfferSurvey(build_small_offer(), tiers=Counter({"SPARK": 1})).tier_differs
    assert not OfferSurvey(find_room_offer()).tier_differs


def test_surveys_are_made_of_each_offer() -> None:
    made = list(survey_each_offer(load_room().iterate_offers(), load_everyday_library(), range(0)))

    assert [each.offer.name for each in made] == [offer.name for offer in load_room().iterate_offers()]
    assert {each.tried for each in made} == {0}
