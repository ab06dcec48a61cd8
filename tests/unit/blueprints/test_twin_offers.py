"""Pairing: which skins can tell a situation both ways, and how little their texts then differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache

import pytest

from impossible_moments.blueprints.catalogue import Offer, load_shipped_catalogue
from impossible_moments.blueprints.exchanged_things import UncrossableVariants
from impossible_moments.blueprints.instance_trials import InstanceTrial, draw_and_check_instance
from impossible_moments.blueprints.instances import DrawSource, draw_instance
from impossible_moments.blueprints.twin_offers import (
    are_opposite_statuses,
    find_counterpart_offers,
    generate_twin_offers,
)
from impossible_moments.library.everyday_library import load_everyday_library
from support.every_case import find_failures, name_cases
from support.small_blueprints import build_seed, find_room_offer

LOFT = "organ_loft/one_way"
STORE = "held_by_a_difference/tuna_store/nothing_levels"
ROOF = "shed_the_saver/glass_roof/at_the_gap"
FEWEST_SKINS = 46
"""Skins of the catalogue that tell a solvable and an impossible variant."""


@cache
def skins_with_both() -> tuple[tuple[Offer, Offer], ...]:
    """An impossible offer and its first counterpart, for each skin that has both."""
    found: dict[tuple[str, str], tuple[Offer, Offer]] = {}
    for offer in load_shipped_catalogue().iterate_offers():
        if offer.claim == "PX" and find_counterpart_offers(offer):
            found.setdefault(
                (offer.blueprint.name, offer.skin.name), (offer, find_counterpart_offers(offer)[0])
            )
    return tuple(found.values())


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        ("PX", "KS-Singular", True),
        ("KS-Fragile", "PX", True),
        ("DG", "PX", True),
        ("PX", "PX", False),
        ("KS", "DG", False),
        ("MT", "PX", False),
        ("PX", "OF", False),
    ],
)
def test_only_a_way_and_no_way_are_contraries(one: str, other: str, *, opposite: bool) -> None:
    assert are_opposite_statuses(one, other) is opposite


def test_the_counterparts_of_an_impossible_offer_begin_with_the_plainest() -> None:
    found = find_counterpart_offers(find_room_offer("organ_loft/nothing_holds"))

    assert [each.claim for each in found] == ["KS-Singular", "KS-Multiple"]


def test_a_skin_that_tells_one_kind_only_has_no_counterpart() -> None:
    assert find_counterpart_offers(find_room_offer("ice_house/one_way")) == ()


def test_what_is_told_in_the_same_words_is_tried_before_another_story() -> None:
    found = [(each.narrated_variant, each.depth) for each in generate_twin_offers(find_room_offer(LOFT))]

    assert found == [("one_way", 0), ("one_way", 1), ("one_way", 2), ("", 0)]


def test_no_skin_that_told_both_ways_has_stopped_to() -> None:
    assert len(skins_with_both()) >= FEWEST_SKINS


def check_shared_draws(pair: tuple[Offer, Offer]) -> None:
    one, other = pair
    shared = [
        name
        for name in {**one.blueprint.draws, **one.skin.draws}
        if all(
            name not in each.blueprint.variants[each.variant].draws
            and name not in each.skin.variants[each.variant].draws
            for each in pair
        )
    ]
    assert shared, "the two have nothing in common"

    probe = " ".join(f"{name}=${name}" for name in _independent(one, shared))
    first, second = (
        draw_instance(
            _probed(each, probe), load_everyday_library(), 7, 0, 0, following=following
        ).notes.concept
        for each, following in ((one, None), (other, DrawSource(one.name)))
    )

    assert first == second


def test_what_both_draw_comes_out_the_same() -> None:
    pairs = name_cases(skins_with_both(), lambda pair: f"{pair[0].blueprint.name}/{pair[0].skin.name}")
    assert find_failures(check_shared_draws, pairs) == []


def _independent(offer: Offer, names: list[str]) -> list[str]:
    """The draws among some that are not computed from others."""
    draws = {**offer.blueprint.draws, **offer.skin.draws}
    return [name for name in names if not draws[name].strip().startswith("=")]


def _probed(offer: Offer, probe: str) -> Offer:
    """The offer, saying in its concept what was drawn."""
    last = offer.skin.variants[offer.variant]
    telling = {**last.telling, "concept": probe}
    variants = {**offer.skin.variants, offer.variant: last.model_copy(update={"telling": telling})}
    return Offer(offer.blueprint, offer.skin.model_copy(update={"variants": variants}), offer.variant)


# what a reader sees of the difference


def words(tried: InstanceTrial) -> list[str]:
    shown = build_seed(tried).scenario
    cells = [
        value
        for row in (*shown.environment, *shown.objects, *shown.capabilities)
        for value in row.model_dump().values()
    ]
    return " ".join((shown.narrative, shown.threat, shown.position, *cells)).split()


def differences(one: InstanceTrial, other: InstanceTrial) -> list[tuple[str, str]]:
    first, second = words(one), words(other)
    codes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [(" ".join(first[a:b]), " ".join(second[c:d])) for tag, a, b, c, d in codes if tag != "equal"]


def offer_of(name: str) -> Offer:
    return next(each for each in load_shipped_catalogue().iterate_offers() if each.name == name)


def test_twins_in_the_same_words_differ_in_one_figure() -> None:
    solvable = draw_and_check_instance(offer_of(ROOF), load_everyday_library(), 0, 0)
    other = next(generate_twin_offers(offer_of(ROOF)))

    impossible = draw_and_check_instance(other, load_everyday_library(), 0, 0, following=DrawSource(ROOF))

    assert (solvable.status, impossible.status, impossible.reasons) == ("KS-Singular", "PX", ())
    (found,) = set(differences(solvable, impossible))  # the figure may be printed in several places
    assert all(re.fullmatch(r"\d+", each) for each in found)


def test_a_skin_with_other_things_in_its_other_variant_is_not_told_in_the_same_words() -> None:
    first, *_ = generate_twin_offers(find_room_offer(LOFT))

    with pytest.raises(UncrossableVariants, match="in the place of step"):
        draw_and_check_instance(
            first, load_everyday_library(), 0, 0, following=DrawSource(find_room_offer(LOFT).name)
        )


def test_drawn_anew_only_what_the_variant_draws_itself_differs() -> None:
    first, second = (
        draw_and_check_instance(
            offer_of(STORE), load_everyday_library(), 0, 0, following=DrawSource("any", anew)
        )
        for anew in (0, 3)
    )

    changed = differences(first, second)

    assert changed
    assert all(re.fullmatch(r"[\d.]+", each) for pair in changed for each in pair)
