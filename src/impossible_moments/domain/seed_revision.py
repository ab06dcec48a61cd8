"""What a language model hands in as ATHENA: a first seed with its difficulty, or a revision of the last one.

Both become a `SeedDocument` before anything else reads them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.seed import SeedDocument

Revision = Annotated[str, ContentLabel.REVISION]


class SeedProposal(SeedDocument):
    """The first seed document, with the difficulty that its author intends."""

    profile: Annotated[Profile, ContentLabel.VOTES]
    """The six scores that the scenario is meant to get. Their tier must be the tier of the brief."""
    profile_reasons: Annotated[dict[str, str], ContentLabel.VOTES]
    """A reason for each score, by its letter."""

    def to_seed_document(self) -> SeedDocument:
        """Return the seed document without the difficulty, which other agents score on their own."""
        return SeedDocument.model_validate(self.model_dump(include=set(SeedDocument.model_fields)))


class RevisionOperation(LabelledModel):
    """One change of the last seed document."""

    op: Annotated[Literal["replace", "add", "remove"], ContentLabel.REVISION]
    """`replace` and `remove` need an existing place. `add` sets a new field or inserts an entry into a list."""
    path: Revision
    """JSON pointer in the seed document, such as /scenario/threat or /mechanics/quantities/3. A list entry may also be
    given by its name: /mechanics/quantities/flood, /mechanics/actions/let_down/takes, /mechanics/things/drum/props/room.
    `add` at a list takes /- for its end."""
    value: Annotated[Any, ContentLabel.REVISION] = None
    """The new value. Not used by `remove`."""
    passage: Revision = ""
    """`replace` only: the exact words of the text at `path` that `value` replaces. Empty: the whole value."""


class DemandAnswer(LabelledModel):
    """The answer to one demand of the context."""

    demand: Annotated[int, Field(ge=1), ContentLabel.REVISION]
    """The number of the demand in `demands`, counted from 1."""
    answer: Annotated[Literal["done", "refused"], ContentLabel.REVISION]
    explanation: Revision
    """How it was done (which places changed), or why it is refused, with evidence."""


class SeedRevision(LabelledModel):
    """A revision of the last seed document: changes, and an answer to every demand."""

    operations: tuple[RevisionOperation, ...]
    """Changes in the order in which they are applied to the seed document in the context."""
    answers: tuple[DemandAnswer, ...] = ()
    """One answer to each entry of `demands`."""
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.ATHENA_CONFIDENCE]
    """Confidence in the revised solution. It replaces `solution_sketch.confidence`."""
