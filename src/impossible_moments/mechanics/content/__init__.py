"""Checks of what readers notice in a scenario: sequels, missing tasks, vague tables, and keys without support."""

from impossible_moments.mechanics.content.key_figures import check_key_figures
from impossible_moments.mechanics.content.key_proofs import check_claim, check_distractors, check_proof
from impossible_moments.mechanics.content.key_words import check_key_words, check_sibling_names, find_names
from impossible_moments.mechanics.content.public_text_checks import check_public_text
from impossible_moments.mechanics.content.scenario_texts import (
    KeyText,
    PublicText,
    TableRow,
    collect_stems,
    parse_table_rows,
    split_sentences,
)

__all__ = [
    "KeyText",
    "PublicText",
    "TableRow",
    "check_claim",
    "check_distractors",
    "check_key_figures",
    "check_key_words",
    "check_proof",
    "check_public_text",
    "check_sibling_names",
    "collect_stems",
    "find_names",
    "parse_table_rows",
    "split_sentences",
]
