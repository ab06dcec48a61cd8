"""Checks of labels, which name things without numbers or sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose.numerals import find_numerals

MOST_WORDS: Final = 8


def check_labels(labels: Mapping[str, str], findings: Findings) -> None:
    """Add a finding for each label that contains a number, is too long or contains a sentence.

    `labels` maps things to their labels.
    """
    for thing, label in labels.items():
        path = f"/things/{thing}/label"
        numeral = min(find_numerals(label), key=lambda each: each.start, default=None)
        if numeral is not None:
            findings.add(
                "prose.number",
                path,
                f"the label contains the number `{numeral.text}`",
                found=label,
                expected="words without a number, such as `the end counter`; put the number into a property",
            )
        if len(label.split()) > MOST_WORDS or "." in label or ";" in label:
            findings.add(
                "prose.label",
                path,
                f"the label of `{thing}` describes the thing instead of naming it",
                found=label,
                expected=f"at most {MOST_WORDS} words without a full stop or semicolon, such as `a hemp rope`",
            )
