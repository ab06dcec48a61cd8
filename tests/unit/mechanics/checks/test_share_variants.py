"""Counterfactual variants of shares: no change takes a share beyond one, and none below one is overlooked."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.checks.variants.counterfactual_variants import find_counterfactual_variants
from support.small_worlds import (
    WALL,
    build_action,
    build_approach,
    build_record,
    build_thing,
    check_built_record,
)


@pytest.mark.parametrize(("needed", "is_found"), [("0.999", True), ("1.01", False)])
def test_a_share_is_changed_up_to_one_and_no_further(needed: str, *, is_found: bool) -> None:
    report = check_built_record(
        build_record(
            quantities=["passed = 0.84", f"needed = {needed}", "work = 5[min]", "limit = 1[h]"],
            things=[WALL, build_thing("site", "raised = false", kind="place")],
            goal="site.raised",
            deadline="limit",
            actions=[build_action("test(s: site)", "s.raised = true", when=("right = passed >= needed",))],
            approaches=[build_approach("trap", "test(site)", ends="blocked test.right")],
            status={"claim": "PX", "chains": ["trap"], "conflict": ["test.right"]},
        )
    )
    assert report.analysis is not None
    assert report.verdict is not None
    flips = {
        each.quantity: each.value for each in find_counterfactual_variants(report.analysis, report.verdict)
    }
    assert ("passed" in flips) is is_found
    if is_found:
        assert 0.999 <= flips["passed"] <= 1
