"""The sections of a system prompt, and the selection of those that an ask needs.

A prompt file is one text with one version. An ask is sent only the sections it needs: the guide to records if
it asks for a record, the worked examples unless it asks for a vote or a short review, and of the text by
phase only the current phase. A prompt without these headings is sent whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Phase

GUIDE: Final = "Mechanics Guide"
EXAMPLES: Final = "Worked Examples"
BY_PHASE: Final = "By Phase"
SHORT: Final = frozenset(
    {
        "InformedClassification",
        "RefinementBallot",
        "FeasibilityCheck",
        "AgentTrace",
        "Ballot",
        "VetoReview",
    }
)
"""Votes, short reviews and traces, which have only a few fields."""
_HEADING: Final = re.compile(r"^(?=## )", re.MULTILINE)
_PHASE: Final = re.compile(rf"^(?=\*\*(?:{'|'.join(Phase)})\b)", re.MULTILINE)


def split_prompt_sections(prompt: str) -> dict[str, str]:
    """Split a prompt into sections by heading, in order. Text before the first heading has an empty name."""
    return {_get_section_name(part): part for part in _HEADING.split(prompt)}


def select_prompt_text(prompt: str, phase: Phase, returns: type[LabelledModel]) -> str:
    """Return the part of a prompt that is sent to ask for a deliverable in a phase."""
    return "".join(_select_needed_sections(prompt, phase, returns)).rstrip() + "\n"


def _select_needed_sections(prompt: str, phase: Phase, returns: type[LabelledModel]) -> Iterator[str]:
    for name, part in split_prompt_sections(prompt).items():
        if name == GUIDE and returns is not SeedDocument:
            continue
        if name == EXAMPLES and returns.__name__ in SHORT:
            continue
        yield _select_phase_paragraphs(part, phase) if name == BY_PHASE else part


def _select_phase_paragraphs(part: str, phase: Phase) -> str:
    head, *paragraphs = _PHASE.split(part)
    phase_paragraphs = [each for each in paragraphs if each.startswith(f"**{phase}")]
    return head + "".join(phase_paragraphs or paragraphs)


def _get_section_name(part: str) -> str:
    first = part.partition("\n")[0]
    return first.removeprefix("## ").strip() if first.startswith("## ") else ""
