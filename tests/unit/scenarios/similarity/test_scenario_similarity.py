"""Copies, repeated recipes and repeated ideas are found; different scenarios are left alone."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from impossible_moments.domain.thresholds import SIMILARITY
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.similarity.embedding import (
    EmbeddedLines,
    Embedder,
    TfidfEmbedder,
    Vectors,
    compute_line_agreement,
    load_wordllama_embedder,
    normalize_rows,
)
from impossible_moments.scenarios.similarity.scenario_similarity import (
    ComparedScenario,
    SimilarPair,
    compute_scenario_vectors,
    find_near_duplicates,
    find_nearest_by_insight,
    find_similar_rows,
    get_copy_threshold,
)

FLOOD = ComparedScenario(
    "flood",
    "You stand in a cellar that fills with river water. The stairs have collapsed and the hatch in the ceiling is "
    "three metres up. The water rises by a hand every minute, and in twelve minutes the lamp will fail.",
    ("empty oil drum", "coil of rope", "broken ladder", "brass lamp"),
    "FLOAT UP ON THE SEALED DRUM UNTIL THE HATCH IS IN REACH",
    ("The water is the lift.", "A sealed drum carries more than a person weighs.", "Waiting is the plan."),
)
SILO = ComparedScenario(
    "silo",
    "A farmhand has sunk to the chest in a grain silo. Pulling only wedges him tighter, because the grain locks "
    "round his legs. The fire brigade is forty minutes away and the dust makes every breath shorter.",
    ("plywood sheets", "shop vacuum", "steel bucket", "hand saw"),
    "BUILD A COFFERDAM OF PLYWOOD ROUND HIM AND EMPTY IT WITH THE VACUUM",
    ("Grain behaves as a solid under load.", "Remove the load instead of the man."),
)
TELESCOPE = ComparedScenario(
    "telescope",
    "The night assistant of an observatory finds that the dome motor is dead an hour before a comet passes behind "
    "the sun. The slit looks the wrong way and the dome weighs nine tonnes.",
    ("bicycle", "chain hoist", "grease gun", "flat mirror"),
    "SEND THE LIGHT ROUND THE CORNER WITH THE FLAT MIRROR",
    ("Light can be turned where steel cannot.", "The dome was never the instrument."),
)
DISTINCT = (FLOOD, SILO, TELESCOPE)
EDITED = replace(
    FLOOD,
    name="flood again",
    narrative="The water climbs by two hands every minute, and in nine minutes the lamp will fail. You stand in a "
    "basement that fills with river water. The stairs have fallen in and the hatch in the roof is four metres up.",
    objects=("broken ladder", "vacant oil barrel", "coil of cord", "brass lamp"),
    solution="Float up on the closed drum until the hatch is within reach",
    insights=(
        "The water is the elevator.",
        "A closed drum carries more than a person weighs.",
        "Waiting is the plan.",
    ),
)
EMPTY = ComparedScenario("empty", "", (), " ", ("", "\n"))


class Broken:
    """An embedder that answers nan, as some do where they have nothing to say."""

    name = "broken"
    fingerprint = ""

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 4), np.nan, np.float32)


@pytest.fixture(params=["wordllama", "tfidf"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return load_wordllama_embedder() if request.param == "wordllama" else TfidfEmbedder()


def found(pairs: Sequence[SimilarPair], why: str) -> set[tuple[str, str]]:
    return {(pair.first, pair.second) for pair in pairs if pair.why == why}


def test_an_edited_scenario_is_a_copy_and_has_the_same_insights(embedder: Embedder) -> None:
    pairs = find_near_duplicates((*DISTINCT, EDITED), embedder)

    assert found(pairs, "copy") == {("flood", "flood again")}
    assert found(pairs, "same insight") == {("flood", "flood again")}


def test_a_light_edit_is_a_copy_by_the_specified_threshold_too() -> None:
    pairs = find_near_duplicates((*DISTINCT, EDITED), load_wordllama_embedder(), SIMILARITY)

    assert found(pairs, "copy") == {("flood", "flood again")}


def test_unrelated_scenarios_are_not_alike(embedder: Embedder) -> None:
    assert find_near_duplicates(DISTINCT, embedder) == ()


def test_the_same_text_has_a_cosine_of_one_whatever_its_capitals(embedder: Embedder) -> None:
    twin = replace(SILO, name="twin", solution=SILO.solution.lower(), narrative=SILO.narrative.upper())
    (copy, insight) = find_near_duplicates((SILO, twin), embedder)

    assert (copy.why, copy.cosine) == ("copy", 1.0)
    assert (insight.why, insight.cosine) == ("same insight", 1.0)


def test_another_story_with_an_equal_signature_is_the_same_recipe(embedder: Embedder) -> None:
    signed = [replace(each, signature="float(drum)") for each in (FLOOD, TELESCOPE)]
    pairs = find_near_duplicates((*signed, SILO), embedder)

    assert [(pair.first, pair.second, pair.why) for pair in pairs] == [("flood", "telescope", "same recipe")]


def test_empty_signatures_are_not_the_same_recipe(embedder: Embedder) -> None:
    assert found(find_near_duplicates(DISTINCT, embedder), "same recipe") == set()


def test_scenarios_that_say_nothing_are_like_no_other(embedder: Embedder) -> None:
    pairs = find_near_duplicates((EMPTY, replace(EMPTY, name="void"), FLOOD), embedder)

    assert pairs == ()
    assert not compute_scenario_vectors([EMPTY], embedder).any()
    assert find_nearest_by_insight(EMPTY, DISTINCT, embedder) == ()


def test_no_scenarios_make_no_pairs(embedder: Embedder) -> None:
    assert find_near_duplicates((), embedder) == ()
    assert find_nearest_by_insight(FLOOD, (), embedder) == ()


def test_a_missing_part_does_not_make_a_scenario_less_like_its_copy(embedder: Embedder) -> None:
    bare = replace(SILO, objects=())
    (copy, *_) = find_near_duplicates((bare, replace(bare, name="twin")), embedder)

    assert copy == SimilarPair("silo", "twin", 1.0, "copy")


def test_an_embedder_that_answers_nan_is_taken_to_say_nothing() -> None:
    assert not compute_scenario_vectors(DISTINCT, Broken()).any()
    assert find_near_duplicates((FLOOD, EDITED), Broken()) == ()


def test_the_order_of_the_input_does_not_matter(embedder: Embedder) -> None:
    essences = [replace(each, signature="one") for each in (*DISTINCT, EDITED, EMPTY)]
    expected = find_near_duplicates(essences, embedder)

    assert find_near_duplicates(essences[::-1], embedder) == expected
    assert find_near_duplicates(essences[2:] + essences[:2], embedder) == expected
    assert find_nearest_by_insight(FLOOD, essences[::-1], embedder) == find_nearest_by_insight(
        FLOOD, essences, embedder
    )


def test_the_same_input_gives_the_same_bytes(embedder: Embedder) -> None:
    assert (
        compute_scenario_vectors(DISTINCT, embedder).tobytes()
        == compute_scenario_vectors(DISTINCT, embedder).tobytes()
    )
    together, alone = (
        compute_scenario_vectors((*DISTINCT, EDITED), embedder),
        compute_scenario_vectors([SILO], embedder),
    )
    assert together[1].tobytes() == alone[0].tobytes()


def test_pairs_come_by_reason_and_then_the_most_alike_first() -> None:
    twin = replace(FLOOD, name="twin", signature="s")
    pairs = find_near_duplicates(
        (replace(FLOOD, signature="s"), EDITED, twin, SILO), load_wordllama_embedder()
    )

    assert [pair.why for pair in pairs] == ["copy"] * 3 + ["same recipe"] + ["same insight"] * 3
    assert [pair.cosine for pair in pairs[:3]] == sorted((pair.cosine for pair in pairs[:3]), reverse=True)
    assert all(pair.first < pair.second for pair in pairs)


def test_at_most_the_three_nearest_insights_are_named_for_each_scenario() -> None:
    crowd = [replace(FLOOD, name=f"{place}") for place in range(9)]
    named = found(find_near_duplicates(crowd, TfidfEmbedder()), "same insight")

    assert 9 * 3 / 2 <= len(named) <= 9 * 3


def test_the_nearest_by_insight_come_first_and_say_whether_they_are_close(embedder: Embedder) -> None:
    first, second, third = find_nearest_by_insight(FLOOD, (FLOOD, *DISTINCT, EDITED), embedder)

    assert (first.name, first.close) == ("flood again", True)
    assert first.cosine > second.cosine >= third.cosine
    assert not second.close
    assert len(find_nearest_by_insight(FLOOD, (*DISTINCT, EDITED), embedder, count=1)) == 1


def test_insights_agree_by_the_best_match_of_each_line() -> None:
    lines = np.eye(3, dtype=np.float32)
    left = EmbeddedLines(lines[[0, 1]], np.array([0, 2]))
    right = EmbeddedLines(lines[[1, 2, 0]], np.array([0, 2, 3]))

    assert compute_line_agreement(left, right).tolist() == [[0.5, 0.75]]


@pytest.mark.parametrize("block", [1, 7, 40, 64])
def test_blocks_find_what_the_direct_product_finds(block: int) -> None:
    rows = normalize_rows(np.random.default_rng(0).standard_normal((40, 5)))
    direct = rows.astype(float) @ rows.T.astype(float)
    expected = [(i, j) for i in range(40) for j in range(i + 1, 40) if direct[i, j] >= 0.6]
    pairs = sorted(find_similar_rows(rows, 0.6, block=block))

    assert [(i, j) for i, j, _ in pairs] == expected
    assert [cosine for *_, cosine in pairs] == pytest.approx([direct[place] for place in expected], abs=1e-6)


@pytest.mark.slow
def test_all_pairs_of_five_thousand_need_little_memory() -> None:
    rows = normalize_rows(np.random.default_rng(0).standard_normal((5_000, 256)))
    rows[4_999] = rows[17]
    tracemalloc.start()
    pairs = list(find_similar_rows(rows, SIMILARITY))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert pairs == [(17, 4_999, 1.0)]
    assert most < 20e6  # the whole product alone would take 100 MB


def test_the_thresholds_belong_to_the_installed_weights(embedder: Embedder) -> None:
    assert get_copy_threshold(embedder) < SIMILARITY


def test_an_embedder_nobody_measured_gets_the_specified_threshold() -> None:
    assert get_copy_threshold(Broken()) == SIMILARITY
    assert get_copy_threshold(TfidfEmbedder(["another corpus", "another weight"])) == SIMILARITY


@pytest.mark.parametrize("threshold", [0.0, -0.5, 1.5, float("nan")])
def test_a_threshold_that_is_no_cosine_is_refused(threshold: float) -> None:
    with pytest.raises(ConfigurationError, match="above 0"):
        find_near_duplicates(DISTINCT, TfidfEmbedder(), threshold)


def test_two_scenarios_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="Two scenarios are named flood"):
        find_near_duplicates((FLOOD, SILO, FLOOD), TfidfEmbedder())
