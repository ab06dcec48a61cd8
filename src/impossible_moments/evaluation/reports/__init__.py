"""Reports on evaluations: their contents as data, and renderers for HTML and Markdown."""

from impossible_moments.evaluation.reports.comparison_report import build_comparison_report
from impossible_moments.evaluation.reports.html_page import render_html
from impossible_moments.evaluation.reports.markdown_page import render_markdown
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.reports.report_elements import (
    NOTHING,
    EvaluationReport,
    ReportTable,
    shorten_text,
)
from impossible_moments.evaluation.reports.twin_section import convert_twins_to_data

__all__ = [
    "NOTHING",
    "EvaluationReport",
    "ReportTable",
    "build_comparison_report",
    "build_report_card",
    "convert_twins_to_data",
    "render_html",
    "render_markdown",
    "shorten_text",
]
