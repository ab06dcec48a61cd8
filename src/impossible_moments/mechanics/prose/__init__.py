"""The public text of a record: a template that is checked against the record and rendered."""

from impossible_moments.mechanics.prose.checks import check_prose
from impossible_moments.mechanics.prose.numbers import number_word
from impossible_moments.mechanics.prose.printing import PlaceholderError
from impossible_moments.mechanics.prose.rendering import printed_text, rendered
from impossible_moments.mechanics.prose.tie import Printable, Tie

__all__ = ["PlaceholderError", "Printable", "Tie", "check_prose", "number_word", "printed_text", "rendered"]
