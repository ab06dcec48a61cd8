"""Departures from the form are reported where they stand, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.structure.template_structure import CATEGORIES, STATUSES, find_structure_defects
from impossible_moments.domain.vocabulary import TIERS

AUDITED = Path(__file__).parents[3] / "golden" / "audit"
SECTIONS = """
## Scenario
One.
### Environment
Two.
### Threat
Three.
### Position
Four.
### Available Objects
Five.
### Agent Capabilities
Six.
### Why This Looks Impossible
Seven.
### Common Wrong Answers
Eight.
"""


def found(
    header: str, *, title: str = "# IM-0001: A Name", sections: str = SECTIONS
) -> list[tuple[int, str]]:
    return [
        (defect.line, defect.code)
        for defect in find_structure_defects(MarkdownDocument(f"{title}\n{header}\n{sections}"))
    ]


def test_the_template_has_no_defect() -> None:
    assert found("**Category**: The Locked Room") == []


@pytest.mark.parametrize(
    "title", ["# EVALUATION: IM-0001: A Name", "# IM-0001", "# METHODOLOGY TRACE: IM-0001"]
)
def test_a_title_with_a_number_is_a_title(title: str) -> None:
    assert found("", title=title) == []


@pytest.mark.parametrize("title", ["# A Name", "## IM-0001", "IM-0001: A Name", "# IM-1: A"])
def test_a_title_without_a_number_is_reported(title: str) -> None:
    assert (1, "structure.title") in found("", title=title)


@pytest.mark.parametrize(
    "name", ["Environment", "Threat", "Position", "Available Objects", "Agent Capabilities"]
)
def test_a_missing_section_is_reported(name: str) -> None:
    assert found("", sections=SECTIONS.replace(f"### {name}\n", "### Else\n")) == [(1, "structure.missing")]


def test_a_section_may_go_by_a_like_name() -> None:
    assert found("", sections=SECTIONS.replace("### Available Objects", "### Tools and Resources")) == []


@pytest.mark.parametrize("body", ["", "\n", "\n---\n", "   \n"])
def test_an_empty_section_is_reported_at_its_heading(body: str) -> None:
    sections = SECTIONS.replace("### Position\nFour.\n", f"### Position\n{body}")

    assert found("", sections=sections) == [(10, "structure.empty")]


def test_a_heading_with_subsections_is_not_empty() -> None:
    assert found("", sections=SECTIONS.replace("One.\n", "")) == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_of_the_twelve_categories_is_one(category: str) -> None:
    assert found(f"**Category**: {category} (variant)") == []


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("**Category**: The Kitchen", "enum.category"),
        ("**Category**: Locked Room", "enum.category-name"),
        ("**Status**: ZZ", "enum.status"),
        ("**Status**: PX (metamorphic)", "enum.status-name"),
        ("**Status**: MT (multiple)", "enum.status-name"),
        ("**Tier**: HARD", "enum.tier"),
        ("**Profile**: 7.1.1.1.1.1", "enum.profile"),
        ("**Profile**: 1.1.1.1.1", "enum.profile"),
        ("**Profile**: 0.1.1.1.1.1", "enum.profile"),
        ("**Difficulty Profile**: 1.1.1.1.1.1.1", "enum.profile"),
    ],
)
def test_a_word_that_is_none_of_the_list_is_reported_at_its_line(header: str, code: str) -> None:
    assert found(header) == [(2, code)]


@pytest.mark.parametrize(
    "status", [*STATUSES, "KS-Multiple", "KS (known solution)", "Open Frontier", "Paradox (PX)"]
)
def test_each_status_is_one(status: str) -> None:
    assert found(f"**Status**: {status}") == []


@pytest.mark.parametrize("tier", [*TIERS, "Tier 1: SPARK", "Rupture"])
def test_each_tier_is_one(tier: str) -> None:
    assert found(f"**Tier**: {tier}") == []


def test_a_tier_that_does_not_follow_from_the_profile_is_reported() -> None:
    assert found("**Tier**: SPARK\n**Profile**: 4.4.4.4.4.4") == [(1, "tier.profile")]


def test_a_tier_that_follows_from_the_profile_is_not_reported() -> None:
    assert found("**Tier**: SINGULARITY\n**Profile**: 4.4.4.4.4.4") == []


def test_a_key_below_the_header_is_no_header() -> None:
    assert found("", sections=SECTIONS.replace("Two.", "**Status**: open")) == []


def test_an_evaluation_is_held_to_its_own_template() -> None:
    assert (
        list(
            find_structure_defects(
                MarkdownDocument((AUDITED / "clean_evaluation.md").read_text(encoding="utf-8"))
            )
        )
        == []
    )
