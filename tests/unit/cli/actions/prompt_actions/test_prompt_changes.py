"""What changed between two versions of a prompt, and the number the new one gets."""

from __future__ import annotations

import pytest

from impossible_moments.cli.actions.prompt_actions.prompt_changes import (
    PromptSectionChange,
    compare_prompt_sections,
    compute_next_version_stem,
    split_prompt_sections,
)

TEXT = """\
# NEWTON System Prompt

## Role
Weighs things.

## Worked Examples
### One
```
# no heading
```
"""


def test_sections_are_named_with_what_is_above_them_and_fences_hide_headings() -> None:
    assert list(split_prompt_sections(TEXT)) == [
        "NEWTON System Prompt",
        "Role",
        "Worked Examples",
        "Worked Examples / One",
    ]
    assert split_prompt_sections(TEXT)["Worked Examples / One"] == ("```", "# no heading", "```")


def test_a_text_without_headings_is_one_section() -> None:
    assert split_prompt_sections("Weigh.\nThen tell.") == {"": ("Weigh.", "Then tell.")}


@pytest.mark.parametrize(
    ("old", "new", "found", "major"),
    [
        (
            "### One\n",
            "### One\nWith a scale.\n",
            PromptSectionChange("Worked Examples / One", "changed", 1, 0),
            False,
        ),
        (
            "# no heading\n```\n",
            "```\n### Two\n",
            PromptSectionChange("Worked Examples / Two", "added"),
            False,
        ),
        ("Weighs things.", "Weighs souls.", PromptSectionChange("Role", "changed", 1, 1), True),
        ("## Role\nWeighs things.\n\n", "", PromptSectionChange("Role", "removed", 0, 2), True),
        ("## Worked", "## Tone\nDry.\n## Worked", PromptSectionChange("Tone", "added", 1, 0), True),
    ],
)
def test_a_change_is_major_where_it_touches_what_the_agent_is_for(
    old: str, new: str, found: PromptSectionChange, *, major: bool
) -> None:
    assert old in TEXT
    seen = compare_prompt_sections(TEXT, TEXT.replace(old, new))

    assert found in seen
    assert any(each.is_major for each in seen) is major


@pytest.mark.parametrize(
    ("stem", "minor", "major"),
    [
        ("newton_v1", "newton_v1.1", "newton_v2"),
        ("newton_v1.9", "newton_v1.10", "newton_v2"),
        ("newton_v12.3", "newton_v12.4", "newton_v13"),
        ("my prompt", "newton_v1", "newton_v1"),
    ],
)
def test_the_next_version_follows_the_present_one(stem: str, minor: str, major: str) -> None:
    assert compute_next_version_stem(stem, agent="NEWTON", major=False) == minor
    assert compute_next_version_stem(stem, agent="NEWTON", major=True) == major
