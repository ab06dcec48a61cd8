"""A published scenario, read back from its public document; nothing else of it is ever read from there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.metadata import ID_FORM

_TITLE: Final = re.compile(r"# (IM-\d{4,}): (.+)")
_HEADING: Final = re.compile(r"(#{2,3}) (.+)")
_KEY: Final = re.compile(r"\*\*(Category|Difficulty|Status|Correct Outcome)\*\*: (.+)")
_DIFFICULTY: Final = re.compile(r"([A-Z]+) \(([1-5](?:\.[1-5]){5})\)")
_CANARY: Final = re.compile(r"\bCanary: (\S+?)\*?$")
_FOOT: Final = re.compile(r"\n---\s*(?:\n.*)?\Z", re.DOTALL)

# What a model under test is shown by default: the situation, and nothing about its status or its traps.
BLIND: Final = (
    "Scenario",
    "Environment",
    "Threat / Challenge",
    "Position / Starting State",
    "Available Objects",
    "Agent Capabilities",
)
SECTIONS: Final = (*BLIND, "Why This Looks Impossible", "Common Wrong Answers")


@dataclass(frozen=True, slots=True)
class Scenario:
    """The public document of a scenario."""

    scenario_id: str
    title: str
    category: str
    tier: str
    profile: str
    status: str
    correct_outcome: str
    sections: Mapping[str, str]
    """The text under each heading of the form."""
    canary: str
    text: str
    """The whole document."""

    @property
    def blind(self) -> str:
        """Narrative, environment, threat, position, objects and capabilities: neutral about whether it can be solved."""
        first, *others = BLIND
        parts = [self.sections[first], *(f"### {name}\n\n{self.sections[name]}" for name in others)]
        return "\n\n".join(parts) + "\n"

    @classmethod
    def read(cls, text: str, name: str) -> Scenario:
        """The scenario in a public document; `name` says in errors whose it is."""
        title = _TITLE.fullmatch(text.partition("\n")[0].strip())
        if title is None:
            raise ConfigurationError(
                f"{name} does not begin with a title; a public document begins `# IM-0001: Name`."
            )
        sections = dict(_sections(text))
        keys = dict(_keys(text))
        missing = [each for each in SECTIONS if not sections.get(each)]
        missing += [
            each for each in ("Category", "Difficulty", "Status", "Correct Outcome") if each not in keys
        ]
        difficulty = _DIFFICULTY.fullmatch(keys.get("Difficulty", ""))
        if missing or difficulty is None:
            lacks = ", ".join(missing) or "a difficulty of the form `FRACTURE (3.2.2.2.3.2)`"
            raise ConfigurationError(
                f"{name} lacks {lacks}; a public document has every section of its form. Build it anew."
            )
        canary = _CANARY.search(text.strip())
        return cls(
            scenario_id=title[1],
            title=title[2],
            category=keys["Category"],
            tier=difficulty[1],
            profile=difficulty[2],
            status=keys["Status"],
            correct_outcome=keys["Correct Outcome"],
            sections={each: sections[each] for each in SECTIONS},
            canary=canary[1] if canary else "",
            text=text,
        )

    @classmethod
    def load(cls, path: Path) -> Scenario:
        """The scenario in a file."""
        try:
            return cls.read(path.read_text(encoding="utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as problem:
            raise ConfigurationError(
                f"{path} cannot be read ({problem}); a public document is a UTF-8 text."
            ) from None

    @classmethod
    def load_directory(cls, path: Path | str) -> tuple[Scenario, ...]:
        """The scenarios of a folder of public documents, or of a folder that has one, in order of their numbers."""
        folder = Path(path)
        if (folder / "public").is_dir():
            folder /= "public"
        if not folder.is_dir():
            raise ConfigurationError(
                f"{folder} is no folder; name one that holds public documents `IM-0001.md`."
            )
        # only documents under their number: whatever else lies there is none of a solver's business
        files = [each for each in folder.glob("IM-*.md") if re.fullmatch(ID_FORM, each.stem)]
        return tuple(cls.load(each) for each in sorted(files, key=lambda each: int(each.stem[3:])))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """The text under each heading of the second and third level; what others wrote has deeper ones."""
    title, lines = "", list[str]()
    for line in text.split("\n"):
        heading = _HEADING.fullmatch(line.rstrip())
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield title, _body(lines)
        title, lines = heading[2], []
    if title:
        yield title, _body(lines)


def _body(lines: list[str]) -> str:
    return _FOOT.sub("", "\n".join(("", *lines))).strip()


def _keys(text: str) -> Iterator[tuple[str, str]]:
    header = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
    for line in header.split("\n"):
        match = _KEY.fullmatch(line.strip())
        if match is not None:
            yield match[1], match[2]
