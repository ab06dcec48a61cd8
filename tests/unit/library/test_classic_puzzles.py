"""Classic puzzles and hazards: each has a source, and texts are compared by structure."""

from __future__ import annotations

import re

import pytest

from impossible_moments.blueprints import draw_instance, load_shipped_catalogue, read_draft
from impossible_moments.library import (
    find_named_hazards,
    load_classic_puzzles,
    load_everyday_library,
    load_named_hazards,
    load_research_works,
    rank_puzzle_resemblances,
)
from impossible_moments.library.classic_puzzles import load_word_shares


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


def find_share(text: str, puzzle: str) -> float:
    return next(each.share for each in rank_puzzle_resemblances(text) if each.puzzle.name == puzzle)


def test_four_common_words_are_no_resemblance() -> None:
    common = "Amber floats in salt water. The stones drop to the bottom."
    retold = "A crow drops stones into a pitcher, and the level of the water is raised."

    assert find_share(common, "Crow and pitcher") < 0.5 < find_share(retold, "Crow and pitcher")


def test_a_common_word_counts_less_than_a_rare_one() -> None:
    assert find_share("water", "Crow and pitcher") < find_share("pitcher", "Crow and pitcher") / 4


def test_the_shares_of_words_are_those_of_the_shipped_texts() -> None:
    catalogue, library = load_shipped_catalogue(), load_everyday_library()
    first = {
        f"{offer.blueprint.name}/{offer.skin.name}": offer
        for offer in reversed(list(catalogue.iterate_offers()))
    }
    texts = [
        " ".join(read_draft(draw_instance(offer, library, 0, 0), library).prose.values())
        for offer in first.values()
    ]
    counts: dict[str, int] = {}
    for text in texts:
        for word in {word for each in rank_puzzle_resemblances(text) for word in each.words}:
            counts[word] = counts.get(word, 0) + 1
    shares = {word: count / len(texts) for word, count in counts.items()}

    for word, share in load_word_shares().items():
        assert shares[word] == pytest.approx(share, abs=0.02), word
    assert all(word in load_word_shares() for word, share in shares.items() if share >= 0.04)
