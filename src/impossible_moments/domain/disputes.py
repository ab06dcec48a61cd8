"""Disputes: challenges, vetoes, breakthroughs, and decisions of human reviewers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.labels import Content, Labelled

Revision = Annotated[str, Content.REVISION]
Domain: TypeAlias = Literal["physics", "mathematics", "grounding", "classification", "design"]
EvidenceKind: TypeAlias = Literal[
    "calculation", "proof", "derivation", "citation", "physical principle", "epistemology", "unfairness", "physical meaning",
]  # fmt: skip


class Evidence(Labelled):
    """What supports a position; a computation names the expression that mechanics can check."""

    kind: Annotated[EvidenceKind, Content.REVISION]
    text: Revision
    expression: Revision = ""
    """Condition that holds if the disputed claim is true. If it computes as false, the claim is refuted."""


class Challenge(Labelled):
    """A formal dispute of another agent's claim."""

    challenged: Revision
    claim: Revision
    domain: Annotated[Domain, Content.REVISION]
    evidence: Annotated[tuple[Evidence, ...], Content.REVISION] = ()
    recommendation: Revision = ""
    confidence: float = Field(ge=0.0, le=1.0)
    """Confidence that the claim is wrong. It has no label, so other agents cannot read it before REFINE."""


class Veto(Labelled):
    """A pipeline-halting objection on physical or mathematical grounds."""

    claim: Revision
    law: Revision
    proof: Annotated[tuple[Evidence, ...], Content.REVISION] = ()
    core: Annotated[bool, Content.REVISION] = True
    """Whether the veto concerns the core mechanics, not a detail of the narrative."""
    correctable: Annotated[bool, Content.REVISION] = True
    corrective_proposal: Revision = ""


class Breakthrough(Labelled):
    """A potentially novel solution of an open frontier."""

    proposal: Annotated[str, Content.SOLUTION]
    novelty: Annotated[str, Content.SOLUTION]
    physics: Annotated[str, Content.SOLUTION]


class Answer(StrEnum):
    """What a challenged agent may say."""

    ACCEPT = "ACCEPT"
    DEFEND = "DEFEND"
    PARTIAL = "PARTIAL"


class ChallengeResponse(Labelled):
    """The one response cycle of a challenged agent."""

    answer: Annotated[Answer, Content.REVISION]
    text: Revision
    evidence: Annotated[tuple[Evidence, ...], Content.REVISION] = ()
    confidence: float = Field(ge=0.0, le=1.0)


class Ballot(Labelled):
    """A vote between two positions."""

    choice: Annotated[Literal["CHALLENGER", "CHALLENGED", "ABSTAIN"], Content.REVISION]
    reason: Revision
    confidence: float = Field(ge=0.0, le=1.0)


class VetoReview(Labelled):
    """The vetoing agent's word on a revision."""

    satisfied: Annotated[bool, Content.REVISION]
    reason: Revision


class BreakthroughReview(Labelled):
    """One of the three dedicated reviews."""

    survives: Annotated[bool, Content.SOLUTION]
    text: Annotated[str, Content.SOLUTION]


class Option(StrEnum):
    """What a human may decide."""

    RESOLVE = "RESOLVE"
    REDESIGN = "REDESIGN"
    DISCARD = "DISCARD"
    SPLIT = "SPLIT"


class HumanDecision(Labelled):
    """A reviewer's final word."""

    option: Annotated[Option, Content.REVISION]
    justification: Revision
    prevails: Annotated[Literal["", "CHALLENGER", "CHALLENGED"], Content.REVISION] = ""
    """The side that is right, if the reviewer decided between two positions with RESOLVE."""
    structural_flaw: Annotated[bool, Content.REVISION] = False
    reviewer: Annotated[str, Content.TRACE] = ""
