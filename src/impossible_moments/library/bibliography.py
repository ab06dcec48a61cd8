"""Bibliography of the works that rows, operators and agents may cite by key.

The files are plain BibTeX: one field per line, values in braces. Only works in these files can be cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from impossible_moments.library.bibtex_accents import decode_accents

RESEARCH: Final = ("citations.bib",)
FIGURES: Final = ("references.bib", "object_references.bib", "world_references.bib")
"""Files with the sources of the figures in the data tables."""
_ENTRY: Final = re.compile(r"^@(\w+)\s*\{\s*([^,\s]+)\s*,\s*$", re.MULTILINE)
_ARXIV: Final = re.compile(r"\d{4}\.\d{4,5}")
_OPEN: Final = re.compile(r"^\s*(\w+)\s*=\s*\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A cited work: its key, its BibTeX entry type and its fields."""

    key: str
    sort: str
    fields: Mapping[str, str]

    @property
    def is_checked(self) -> bool:
        """Whether the bibliographic data were looked up, not written from memory."""
        return self.fields.get("checked", "no") != "no"

    @property
    def year(self) -> str:
        """Year of publication, or an empty string."""
        return self.fields.get("year", "")

    @property
    def authors(self) -> str:
        """Authors, else the organization, else the editors."""
        return self.fields.get("author") or self.fields.get("organization") or self.fields.get("editor", "")

    @property
    def title(self) -> str:
        """Title without BibTeX braces."""
        return self.fields.get("title", "").replace("{", "").replace("}", "")

    @property
    def venue(self) -> str:
        """Journal, book, publisher or other place of publication: the first of these fields that is set."""
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
    def full_reference(self) -> str:
        """Authors, year, title and place of publication in one line."""
        authors = "; ".join(each.strip() for each in self.authors.split(" and "))
        title = self.title if self.title.endswith(("?", "!", ".")) else f"{self.title}."
        venue = f"arXiv:{self.venue}" if _ARXIV.fullmatch(self.venue) else self.venue.rstrip(".")
        return decode_accents(f"{authors} ({self.year}). {title} {venue}.")

    @property
    def finding(self) -> str:
        """What the work found, in one sentence, or an empty string."""
        return self.fields.get("finding", "")

    @property
    def keywords(self) -> tuple[str, ...]:
        """Keywords: the constructs that the work deals with."""
        return tuple(word.strip() for word in self.fields.get("keywords", "").split(",") if word.strip())


@lru_cache(maxsize=1)
def load_research_works() -> Mapping[str, CitedWork]:
    """Return the research works that agents may cite, by key."""
    return _read_bibtex_files(RESEARCH)


@lru_cache(maxsize=1)
def load_figure_sources() -> Mapping[str, CitedWork]:
    """Return the works that are the sources of the library's figures, by key."""
    return _read_bibtex_files(FIGURES)


def _read_bibtex_files(names: tuple[str, ...]) -> Mapping[str, CitedWork]:
    """Read the works of several BibTeX files; raise `ValueError` if a key occurs twice."""
    found: dict[str, CitedWork] = {}
    for name in names:
        text = files("impossible_moments.library").joinpath(name).read_text(encoding="utf-8")
        for work in parse_bibtex(text):
            if work.key in found:
                raise ValueError(
                    f"the bibliography {name} repeats the key {work.key}; give each work its own key"
                )
            found[work.key] = work
    return found


def parse_bibtex(text: str) -> Iterator[CitedWork]:
    """Yield the works of a BibTeX text."""
    starts = list(_ENTRY.finditer(text))
    for match, after in zip(starts, [*starts[1:], None], strict=True):
        body = text[match.end() : after.start() if after is not None else len(text)]
        yield CitedWork(match[2], match[1].lower(), dict(_parse_bibtex_fields(body)))


def _parse_bibtex_fields(body: str) -> Iterator[tuple[str, str]]:
    """Yield name and value of each field in the body of a BibTeX entry, with whitespace collapsed."""
    for match in _OPEN.finditer(body):
        depth, at = 1, match.end()
        while at < len(body) and depth:
            depth += {"{": 1, "}": -1}.get(body[at], 0)
            at += 1
        yield match[1].lower(), " ".join(body[match.end() : at - 1].split())
