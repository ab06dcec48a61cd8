"""Reports on evaluations: their contents as data, and renderers for HTML and Markdown."""

from impossible_moments.evaluation.reports.comparison_report import build_comparison_report
from impossible_moments.evaluation.reports.html_page import render_html
from impossible_moments.evaluation.reports.markdown_page import render_markdown
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.reports.report_elements import (
    NOTHING,
    EvaluationReport,
    ReportSection,
    ReportTable,
    shorten_text,
)
from impossible_moments.evaluation.reports.run_pages import RunPages, build_run_pages
from impossible_moments.evaluation.reports.scenario_materials import (
    ScenarioMaterials,
    load_scenario_materials,
)
from impossible_moments.evaluation.reports.twin_section import convert_twins_to_data

__all__ = [
    "NOTHING",
    "EvaluationReport",
    "ReportSection",
    "ReportTable",
    "RunPages",
    "ScenarioMaterials",
    "build_comparison_report",
    "build_report_card",
    "build_run_pages",
    "convert_twins_to_data",
    "load_scenario_materials",
    "render_html",
    "render_markdown",
    "shorten_text",
]
