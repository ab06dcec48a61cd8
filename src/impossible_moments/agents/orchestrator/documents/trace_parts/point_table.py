"""The table of open points: what agents asked of each other, and how each point was settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.orchestrator.open_points import OpenPoint, collect_open_points
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.open_points import PointEnd
from impossible_moments.scenarios import join_paragraphs, render_table

NO_POINTS: Final = "No agent asked another for anything beyond its deliverables."
_ENDS: Final[Mapping[PointEnd | None, str]] = {
    "adopted": "adopted",
    "declined": "declined",
    "superseded": "superseded",
    "human": "carried to a human",
    None: "open",
}


def render_open_points(dossier: Dossier) -> str:
    """Render the number of points by their end, and a row for each point."""
    points = collect_open_points(dossier)
    if not points:
        return NO_POINTS
    heads = ("Point", "Raised by", "Kind", "Text", "Addressee", "End", "Answer")
    return join_paragraphs(_count_ends(points), render_table(heads, map(_list_cells, points)))


def _count_ends(points: tuple[OpenPoint, ...]) -> str:
    count = Counter(each.end for each in points)
    ends = ", ".join(f"{count[end]} {words}" for end, words in _ENDS.items() if count[end])
    return f"{len(points)} {'point' if len(points) == 1 else 'points'}: {ends}."


def _list_cells(point: OpenPoint) -> tuple[object, ...]:
    return (
        point.name,
        f"{point.author}, {point.phase}",
        point.kind,
        point.text,
        point.addressee,
        _ENDS[point.end],
        point.answer or "—",
    )
