"""Check that the figures in the answer key come from the text or the record."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import KeyText, PublicText
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import (
    ProseRequirements,
    find_numerals,
    format_excerpt_around,
    is_record_value,
)

_YEAR: Final = re.compile(r"1[4-9]\d\d|20\d\d")


def check_key_figures(
    key: Iterable[KeyText],
    text: PublicText,
    requirements: ProseRequirements,
    answers: str,
    findings: Findings,
) -> None:
    """Report numbers in digits that neither the public text nor a quantity of the record has.

    `answers` holds the plans and puzzle answers of the record, whose numbers a key states. Years are not checked.
    """
    public = {numeral.value for numeral in find_numerals(f"{text.whole}\n{answers}")}
    for part in key:
        for numeral in find_numerals(part.text):
            is_known = (
                not numeral.text[:1].isdigit()
                or numeral.value is None
                or numeral.value in public
                or _YEAR.fullmatch(numeral.text) is not None
            )
            if not is_known and not is_record_value(numeral, part.text[numeral.end :], requirements):
                findings.add(
                    "key.figure-untold",
                    part.where,
                    f"the figure `{numeral.text}` is in the key and neither in the text nor in the record",
                    found=format_excerpt_around(part.text, numeral.start, numeral.end),
                    expected="a placeholder of a quantity, or a figure that the text states",
                )
