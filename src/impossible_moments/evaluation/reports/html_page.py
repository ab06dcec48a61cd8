"""The HTML renderer: a report as one self-contained page without fonts, external images or foreign scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.evaluation.reports.page_script import SCRIPT, SCRIPT_HASH, STYLE
from impossible_moments.evaluation.reports.radar_chart import render_radar
from impossible_moments.evaluation.reports.report_elements import (
    NOTHING,
    EvaluationReport,
    Figure,
    RadarFigure,
    ReportSection,
    ReportTable,
    RowLink,
    RunFilter,
    ScenarioLink,
    TableColumn,
)
from impossible_moments.evaluation.reports.run_list import LIST, name_scenario_anchor, render_run_list
from impossible_moments.evaluation.reports.scenario_section import render_scenario_pages
from impossible_moments.evaluation.reports.svg_elements import SERIES, escape_text
from impossible_moments.evaluation.reports.whisker_chart import render_whiskers

# The policy blocks anything that escaping might have missed: nothing is loaded, and only the filter script runs.
POLICY: Final = f"default-src 'none'; style-src 'unsafe-inline'; script-src {SCRIPT_HASH}; base-uri 'none'; form-action 'none'"
_FIGURE_COLUMN: Final = 24
"""The text length above which a cell may be broken over several lines."""

_STYLE: Final = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --quiet: #5a5a5a; --rule: #c9c9c9; --band: #f4f4f2; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #e8e6e3; --quiet: #a9a7a3; --rule: #4a4d52; --band: #1f2226; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--rule); }
.summary { font-size: 1.1rem; margin: 0 0 1.5rem; }
p { margin: .5rem 0; max-width: 46rem; }
nav ul { columns: 16rem; padding-left: 1.1rem; margin: 0; }
nav a { color: inherit; }
.wide { overflow-x: auto; margin: 1rem 0 1.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .35rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; overflow-wrap: normal; }
td.number { overflow-wrap: normal; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.short { white-space: nowrap; overflow-wrap: normal; }
tbody tr:nth-child(even) { background: var(--band); }
.note { color: var(--quiet); border-left: 3px solid var(--rule); padding-left: .75rem; font-size: .9rem; }
figure { margin: 1rem 0; }
svg { display: block; max-width: 100%; height: auto; fill: var(--ink); }
.ring { stroke: var(--rule); }
.ring-figure, .quiet { fill: var(--quiet); }
.hollow { fill: var(--paper); }
@media print { body { padding: 0; max-width: none; font-size: 10pt; } nav { display: none; } .wide { overflow: visible; }
  h2, caption { break-after: avoid; } tr, figure, .note { break-inside: avoid; } thead { display: table-header-group; }
  table { font-size: 8pt; } tbody tr:nth-child(even) { background: none; } }
"""
_SERIES_IN_THE_DARK: Final = "".join(
    f".s{at} {{ stroke: {dark}; }} .s{at} .mark {{ fill: {dark}; }}\n"
    for at, (_, dark, _) in enumerate(SERIES)
)
_WHOLE_STYLE: Final = (
    f"{_STYLE}@media screen and (prefers-color-scheme: dark) {{\n{_SERIES_IN_THE_DARK}}}\n{STYLE}"
)


def render_html(report: EvaluationReport) -> str:
    """Render the report as an HTML page."""
    anchors = _list_scenario_anchors(report)
    entries = "".join(
        f'<li><a href="#s{at}">{escape_text(section.title)}</a></li>'
        for at, section in enumerate(report.sections)
    )
    sections = "".join(_render_section(at, section, anchors) for at, section in enumerate(report.sections))
    script = ""
    if report.runs is not None:
        entries += f'<li><a href="#{LIST}">All runs</a></li><li><a href="#scenarios">Scenarios</a></li>'
        sections += render_run_list(report.runs) + render_scenario_pages(report.runs)
        script = f"<script>{SCRIPT}</script>"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape_text(POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape_text(report.title)}</title><style>{_WHOLE_STYLE}</style></head><body>"
        f'<header><h1>{escape_text(report.title)}</h1><p class="summary">{escape_text(report.summary)}</p></header>'
        f'<nav aria-label="Sections"><ul>{entries}</ul></nav><main>{sections}</main>{script}</body></html>\n'
    )


Anchors = Mapping[str, str]
"""The anchor of the page of each scenario; empty if the report has no pages."""


def _list_scenario_anchors(report: EvaluationReport) -> Anchors:
    pages = report.runs.scenarios if report.runs is not None else ()
    return {page.scenario.scenario_id: name_scenario_anchor(at) for at, page in enumerate(pages)}


def _render_section(at: int, section: ReportSection, anchors: Anchors) -> str:
    parts = [f'<section id="s{at}"><h2>{escape_text(section.title)}</h2>']
    parts += [f"<p>{escape_text(each)}</p>" for each in section.paragraphs]
    parts += [f"<figure>{_render_figure(each)}</figure>" for each in section.figures]
    parts += [_render_table(each, anchors) for each in section.tables]
    parts += [f'<p class="note">{escape_text(each)}</p>' for each in section.notes]
    return "\n".join([*parts, "</section>"])


def _render_figure(figure: Figure) -> str:
    return render_radar(figure) if isinstance(figure, RadarFigure) else render_whiskers(figure)


def _render_table(table: ReportTable, anchors: Anchors) -> str:
    if not table.rows:
        return f"<p>{escape_text(f'{table.caption}. ' if table.caption else '')}{escape_text(table.empty_text)}</p>"
    caption = f"<caption>{escape_text(table.caption)}</caption>" if table.caption else ""
    heads = "".join(
        f'<th scope="col"{_format_class_attribute(column)}>{escape_text(column.head)}</th>'
        for column in table.columns
    )
    links = table.links if anchors and table.links else (None,) * len(table.rows)
    rows = "".join(
        f"<tr>{_render_cells(table.columns, row, _render_link_start(link, anchors))}</tr>\n"
        for row, link in zip(table.rows, links, strict=True)
    )
    return f'<div class="wide"><table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table></div>'


def _render_link_start(link: RowLink | None, anchors: Anchors) -> str:
    """Return the opening tag of a link to a scenario or to the filtered list of runs; empty if there is none."""
    match link:
        case ScenarioLink(scenario_id=name) if name in anchors:
            return f'<a href="#{anchors[name]}">'
        case RunFilter(name=name, value=value):
            return f'<a href="#{LIST}" data-name="{escape_text(name)}" data-value="{escape_text(value)}">'
        case _:
            return ""


def _format_class_attribute(column: TableColumn, text: str = "") -> str:
    kinds = ["number"] if column.number else []
    if text and not column.number and len(text) <= _FIGURE_COLUMN:
        kinds.append("short")
    return f' class="{" ".join(kinds)}"' if kinds else ""


def _render_cells(columns: tuple[TableColumn, ...], row: tuple[str, ...], link: str) -> str:
    found = []
    for at, (column, cell) in enumerate(zip(columns, row, strict=True)):
        text = _render_cell_text(column, cell or NOTHING)
        if link and at == 0:
            text = f"{link}{text}</a>"
        found.append(f"<td{_format_class_attribute(column, cell)}>{text}</td>")
    return "".join(found)


def _render_cell_text(column: TableColumn, text: str) -> str:
    """Return the text of a cell. A number may be separated from its error bar, but not broken itself."""
    if not column.number:
        return escape_text(text)
    figure, opening, bar = text.partition(" (")
    return f"{_prevent_line_breaks(figure)}{opening}{_prevent_line_breaks(bar)}"


def _prevent_line_breaks(text: str) -> str:
    return escape_text(text).replace(" ", "&nbsp;")
