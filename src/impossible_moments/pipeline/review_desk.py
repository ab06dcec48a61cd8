"""The review desk: where humans see pending questions and decide them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import HUMAN
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import (
    AnsweredAsk,
    HumanQuestion,
    LedgerStore,
    list_pending_questions,
    record_human_answer,
)
from impossible_moments.pipeline.clock import Clock


@dataclass(frozen=True)
class PendingReview:
    """A question that waits for a human decision."""

    scenario: str
    key: str
    returns: str
    """Name of the model of the expected answer."""
    asked_at: float
    due_at: float
    overdue: bool
    assignment: dict[str, Any]
    """Everything that the human receives: the task and the context."""

    @property
    def task(self) -> str:
        """What is to be decided."""
        return str(self.assignment["task"])


@dataclass(frozen=True)
class ReviewDesk:
    """A desk that lists, shows and settles questions. The next run continues from the answers."""

    store: LedgerStore
    clock: Clock
    code_version: str

    def list_pending_reviews(self) -> tuple[PendingReview, ...]:
        """Return the open questions, the earliest due first."""
        now = self.clock.now()
        return tuple(
            _build_review(question, now) for question in self.store.read_and_wait(list_pending_questions)
        )

    def get_review(self, scenario: str, key: str | None = None) -> PendingReview:
        """Return one open question of a scenario. The key may be omitted if there is only one.

        Raises `ConfigurationError` if there is no such question.
        """
        return _build_review(self._find_question(scenario, key), self.clock.now())

    def record_decision(
        self, scenario: str, decision: LabelledModel, *, key: str | None = None
    ) -> PendingReview:
        """Answer an open question finally, and return the question."""
        question = self._find_question(scenario, key)
        if type(decision).__name__ != question.returns:
            raise ConfigurationError(
                f"{scenario}: the review {question.key} expects a {question.returns}, and a {type(decision).__name__} was given. "
                f"Give a {question.returns}."
            )
        now = self.clock.now()
        answer = AnsweredAsk(
            key=question.key,
            round_number=question.round_number,
            assignment_hash=question.assignment_hash,
            reply=decision.model_dump_json().encode(),
            returns=question.returns,
            model=HUMAN,
            code_version=self.code_version,
            started_at=question.asked_at,
            answered_at=now,
        )
        self.store.commit_and_wait(partial(record_human_answer, scenario=scenario, answer=answer))
        return _build_review(question, now)

    def _find_question(self, scenario: str, key: str | None) -> HumanQuestion:
        own = [each for each in self.store.read_and_wait(list_pending_questions) if each.scenario == scenario]
        found = [each for each in own if key in {None, each.key}]
        if len(found) == 1:
            return found[0]
        keys = ", ".join(each.key for each in own)
        if not own:
            raise ConfigurationError(f"{scenario} has no open review.")
        if key is not None:
            raise ConfigurationError(f"{scenario} has no open review {key!r}. Its open reviews: {keys}.")
        raise ConfigurationError(f"{scenario} has {len(own)} open reviews; name one with --key: {keys}.")


def _build_review(question: HumanQuestion, now: float) -> PendingReview:
    return PendingReview(
        scenario=question.scenario,
        key=question.key,
        returns=question.returns,
        asked_at=question.asked_at,
        due_at=question.due_at,
        overdue=now > question.due_at,
        assignment=json.loads(question.assignment),
    )
