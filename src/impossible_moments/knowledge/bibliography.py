"""The works that rows, operators and agents may name, by key: handbooks and standards, and the research.

The files are BibTeX in a plain form: one field a line, values in braces. Only what stands there can be cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

RESEARCH: Final = ("citations.bib",)
FIGURES: Final = ("references.bib", "object_references.bib")
"""Where the figures of the tables come from."""
_ENTRY: Final = re.compile(r"^@(\w+)\s*\{\s*([^,\s]+)\s*,\s*$", re.MULTILINE)
_OPEN: Final = re.compile(r"^\s*(\w+)\s*=\s*\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Work:
    """A work with its fields."""

    key: str
    sort: str
    fields: Mapping[str, str]

    @property
    def is_checked(self) -> bool:
        """Whether its data were seen, and not only remembered."""
        return self.fields.get("checked", "no") != "no"

    @property
    def year(self) -> str:
        """When it came out."""
        return self.fields.get("year", "")

    @property
    def authors(self) -> str:
        """Who wrote it."""
        return self.fields.get("author") or self.fields.get("organization") or self.fields.get("editor", "")

    @property
    def title(self) -> str:
        """What it is called."""
        return self.fields.get("title", "").replace("{", "").replace("}", "")

    @property
    def venue(self) -> str:
        """Where it came out."""
        names = (
            "journal",
            "booktitle",
            "publisher",
            "institution",
            "organization",
            "school",
            "howpublished",
            "eprint",
            "note",
        )
        return next((self.fields[name] for name in names if self.fields.get(name)), "")

    @property
    def keywords(self) -> tuple[str, ...]:
        """The constructs it speaks of."""
        return tuple(word.strip() for word in self.fields.get("keywords", "").split(",") if word.strip())


@lru_cache(maxsize=1)
def research() -> Mapping[str, Work]:
    """The works an agent may cite."""
    return _read(RESEARCH)


@lru_cache(maxsize=1)
def figures() -> Mapping[str, Work]:
    """The works behind the library's figures."""
    return _read(FIGURES)


def _read(names: tuple[str, ...]) -> Mapping[str, Work]:
    found: dict[str, Work] = {}
    for name in names:
        text = files("impossible_moments.knowledge").joinpath(name).read_text(encoding="utf-8")
        for work in works(text):
            if work.key in found:
                raise ValueError(f"{name}: the key {work.key} stands twice")
            found[work.key] = work
    return found


def works(text: str) -> Iterator[Work]:
    """The works of a BibTeX text."""
    starts = list(_ENTRY.finditer(text))
    for match, after in zip(starts, [*starts[1:], None], strict=True):
        body = text[match.end() : after.start() if after is not None else len(text)]
        yield Work(match[2], match[1].lower(), dict(_fields(body)))


def _fields(body: str) -> Iterator[tuple[str, str]]:
    for match in _OPEN.finditer(body):
        depth, at = 1, match.end()
        while at < len(body) and depth:
            depth += {"{": 1, "}": -1}.get(body[at], 0)
            at += 1
        yield match[1].lower(), " ".join(body[match.end() : at - 1].split())
