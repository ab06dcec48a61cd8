"""The contents of an assignment: the brief, the readable documents and the notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA

D = TypeVar("D", bound=LabelledModel)


@dataclass(frozen=True, slots=True)
class RevisionDemand:
    """One demand of a revision."""

    demand: str
    demanded_by: str = ""
    subject: str = ""
    """A claim, a quantity path, a thing, a step or a distractor. Empty if the demand names none."""
    evidence: str = ""
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class PointToAnswer:
    """A point that another agent raised and that the agent has to answer."""

    point: str
    raised_by: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class AnsweredPoint:
    """A point that the agent raised, with the answer it was given."""

    point: str
    text: str
    end: str
    answer: str


class AssignmentView:
    """The parsed contents of an assignment."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        # A program has no token limit, so it reads all that the policy allows, with the figures added to the ask.
        self._context = {**assignment.context, **assignment.readable_context}

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes for the agent: deficiencies, revision requests and challenges."""
        return tuple(str(note) for note in self._context.get("notes", ()))

    @property
    def notices(self) -> tuple[str, ...]:
        """Messages to the agent about the end of its challenges and about decisions of humans."""
        return tuple(str(notice) for notice in self._context.get("notices", ()))

    @property
    def demands(self) -> tuple[RevisionDemand, ...]:
        """The demands of a revision. If only notes were passed on, each note is a demand without a subject."""
        found = [
            RevisionDemand(**{name: str(each.get(name) or "") for name in RevisionDemand.__slots__})
            for each in self._context.get("demands", ())
        ]
        return tuple(found or map(RevisionDemand, self.notes))

    @property
    def open_points(self) -> tuple[PointToAnswer, ...]:
        """The points that the agent has to answer."""
        found = self._context.get("open_points", ())
        return tuple(PointToAnswer(*(str(each[name]) for name in PointToAnswer.__slots__)) for each in found)

    @property
    def answered_points(self) -> tuple[AnsweredPoint, ...]:
        """The agent's own points that were declined or decided by a human."""
        found = self._context.get("answered_points", ())
        return tuple(AnsweredPoint(*(str(each[name]) for name in AnsweredPoint.__slots__)) for each in found)

    @property
    def brief(self) -> GenerationBrief | None:
        """The generation brief, or None if the agent may not read it."""
        found = self._context.get("brief")
        return GenerationBrief.model_validate(found) if found else None

    def get_computed(self, name: str) -> Any:  # noqa: ANN401 - any plain data
        """Return figures that the orchestrator computed for the task, or None."""
        return self._context.get(name)

    def get_document_fields(self, document: str, author: str | None = None) -> dict[str, Any]:
        """Return the readable fields of the latest document of a kind, or an empty dict."""
        for section in reversed(self._context.get("sections", ())):
            if section["document"] == document and author in {None, section["author"]}:
                return dict(section["fields"])
        return {}

    def count_submissions(self, document: str, author: str) -> int:
        """Return how often a document was handed in, as far as the agent may know."""
        found = [
            section
            for section in self._context.get("sections", ())
            if section["document"] == document and section["author"] == author
        ]
        return int(found[-1]["iteration"] or 0) + 1 if found else 0

    def find_document(self, kind: type[D], author: str | None = None) -> D | None:
        """Return the latest document of a kind if the agent may read all of it, else None.

        A hidden confidence is read as 0.
        """
        fields = self.get_document_fields(kind.__name__, author)
        if not fields:
            return None
        try:
            return kind.model_validate({**fields, **_make_placeholder_for_hidden_confidence(kind, fields)})
        except ValidationError:
            return None

    @property
    def seed(self) -> SeedDocument | None:
        """The seed document, or None. Its confidence is 0 unless the document is the agent's own.

        A hidden title, or a hidden account of why it looks impossible, is read as an empty text.
        """
        fields = self.get_document_fields("SeedDocument", ATHENA)
        if not fields or "mechanics" not in fields:
            return None
        # empty fields are omitted like hidden ones, and the confidence is hidden from other agents
        sketch = {"confidence": 0.0, **fields.get("solution_sketch", {})}
        empty = {"insight_chain": (), "distractor_inventory": ()}
        shown = {
            "solution_sketch": sketch,
            "scenario": {"name": "", **fields.get("scenario", {})},
            "impossibility_mirage": {"looks_impossible": "", **fields.get("impossibility_mirage", {})},
        }
        return SeedDocument.model_validate({**empty, **fields, **shown})


def _make_placeholder_for_hidden_confidence(
    kind: type[LabelledModel], fields: dict[str, Any]
) -> dict[str, Any]:
    """Return a placeholder for the confidence, which only the author of a document may read."""
    return {"confidence": 0.0} if "confidence" in kind.model_fields and "confidence" not in fields else {}
