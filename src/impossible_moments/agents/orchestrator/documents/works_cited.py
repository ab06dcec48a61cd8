"""The works that GALILEO cites, in full."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.domain.grounding import UNVERIFIED
from impossible_moments.library import decode_accents, load_research_works
from impossible_moments.scenarios import join_paragraphs, render_bullet_list


def render_works_cited(keys: Iterable[str], *, verified_only: bool = False) -> str:
    """Render works by their keys: author, year, title and venue.

    `verified_only` leaves out the works that are not in the bibliography.
    """
    known = load_research_works()
    listed = [key for key in keys if key in known or not verified_only]
    return join_paragraphs("Works cited:", render_bullet_list(format_citations(listed))) if listed else ""


def format_citations(keys: Iterable[str]) -> list[str]:
    """Return the citations of some works. A key that is not in the bibliography is named as such."""
    works = load_research_works()
    return [works[key].full_reference if key in works else _format_unknown_work(key) for key in keys]


def format_short_citation(key: str) -> str:
    """Return a citation of the form `Duncker (1945)`."""
    work = load_research_works().get(key)
    if work is None:
        return _format_unknown_work(key)
    names = [each.partition(",")[0].strip() for each in work.authors.split(" and ")]
    authors = " and ".join(names) if len(names) <= 2 else f"{names[0]} et al."  # noqa: PLR2004 - the usual form
    return decode_accents(f"{authors} ({work.year})")


def _format_unknown_work(key: str) -> str:
    return f"{key.removeprefix(UNVERIFIED)} (not in the bibliography, not verified)"
