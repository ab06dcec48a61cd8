"""Scenarios imported from Markdown of other authors, without mechanics, scored by the stated outcome."""

from impossible_moments.evaluation.imported_scenarios.imported_evaluator import ImportedEvaluator
from impossible_moments.evaluation.imported_scenarios.imported_folder import (
    ImportedFolder,
    is_imported_folder,
    load_imported_folder,
)
from impossible_moments.evaluation.imported_scenarios.imported_results import (
    ImportedResults,
    read_imported_results,
)
from impossible_moments.evaluation.imported_scenarios.importer import (
    ImportedBatch,
    import_documents,
    write_imported_batch,
)
from impossible_moments.evaluation.imported_scenarios.results_report import build_imported_results_report

__all__ = [
    "ImportedBatch",
    "ImportedEvaluator",
    "ImportedFolder",
    "ImportedResults",
    "build_imported_results_report",
    "import_documents",
    "is_imported_folder",
    "load_imported_folder",
    "read_imported_results",
    "write_imported_batch",
]
