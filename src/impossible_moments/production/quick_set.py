"""The quick set: five scenarios of each category for first runs, chosen so that tiers and statuses are as in the whole."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import CATEGORIES, parse_main_status
from impossible_moments.scenarios import ScenarioMetadata

OF_EACH_CATEGORY: Final = 5


def choose_quick_set(
    entries: Mapping[str, ScenarioMetadata], of_each_category: int = OF_EACH_CATEGORY
) -> tuple[str, ...]:
    """Return the identifiers of the quick set in numerical order. Equal sets of scenarios give equal quick sets.

    One scenario of each category is chosen in turn: the one whose tier and status are shortest of their share.
    """
    chosen: list[ScenarioMetadata] = []
    pools = {
        name: sorted((each for each in entries.values() if each.category == name), key=_rank_by_content)
        for name in CATEGORIES
    }
    shares = [Counter(kind(each) for each in entries.values()) for kind in _KINDS]
    for _ in range(of_each_category):
        for pool in pools.values():
            if pool:
                best = min(pool, key=lambda each: _measure_surplus(each, chosen, shares, len(entries)))
                pool.remove(best)
                chosen.append(best)
    names = {each.scenario_id for each in chosen}
    return tuple(name for name in entries if name in names)


def _measure_surplus(
    candidate: ScenarioMetadata,
    chosen: Sequence[ScenarioMetadata],
    shares: Sequence[Counter[str]],
    total: int,
) -> float:
    """Return by how much the tier and the status of a candidate would exceed their shares among the chosen ones."""
    surplus = 0.0
    for kind, share in zip(_KINDS, shares, strict=True):
        value = kind(candidate)
        count = 1 + sum(kind(each) == value for each in chosen)
        surplus += count - share[value] / total * (len(chosen) + 1)
    return surplus


def _get_tier(entry: ScenarioMetadata) -> str:
    return entry.tier


def _get_status(entry: ScenarioMetadata) -> str:
    return parse_main_status(entry.status)


_KINDS: Final = (_get_tier, _get_status)


def _rank_by_content(entry: ScenarioMetadata) -> str:
    """Return an order that depends on the content alone, so that no author can put a scenario first."""
    return hashlib.sha256(entry.canary.encode()).hexdigest()
