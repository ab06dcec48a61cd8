"""Cues: whether the name of a scenario primes an insight, and whether the objects hold something to ignore."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.builtin.role import DesignPart
from impossible_moments.domain.seed import SeedDocument

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_FUNCTION_WORDS: Final = frozenset(
    "about after again also another because been before between both does done each every everything from goes have here "
    "into itself last less more most much never nothing once only other over same some something such than that their them "
    "then there they thing this those under until very what when where which while whoever whose will with without".split()
)
"""Words that name nothing, and therefore prime nothing."""


def examine_cues(seed: SeedDocument) -> Mapping[DesignPart, str]:
    """Return the objection to the name, and to the objects if there are any. Style is not examined."""
    found: dict[DesignPart, str] = {"name": describe_primed_insight(seed)}
    if seed.scenario.objects:
        found["objects"] = _describe_missing_lure(seed)
    return found


def describe_primed_insight(seed: SeedDocument) -> str:
    """Return which insight the name primes: a word that the insight needs and the text itself does not use."""
    scenario = seed.scenario
    public = _collect_words(
        " ".join(
            (scenario.narrative, scenario.threat, scenario.position, *(row.name for row in scenario.objects))
        )
    )
    for number, insight in enumerate(seed.insight_chain, 1):
        primed = (_collect_words(scenario.name) & _collect_words(insight.text)) - public
        if primed:
            return f"The name primes insight {number} with “{min(primed)}”, which the text does not mention."
    return ""


def _describe_missing_lure(seed: SeedDocument) -> str:
    """Return an objection if the inventory names things and none of them is among what the reader is shown."""
    scenario = seed.scenario
    shown = " ".join(
        (
            scenario.narrative,
            *(row.name for row in scenario.objects),
            *(row.feature for row in scenario.environment),
        )
    ).lower()
    things = {str(each.get("label", "")).lower() for each in seed.mechanics.get("things") or ()}
    lures = [each.name for each in seed.distractor_inventory if each.name.lower() in things]
    missing = [name for name in lures if not _collect_words(name) & _collect_words(shown)]
    if lures and len(missing) == len(lures):
        return f"No distractor that is a thing is shown to the reader: {', '.join(missing)}."
    return ""


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text)) - _FUNCTION_WORDS
