"""What changed between two versions of a prompt, section by section, and which number the new one gets.

The numbers are those of the specification's appendix B: `v1.1` for a refinement that leaves the agent what it is, `v2`
where its scope, the ways it works with others or the criteria it is judged by have changed.
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
"""Sections that say what an agent is for and what it is judged by."""
_BELOW: Final = " / "
_HEADING: Final = re.compile(r"(#{1,6})\s+(\S.*?)\s*#*")
_FENCE: Final = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_VERSION: Final = re.compile(r"(?P<name>.+)_v(?P<major>\d{1,6})(?:\.(?P<minor>\d{1,6}))?")


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a section."""

    heading: str
    kind: str
    """added, removed or changed."""
    added: int = 0
    removed: int = 0
    """Lines."""

    @property
    def is_major(self) -> bool:
        """Whether it touches what the agent is for; a further example under a heading that stays does not."""
        main, below, _ = self.heading.partition(_BELOW)
        return main in FUNDAMENTAL or (self.kind != "changed" and not below)


def changes(old: str, new: str) -> tuple[Change, ...]:
    """The sections that differ, in the order of the new text, the removed ones last."""
    before, after = sections(old), sections(new)
    return tuple(_changes(before, after))


def sections(text: str) -> dict[str, tuple[str, ...]]:
    """The lines of a Markdown text under their headings; a `#` inside a fence is no heading.

    A heading is named with those above it, but for the title. What comes again under one name counts to the first.
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


def next_stem(stem: str, *, agent: str, major: bool) -> str:
    """What the file of the next version is called: athena_v1.1 or athena_v2 after athena_v1."""
    present = _VERSION.fullmatch(stem)
    if present is None:
        return f"{agent.lower()}_v1"
    if major:
        return f"{present['name']}_v{int(present['major']) + 1}"
    return f"{present['name']}_v{present['major']}.{int(present['minor'] or 0) + 1}"


def _changes(before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]) -> Iterator[Change]:
    for name, lines in after.items():
        if name not in before:
            yield Change(name, "added", added=len(lines))
        elif lines != before[name]:
            spans = SequenceMatcher(None, before[name], lines).get_opcodes()
            other = [span for span in spans if span[0] != "equal"]
            yield Change(
                name,
                "changed",
                sum(each[4] - each[3] for each in other),
                sum(each[2] - each[1] for each in other),
            )
    for name, lines in before.items():
        if name not in after:
            yield Change(name, "removed", removed=len(lines))
