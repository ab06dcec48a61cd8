"""What an agent finds in its assignment: the brief, the deliverables it may read, and the notes for it."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA

D = TypeVar("D", bound=Labelled)


class View:
    """An assignment, read."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self._context = assignment.context

    @property
    def notes(self) -> tuple[str, ...]:
        """What the agent was told: deficiencies, revision requests, challenges."""
        return tuple(str(note) for note in self._context.get("notes", ()))

    @property
    def brief(self) -> GenerationBrief | None:
        """The generation brief, for whoever may read it."""
        found = self._context.get("brief")
        return GenerationBrief.model_validate(found) if found else None

    def fields(self, document: str, author: str | None = None) -> dict[str, Any]:
        """The newest document of a kind as it was cut: the fields that the agent may read."""
        for section in reversed(self._context.get("sections", ())):
            if section["document"] == document and author in {None, section["author"]}:
                return dict(section["fields"])
        return {}

    def iteration(self, document: str, author: str) -> int:
        """How often a document was handed in, as far as the agent may know; 0 if it was not."""
        found = [
            section
            for section in self._context.get("sections", ())
            if section["document"] == document and section["author"] == author
        ]
        return int(found[-1]["iteration"] or 0) + 1 if found else 0

    def whole(self, kind: type[D], author: str | None = None) -> D | None:
        """A document that the agent may read whole but for confidences; None if it is not there."""
        fields = self.fields(kind.__name__, author)
        if not fields:
            return None
        try:
            return kind.model_validate({**fields, **_unseen(kind, fields)})
        except ValidationError:
            return None

    @property
    def seed(self) -> SeedDocument | None:
        """The seed document, its confidence unknown where it is not the agent's own."""
        fields = self.fields("SeedDocument", ATHENA)
        if not fields or "mechanics" not in fields:
            return None
        # what is empty is cut away with what is hidden, and a confidence that is not the agent's own is hidden
        sketch = {"confidence": 0.0, **fields.get("solution_sketch", {})}
        empty = {"insight_chain": (), "distractor_inventory": ()}
        return SeedDocument.model_validate({**empty, **fields, "solution_sketch": sketch})


def _unseen(kind: type[Labelled], fields: dict[str, Any]) -> dict[str, Any]:
    """A stand-in for the one field that nobody but its author reads."""
    return {"confidence": 0.0} if "confidence" in kind.model_fields and "confidence" not in fields else {}
