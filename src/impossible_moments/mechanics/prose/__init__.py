"""The public text of a record: a template that is checked against the record and rendered."""

from impossible_moments.mechanics.prose.checks import check_prose
from impossible_moments.mechanics.prose.number_formats import format_number_in_words
from impossible_moments.mechanics.prose.numerals import Numeral, find_numerals
from impossible_moments.mechanics.prose.parts import list_prose_parts
from impossible_moments.mechanics.prose.passages import collapse_whitespace, format_excerpt_around
from impossible_moments.mechanics.prose.placeholders import PlaceholderError, render_piece
from impossible_moments.mechanics.prose.printable_values import (
    build_rendering_requirements,
    collect_printable_values,
)
from impossible_moments.mechanics.prose.record_values import is_record_value, read_leading_unit
from impossible_moments.mechanics.prose.rendering import render_prose, render_template_text
from impossible_moments.mechanics.prose.requirements import PrintableValue, ProseRequirements
from impossible_moments.mechanics.prose.template import (
    AnyTemplatePiece,
    PlainText,
    SaidNumber,
    ShownValue,
    ThingLabel,
    parse_template,
)
from impossible_moments.mechanics.prose.unit_formats import (
    choose_print_form,
    find_forms_printing,
    parse_untrusted_unit,
)

__all__ = [
    "AnyTemplatePiece",
    "Numeral",
    "PlaceholderError",
    "PlainText",
    "PrintableValue",
    "ProseRequirements",
    "SaidNumber",
    "ShownValue",
    "ThingLabel",
    "build_rendering_requirements",
    "check_prose",
    "choose_print_form",
    "collapse_whitespace",
    "collect_printable_values",
    "find_forms_printing",
    "find_numerals",
    "format_excerpt_around",
    "format_number_in_words",
    "is_record_value",
    "list_prose_parts",
    "parse_template",
    "parse_untrusted_unit",
    "read_leading_unit",
    "render_piece",
    "render_prose",
    "render_template_text",
]
