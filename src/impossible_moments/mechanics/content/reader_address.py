"""Checks that the text addresses one solver as `you`, and ends with a question or a task."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import (
    PublicText,
    remove_quotations,
    split_sentences,
)
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import format_excerpt_around

_YOU: Final = re.compile(r"\b(?:you|your|yours|yourself|thou|thee|thy)\b", re.IGNORECASE)
_SPEECH: Final = r"(?!be\b|say|tell|ask|add|confess|admit|let\b|correct|hurry|go\b|see\b|warn|remind|insist|beg|stop|know|report|praise|thank)"
_NARRATOR_ACTS: Final = re.compile(
    rf"\b(?:I (?:must|have to|am to|need to|shall have to) (?:still |now |also |then )?{_SPEECH}[a-z]+|"
    r"(?:so |and )?(?:what|how) (?:do|shall|should|can|am) I (?:to )?(?!tell|say|bid|offered)[a-z]+)",
)
_ROLE: Final = re.compile(
    r"\byou(?: are|, who are|, as| as) the ([a-z]+(?:'s [a-z]+)?)(?=[.,;:]| of| in| at| on| and)",
    re.IGNORECASE,
)
_LAST_SENTENCES: Final = 3
_FIRST_SENTENCES: Final = 2
_EARLY_YOU: Final = "`you` within the first two sentences, as the person of the position"
_TASK: Final = re.compile(
    r"\?|\b(?:decide|choose|pick|state (?:what|how|which|where|when|the|your)|report (?:what|how|which)|log (?:it|what|which)|"
    r"enter (?:below|what|which)|settle (?:what|how|which|it)|propose|over to you|"
    r"find (?:a|the|out|some|what|how)|work out|say (?:what|how|which|whether|where|when|who|so|it)|"
    r"tell (?:us|them|me|him|her|the)|show (?:that|how|us|them)|prove|answer|explain|name (?:it|the|a|one)|write (?:it|down|the|what|back|me|us)|"
    r"(?:you|we) (?:must|have to|need|are to|want|shall|should)|your (?:task|turn|move|call|choice|answer|proposal|verdict|decision)|"
    r"(?:is|are|waits?|waiting|up|left|falls?) (?:for|to|on) you|asks? (?:you|for|what|how|whether|which)|asked (?:you|to|for|what|how|whether|which)|"
    r"want(?:s|ed)? (?:to know|from you|you|an answer|a)|wishes? to know|would like (?:to|it|you)|what (?:to do|you do|is to be done)|how (?:to|you)|"
    r"(?:get|bring|carry|keep|save|stop|open|reach|make|leave|send|take|put|build|free|hold|"
    r"cross|read) (?:it|them|him|her|everyone|everybody|all|both|the|your|that|out|this|these)\b|"
    r"which (?:one|of|way)|or (?:say|show|prove) (?:that|why)|is asked)",
    re.IGNORECASE,
)


def check_reader_address(text: PublicText, findings: Findings) -> None:
    """Report a text without `you`, a narrator who acts, two roles for `you`, and a missing task at the end."""
    if not _YOU.search(text.narrative):
        findings.add(
            "text.person-missing",
            "/prose/narrative",
            "the narrative never says `you`: who the solver is stands only in the position or nowhere",
            found=format_excerpt_around(text.narrative, 0, 60),
            expected=_EARLY_YOU,
        )
    else:
        _check_first_sentences(text, findings)
    _check_narrator(text, findings)
    _check_roles(text, findings)
    _check_task(text, findings)


def _check_first_sentences(text: PublicText, findings: Findings) -> None:
    beginning = " ".join(split_sentences(remove_quotations(text.narrative))[:_FIRST_SENTENCES])
    if not _YOU.search(beginning):
        findings.add(
            "text.person-late",
            "/prose/narrative",
            f"the first {_FIRST_SENTENCES} sentences do not say who `you` are",
            found=format_excerpt_around(beginning, 0, _ENDING_SHOWN),
            expected=_EARLY_YOU,
        )


def _check_narrator(text: PublicText, findings: Findings) -> None:
    narrated = remove_quotations(text.narrative)
    match = _NARRATOR_ACTS.search(narrated)
    if match is not None and _YOU.search(text.position):
        findings.add(
            "text.person-shifts",
            "/prose/narrative",
            f"the narrator acts (`{match.group()}`), and the position gives the task to `you`",
            found=format_excerpt_around(narrated, match.start(), match.end()),
            expected="one person who acts, called `you` in narrative, position and tables",
        )


def _check_roles(text: PublicText, findings: Findings) -> None:
    """Report a narrative and a position that give `you` two different roles."""
    narrated = {role.lower() for role in _ROLE.findall(remove_quotations(text.narrative))}
    placed = {role.lower() for role in _ROLE.findall(text.position)}
    if narrated and placed and not narrated & placed:
        findings.add(
            "text.person-shifts",
            "/prose/position",
            f"`you` are the {', '.join(sorted(narrated))} in the narrative and the {', '.join(sorted(placed))} in the position",
            expected="the same role in both",
        )


_ENDING_SHOWN: Final = 90
"""Characters of the ending that a message quotes."""


def _check_task(text: PublicText, findings: Findings) -> None:
    ending = " ".join(split_sentences(text.narrative)[-_LAST_SENTENCES:])
    if not _TASK.search(ending):
        findings.add(
            "text.no-task",
            "/prose/narrative",
            "the narrative ends without a question or a task",
            found=format_excerpt_around(ending, max(len(ending) - _ENDING_SHOWN, 0), len(ending)),
            expected="one plain question or task, and what counts as an answer: `Get all three ashore before the tide leaves, or show that it cannot be done`",
        )
