"""The quick set: five of each category, in the proportions of the whole, the same for the same scenarios."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

from impossible_moments.domain.vocabulary import CATEGORIES, TIERS
from impossible_moments.production.quick_set import choose_quick_set
from impossible_moments.scenarios import ScenarioMetadata, ScenarioRegistry
from support.built_documents import build_golden_documents


def make_entries() -> dict[str, ScenarioMetadata]:
    """Twelve of each category: every tier twice, and two more of the first, half of them PX."""
    entries, sample = {}, build_golden_documents().metadata
    for number, (category, place) in enumerate(product(CATEGORIES, range(12)), start=1):
        name = f"IM-{number:04d}"
        tier = TIERS[place % 5]
        entries[name] = sample.model_copy(
            update={
                "scenario_id": name,
                "category": category,
                "tier": tier,
                "status": "PX" if place % 2 else "KS",
                "canary": f"im-canary-{number}",
            }
        )
    return entries


def test_five_of_each_category_are_chosen_in_the_proportions_of_all() -> None:
    entries = make_entries()
    chosen = [entries[name] for name in choose_quick_set(entries)]
    tiers, statuses = Counter(each.tier for each in chosen), Counter(each.status for each in chosen)

    assert Counter(each.category for each in chosen) == dict.fromkeys(CATEGORIES, 5)
    assert all(
        abs(tiers[tier] - 60 * share / 12) <= 1 for tier, share in zip(TIERS, (3, 3, 2, 2, 2), strict=True)
    )
    assert abs(statuses["KS"] - 30) <= 1


def test_the_choice_depends_on_the_content_alone() -> None:
    entries = make_entries()
    backwards = dict(reversed(entries.items()))

    assert sorted(choose_quick_set(backwards)) == list(choose_quick_set(entries))


def test_a_category_with_few_scenarios_gives_all_it_has() -> None:
    entries = dict(list(make_entries().items())[:3])

    assert choose_quick_set(entries) == tuple(entries)


def test_the_registry_keeps_the_quick_set_when_it_is_written_again(tmp_path: Path) -> None:
    registry = ScenarioRegistry(tmp_path)
    entries = dict(list(make_entries().items())[:3])
    registry.rebuild(list(entries.values()))
    registry.set_quick(["IM-0001", "IM-0003"])
    registry.change_entry("IM-0001", tier="RUPTURE")

    assert registry.quick == ("IM-0001", "IM-0003")
    registry.remove_entry("IM-0003", "retired")
    assert list(registry.quick) == ["IM-0001"]
