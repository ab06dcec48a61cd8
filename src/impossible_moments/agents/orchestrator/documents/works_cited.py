"""The works that GALILEO cites, in full."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import UNVERIFIED, GroundingReport
from impossible_moments.library import decode_accents, load_research_works
from impossible_moments.scenarios import join_paragraphs, render_bullet_list


def render_works_cited(dossier: Dossier) -> str:
    """Render all works of the newest grounding report: author, year, title and venue."""
    report = dossier.find_latest_deliverable(GroundingReport)
    if report is None or not report.cited_keys:
        return ""
    return join_paragraphs("Works cited:", render_bullet_list(format_citations(report.cited_keys)))


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
