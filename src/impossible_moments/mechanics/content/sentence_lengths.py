"""Check that every sentence of the running text is short enough to be understood at first reading."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import PublicText, split_sentences
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import format_excerpt_around

MOST_WORDS: Final = 30
_SHOWN: Final = 90
_BULLET: Final = re.compile(r"^\s*[-*] ", re.MULTILINE)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def check_sentence_lengths(text: PublicText, findings: Findings) -> None:
    """Report each sentence of narrative, threat, rules and position with more than thirty words."""
    for part, passage in text.running.items():
        for line in _BULLET.split(passage):
            for sentence in split_sentences(line):
                words = len(_WORD.findall(sentence))
                if words > MOST_WORDS:
                    findings.add(
                        "text.sentence-long",
                        f"/prose/{part}",
                        f"a sentence has {words} words",
                        found=format_excerpt_around(sentence, 0, min(_SHOWN, len(sentence))),
                        expected=f"at most {MOST_WORDS} words: one fact a sentence",
                    )
