"""Findings of checks: their data class, their stable codes and the page that lists them."""

from impossible_moments.mechanics.findings.finding import (
    CodedFinding,
    Finding,
    Findings,
    Severity,
    shorten_text,
)

__all__ = [
    "CodedFinding",
    "Finding",
    "Findings",
    "Severity",
    "shorten_text",
]
