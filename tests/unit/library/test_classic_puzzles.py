"""Classic puzzles and hazards: each has a source, and texts are compared by structure."""

from __future__ import annotations

import re

from impossible_moments.library import (
    find_named_hazards,
    load_classic_puzzles,
    load_named_hazards,
    load_research_works,
    rank_puzzle_resemblances,
)


def test_every_puzzle_has_a_work_of_the_bibliography_or_a_full_reference() -> None:
    works = load_research_works()
    unsourced = [
        each.name
        for each in load_classic_puzzles().values()
        if each.source not in works and not re.search(r"\(\w*\.? ?\d{3,4}\)|book \d", each.source)
    ]
    assert unsourced == []
    assert len(load_classic_puzzles()) >= 20


def test_a_text_is_closest_to_the_puzzle_that_it_retells() -> None:
    text = "The host opens one of three doors, behind which stands a goat, and asks whether you switch to win the prize."
    first, second, *_ = rank_puzzle_resemblances(text)
    assert first.puzzle.name == "Monty Hall"
    assert first.share > second.share


def test_words_are_found_in_their_forms_and_not_inside_other_words() -> None:
    found = {
        each.puzzle.name: each.words for each in rank_puzzle_resemblances("Boxes burned. The candlestick.")
    }
    assert found["candle box"] == ("box",)
    assert found["burning ropes"] == ("burn",)


def test_hazards_are_found_by_name_with_their_tag() -> None:
    found = {
        name: hazard.tag for name, hazard in find_named_hazards("Saltpetre, two rifles and a jar of honey.")
    }
    assert found == {"saltpetre": "oxidizer", "rifle": "weapon"}
    assert all(each.why for each in load_named_hazards())
