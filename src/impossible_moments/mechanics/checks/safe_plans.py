"""Contested scenarios in which one plan meets the goal at both ends of the dispute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.findings.finding import Findings

_PREFERENCE_WORDS: Final = {
    "time": r"sooner|is first|comes first|who(?:ever)? \w+(?: \w+)? first|"
    r"as (?:soon|quickly|fast|early) as|soonest|quickest|fastest|earliest|no sooner|the sooner|shortest|every (?:hour|day|minute) counts|"
    r"least time|saves? (?:time|days|hours|minutes)",
    "margin": r"safest|surest|most (?:certain|reserve|room)|largest (?:reserve|margin)|widest margin|as (?:safe|sure) as|to spare|least (?:risk|danger)",
    "": r"as (?:much|many|little|few|cheaply|well|large|small) \w* ?as (?:possible|can be|you can)|cheapest|fewest|least|most|best|greatest|lowest|highest|prefer\w*|rather than|"
    r"whichever \w+ (?:more|less|most|least)|\w+ (?:is|are) counted|every \w+ (?:counts|saved|lost)|the (?:more|less|fewer) \w+ the better|better of",
}

_EXAMPLES: Final = {
    "time": (
        "as soon as",
        "earliest",
        "fastest",
        "shortest",
        "least time",
        "every hour counts",
        "saves days",
    ),
    "margin": ("safest", "surest", "widest margin", "largest reserve", "least risk", "to spare"),
    "": (
        "as much as possible",
        "cheapest",
        "fewest",
        "least",
        "most",
        "rather than",
        "every litre counts",
        "the more the better",
    ),
}
"""Phrases that count, by what is preferred."""


def check_safe_plans(analysis: WorldAnalysis, verdict: StatusVerdict, text: str, findings: Findings) -> None:
    """Report an approach that works at both ends of the dispute if the text states no preference.

    Such a scenario is solvable for its stated goal, and contested only for readers who share the record's ranking.
    """
    if verdict.status != "CT" or verdict.crux is None or _states_preference(analysis, text):
        return
    safe = list(_find_approaches_safe_at_both_ends(analysis, verdict.crux.quantity))
    if safe:
        findings.add(
            "key.safe-plan",
            "/status/crux",
            f"{', '.join(f'`{name}`' for name in safe)} reaches the goal at both ends of `{verdict.crux.quantity}`, and the text "
            "does not say what makes one working plan better than another",
            found=f"prefer: {analysis.world.record.prefer or 'margin'}",
            expected=f"the preference in the narrative, the threat, the rules or the position, with one of {_list_phrases(analysis)}; "
            "or a goal that the safe plan misses, or the status KS",
        )


def _find_approaches_safe_at_both_ends(analysis: WorldAnalysis, crux: str) -> Iterator[str]:
    quantity = analysis.world.quantities[crux]
    ends = [value for value in (quantity.low, quantity.high) if value is not None]
    for name, plan in analysis.plans.items():
        if plan and all(
            analysis.executor.run_plan(plan, changes={crux: value}).reaches_goal for value in ends
        ):
            yield name


def _list_phrases(analysis: WorldAnalysis) -> str:
    phrases = _EXAMPLES.get(analysis.world.preference.what, _EXAMPLES[""])
    return ", ".join(f"`{phrase}`" for phrase in phrases)


def _states_preference(analysis: WorldAnalysis, text: str) -> bool:
    what = analysis.world.preference.what
    words = _PREFERENCE_WORDS.get(what, _PREFERENCE_WORDS[""])
    return re.search(rf"\b(?:{words})\b", text, re.IGNORECASE) is not None
