"""A survey counts what came of an offer drawn many times."""

from __future__ import annotations

from collections import Counter

from impossible_moments.blueprints.surveys import Survey, survey, surveys
from impossible_moments.knowledge.everyday import everyday
from small_blueprints import changed, room, room_offer, small_offer

SEEDS = range(3)


def test_a_survey_counts_what_is_accepted_and_at_which_tier() -> None:
    found = survey(room_offer(), everyday(), SEEDS)

    assert (found.tried, found.accepted, found.tiers, found.reasons) == (3, 3, {"FRACTURE": 3}, {})
    assert sum(found.profiles.values()) == 3
    assert found.seconds > 0


def test_a_survey_counts_why_draws_are_refused() -> None:
    found = survey(changed(room_offer(), telling={"concept": None}), everyday(), SEEDS)

    assert (found.tried, found.accepted) == (3, 0)
    assert found.reasons == {"telling.missing write `concept` in a `telling` section": 3}
    assert not found.tiers


def test_a_survey_goes_on_where_a_file_cannot_be_drawn_from() -> None:
    found = survey(small_offer(titles=[]), everyday(), SEEDS)

    assert (found.tried, found.accepted) == (3, 0)
    assert found.reasons == {"file plain/bare/only has no title: write `titles: [...]` in the skin.": 3}


def test_a_refused_draw_has_no_tier() -> None:
    offer = changed(room_offer(), draws={"bears": "40 | 150"})
    found = survey(offer, everyday(), range(6))

    assert 0 < found.accepted < found.tried == 6
    assert found.tiers.total() == found.profiles.total() == found.accepted


def test_a_tier_differs_if_another_comes_out_more_often() -> None:
    offer = room_offer()
    often: Counter[str] = Counter({"FRACTURE": 2, "SPARK": 1})
    seldom: Counter[str] = Counter({"FRACTURE": 1, "SPARK": 2})

    assert not Survey(offer, tiers=often).tier_differs
    assert Survey(offer, tiers=seldom).tier_differs


def test_a_tier_that_nobody_expects_or_that_never_came_does_not_differ() -> None:
    assert not Survey(small_offer(), tiers=Counter({"SPARK": 1})).tier_differs
    assert not Survey(room_offer()).tier_differs


def test_surveys_are_made_of_each_offer() -> None:
    made = list(surveys(room().offers(), everyday(), range(0)))

    assert [each.offer.name for each in made] == [offer.name for offer in room().offers()]
    assert {each.tried for each in made} == {0}
