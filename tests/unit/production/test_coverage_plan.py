"""Tests of the coverage plan: exact margins, batches in proportion, gaps that are named, replanning."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS
from impossible_moments.errors import ConfigurationError
from impossible_moments.production import Cell, load_coverage_targets, plan_coverage

TARGETS = load_coverage_targets()
AMPLE = {Cell(category, tier, status): 60 for category in CATEGORIES for tier in TIERS for status in STATUSES}


def test_categories_and_tiers_are_met_exactly() -> None:
    plan = plan_coverage(TARGETS, AMPLE)
    assert plan.total == 500
    assert {each: plan.count(each) for each in CATEGORIES} == TARGETS.categories
    assert {each: plan.count(tier=each) for each in TIERS} == TARGETS.tiers


def test_only_the_contradiction_of_the_status_tables_remains() -> None:
    missed = {each.name.split()[-1] for each in plan_coverage(TARGETS, AMPLE).list_unmet()}
    assert missed <= {"OF", "MT", "PX", "DG"}


def test_batches_keep_the_bounds_of_the_specification() -> None:
    batches = plan_coverage(TARGETS, AMPLE).split_into_batches()
    assert [len(each) for each in batches] == [50] * 10
    for batch in batches:
        tiers = Counter(cell.tier for cell in batch)
        categories = Counter(cell.category for cell in batch)
        assert tiers["SPARK"] in {7, 8}
        assert tiers["FRACTURE"] in {17, 18}
        assert tiers["RUPTURE"] == 15
        assert tiers["SINGULARITY"] in {7, 8}
        assert tiers["IMPOSSIBLE"] in {2, 3}
        assert categories["The Locked Room"] in {5, 6}
        assert categories["The Babel Problem"] in {3, 4}


def test_what_cannot_be_made_is_named_with_its_room() -> None:
    room = {cell: number for cell, number in AMPLE.items() if cell.tier != "IMPOSSIBLE"}
    plan = plan_coverage(TARGETS, room)
    unmet = {each.name: each for each in plan.list_unmet()}
    assert plan.total == 500
    assert (unmet["IMPOSSIBLE"].planned, unmet["IMPOSSIBLE"].reason) == (0, "no more can be made")
    assert unmet["IMPOSSIBLE OF"].reason == "0 can be made"


def test_made_scenarios_are_not_planned_again() -> None:
    made = {Cell("The Cascade", "SPARK", "KS"): 5}
    plan = plan_coverage(TARGETS, AMPLE, made)
    assert plan.total == 495
    assert plan.count("The Cascade") == 40


def test_another_total_keeps_the_proportions() -> None:
    targets = TARGETS.scale(60)
    assert sum(targets.categories.values()) == sum(targets.tiers.values()) == 60
    assert targets.tiers == {"SPARK": 9, "FRACTURE": 21, "RUPTURE": 18, "SINGULARITY": 9, "IMPOSSIBLE": 3}


def test_expected_attrition_compounds() -> None:
    assert TARGETS.compute_expected_seeds(500) == pytest.approx(745.3, abs=0.1)


def test_targets_that_do_not_add_up_are_refused_with_the_sums(tmp_path: Path) -> None:
    file = tmp_path / "targets.yaml"
    file.write_text(
        "format: im-coverage/1\ntotal: 10\ncategories: {The Cascade: 9}\ntiers: {SPARK: 10}\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigurationError, match="categories add up to 9, but the total is 10"):
        load_coverage_targets(file)
