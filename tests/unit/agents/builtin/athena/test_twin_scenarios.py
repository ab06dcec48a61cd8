"""ATHENA's twins: a published draw is found again, and its contrary is drawn beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest

from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief
from impossible_moments.agents.builtin.athena.scenario_origins import find_draw_reproducing_record
from impossible_moments.agents.builtin.athena.twin_scenarios import PublishedSibling
from impossible_moments.agents.builtin.cast import BuiltinCast
from impossible_moments.blueprints.catalogue import Catalogue, Offer, build_catalogue
from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.planted_faults import perform_role
from support.small_blueprints import FAMILIES

SEED: Final = 5
WAY: Final = "shed_the_saver/glass_roof/at_the_gap"
NO_WAY: Final = "shed_the_saver/glass_roof/no_spare_moment"
LOFT: Final = "height_and_hammer/organ_loft"


@cache
def rooms() -> Catalogue:
    """Two shipped families, and nothing else that ships."""
    folder = FAMILIES / "locked_room"
    names = ("height_and_hammer", "shed_the_saver")
    return build_catalogue(
        path for name in names for path in (folder / f"{name}.yaml", *sorted((folder / name).glob("*.yaml")))
    )


def offer_of(name: str) -> Offer:
    return next(each for each in rooms().iterate_offers() if each.name == name)


@pytest.fixture(scope="module")
def cast() -> BuiltinCast:
    return BuiltinCast(rooms(), load_everyday_library())


def published(name: str = WAY, *names: object) -> dict[str, Any]:
    """The record of a draw as it lies in a file."""
    drawn = draw_and_check_instance(offer_of(name), load_everyday_library(), SEED, *(names or (0, 0)), turn=0)
    record: dict[str, Any] = json.loads(json.dumps(drawn.instance.record))
    return record


def sibling(record: Mapping[str, Any] | None = None, seed: int = SEED) -> PublishedSibling:
    return PublishedSibling("IM-0007", published() if record is None else record, seed)


def handed_in_twin(brief: GenerationBrief, *notes: str) -> SeedDocument:
    dossier = Dossier.create_for_brief(brief).replace_notes(
        AgentNote(ATHENA, text, Phase.SEED) for text in notes
    )
    seed = perform_role(dossier, ATHENA, Phase.SEED, SeedDocument)
    assert isinstance(seed, SeedDocument)
    return seed


# where it comes from


@pytest.mark.parametrize("place", [(0, 0), (0, 3), (2, 1)])
def test_the_draw_that_was_published_is_found_again(place: tuple[int, int]) -> None:
    found = find_draw_reproducing_record(published(WAY, *place), rooms(), load_everyday_library(), seed=SEED)

    assert found is not None
    assert (found.offer.name, found.attempt, found.again) == (WAY, *place)


def test_the_title_may_be_any_of_the_skins() -> None:
    record = published()
    record["title"] = offer_of(WAY).skin.titles[-1]

    assert find_draw_reproducing_record(record, rooms(), load_everyday_library(), seed=SEED) is not None


def test_another_seed_finds_nothing() -> None:
    assert find_draw_reproducing_record(published(), rooms(), load_everyday_library(), seed=SEED + 1) is None


def test_a_record_that_was_changed_by_one_figure_is_no_draw() -> None:
    record = published()
    record["deadline"] = f"{record['deadline']} + 1[s]"

    assert find_draw_reproducing_record(record, rooms(), load_everyday_library(), seed=SEED) is None


def test_a_record_that_names_nothing_is_no_draw() -> None:
    assert find_draw_reproducing_record({}, rooms(), load_everyday_library(), seed=SEED) is None


# what is asked for


@pytest.mark.parametrize(("name", "status"), [(WAY, "PX"), (NO_WAY, "KS"), (f"{LOFT}/two_exits", "PX")])
def test_the_brief_asks_for_the_contrary(cast: BuiltinCast, name: str, status: str) -> None:
    brief = cast.build_twin_brief(sibling(published(name)))

    assert (brief.solution_status, brief.seed, brief.twin is not None and brief.twin.of) == (
        status,
        SEED,
        "IM-0007",
    )


def test_the_same_sibling_gives_the_same_brief(cast: BuiltinCast) -> None:
    assert cast.build_twin_brief(sibling()) == cast.build_twin_brief(sibling())


def test_a_brief_of_a_twin_survives_being_written_and_read(cast: BuiltinCast) -> None:
    brief = cast.build_twin_brief(sibling())

    assert GenerationBrief.model_validate_json(brief.model_dump_json()) == brief


def test_a_brief_without_a_twin_is_written_as_it_always_was() -> None:
    brief = GenerationBrief(category="The Locked Room", difficulty_tier="SPARK", solution_status="KS")

    assert "twin" not in brief.model_dump_json()


def test_what_no_blueprint_made_has_no_twin_and_the_sentence_says_why(cast: BuiltinCast) -> None:
    with pytest.raises(UnreachableBrief, match="IM-0007 cannot be drawn from the current catalogue"):
        cast.build_twin_brief(sibling(seed=SEED + 1))


def test_a_skin_that_does_not_tell_the_contrary_is_named(cast: BuiltinCast) -> None:
    with pytest.raises(UnreachableBrief, match="the skin ice_house has no variant of height_and_hammer"):
        cast.build_twin_brief(sibling(published("height_and_hammer/ice_house/one_way")))


# what is handed in


def test_the_twin_bears_another_title_and_has_the_same_things(cast: BuiltinCast) -> None:
    seed = handed_in_twin(cast.build_twin_brief(sibling()))
    one, other = published(), seed.mechanics

    assert one["title"] != other["title"]
    assert [each["label"] for each in one["things"]] == [each["label"] for each in other["things"]]
    assert other["status"]["claim"] == "PX"


def test_a_twin_that_is_too_near_to_another_scenario_is_given_up(cast: BuiltinCast) -> None:
    with pytest.raises(UnreachableBrief, match="too similar to an existing scenario that is not its sibling"):
        handed_in_twin(cast.build_twin_brief(sibling()), "The concept is too near to a scenario that exists.")


def test_a_brief_whose_skin_is_not_installed_is_refused(cast: BuiltinCast) -> None:
    brief = cast.build_twin_brief(sibling())

    with pytest.raises(UnreachableBrief, match="the catalogue has no skin with both"):
        BuiltinCast(Catalogue({}), load_everyday_library()).require_feasible_brief(brief)


def test_a_twin_is_told_in_words_of_its_own_where_the_same_do_not_serve(cast: BuiltinCast) -> None:
    brief = cast.build_twin_brief(sibling(published(f"{LOFT}/two_exits")))

    assert brief.twin is not None
    assert not brief.twin.told_alike
