"""Disputes: challenges, vetoes, breakthroughs, and decisions of human reviewers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel

Revision = Annotated[str, ContentLabel.REVISION]
Domain: TypeAlias = Literal["physics", "mathematics", "grounding", "classification", "design"]
EvidenceKind: TypeAlias = Literal[
    "calculation", "proof", "derivation", "citation", "physical principle", "epistemology", "unfairness", "physical meaning",
]  # fmt: skip
PROVING: Final[frozenset[EvidenceKind]] = frozenset({"proof", "derivation", "calculation"})
"""1.3, rule 4: a mathematical proof or a physics derivation. 4.2 shows calculations as both."""
CLAIM_CONDITION: Final = "the claim holds if"
"""Words before the expression of some evidence where agents read it."""


class Evidence(LabelledModel):
    """Evidence for a position.

    `expression` has one meaning, whichever side brings it: a condition of the mechanics that is true if and only
    if the disputed claim is true. If it computes as false, the claim is refuted; if as true, it is confirmed.
    """

    kind: Annotated[EvidenceKind, ContentLabel.REVISION]
    text: Revision
    expression: Annotated[
        str,
        ContentLabel.REVISION,
        Field(
            description=(
                "A condition in the expression language of the mechanics that is true if and only if the disputed claim "
                "is true. It states the claim, also in evidence against it: a challenge stands if it computes as false."
            )
        ),
    ] = ""

    def format_for_readers(self) -> str:
        """Return the text, followed by the condition of the claim if there is one."""
        return f"{self.text} ({CLAIM_CONDITION} `{self.expression}`)" if self.expression else self.text


class Challenge(LabelledModel):
    """A formal dispute of another agent's claim."""

    challenged: Revision
    claim: Annotated[
        str,
        ContentLabel.REVISION,
        Field(
            description=(
                "The claim as the challenged agent's document states it: its claim_id or its exact text. "
                "Its place in the document decides which agent is the authority on it."
            )
        ),
    ]
    evidence: Annotated[tuple[Evidence, ...], ContentLabel.REVISION] = ()
    recommendation: Revision = ""
    confidence: float = Field(ge=0.0, le=1.0)
    """Confidence that the claim is wrong. It has no label, so other agents cannot read it before REFINE."""


class Veto(LabelledModel):
    """An objection on physical or mathematical grounds that stops the pipeline."""

    claim: Revision
    law: Annotated[
        str,
        ContentLabel.REVISION,
        Field(
            description="The physical law, the theorem or the relation of quantities that the claim violates."
        ),
    ]
    proof: Annotated[tuple[Evidence, ...], ContentLabel.REVISION] = ()
    """At least one piece shows a computation: an expression, or a relation of two quantities such as 58.9 N < 200 N."""
    core: Annotated[bool, ContentLabel.REVISION] = True
    """Whether the veto concerns the core mechanics, not a detail of the narrative."""
    correctable: Annotated[bool, ContentLabel.REVISION] = True
    corrective_proposal: Revision = ""


class Breakthrough(LabelledModel):
    """A potentially novel solution of an open frontier."""

    proposal: Annotated[str, ContentLabel.SOLUTION]
    novelty: Annotated[str, ContentLabel.SOLUTION]
    physics: Annotated[str, ContentLabel.SOLUTION]


class Answer(StrEnum):
    """The possible answers of a challenged agent."""

    ACCEPT = "ACCEPT"
    DEFEND = "DEFEND"
    PARTIAL = "PARTIAL"


class ChallengeResponse(LabelledModel):
    """The single response of a challenged agent."""

    answer: Annotated[Answer, ContentLabel.REVISION]
    text: Revision
    evidence: Annotated[tuple[Evidence, ...], ContentLabel.REVISION] = ()
    confidence: float = Field(ge=0.0, le=1.0)


class Ballot(LabelledModel):
    """A vote between two positions."""

    choice: Annotated[Literal["CHALLENGER", "CHALLENGED", "ABSTAIN"], ContentLabel.REVISION]
    reason: Revision
    confidence: float = Field(ge=0.0, le=1.0)


class VetoReview(LabelledModel):
    """The vetoing agent's decision on a revision."""

    satisfied: Annotated[bool, ContentLabel.REVISION]
    reason: Revision


class BreakthroughReview(LabelledModel):
    """One of the three reviews of a breakthrough."""

    survives: Annotated[bool, ContentLabel.SOLUTION]
    text: Annotated[str, ContentLabel.SOLUTION]


class Option(StrEnum):
    """The possible decisions of a human reviewer."""

    RESOLVE = "RESOLVE"
    REDESIGN = "REDESIGN"
    DISCARD = "DISCARD"
    SPLIT = "SPLIT"


class HumanDecision(LabelledModel):
    """The final decision of a human reviewer."""

    option: Annotated[Option, ContentLabel.REVISION]
    justification: Revision
    prevails: Annotated[Literal["", "CHALLENGER", "CHALLENGED"], ContentLabel.REVISION] = ""
    """The side that is right, if the reviewer decided between two positions with RESOLVE."""
    structural_flaw: Annotated[bool, ContentLabel.REVISION] = False
    nothing_to_change: Annotated[bool, ContentLabel.REVISION] = False
    """Whether RESOLVE lets the scenario stand as it is. Otherwise ATHENA must meet the open demands as decided."""
    reviewer: Annotated[str, ContentLabel.TRACE] = ""
