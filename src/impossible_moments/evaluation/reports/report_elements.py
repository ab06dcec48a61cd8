"""The elements of a report before rendering: sections, tables and figures of plain text.

No text contains markup. The renderers escape all text, whatever its source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from impossible_moments.evaluation.statistics.resampling import MeanEstimate

if TYPE_CHECKING:
    from impossible_moments.evaluation.reports.run_pages import RunPages

NOTHING: Final = "—"
_SHORTEST_CUT: Final = 2


@dataclass(frozen=True)
class TableColumn:
    """The heading of a column. Number columns are aligned right."""

    head: str
    number: bool = False


@dataclass(frozen=True)
class RunFilter:
    """Leads to the runs with a value, such as those of a tier."""

    name: str
    """One of `category`, `tier`, `status`, `outcome` and `flag`."""
    value: str


@dataclass(frozen=True)
class ScenarioLink:
    """Leads to the page of a scenario."""

    scenario_id: str


RowLink = RunFilter | ScenarioLink


@dataclass(frozen=True)
class ReportTable:
    """Rows under headings, and the sentence that is shown if there are no rows."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    empty_text: str = "None."
    links: tuple[RowLink | None, ...] = ()
    """For each row what its first cell leads to; empty if the rows lead nowhere."""


@dataclass(frozen=True)
class RadarFigure:
    """Series over the same axes, 0 to 100. A missing value is None."""

    title: str
    axes: tuple[str, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]


@dataclass(frozen=True)
class WhiskerFigure:
    """Named estimates with error bars on one scale from 0 to 100."""

    title: str
    rows: tuple[tuple[str, MeanEstimate], ...]


Figure = RadarFigure | WhiskerFigure


@dataclass(frozen=True)
class ReportSection:
    """A section of a report."""

    title: str
    paragraphs: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvaluationReport:
    """A complete report, in reading order."""

    title: str
    summary: str
    sections: tuple[ReportSection, ...]
    runs: RunPages | None = None
    """The runs behind the figures. Only the HTML page shows them."""


def make_columns(*heads: str) -> tuple[TableColumn, ...]:
    """Return columns with these headings. A heading that begins with `#` marks a column of numbers."""
    return tuple(TableColumn(head.removeprefix("#"), head.startswith("#")) for head in heads)


def shorten_text(text: str, longest: int = 120) -> str:
    """Return an external text as one line of limited length, with invisible characters escaped."""
    if longest < _SHORTEST_CUT:
        raise ValueError(f"Cannot shorten a text to {longest} characters; the minimum is {_SHORTEST_CUT}.")
    # cut first, so that a very long text takes no longer than a short one
    line = " ".join(text[: 4 * longest].split())
    visible_line = escape_invisible(line)
    return visible_line if len(visible_line) <= longest else f"{visible_line[: longest - 1].rstrip()}…"


def escape_invisible(text: str) -> str:
    """Return the text with invisible characters written as escapes. Renderers apply this again."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def format_count(count: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural: `1 scenario`, `2 scenarios`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def format_score(value: float | None) -> str:
    """Format a figure from 0 to 100."""
    return NOTHING if value is None else f"{value:.1f}"


def format_share(value: float | None) -> str:
    """Format a figure from 0 to 1 as a percentage."""
    return NOTHING if value is None else f"{value:.0%}".replace("%", " %")


def format_difference(value: float | None) -> str:
    """Format a difference with its sign."""
    return NOTHING if value is None else f"{value:+.1f}".replace("-", "−")


def format_estimate(estimate: MeanEstimate, form: str = "score") -> str:
    """Format an estimate with its error bar, if it has one."""
    format_value = {"score": format_score, "share": format_share, "signed": format_difference}[form]
    if estimate.low is None or estimate.high is None:
        return format_value(estimate.value)
    return f"{format_value(estimate.value)} ({format_value(estimate.low)} to {format_value(estimate.high)})"


def format_p_value(p: float | None) -> str:
    """Format a p value. A very small one is given as an upper bound."""
    if p is None:
        return NOTHING
    return "below 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - three places are printed
