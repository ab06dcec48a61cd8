"""The works that GALILEO cites, in full."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import UNVERIFIED, GroundingReport
from impossible_moments.library import CitedWork, load_research_works
from impossible_moments.scenarios import join_paragraphs, render_bullet_list

_ACCENT: Final = re.compile(r"""\{?\\(['`"^~cvu=.])\s?\{?(\\?[A-Za-z])\}?\}?""")
_COMBINING: Final = {
    "'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327", "v": "\u030c",
    "u": "\u0306", "=": "\u0304", ".": "\u0307",
}  # fmt: skip
_SPECIAL: Final = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "aa": "å",
    "AA": "Å",
}
_LETTERS: Final = re.compile(r"\\(ss|ae|aa|AA|[oOlL])(?![A-Za-z])\s?")
_ARXIV: Final = re.compile(r"\d{4}\.\d{4,5}")


def render_works_cited(dossier: Dossier, *, verified_only: bool = False) -> str:
    """Render the works of the newest grounding report: author, year, title and venue.

    `verified_only` leaves out the works that are not in the bibliography.
    """
    report = dossier.find_latest_deliverable(GroundingReport)
    known = load_research_works()
    keys = [
        key for key in (report.cited_keys if report is not None else ()) if key in known or not verified_only
    ]
    return join_paragraphs("Works cited:", render_bullet_list(format_citations(keys))) if keys else ""


def format_citations(keys: Iterable[str]) -> list[str]:
    """Return the citations of some works. A key that is not in the bibliography is named as such."""
    works = load_research_works()
    return [_format_work(works[key]) if key in works else _format_unknown_work(key) for key in keys]


def format_short_citation(key: str) -> str:
    """Return a citation of the form `Duncker (1945)`."""
    work = load_research_works().get(key)
    if work is None:
        return _format_unknown_work(key)
    names = [each.partition(",")[0].strip() for each in work.authors.split(" and ")]
    authors = " and ".join(names) if len(names) <= 2 else f"{names[0]} et al."  # noqa: PLR2004 - the usual form
    return decode_accents(f"{authors} ({work.year})")


def _format_work(work: CitedWork) -> str:
    authors = "; ".join(each.strip() for each in work.authors.split(" and "))
    title = work.title if work.title.endswith(("?", "!", ".")) else f"{work.title}."
    venue = f"arXiv:{work.venue}" if _ARXIV.fullmatch(work.venue) else work.venue.rstrip(".")
    return decode_accents(f"{authors} ({work.year}). {title} {venue}.")


def decode_accents(text: str) -> str:
    r"""Replace the accents and signs of BibTeX, such as `{\'e}` and `\&`, by letters and signs."""
    letters = _ACCENT.sub(
        lambda found: unicodedata.normalize("NFC", found[2].replace("\\i", "i") + _COMBINING[found[1]]), text
    )
    return (
        _LETTERS.sub(lambda found: _SPECIAL[found[1]], letters)
        .replace("\\&", "&")
        .replace("{", "")
        .replace("}", "")
    )


def _format_unknown_work(key: str) -> str:
    return f"{key.removeprefix(UNVERIFIED)} (not in the bibliography, not verified)"
