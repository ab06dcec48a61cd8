"""Drafts of messages: the parts of a reply, with the type and the content of the message that each becomes.

A dispute inside a report (a challenge, a veto, a breakthrough, an escalation) is a message of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.domain.additional_agent_reports import FurtherReport
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Ballot,
    Breakthrough,
    BreakthroughReview,
    Challenge,
    ChallengeResponse,
    Evidence,
    HumanDecision,
    Veto,
    VetoReview,
)
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    RefinementBallot,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import HUMAN, MessageType

# fmt: off
REPLY_TYPES: Final[Mapping[str, MessageType]] = {
    # The type of a reply. All others are deliverables.
    "Ballot":             MessageType.VOTE,
    "CalibrationVote":    MessageType.VOTE,
    "StatusVote":         MessageType.VOTE,
    "DesignVote":         MessageType.VOTE,
    "ReadinessVote":      MessageType.VOTE,
    "ChallengeResponse":  MessageType.RESPONSE,
    "VetoReview":         MessageType.RESPONSE,
    "BreakthroughReview": MessageType.RESPONSE,
    "HumanDecision":      MessageType.RESPONSE,
}
DISPUTE_FIELDS: Final[Mapping[str, MessageType]] = {
    "challenges":   MessageType.CHALLENGE,
    "vetoes":       MessageType.VETO,
    "breakthrough": MessageType.BREAKTHROUGH,
    "escalation":   MessageType.ESCALATION,
}
# fmt: on
_CONCERN_FIELDS: Final = ("concerns", "validity_concerns")
LONGEST_SUMMARY: Final = 400


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A part of a reply that becomes one message, or several if its body is too long."""

    kind: MessageType
    suffix: str
    """Distinguishes the messages of a reply from each other. Empty for a reply that is one document."""
    is_document: bool
    """Whether the part is a document, and not a dispute in one."""
    content: LabelledModel | str
    """What the part says. An escalation is a text."""
    body: str
    confidence: float | None
    carrier: LabelledModel
    """The document without its other parts."""
    fields: frozenset[str]
    """The fields of the carrier that hold this part."""

    @property
    def evidence(self) -> tuple[str, ...]:
        """The evidence or proof of the part, each in the form `kind: text`."""
        found = getattr(self.content, "evidence", ()) or getattr(self.content, "proof", ())
        return tuple(format_evidence(each) for each in found if isinstance(each, Evidence))

    @property
    def concerns(self) -> tuple[str, ...]:
        """The concerns of the part."""
        lists = (getattr(self.content, name, ()) for name in _CONCERN_FIELDS)
        return tuple(str(each) for found in lists for each in found)

    @property
    def summary(self) -> str:
        """The part in one sentence."""
        return shorten_to_sentence(_describe_content(self.content))


def format_evidence(evidence: Evidence) -> str:
    """Return one piece of evidence as a line."""
    return f"{evidence.kind}: {evidence.text}"


def list_reply_drafts(reply: LabelledModel, author: str) -> tuple[MessageDraft, ...]:
    """Return the drafts of a reply: its documents without their disputes, each followed by its disputes.

    A ballot is filed in several documents. A human only responds, whatever the reply is.
    """
    usual = MessageType.RESPONSE if author == HUMAN else MessageType.DELIVERABLE
    if not isinstance(reply, RefinementBallot):
        return tuple(_iterate_document_drafts(reply, usual, ""))
    return tuple(
        draft for part in reply.parts for draft in _iterate_document_drafts(part, usual, type(part).__name__)
    )


def _iterate_document_drafts(
    document: LabelledModel, usual: MessageType, suffix: str
) -> Iterator[MessageDraft]:
    present = {name: getattr(document, name) for name in DISPUTE_FIELDS if getattr(document, name, None)}
    own = document.model_copy(
        update={name: () if isinstance(value, tuple) else None for name, value in present.items()}
    )
    confidence = find_author_confidence(document)
    yield MessageDraft(
        kind=REPLY_TYPES.get(type(document).__name__, usual),
        suffix=suffix,
        is_document=True,
        content=own,
        body=own.model_dump_json(indent=1, exclude=set(DISPUTE_FIELDS)),
        confidence=confidence,
        carrier=own,
        fields=frozenset(type(own).model_fields) - DISPUTE_FIELDS.keys(),
    )
    for name, value in present.items():
        for number, each in enumerate(value if isinstance(value, tuple) else (value,), start=1):
            yield _build_dispute_draft(own, name, number, each, confidence)


def _build_dispute_draft(
    own: LabelledModel, name: str, number: int, dispute: LabelledModel | str, confidence: float | None
) -> MessageDraft:
    if isinstance(dispute, str):
        body, own_confidence = dispute, None
    else:
        body, own_confidence = dispute.model_dump_json(indent=1), find_author_confidence(dispute)
    return MessageDraft(
        kind=DISPUTE_FIELDS[name],
        suffix=f"{name}-{number}",
        is_document=False,
        content=dispute,
        body=body,
        # A dispute without a confidence of its own has that of the report that raises it.
        confidence=confidence if own_confidence is None else own_confidence,
        carrier=own.model_copy(
            update={name: (dispute,) if isinstance(getattr(own, name), tuple) else dispute}
        ),
        fields=frozenset({name}),
    )


def find_author_confidence(content: LabelledModel) -> float | None:
    """Return the author's confidence in its work, or None if it states none."""
    for name in ("confidence", "overall_confidence"):
        found = getattr(content, name, None)
        if isinstance(found, int | float):
            return float(found)
    return None


def shorten_to_sentence(text: str) -> str:
    """Return the first sentence of a text. A sentence that is too long ends with an ellipsis."""
    first = " ".join(text.split()).partition(". ")[0]
    if len(first) <= LONGEST_SUMMARY:
        return first
    start = first[: LONGEST_SUMMARY - 1]
    return (start.rpartition(" ")[0] or start).rstrip() + "…"


def _describe_content(content: LabelledModel | str) -> str:
    if isinstance(content, str):
        return content
    for kind in type(content).__mro__:
        if kind in _DESCRIPTIONS:
            return _DESCRIPTIONS[kind](content)
    return type(content).__name__


def _describe_mathematics(report: MathematicsReport) -> str:
    margin = "" if report.margin is None else f", {report.margin:.0%} of the deadline left"
    return f"Units {report.dimensional_analysis}, {len(report.claims)} claims calculated{margin}"


def _describe_distractors(review: DistractorReview) -> str:
    wrong = sum(1 for each in review.findings if each.verdict != "right")
    return f"{len(review.findings)} distractors reviewed, {wrong} with objections"


def _describe_design(vote: DesignVote) -> str:
    votes = {"name": vote.approves_name, "style": vote.approves_style, "objects": vote.approves_objects}
    against = [name for name, approves in votes.items() if not approves]
    return (
        f"Against the {' and '.join(against)}: {vote.suggestion}"
        if against
        else "Name, style and objects approved"
    )


# fmt: off
_DESCRIPTIONS: Final[Mapping[type, Callable[[Any], str]]] = {
    SeedDocument:           lambda each: f"{each.scenario.name}: {each.concept_summary.concept}",
    PhysicsReport:          lambda each: f"Physics {each.feasibility}, {len(each.claims)} claims judged",
    MathematicsReport:      _describe_mathematics,
    FeasibilityCheck:       lambda each: f"{len(each.disagreements)} contradictions between the reports: {each.mirage_convincing}",
    GroundingReport:        lambda each: f"Merit {each.merit}: {each.novelty_claim}",
    ClassificationReport:   lambda each: f"{each.status}, {each.preliminary_tier}: {each.justification}",
    InformedClassification: lambda each: f"{each.status}: {each.delta}",
    ReviewMemo:             lambda each: each.text,
    CalibrationVote:        lambda each: f"Difficulty {each.profile}",
    DistractorReview:       _describe_distractors,
    StatusVote:             lambda each: f"{each.status}: {each.reason}",
    DesignVote:             _describe_design,
    ReadinessVote:          lambda each: f"{each.vote}: {each.notes}" if each.notes else str(each.vote),
    AgentTrace:             lambda each: each.found,
    FurtherReport:          lambda each: each.text,
    Challenge:              lambda each: f"Challenges {each.challenged}: {each.claim}",
    ChallengeResponse:      lambda each: f"{each.answer}: {each.text}",
    Ballot:                 lambda each: f"{each.choice}: {each.reason}",
    Veto:                   lambda each: f"{each.claim} ({each.law})",
    VetoReview:             lambda each: f"{'Satisfied' if each.satisfied else 'Not satisfied'}: {each.reason}",
    Breakthrough:           lambda each: each.proposal,
    BreakthroughReview:     lambda each: f"{'Survives' if each.survives else 'Does not survive'}: {each.text}",
    HumanDecision:          lambda each: f"{each.option}: {each.justification}",
}
# fmt: on
