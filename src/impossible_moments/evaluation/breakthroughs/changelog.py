"""The changelog of a folder of scenarios: the entry that proposes to turn a scenario from OF to KS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import Candidate
from impossible_moments.evaluation.breakthroughs.events import TIERS
from impossible_moments.scenarios.markdown import inline
from impossible_moments.scenarios.registry import write_whole

FILE: Final = "CHANGELOG.md"
_HEAD: Final = "# Changelog\n\nWhat changes in the scenarios of this folder.\n"
_MARK: Final = "Breakthrough {} by"
_UNRELEASED: Final = re.compile(r"^## \[?Unreleased\]?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_SECTION: Final = re.compile(r"^## ", re.MULTILINE)


def entry(candidate: Candidate, authors: Sequence[str], *, further: bool) -> str:
    """The line for a verified candidate; `further` where another one has turned the scenario already."""
    verified, collected = candidate.verified, candidate.collected
    assert verified is not None  # nothing else is written into the changelog
    change = (
        "a further way is verified; proposed to turn from KS to KS-Multiple"
        if further
        else "proposed to turn from OF to KS"
    )
    return (
        f"- {collected.scenario_id} {inline(collected.title)}: {change}. {_MARK.format(candidate.name)} "
        f"{', '.join(map(inline, authors)) or 'nobody known'}, verified by tier {verified.tier} ({TIERS[verified.tier]}: "
        f"{', '.join(map(inline, verified.experts))}). Evidence: {inline(verified.evidence)}"
    )


def write_entry(folder: Path, name: str, line: str) -> Path:
    """Put a line under `Unreleased`, unless one about this candidate stands in the file; a missing file is made."""
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else _HEAD
        if _MARK.format(name) not in text:
            write_whole(path, _with(text, line))
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(
            f"{path} cannot be read and written ({problem}); a verified breakthrough is written into it. Make it a text file."
        ) from None
    return path


def _with(text: str, line: str) -> str:
    """The text with one more line, the newest last, and everything else as it was."""
    head = _UNRELEASED.search(text)
    if head is None:
        section = _SECTION.search(text)
        at = section.start() if section else len(text)
        before, rest = text[:at].rstrip("\n"), text[at:]
        new = f"{before}\n\n## Unreleased\n\n{line}\n".lstrip("\n")
        return f"{new}\n{rest}" if rest else new
    following = _SECTION.search(text, head.end())
    at = following.start() if following else len(text)
    before, rest = text[:at].rstrip("\n"), text[at:]
    gap = "\n\n" if before.endswith(head[0].rstrip()) else "\n"
    new = f"{before}{gap}{line}\n"
    return f"{new}\n{rest}" if rest else new
