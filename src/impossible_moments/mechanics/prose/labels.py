"""Labels: they name a thing, and hold neither numbers nor sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose.numerals import numerals_in

MOST_WORDS: Final = 8


def check_labels(labels: Mapping[str, str], findings: Findings) -> None:
    """Add each label, by its thing, that holds a number or describes more than it names."""
    for thing, label in labels.items():
        where = f"/things/{thing}/label"
        numeral = min(numerals_in(label), key=lambda each: each.start, default=None)
        if numeral is not None:
            findings.add(
                "prose.number",
                where,
                f"`{numeral.text}` is a number in a label",
                found=label,
                expected="words without a number, such as `the end counter`; a number goes to a property",
            )
        if len(label.split()) > MOST_WORDS or "." in label or ";" in label:
            findings.add(
                "prose.label",
                where,
                f"the label of `{thing}` describes it",
                found=label,
                expected=f"at most {MOST_WORDS} words without full stop or semicolon, such as `a hemp rope`",
            )
