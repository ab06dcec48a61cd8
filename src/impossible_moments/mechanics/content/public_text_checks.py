"""All checks of the public text that need no record."""

from __future__ import annotations

from impossible_moments.mechanics.content.reader_address import check_reader_address
from impossible_moments.mechanics.content.scenario_texts import PublicText
from impossible_moments.mechanics.content.sentence_lengths import check_sentence_lengths
from impossible_moments.mechanics.content.sequel_words import check_sequel_words
from impossible_moments.mechanics.content.table_figures import check_table_figures
from impossible_moments.mechanics.content.table_labels import check_table_labels
from impossible_moments.mechanics.findings.finding import Findings


def check_public_text(text: PublicText, findings: Findings) -> None:
    """Check the public text as a first-time reader would read it."""
    check_sequel_words(text, findings)
    check_reader_address(text, findings)
    check_sentence_lengths(text, findings)
    check_table_labels(text, findings)
    check_table_figures(text, findings)
