"""Flows: rules as generators that yield asks and are sent replies.

A flow uses no clock, no randomness, no disk and no network. The caller does: a pipeline with its ledger, a
test with scripted answers, or a replay of a recorded run. The same replies give the same run.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import Phase

R = TypeVar("R", bound=LabelledModel)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Assignment:
    """Everything that an agent receives: its view of the dossier and its task."""

    agent: str
    phase: Phase
    scenario_id: str
    task: str
    context: dict[str, Any]
    returns: str
    """Name of the deliverable's model."""
    token_budget: int
    whole_context: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The context before it was cut to the token budget, for reading on demand. None if nothing was cut."""

    @property
    def readable_context(self) -> dict[str, Any]:
        """Everything that the context policy lets the agent read in this phase."""
        return self.context if self.whole_context is None else self.whole_context

    def to_data(self) -> dict[str, Any]:
        """Return the assignment as plain data in a fixed order. Its hash identifies the question."""
        return {
            "agent": self.agent,
            "phase": str(self.phase),
            "scenario_id": self.scenario_id,
            "task": self.task,
            "context": self.context,
            "returns": self.returns,
            "token_budget": self.token_budget,
        }


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to one agent or to a human, with the expected kind of answer."""

    key: str
    """Identifies the ask within its scenario, and is the same at every replay."""
    assignment: Assignment
    returns: type[LabelledModel]

    @property
    def agent(self) -> str:
        """The agent that is asked."""
        return self.assignment.agent


def add_computed_figures(question: Ask, figures: Mapping[str, Any]) -> Ask:
    """Return the ask with figures that the orchestrator computed for the task and that reveal nothing of the dossier."""
    context = {**question.assignment.context, **figures}
    return replace(question, assignment=replace(question.assignment, context=context))


Flow: TypeAlias = Generator[tuple[Ask, ...], tuple[LabelledModel, ...], T]


def request_answer(question: Ask, returns: type[R]) -> Flow[R]:
    """Yield one ask and return its answer."""
    (reply,) = yield (question,)
    return _require_reply_type(reply, returns)


def request_answers(questions: tuple[Ask, ...], returns: type[R]) -> Flow[tuple[R, ...]]:
    """Yield several asks at once and return their answers. None sees another's answer."""
    replies = yield questions
    return tuple(_require_reply_type(reply, returns) for reply in replies)


def _require_reply_type(reply: LabelledModel, expected_type: type[R]) -> R:
    if not isinstance(reply, expected_type):
        raise TypeError(f"expected a {expected_type.__name__}, and a {type(reply).__name__} was handed in")
    return reply
