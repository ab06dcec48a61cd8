"""Open points: whatever an agent asks of another, and the answer that settles it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel

PointKind: TypeAlias = Literal[
    "recommendation", "concern", "correction", "objection", "condition", "demand", "prediction", "challenge", "veto",
]  # fmt: skip
PointEnd: TypeAlias = Literal["adopted", "declined", "superseded", "human"]


class PointAnswer(LabelledModel):
    """The answer to one entry of `open_points` in the context."""

    point: Annotated[str, ContentLabel.REVIEW]
    """Its identifier, such as P3."""
    answer: Annotated[Literal["adopted", "declined"], ContentLabel.REVIEW]
    """`adopted`: you revise the seed document for it. `declined`: it stays as it is."""
    reason: Annotated[str, ContentLabel.REVIEW]
    """What you will change, or why not, with a number or a fact of the scenario."""
