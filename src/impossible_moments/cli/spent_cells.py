"""What the catalogue has left in a category of which one cell is spent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.domain.vocabulary import STATUSES, TIERS, Category, parse_main_status
from impossible_moments.scenarios import ScenarioRegistry


def describe_what_is_left(folder: Path, category: Category) -> str:
    """Return one sentence with the cells of a category whose situations a folder has not used up, the fullest first."""
    left = Counter(
        (parse_main_status(offer.claim), offer.tier)
        for offer in load_builtin_cast().catalogue.iterate_offers(category)
        if offer.tier is not None
    )
    left.subtract(
        (parse_main_status(each.status), each.tier)
        for each in ScenarioRegistry(folder).entries.values()
        if each.category == category
    )
    cells = sorted(
        ((number, status, tier) for (status, tier), number in left.items() if number > 0),
        key=lambda each: (-each[0], STATUSES.index(each[1]), TIERS.index(each[2])),
    )
    if not cells:
        return f"Nothing is left in {category}: take another category, or `--level` for a composed scenario."
    listed = ", ".join(f"{status} at {tier} ({number})" for number, status, tier in cells)
    return f"Left in {category}: {listed}. Composed scenarios are made with --level."
