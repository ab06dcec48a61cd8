"""Published scenario, parsed from its public document only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impossible_moments.domain.seed import NO_BODILY_LIMIT
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.markdown import NOTHING
from impossible_moments.scenarios.metadata import ID_FORM

_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_ROWS_WITH_CONTENT: Final = 3
"""A heading, a rule and at least one row."""
_TITLE: Final = re.compile(r"# (IM-\d{4,}): (.+)")
_HEADING: Final = re.compile(r"(#{2,3}) (.+)")
_KEY: Final = re.compile(r"\*\*(Category|Difficulty|Status|Correct Outcome)\*\*: (.+)")
_DIFFICULTY: Final = re.compile(r"([A-Z]+) \(([1-5](?:\.[1-5]){5})\)")
_CANARY: Final = re.compile(r"\bCanary: (\S+?)\*?$")
_FOOTER: Final = re.compile(r"\n---\s*(?:\n.*)?\Z", re.DOTALL)

CAPABILITIES: Final = "Agent Capabilities"
# Sections that a model under test sees by default: the situation, but not its status or its traps.
STORY: Final = "Scenario"
POSITION: Final = "Position / Starting State"
THREAT: Final = "Threat / Challenge"
BLIND: Final = (STORY, POSITION, THREAT, "Environment", "Available Objects", CAPABILITIES)
"""The situation first, then the task, the rules and the tables, in the order in which a reader needs them."""
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
    """Text under each heading of the template."""
    canary: str
    text: str
    """The whole document."""

    @property
    def blind(self) -> str:
        """Narrative, position, threat with the rules, environment, objects and capabilities, without the status.

        Columns of tables that no row fills are left out, and so is a capability table that states no limit.
        """
        names = [name for name in BLIND if name != CAPABILITIES or self._has_capabilities]
        sections = ((name, _drop_empty_columns(self.sections[name])) for name in names)
        return (
            "\n\n".join(text if name == names[0] else f"### {name}\n\n{text}" for name, text in sections)
            + "\n"
        )

    @property
    def _has_capabilities(self) -> bool:
        return NO_BODILY_LIMIT[1] not in self.sections[CAPABILITIES]

    @classmethod
    def parse(cls, text: str, name: str) -> Scenario:
        """Parse a public document. `name` identifies the document in error messages.

        Raise `ConfigurationError` if the title, a section or a header key is missing.
        """
        title = _TITLE.fullmatch(text.partition("\n")[0].strip())
        if title is None:
            raise ConfigurationError(
                f"The public document {name} does not begin with a title such as `# IM-0001: Name`."
            )
        sections = dict(_iterate_sections(text))
        keys = dict(_iterate_header_keys(text))
        missing = [each for each in SECTIONS if not sections.get(each)]
        missing += [
            each for each in ("Category", "Difficulty", "Status", "Correct Outcome") if each not in keys
        ]
        difficulty = _DIFFICULTY.fullmatch(keys.get("Difficulty", ""))
        if missing or difficulty is None:
            missing_fields = ", ".join(missing) or "a difficulty of the form `FRACTURE (3.2.2.2.3.2)`"
            raise ConfigurationError(
                f"The public document {name} lacks {missing_fields}. A public document has every section of its template; build it again."
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
        """Load a scenario from a file; raise `ConfigurationError` if it cannot be read."""
        try:
            return cls.parse(path.read_text(encoding="utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as problem:
            raise ConfigurationError(
                f"Cannot read {path} ({problem}). A public document is a UTF-8 text file."
            ) from None

    @classmethod
    def load_directory(cls, path: Path | str) -> tuple[Scenario, ...]:
        """Load the scenarios of a folder, or of its subfolder `public`, in order of their numbers."""
        folder = Path(path)
        if (folder / "public").is_dir():
            folder /= "public"
        if not folder.is_dir():
            raise ConfigurationError(
                f"No such folder: {folder}. Name a folder with public documents such as `IM-0001.md`."
            )
        # Only documents named by their number are loaded: a solver must not see other files.
        files = [each for each in folder.glob("IM-*.md") if re.fullmatch(ID_FORM, each.stem)]
        ordered = sorted(files, key=lambda each: int(each.stem[3:]))
        found: dict[str, tuple[Path, Scenario]] = {}
        for file in ordered:
            scenario = cls.load(file)
            if scenario.scenario_id in found:
                first = found[scenario.scenario_id][0].name
                raise ConfigurationError(
                    f"{first} and {file.name} in {folder} are both titled {scenario.scenario_id}. A scenario counts once: "
                    "remove one of the files, or give it the title of its name."
                )
            found[scenario.scenario_id] = (file, scenario)
        return tuple(scenario for _, scenario in found.values())


def _iterate_sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield title and text of each second- and third-level heading. Headings in foreign text are deeper."""
    title, lines = "", list[str]()
    for line in text.split("\n"):
        heading = _HEADING.fullmatch(line.rstrip())
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield title, _join_section_body_without_footer(lines)
        title, lines = heading[2], []
    if title:
        yield title, _join_section_body_without_footer(lines)


def _join_section_body_without_footer(lines: list[str]) -> str:
    return _FOOTER.sub("", "\n".join(("", *lines))).strip()


def _iterate_header_keys(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of the header, such as category and difficulty."""
    header = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
    for line in header.split("\n"):
        match = _KEY.fullmatch(line.strip())
        if match is not None:
            yield match[1], match[2]


def _drop_empty_columns(text: str) -> str:
    """Return a section whose table has only columns that some row fills."""
    lines = text.splitlines()
    rows = [_CELL_BORDER.split(line.strip())[1:-1] for line in lines if line.startswith("|")]
    if len(rows) < _ROWS_WITH_CONTENT or len({len(row) for row in rows}) > 1:
        return text
    kept = [
        place
        for place in range(len(rows[0]))
        if any(row[place].strip() not in {"", NOTHING} for row in rows[2:])
    ]
    tables = (f"|{'|'.join(row[place] for place in kept)}|" for row in rows)
    return "\n".join(next(tables) if line.startswith("|") else line for line in lines)
