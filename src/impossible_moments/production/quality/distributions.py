"""Check that categories, tiers and statuses have the wanted counts, within the tolerance of the targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeVar

from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.production.coverage_targets import CoverageTargets
from impossible_moments.production.quality.quality_report import QualityCheck, build_check
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios

Name = TypeVar("Name", bound=str)


def check_distributions(released: ReleasedScenarios, targets: CoverageTargets) -> QualityCheck:
    """Compare the counts with the targets, scaled to the number of scenarios.

    A count may differ by the tolerance of the targets, and by one scenario in any case.
    """
    total = len(released.entries)
    wanted = targets if total == targets.total else targets.scale(total)
    entries = released.entries.values()
    problems = [
        *_compare_counts(
            "category",
            Counter(str(each.category) for each in entries),
            _name_counts(wanted.categories),
            targets,
        ),
        *_compare_counts(
            "tier", Counter(str(each.tier) for each in entries), _name_counts(wanted.tiers), targets
        ),
        *_compare_counts(
            "status",
            Counter(str(parse_main_status(each.status)) for each in entries),
            _name_counts(wanted.statuses),
            targets,
        ),
    ]
    summary = (
        f"{total} scenarios against the targets for {wanted.total}, ±{targets.tolerance:.0%} of each count"
    )
    return build_check("distributions", summary, problems)


def _name_counts(counts: Mapping[Name, int]) -> dict[str, int]:
    return {str(name): count for name, count in counts.items()}


def _compare_counts(
    kind: str, counts: Mapping[str, int], wanted: Mapping[str, int], targets: CoverageTargets
) -> Iterator[str]:
    for name in dict.fromkeys((*wanted, *counts)):
        target, found = wanted.get(name, 0), counts.get(name, 0)
        if wanted and abs(found - target) > max(targets.tolerance * target, 1):
            yield f"{kind} {name}: {found} instead of {target}"
