"""The families of uncertain worlds: every skin gives a readable world with the required distance to lookahead."""

from __future__ import annotations

import re
from functools import cache

import pytest

from impossible_moments.blueprints import create_random_stream
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.uncertain import PolicyName
from impossible_moments.scenarios import ClockReadings
from impossible_moments.uncertain_worlds import (
    GeneratedWorld,
    choose_family,
    find_publication_objections,
    generate_world,
    load_families,
)
from impossible_moments.uncertain_worlds.family_forms import parse_family
from impossible_moments.uncertain_worlds.figure_draws import build_record_data, draw_figures
from impossible_moments.uncertain_worlds.world_documents import build_world_documents
from impossible_moments.uncertain_worlds.world_generation import MOST_WORDS

SKINS = [(name, skin) for name, family in load_families().items() for skin in family.skins]


@cache
def generate(name: str, skin: str, seed: int = 1) -> GeneratedWorld:
    return generate_world(load_families()[name], skin, seed)


def test_there_are_enough_families_and_categories() -> None:
    families = load_families().values()

    assert len(families) >= 8
    assert {
        "The Ghost Machine",
        "The Misdirection",
        "The Ticking Trade",
        "The Babel Problem",
        "The Last Ingredient",
    } <= {each.category for each in families}
    assert all(len(each.skins) >= 2 for each in families)


@pytest.mark.parametrize(("name", "skin"), SKINS)
def test_a_skin_gives_a_world_that_may_be_published(name: str, skin: str) -> None:
    found = generate(name, skin)
    measures = found.measures

    assert measures.find_objections() == ()
    assert float(measures.optimum) >= measures.values[PolicyName.LOOKAHEAD] + 0.08
    assert float(measures.optimum) < 0.97
    assert all(value <= float(measures.optimum) + 1e-9 for value in measures.values.values())
    assert found.text.count_words() < MOST_WORDS
    documents = build_world_documents(found, "IM-0001", seed=1, stamps=ClockReadings())
    assert find_publication_objections(documents, found) == ()


@pytest.mark.parametrize(("name", "skin"), SKINS)
def test_the_words_of_a_skin_are_words(name: str, skin: str) -> None:
    record = generate(name, skin).world.record
    labels = [
        *(each.label for variable in record.hidden.values() for each in variable.values.values()),
        *(each.label for each in record.stocks.values()),
        *(each.label for each in record.acts.values()),
        *(words for each in record.marks.values() for words in (each.yes, each.no)),
        *(result.see for act in record.acts.values() for case in act.cases for result in case.results),
    ]

    assert [each for each in labels if not re.search(r"[a-z]{2}", each) or "{" in each or "$" in each] == []
    # the reader is addressed, and the deadline stands in the story
    assert "You" in record.situation[0]
    assert any(str(record.clock.amount) in each for each in record.situation)


@pytest.mark.parametrize(("name", "skin"), SKINS)
def test_a_skin_uses_all_its_words(name: str, skin: str) -> None:
    family = load_families()[name]
    written = str(family.record) + str(family.skins[skin].situation)

    assert [word for word in family.skins[skin].words if f"{{{word}}}" not in written] == []


def test_every_drawn_figure_decides_something() -> None:
    for family in load_families().values():
        figures = draw_figures(family, create_random_stream("figures", family.name))
        assert [name for name in figures if f"'${name}'" not in str(family.record)] == []


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_figures() -> None:
    stamps = ClockReadings()
    first, again, other = (
        build_world_documents(
            generate_world(load_families()["stuck_gauge"], "greenhouse", seed),
            "IM-0001",
            seed=seed,
            stamps=stamps,
        )
        for seed in (3, 3, 4)
    )

    assert first == again
    assert first.mechanics != other.mechanics


def test_consecutive_seeds_go_through_all_skins() -> None:
    chosen = {(family.name, skin) for family, skin in map(choose_family, range(1, len(SKINS) + 1))}

    assert chosen == set(SKINS)


def test_a_category_without_a_family_is_refused() -> None:
    assert choose_family(5, "The Babel Problem")[0].category == "The Babel Problem"
    with pytest.raises(ConfigurationError, match="no family of uncertain worlds for The Cascade"):
        choose_family(1, "The Cascade")


def test_a_missing_word_or_figure_is_an_error_with_its_name() -> None:
    family = load_families()["stuck_gauge"]
    figures = draw_figures(family, create_random_stream("x"))
    skin = family.skins["greenhouse"]
    poor = skin.model_copy(update={"words": {**skin.words, "high": "{hotness}"}})
    broken = family.model_copy(
        update={"record": {**family.record, "goal": "{hotness}"}, "skins": {"greenhouse": poor}}
    )

    with pytest.raises(ConfigurationError, match="has no word for 'hotness'"):
        build_record_data(broken, "greenhouse", figures)
    with pytest.raises(ConfigurationError, match="has no figure `reading`"):
        build_record_data(
            family, "greenhouse", {name: figures[name] for name in figures if name != "reading"}
        )
    with pytest.raises(ConfigurationError, match=r"The family x is not valid: .*`colour` is not a field"):
        parse_family({**family.model_dump(), "colour": "red"}, "x")
