"""The sections of a system prompt, and which of them an ask needs.

A prompt file is one text with one version. What is sent of it for an ask is what that ask turns on: the guide to records
where a record is to be written, the worked examples where there is work to do and not a vote to give, and of what is
said phase by phase the phase at hand. A prompt without these headings is sent whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Phase

GUIDE: Final = "Mechanics Guide"
EXAMPLES: Final = "Worked Examples"
BY_PHASE: Final = "By Phase"
SHORT: Final = frozenset(
    {
        "InformedClassification",
        "CalibrationVote",
        "DistractorReview",
        "ReadinessVote",
        "AgentTrace",
        "Ballot",
        "VetoReview",
    }
)
"""Votes, short reviews and accounts: a few fields each."""
_HEADING: Final = re.compile(r"^(?=## )", re.MULTILINE)
_PHASE: Final = re.compile(rf"^(?=\*\*(?:{'|'.join(Phase)})\b)", re.MULTILINE)


def sections(prompt: str) -> dict[str, str]:
    """The parts of a prompt by their headings, in order; what stands before the first is under the empty name."""
    return {_name(part): part for part in _HEADING.split(prompt)}


def sent(prompt: str, phase: Phase, returns: type[Labelled]) -> str:
    """What is sent of a prompt where a deliverable is asked for in a phase."""
    return "".join(_needed(prompt, phase, returns)).rstrip() + "\n"


def _needed(prompt: str, phase: Phase, returns: type[Labelled]) -> Iterator[str]:
    for name, part in sections(prompt).items():
        if name == GUIDE and returns is not SeedDocument:
            continue
        if name == EXAMPLES and returns.__name__ in SHORT:
            continue
        yield _of_phase(part, phase) if name == BY_PHASE else part


def _of_phase(part: str, phase: Phase) -> str:
    head, *paragraphs = _PHASE.split(part)
    own = [each for each in paragraphs if each.startswith(f"**{phase}")]
    return head + "".join(own or paragraphs)


def _name(part: str) -> str:
    first = part.partition("\n")[0]
    return first.removeprefix("## ").strip() if first.startswith("## ") else ""
