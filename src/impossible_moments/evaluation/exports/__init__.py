"""Exports: scenarios in the formats of other evaluation tools."""

from impossible_moments.evaluation.exports.export_files import (
    Export,
    ExportKind,
    ExportOptions,
    build_export,
    write_export,
)

__all__ = [
    "Export",
    "ExportKind",
    "ExportOptions",
    "build_export",
    "write_export",
]
