"""Written forms of records and libraries: quantities, plans, status blocks, prose, JSON Schema."""

from impossible_moments.mechanics.records.base_form import BaseForm, Identifier, Sentence
from impossible_moments.mechanics.records.document_values import describe_data_type, format_short_text
from impossible_moments.mechanics.records.documents import DocumentError, load_document, parse_document
from impossible_moments.mechanics.records.form_problems import describe_form_problems
from impossible_moments.mechanics.records.json_schema import (
    build_record_schema,
    build_tool_schema,
    measure_tool_schema,
)
from impossible_moments.mechanics.records.library import Library, LibraryAction, LibraryForm, LibraryRow
from impossible_moments.mechanics.records.lines import LineError, parse_line, split_lines
from impossible_moments.mechanics.records.plan_margins import LEAST_TIME_MARGIN, VARIED_SHARE
from impossible_moments.mechanics.records.plans import (
    MAX_CALLS,
    PlanError,
    PlannedCall,
    parse_call,
    strip_quotes,
)
from impossible_moments.mechanics.records.puzzle_forms import (
    CluesPuzzle,
    DiagnosisPuzzle,
    Puzzle,
    SignalPuzzle,
)
from impossible_moments.mechanics.records.quantities import (
    Quantity,
    QuantityError,
    QuantityKind,
    parse_quantity,
    parse_quantity_value,
)
from impossible_moments.mechanics.records.record import Category, ProseForm, Record
from impossible_moments.mechanics.records.record_validation import parse_record
from impossible_moments.mechanics.records.status_forms import Paradox

__all__ = [
    "LEAST_TIME_MARGIN",
    "MAX_CALLS",
    "VARIED_SHARE",
    "BaseForm",
    "Category",
    "CluesPuzzle",
    "DiagnosisPuzzle",
    "DocumentError",
    "Identifier",
    "Library",
    "LibraryAction",
    "LibraryForm",
    "LibraryRow",
    "LineError",
    "Paradox",
    "PlanError",
    "PlannedCall",
    "ProseForm",
    "Puzzle",
    "Quantity",
    "QuantityError",
    "QuantityKind",
    "Record",
    "Sentence",
    "SignalPuzzle",
    "build_record_schema",
    "build_tool_schema",
    "describe_data_type",
    "describe_form_problems",
    "format_short_text",
    "load_document",
    "measure_tool_schema",
    "parse_call",
    "parse_document",
    "parse_line",
    "parse_quantity",
    "parse_quantity_value",
    "parse_record",
    "split_lines",
    "strip_quotes",
]
