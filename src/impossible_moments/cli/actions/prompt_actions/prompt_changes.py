"""Differences between two versions of a prompt by section, and the version number of the new one.

Version numbers follow appendix B of the specification: `v1.1` for a refinement, `v2` if the scope, the
interaction with other agents or the evaluation criteria of the agent have changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

FUNDAMENTAL: Final = frozenset(
    {"Role", "Primary Outputs", "Evaluation Criteria", "What This Agent Does NOT Do"}
)
"""Sections that define the scope and the evaluation criteria of an agent."""
_BELOW: Final = " / "
_HEADING: Final = re.compile(r"(#{1,6})\s+(\S.*?)\s*#*")
_FENCE: Final = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_VERSION: Final = re.compile(r"(?P<name>.+)_v(?P<major>\d{1,6})(?:\.(?P<minor>\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class PromptSectionChange:
    """Change of one section."""

    heading: str
    kind: str
    """`added`, `removed` or `changed`."""
    added: int = 0
    removed: int = 0
    """Numbers of added and removed lines."""

    @property
    def is_major(self) -> bool:
        """Whether it changes a fundamental section, or adds or removes a main heading."""
        main, below, _ = self.heading.partition(_BELOW)
        return main in FUNDAMENTAL or (self.kind != "changed" and not below)


def compare_prompt_sections(old: str, new: str) -> tuple[PromptSectionChange, ...]:
    """Return the sections that differ, in the order of the new text, removed sections last."""
    before, after = split_prompt_sections(old), split_prompt_sections(new)
    return tuple(_iterate_section_changes(before, after))


def split_prompt_sections(text: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a Markdown text by heading. A `#` inside a code fence is not a heading.

    A heading is named together with the headings above it, except the title. Equal names are merged.
    """
    found: dict[str, list[str]] = {}
    path: dict[int, str] = {}
    name, fence = "", ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        heading = None if fence else _HEADING.fullmatch(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if heading is None:
            found.setdefault(name, []).append(line)
            continue
        level = len(heading[1])
        path = {depth: each for depth, each in path.items() if 1 < depth < level} | {level: heading[2]}
        name = _BELOW.join(path.values())
        found.setdefault(name, [])
    return {name: tuple(lines) for name, lines in found.items() if name or any(map(str.strip, lines))}


def compute_next_version_stem(stem: str, *, agent: str, major: bool) -> str:
    """Return the file stem of the next version, such as athena_v1.1 or athena_v2 after athena_v1."""
    present = _VERSION.fullmatch(stem)
    if present is None:
        return f"{agent.lower()}_v1"
    if major:
        return f"{present['name']}_v{int(present['major']) + 1}"
    return f"{present['name']}_v{present['major']}.{int(present['minor'] or 0) + 1}"


def _iterate_section_changes(
    before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]
) -> Iterator[PromptSectionChange]:
    for name, lines in after.items():
        if name not in before:
            yield PromptSectionChange(name, "added", added=len(lines))
        elif lines != before[name]:
            spans = SequenceMatcher(None, before[name], lines).get_opcodes()
            other = [span for span in spans if span[0] != "equal"]
            yield PromptSectionChange(
                name,
                "changed",
                sum(each[4] - each[3] for each in other),
                sum(each[2] - each[1] for each in other),
            )
    for name, lines in before.items():
        if name not in after:
            yield PromptSectionChange(name, "removed", removed=len(lines))
