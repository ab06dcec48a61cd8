"""Header words of others as ours."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.imported_scenarios.header_vocabulary import (
    parse_category,
    parse_status,
    parse_tier,
)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("KS (Known Solution)", "KS"),
        ("KNOWN-SOLUTION", "KS"),
        ("Known Solution", "KS"),
        ("KS-Fragile", "KS-Fragile"),
        ("ks-multiple (two ways)", "KS-Multiple"),
        ("Open-Frontier", "OF"),
        ("OF (Open Frontier)", "OF"),
        ("PX (Proof of Impossibility)", "PX"),
        ("MT (Metamorphic Trap)", "MT"),
        ("Contested Truth", "CT"),
        ("Degenerate", "DG"),
        ("Draft", None),
        ("12", None),
        ("", None),
    ],
)
def test_a_status_is_read_by_its_abbreviation_or_first_word(text: str, status: str | None) -> None:
    assert parse_status(text) == status


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("RUPTURE (Tier 3 -- Hard)", "RUPTURE"),
        ("Tier 2", "FRACTURE"),
        ("Medium", "FRACTURE"),
        ("very hard indeed", "SINGULARITY"),
        ("impossible", "IMPOSSIBLE"),
        ("Sparkling", None),
        ("9", None),
    ],
)
def test_a_tier_is_read_by_name_number_or_ease(text: str, tier: str | None) -> None:
    assert parse_tier(text) == tier


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Locked Room", "The Locked Room"),
        ("The Horizon Problem (beyond what is known)", "The Horizon Problem"),
        ("lilliput", "The Lilliput Conundrum"),
        ("Temporal", None),
        ("", None),
    ],
)
def test_a_category_is_read_with_or_without_its_article(text: str, category: str | None) -> None:
    assert parse_category(text) == category
