"""Fields of knowledge that a text draws on, by the units of its measures and the words of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from impossible_moments.agents.builtin.socrates.text_facts import TextFacts

# fmt: off
_FIELDS: Final[tuple[tuple[str, str, str], ...]] = (
    # field, base quantities of a unit that show it, words that show it
    ("mechanics",      "",                   r"\b(?:bears|strikes?|pull|push|lift|weigh\w*|force|winch|beam|withstands|friction)\b"),
    ("heat",           "temperature",        r"\b(?:heat|warm\w*|cold|cool\w*|freez\w*|melt\w*|boil\w*|burn\w*|fire)\b"),
    ("electricity",    "current",            r"\b(?:volt\w*|current|battery|batteries|wires?|switch|circuit)\b"),
    ("chemistry",      "amount",             r"\b(?:acid|salt|dissolv\w*|oxygen|carbon dioxide|gas|lime|react\w*)\b"),
    ("information",    "information",        r"\b(?:signs?|message|signal\w*|code|reads?|bits?|number of (?:signs|words))\b"),
    ("money",          "euro dollar",        r"\b(?:costs?|price|loan|pay\w*|debt|cash)\b"),
    ("rules",          "",                   r"\b(?:rules?|law|order|permit|court|clause|allowed|forbidden|exception)\b"),
    ("medicine",       "",                   r"\b(?:dose|patient|blood|fever|doctor|wound|breath\w*)\b"),
    ("fluids",         "",                   r"\b(?:water|flow\w*|pump\w*|pipe|hose|draught|depth|tide)\b"),
    ("light and sound", "luminous intensity", r"\b(?:lamp|light|lens|mirror|sound|ring\w*|pitch|hear\w*)\b"),
    ("chance",         "",                   r"\b(?:chance|odds|share of|probab\w*|on average|per cent)\b"),
)
# fmt: on
_MENTIONS: Final = 2
"""A field counts if a unit shows it or if at least so many of its words occur."""


def find_knowledge_fields(facts: TextFacts) -> tuple[str, ...]:
    """Return the fields of knowledge that a text draws on, in a fixed order."""
    measures = (
        *facts.conditions,
        *facts.narrative_measures,
        *(each for thing in facts.things for each in thing.measures),
    )
    bases = {base for measure in measures for base, _ in measure.dimension.powers}
    return tuple(_iterate_fields(bases, facts.full_text))


def _iterate_fields(bases: Iterable[str], text: str) -> Iterator[str]:
    bases = set(bases)
    for field, shown_by, words in _FIELDS:
        if bases & set(shown_by.split()) or len(set(re.findall(words, text.lower()))) >= _MENTIONS:
            yield field
