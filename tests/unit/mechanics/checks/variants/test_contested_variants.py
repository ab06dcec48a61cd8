"""Variants of a contested scenario: what the dispute becomes with changed values, at both ends and between them."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.checks.variants.contested_variants import (
    BestPlansOverDispute,
    find_best_plans_over_dispute,
    find_dispute_changes,
)
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.search_limits import SearchSituation
from impossible_moments.mechanics.language.scalar_evaluation import Value
from support.small_worlds import check_disputed_places


@pytest.fixture(scope="module")
def analysis() -> WorldAnalysis:
    found = check_disputed_places("7").analysis
    assert found is not None
    return found


def _examine(analysis: WorldAnalysis, changes: dict[str, Value]) -> BestPlansOverDispute:
    assert analysis.crux is not None
    found = find_best_plans_over_dispute(analysis, analysis.crux, SearchSituation(changes))
    assert found is not None
    return found


def test_a_change_that_leaves_both_best_plans_leaves_the_same_dispute(analysis: WorldAnalysis) -> None:
    stated = _examine(analysis, {})
    assert stated.is_contested
    assert _examine(analysis, {"low_place.most": 3.0}).is_same_dispute(stated)


def test_a_change_settles_the_dispute_only_if_one_plan_is_best_at_all_examined_values(
    analysis: WorldAnalysis,
) -> None:
    settled = _examine(analysis, {"low_place.most": 0.5, "high_begins": 0.5}).settled_by
    assert settled is not None
    assert settled.calls == ("film(high_place)",)
    one_end = _examine(analysis, {"low_place.most": 0.5})
    assert one_end.settled_by is None
    assert one_end.is_contested


def test_nothing_works_only_if_nothing_works_anywhere_in_the_dispute(analysis: WorldAnalysis) -> None:
    assert _examine(analysis, {"work": 7200.0}).is_impossible
    assert not _examine(analysis, {"low_place.most": 0.5}).is_impossible


def test_found_changes_are_of_other_quantities_than_the_disputed_one_and_end_the_dispute(
    analysis: WorldAnalysis,
) -> None:
    assert analysis.crux is not None
    stated = _examine(analysis, {})
    changes = list(find_dispute_changes(analysis, analysis.crux))
    assert "age" not in {each.quantity for each in changes}
    assert {"low_place.most", "high_begins"} <= {each.quantity for each in changes}
    for each in changes:
        assert not _examine(analysis, {each.quantity: each.value}).is_same_dispute(stated), each
