"""Difficulty: profiles, their median, and where opinions are divided."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from impossible_moments.domain.difficulty import Profile, compute_median_profile, find_divided_dimensions
from impossible_moments.domain.vocabulary import DifficultyDimension

scores = st.integers(1, 5)
profiles = st.builds(Profile, I=scores, D=scores, C=scores, B=scores, T=scores, X=scores)


def profile(scores: str) -> Profile:
    return Profile(**dict(zip("IDCBTX", map(int, scores.split(".")), strict=True)))


def test_a_profile_is_written_with_points() -> None:
    assert str(profile("3.2.2.2.3.1")) == "3.2.2.2.3.1"


@pytest.mark.parametrize("score", [0, 6, 2.5])
def test_a_score_is_a_whole_number_from_1_to_5(score: float) -> None:
    with pytest.raises(ValidationError):
        Profile(I=score, D=1, C=1, B=1, T=1, X=1)  # type: ignore[arg-type]


def test_the_median_is_taken_dimension_by_dimension() -> None:
    assert (
        str(compute_median_profile(map(profile, ["1.5.3.1.1.1", "2.4.3.1.1.2", "3.1.3.1.5.3"])))
        == "2.4.3.1.1.2"
    )


def test_of_an_even_number_the_lower_middle_counts() -> None:
    assert str(
        compute_median_profile(map(profile, ["1.1.1.1.1.1", "2.2.2.2.2.2", "4.4.4.4.4.4", "5.5.5.5.5.5"]))
    ) == ("2.2.2.2.2.2")


@given(st.lists(profiles, min_size=1, max_size=7))
def test_every_score_of_the_median_is_one_that_somebody_gave(votes: list[Profile]) -> None:
    found = compute_median_profile(votes).scores

    assert all(score in {vote.scores[at] for vote in votes} for at, score in enumerate(found))


@given(st.lists(profiles, min_size=1, max_size=4))
def test_the_order_of_votes_does_not_change_the_median(votes: list[Profile]) -> None:
    assert {str(compute_median_profile(order)) for order in permutations(votes)} == {
        str(compute_median_profile(votes))
    }


# fmt: off
RANGES = [
    (["1.1.1.1.1.1", "3.3.3.3.3.3"],                [],                                   "two apart is not divided"),
    (["1.1.1.1.1.1", "4.1.1.1.1.1"],                [DifficultyDimension.I],                        "three apart is"),
    (["1.1.1.1.1.5", "1.1.1.1.1.1", "5.1.1.1.1.3"], [DifficultyDimension.I, DifficultyDimension.X],           "in the order of the profile"),
    (["5.5.5.5.5.5"],                               [],                                   "one opinion is not divided"),
]
# fmt: on


@pytest.mark.parametrize(("votes", "apart", "why"), RANGES)
def test_opinions_more_than_two_apart_are_divided(
    votes: list[str], apart: list[DifficultyDimension], why: str
) -> None:
    assert find_divided_dimensions(map(profile, votes)) == tuple(apart), why


def test_nobody_s_opinions_are_not_divided() -> None:
    assert find_divided_dimensions(()) == ()
