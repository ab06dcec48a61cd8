"""Check for words that refer to an earlier event which the text does not tell."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import PublicText, split_sentences
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import format_excerpt_around

_SEQUEL_WORDS: Final = re.compile(
    r"\b(?P<words>as before|(?:not )?(?:like |as )?last time(?! you| he| she| they| we| I| anybody)|"
    r"(?<!by )(?<!at )(?<!all )(?<!of )this time(?! of)|the (?:second|third|fourth) time|once (?:more|again)|"
    r"(?:since|in|of|after) (?:my|our|the) (?:first|last|previous|earlier) "
    r"(?:letter|report|entry|note|claim|flood|message|call|telegram|minutes|newsletter|submission|application|lesson)|"
    r"(?:second|third) (?:letter|report|claim|submission|edition|application|annex|call)|"
    r"same (?:\w+ )?as (?:before|last (?:time|year|week))|(?:(?<=[.!?] )|^)again (?:he|she|they|it|you|we|I))\b",
    re.IGNORECASE | re.MULTILINE,
)
_EARLIER_EVENT: Final = re.compile(
    r"\b(?:yesterday|last (?:night|week|month|year|winter|summer|autumn|spring|monday|sunday)|the first time|the (?:day|night|week|year) before|"
    r"\w+ (?:hours|days|weeks|months|years|minutes) ago|once already|first (?:you|he|she|they|we|I) tried|already tried)\b",
    re.IGNORECASE,
)
_OPENING_SENTENCES: Final = 3


def check_sequel_words(text: PublicText, findings: Findings) -> None:
    """Report words such as `as before` or `this time` if no sentence before them tells an earlier event."""
    for part, words in text.running.items():
        for match in _SEQUEL_WORDS.finditer(words):
            if _EARLIER_EVENT.search(words[: match.start()]):
                continue
            opening = sum(map(len, split_sentences(words)[:_OPENING_SENTENCES]))
            place = "opens" if match.start() <= opening else "goes on"
            findings.add(
                "text.sequel",
                f"/prose/{part}",
                f"the {part} {place} as a sequel: `{match['words']}` refers to something that the text does not tell",
                found=format_excerpt_around(words, match.start(), match.end()),
                expected="the fact itself, for a reader who knows no other scenario",
            )
