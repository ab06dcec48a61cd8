"""The table of real-world figures: ranges, sources, and the wording that each row is for."""

from __future__ import annotations

from impossible_moments.library import (
    collect_quantity_words,
    load_figure_sources,
    load_real_world_figures,
)


def test_every_row_is_a_range_with_a_source_that_was_seen_or_an_estimate() -> None:
    assert len(load_real_world_figures()) > 60
    for each in load_real_world_figures():
        assert each.low < each.high, each.name
        assert each.factor > 1, each.name
        assert each.source.startswith("estimate") or each.source.partition(",")[0] in load_figure_sources()


def test_every_row_is_for_the_words_of_its_example() -> None:
    for each in load_real_world_figures():
        assert each.applies_to(collect_quantity_words(each.example)), each.name


def test_an_inflected_word_counts_and_an_excluded_one_does_not() -> None:
    (wind,) = [each for each in load_real_world_figures() if each.name == "wind_speed"]
    assert wind.applies_to(collect_quantity_words("strength of the gusts"))
    assert not wind.applies_to(collect_quantity_words("the sail cart before the wind runs at"))
