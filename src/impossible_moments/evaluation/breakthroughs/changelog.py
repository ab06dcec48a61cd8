"""Changelog entries of a scenario folder: changes of the status of a scenario from OF to KS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import BreakthroughCandidate
from impossible_moments.evaluation.breakthroughs.events import VERIFICATION_METHODS
from impossible_moments.scenarios import escape_inline, write_file_atomically

FILE: Final = "CHANGELOG.md"
_CHANGELOG_HEADER: Final = "# Changelog\n\nChanges to the scenarios of this folder.\n"
_ENTRY_MARKER: Final = "Breakthrough {} by"
_UNRELEASED: Final = re.compile(r"^## \[?Unreleased\]?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_SECTION: Final = re.compile(r"^## ", re.MULTILINE)


def format_changelog_entry(
    candidate: BreakthroughCandidate, authors: Sequence[str], *, further: bool, registered: bool = False
) -> str:
    """Return the changelog line for a verified candidate.

    `further` is true if another candidate has already changed the status of the scenario. `registered` is true if
    the registry of the folder states the new status, else the change is a proposal.
    """
    verified, collected = candidate.verified, candidate.collected
    assert verified is not None  # only verified candidates have an entry
    verb = "changed" if registered else "proposed to change"
    change = (
        f"a further solution is verified; {verb} from KS to KS-Multiple"
        if further
        else f"{verb} from OF to KS"
    )
    return (
        f"- {collected.scenario_id} {escape_inline(collected.title)}: {change}. {_ENTRY_MARKER.format(candidate.name)} "
        f"{', '.join(map(escape_inline, authors)) or 'unknown'}, verified by tier {verified.tier} ({VERIFICATION_METHODS[verified.tier]}: "
        f"{', '.join(map(escape_inline, verified.experts))}). Evidence: {escape_inline(verified.evidence)}"
    )


def write_changelog_entry(folder: Path, name: str, line: str) -> Path:
    """Add a line under `Unreleased` unless the file already names the candidate; create it if missing."""
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else _CHANGELOG_HEADER
        if _ENTRY_MARKER.format(name) not in text:
            write_file_atomically(path, _insert_line_under_unreleased(text, line))
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(
            f"Cannot update {path} ({problem}); a verified breakthrough is recorded in it. Make it a writable text file."
        ) from None
    return path


def _insert_line_under_unreleased(text: str, line: str) -> str:
    """Return the text with the line added at the end of the `Unreleased` section."""
    head = _UNRELEASED.search(text)
    if head is None:
        section = _SECTION.search(text)
        at = section.start() if section else len(text)
        before, text_after = text[:at].rstrip("\n"), text[at:]
        changed_text = f"{before}\n\n## Unreleased\n\n{line}\n".lstrip("\n")
        return f"{changed_text}\n{text_after}" if text_after else changed_text
    following = _SECTION.search(text, head.end())
    at = following.start() if following else len(text)
    before, text_after = text[:at].rstrip("\n"), text[at:]
    gap = "\n\n" if before.endswith(head[0].rstrip()) else "\n"
    changed_text = f"{before}{gap}{line}\n"
    return f"{changed_text}\n{text_after}" if text_after else changed_text
