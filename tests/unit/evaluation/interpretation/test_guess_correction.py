"""Tests of the correction for guessing: lucky choices from a menu earn nothing, complete answers lose nothing."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from impossible_moments.evaluation.interpretation.guess_correction import (
    LUCK,
    compute_chance_of_hits,
    compute_credit_share,
)


@pytest.mark.parametrize(
    ("offered", "right", "chosen", "hits", "chance"),
    [
        (5, 1, 1, 1, 1 / 5),
        (8, 3, 2, 2, 3 / 28),
        (8, 3, 2, 1, 1 - 10 / 28),
        (8, 3, 8, 3, 1.0),
        (8, 3, 2, 0, 1.0),
        (8, 3, 3, 3, 1 / 56),
    ],
)
def test_the_chance_of_a_lucky_choice(
    offered: int, right: int, chosen: int, hits: int, chance: float
) -> None:
    assert compute_chance_of_hits(offered, right, chosen, hits) == pytest.approx(chance)


def test_credit_grows_with_the_odds_against_luck() -> None:
    shares = [compute_credit_share(chance) for chance in (1.0, 0.5, 0.2, 0.1, LUCK, 0.0)]

    assert shares == sorted(shares)
    assert (shares[0], shares[-2:]) == (0.0, [1.0, 1.0])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8])
def test_guessing_earns_little_whatever_the_number_of_guesses(size: int) -> None:
    chance, lines = Random(size), range(8)  # noqa: S311 - the same guesses every time
    hits = [len(set(chance.sample(lines, size)) & {0, 1, 2}) for _ in range(4_000)]
    earned = [each / 3 * compute_credit_share(compute_chance_of_hits(8, 3, size, each)) for each in hits]

    # one chance in twenty for each number of hits
    assert fmean(earned) < 2 * LUCK
