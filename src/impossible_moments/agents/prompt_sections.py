"""The sections of a system prompt, and the selection of those that an ask needs.

A prompt file is one text with one version. An ask is sent only the sections it needs:

- the guide to records if it asks for a record, without complete examples if it asks for a revision
- the rules of revisions if it asks for a revision
- the rules of disputes if the deliverable can raise or decide one
- the method of the role unless it asks for a vote, a memo, a short review or a trace
- how the role thinks, its outputs and how they are evaluated unless it asks for a vote, a short review or a trace
- the worked examples if it asks for a first report or a first seed document
- of the text by phase only the paragraphs of the current phase. A paragraph that begins with
  `**VALIDATE, REFINE (PhysicsReport).**` is sent in both phases, and only with asks for the deliverables in parentheses.

A prompt without these headings is sent whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import Phase

GUIDE: Final = "Mechanics Guide"
REVISIONS: Final = "Revisions"
DISPUTES: Final = "Disputes"
METHOD: Final = "System Prompt"
EXAMPLES: Final = "Worked Examples"
BY_PHASE: Final = "By Phase"
SHORT: Final = frozenset(
    {
        "InformedClassification",
        "RefinementBallot",
        "RefinementRevote",
        "FeasibilityCheck",
        "AgentTrace",
        "Ballot",
        "VetoReview",
    }
)
"""Votes, short reviews and traces, which have only a few fields."""
REVISION: Final = "SeedRevision"
MEMO: Final = "ReviewMemo"
_ABOUT_REPORTS: Final = frozenset({"Cognitive Model", "Primary Outputs", "Evaluation Criteria"})
_WITH_RECORD: Final = frozenset({"SeedDocument", "SeedProposal", REVISION})
_WITHIN_DISPUTE: Final = frozenset({"Ballot", "ChallengeResponse", "VetoReview"})
_RAISES_DISPUTES: Final = "challenges"
_RECORD_EXAMPLES: Final = frozenset({"Three more statuses in outline", "Two accepted records"})
_HEADING: Final = re.compile(r"^(?=## )", re.MULTILINE)
_SUBHEADING: Final = re.compile(r"^(?=### )", re.MULTILINE)
_PHASE: Final = re.compile(rf"^(?=\*\*(?:{'|'.join(Phase)})\b)", re.MULTILINE)
_PARAGRAPH_HEAD: Final = re.compile(r"\*\*([A-Z]+(?:, [A-Z]+)*)(?:\s\(([\w,\s]+)\))?")


def split_prompt_sections(prompt: str) -> dict[str, str]:
    """Split a prompt into sections by heading, in order. Text before the first heading has an empty name."""
    return {_get_section_name(part): part for part in _HEADING.split(prompt)}


def select_prompt_text(
    prompt: str, phase: Phase, returns: type[LabelledModel], *, has_own_example: bool = False
) -> str:
    """Return the part of a prompt that is sent to ask for a deliverable in a phase.

    With `has_own_example` the agent sees its last deliverable of the kind, and needs no worked examples.
    """
    parts = _select_needed_sections(prompt, phase, returns, has_own_example=has_own_example)
    return "".join(parts).rstrip() + "\n"


def _select_needed_sections(
    prompt: str, phase: Phase, returns: type[LabelledModel], *, has_own_example: bool
) -> Iterator[str]:
    deliverable = returns.__name__
    for name, part in split_prompt_sections(prompt).items():
        match name:
            case _ if name == GUIDE and deliverable == REVISION:
                yield _remove_record_examples(part)
            case _ if name == GUIDE and deliverable not in _WITH_RECORD:
                continue
            case _ if name == REVISIONS and deliverable != REVISION:
                continue
            case _ if name == DISPUTES and not _concerns_disputes(returns):
                continue
            case _ if name in _ABOUT_REPORTS and deliverable in SHORT:
                continue
            case _ if name == METHOD and deliverable in {*SHORT, MEMO}:
                continue
            case _ if name == EXAMPLES and (has_own_example or deliverable in {*SHORT, MEMO, REVISION}):
                continue
            case _ if name == BY_PHASE:
                yield _select_phase_paragraphs(part, phase, deliverable)
            case _:
                yield part


def _concerns_disputes(returns: type[LabelledModel]) -> bool:
    return returns.__name__ in _WITHIN_DISPUTE or _RAISES_DISPUTES in returns.model_fields


def _remove_record_examples(guide: str) -> str:
    """Return the guide without complete records: an agent that revises has its own record before it."""
    return "".join(
        part
        for part in _SUBHEADING.split(guide)
        if part.partition("\n")[0].removeprefix("### ").strip() not in _RECORD_EXAMPLES
    )


def _select_phase_paragraphs(part: str, phase: Phase, deliverable: str) -> str:
    head, *paragraphs = _PHASE.split(part)
    in_phase = [each for each in paragraphs if phase in _parse_paragraph_head(each)[0]]
    selected = [
        each
        for each in in_phase
        if not (deliverables := _parse_paragraph_head(each)[1]) or deliverable in deliverables
    ]
    return head + "".join(selected if in_phase else paragraphs)


def _parse_paragraph_head(paragraph: str) -> tuple[list[str], list[str]]:
    """Return the phases and the deliverables that the head of a paragraph names."""
    head = _PARAGRAPH_HEAD.match(paragraph)
    assert head is not None, "paragraphs are split where a phase begins"
    return head[1].split(", "), (head[2] or "").replace(",", " ").split()


def _get_section_name(part: str) -> str:
    first = part.partition("\n")[0]
    return first.removeprefix("## ").strip() if first.startswith("## ") else ""
