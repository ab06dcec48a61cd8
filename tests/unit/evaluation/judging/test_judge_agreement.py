"""Figures of agreement, held against examples that were published or worked out by hand."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Final

import pytest

from impossible_moments.evaluation.judging.judge_agreement import (
    FEWEST_PAIRS,
    KappaWeights,
    MeasurementLevel,
    Rating,
    compute_cohen_kappa,
    compute_judge_leniency,
    compute_krippendorff_alpha,
)

NO: Final = None
# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C to E: four observers, twelve units
OBSERVERS: list[list[Rating]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NO, NO, NO],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NO, 3],
    [NO, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NO],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NO],
]
# Cohen 1968, Weighted kappa, table 1: the shares of each cell in percent; he gives 0.492 without weights
COHEN = {(1, 1): 44, (1, 2): 7, (1, 3): 9, (2, 1): 5, (2, 2): 20, (2, 3): 5, (3, 1): 1, (3, 2): 3, (3, 3): 6}


def rows(table: dict[tuple[int, int], int]) -> tuple[list[Rating], list[Rating]]:
    pairs = list(chain.from_iterable(repeat(pair, count) for pair, count in table.items()))
    return [float(one) for one, _ in pairs], [float(other) for _, other in pairs]


@pytest.mark.parametrize(
    ("level", "alpha"),
    [
        (MeasurementLevel.NOMINAL, 0.743),
        (MeasurementLevel.ORDINAL, 0.815),
        (MeasurementLevel.INTERVAL, 0.849),
    ],
)
def test_alpha_is_that_of_the_published_example(level: MeasurementLevel, alpha: float) -> None:
    assert compute_krippendorff_alpha(OBSERVERS, level) == pytest.approx(alpha, abs=0.0005)


@pytest.mark.parametrize(
    ("weights", "kappa"),
    [
        (KappaWeights.NONE, (0.70 - 0.41) / (1 - 0.41)),
        # 0.20 of the items one step apart and 0.10 two; by chance 0.42 and 0.17
        (KappaWeights.LINEAR, 1 - (0.20 + 2 * 0.10) / (0.42 + 2 * 0.17)),
        (KappaWeights.QUADRATIC, 1 - (0.20 + 4 * 0.10) / (0.42 + 4 * 0.17)),
    ],
)
def test_kappa_is_that_of_the_published_table(weights: KappaWeights, kappa: float) -> None:
    assert compute_cohen_kappa(*rows(COHEN), weights) == pytest.approx(kappa)


def test_kappa_without_weights_is_the_printed_one() -> None:
    assert compute_cohen_kappa(*rows(COHEN), KappaWeights.NONE) == pytest.approx(0.492, abs=0.0005)


def test_kappa_of_yes_and_no_worked_out_by_hand() -> None:
    first, second = rows({(1, 1): 20, (1, 0): 5, (0, 1): 10, (0, 0): 15})
    assert compute_cohen_kappa(first, second, KappaWeights.NONE) == pytest.approx(0.4)


def test_full_agreement_is_one_and_steady_contradiction_is_below_nothing() -> None:
    marks: list[Rating] = [0.0, 0.25, 0.5, 0.75, 1.0, 0.5]
    turned: list[Rating] = [1 - each for each in marks if each is not None]
    assert compute_cohen_kappa(marks, marks) == pytest.approx(1)
    assert compute_krippendorff_alpha([marks, marks]) == pytest.approx(1)
    against, alpha = compute_cohen_kappa(marks, turned), compute_krippendorff_alpha([marks, turned])
    assert against is not None
    assert alpha is not None
    assert max(against, alpha) < 0


def test_ordered_ratings_weigh_a_near_miss_less_than_a_far_one() -> None:
    marks: list[Rating] = [0, 1, 2, 3, 0, 1, 2, 3]
    near, far = (
        compute_krippendorff_alpha([marks, [1, *marks[1:]]]),
        compute_krippendorff_alpha([marks, [3, *marks[1:]]]),
    )
    assert near is not None
    assert far is not None
    assert near > far


@pytest.mark.parametrize(
    "marks", [[], [1.0] * (FEWEST_PAIRS - 1), [0.5] * 20], ids=["none", "few", "all alike"]
)
def test_too_little_gives_no_figure(marks: list[Rating]) -> None:
    assert compute_cohen_kappa(marks, marks) is None
    assert compute_krippendorff_alpha([marks, marks]) is None


def test_items_that_one_judge_left_out_do_not_count() -> None:
    first, second = rows(COHEN)
    assert compute_cohen_kappa([*first, None, 3.0], [*second, 1.0, None]) == compute_cohen_kappa(
        first, second
    )
    assert compute_krippendorff_alpha([[*first, None], [*second, 1.0]]) == compute_krippendorff_alpha(
        [first, second]
    )


def test_a_judge_that_gives_more_than_the_panel_is_lenient() -> None:
    base: list[Rating] = [0.0, 0.2, 0.4, 0.6, 0.8]
    more: list[Rating] = [each + 0.3 for each in base if each is not None]
    found = compute_judge_leniency({"a": base, "b": base, "c": more})
    assert found == {"a": pytest.approx(-0.1), "b": pytest.approx(-0.1), "c": pytest.approx(0.2)}


def test_leniency_needs_items_that_others_rated_too() -> None:
    base: list[Rating] = [0.0, 0.2, 0.4, 0.6, 0.8]
    nothing: list[Rating] = [None] * 5
    assert compute_judge_leniency({"a": base, "b": nothing}) == {"a": None, "b": None}
    assert compute_judge_leniency({}) == {}
