"""SOCRATES's view of name, style and objects: what the name says about the class, whom the text addresses, and harm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.role import DesignPart
from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.domain.seed import SeedDocument

_CLASS_WORD: Final = re.compile(
    r"\b(?:impossib\w+|paradox\w*|unsolv\w+|insolubl\w+|contested|undecid\w+|trivial\w*|obvious\w*|tricks?|trap(?:s|ped)?|"
    r"illusions?|misread\w*|false premise|open question)\b",
    re.IGNORECASE,
)
"""Words that classify a problem instead of naming a situation."""
_ADDRESS: Final = re.compile(r"\byou(?:r|rs|rself|rselves)?\b", re.IGNORECASE)


def examine_design_as_reader(seed: SeedDocument) -> Mapping[DesignPart, str]:
    """Return a reader's objection to each part of the design, empty if there is none."""
    scenario = seed.scenario
    word = _CLASS_WORD.search(scenario.name)
    addressed = _ADDRESS.search(f"{scenario.narrative} {scenario.position}")
    ethics = review_ethics(f"{row.name}: {row.material}; {row.notes}" for row in scenario.objects)
    return {
        "name": f"The name “{scenario.name}” classifies the problem (“{word[0]}”)." if word else "",
        "style": ""
        if addressed
        else "Neither narrative nor position says that the reader is the one who acts.",
        "objects": f"The objects raise a concern: {ethics.notes}." if ethics.status == "FAIL" else "",
    }
