"""The public text of a record: a template that is checked against the record and rendered."""

from impossible_moments.mechanics.prose.checks import check_prose
from impossible_moments.mechanics.prose.number_formats import format_number_in_words
from impossible_moments.mechanics.prose.placeholders import PlaceholderError
from impossible_moments.mechanics.prose.rendering import render_prose, render_template_text
from impossible_moments.mechanics.prose.requirements import PrintableValue, ProseRequirements

__all__ = [
    "PlaceholderError",
    "PrintableValue",
    "ProseRequirements",
    "check_prose",
    "format_number_in_words",
    "render_template_text",
    "render_prose",
]
