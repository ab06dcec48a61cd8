"""By how much a plan misses, in words that fit the direction of the comparison that it fails."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.documents.wording.miss_wording import describe_miss
from support.small_worlds import WALL, analyse_record, build_action, build_record, build_thing


@pytest.mark.parametrize(
    ("condition", "takes", "expected"),
    [
        ("load >= most", "work", "It falls short by 75%."),
        ("most <= load", "work", "The limit is exceeded by a factor of 4."),
        ("load < load", "work", ""),
        ("load <= most", "120[min]", "It takes 2 times the time there is."),
        ("load <= most", "66[min]", "It takes 10% more time than there is."),
    ],
)
def test_a_miss_is_described_by_what_is_too_little_or_too_much(
    condition: str, takes: str, expected: str
) -> None:
    analysis = analyse_record(
        build_record(
            quantities=[
                "load = 5[kg]",
                "most = 20[kg]",
                "work = 5[min]",
                "limit = 1[h]",
                f"long = {takes if '[' in takes else '5[min]'}",
            ],
            things=[WALL, build_thing("site", "raised = false", kind="place")],
            goal="site.raised",
            deadline="limit",
            actions=[
                build_action(
                    "raise_it(s: site)", "s.raised = true", when=(f"right = {condition}",), takes="long"
                )
            ],
        )
    )
    plan = analysis.executor.parse_plan(["raise_it(site)"])
    assert describe_miss(analysis, plan, analysis.executor.run_plan(plan)) == expected
