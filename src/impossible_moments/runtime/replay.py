"""Replay: a flow answered from the ledger alone, with nothing asked and nothing paid."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Final, TypeVar

from pydantic import ValidationError
from pydantic_core import to_json

from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.domain.labels import Labelled
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger.ledger import Answer, answers_of, copy_before
from impossible_moments.ledger.store import Store
from impossible_moments.runtime.clock import Clock

T = TypeVar("T")
FLOW_CHANGED: Final = "FLOW_CHANGED"


class FlowChanged(ImpossibleMomentsError):
    """The flow no longer asks what the ledger has an answer to."""

    def __init__(self, scenario: str, key: str, what: str, code_version: str) -> None:
        super().__init__(scenario, key, what, code_version)
        self.scenario, self.key, self.what, self.code_version = scenario, key, what, code_version

    def __str__(self) -> str:
        return (
            f"{FLOW_CHANGED}: {self.scenario}: {self.key} {self.what}. An answer holds for the question it was given to "
            f"and for no other; nothing was asked and nothing paid. Run the scenario with the code that asked "
            f"(version {self.code_version or 'unknown'}), or fork it from this ask: the answers before it are kept."
        )


class RepeatedAsk(ImpossibleMomentsError):
    """The flow asks twice under one key, and there can be only one answer."""

    def __init__(self, scenario: str, key: str) -> None:
        super().__init__(scenario, key)
        self.scenario, self.key = scenario, key

    def __str__(self) -> str:
        return (
            f"{self.scenario}: {self.key} is asked twice. A key names one ask of a scenario: "
            "give the second ask another topic, or file the first answer before asking again."
        )


class NotRecorded(ImpossibleMomentsError):
    """A replay came to an ask that has no answer yet."""

    def __init__(self, scenario: str, key: str) -> None:
        super().__init__(scenario, key)
        self.scenario, self.key = scenario, key

    def __str__(self) -> str:
        return (
            f"{self.scenario}: the ledger holds no answer to {self.key}. "
            "A replay asks nobody: run the scenario to go on from here."
        )


def replay(store: Store, scenario: str, flow: Flow[T]) -> T:
    """The end of a flow all of whose asks have been answered."""
    recording = Recording(scenario, store.read_now(partial(answers_of, scenario=scenario)))
    try:
        asks = next(flow)
        while True:
            asks = flow.send(tuple(_recorded(recording, ask) for ask in recording.opened(asks)))
    except StopIteration as finished:
        recording.refuse_unused()
        result: T = finished.value
        return result
    finally:
        flow.close()


def fork(store: Store, scenario: str, from_key: str, *, name: str, clock: Clock) -> int:
    """Begin scenario `name` with the answers given before the round that asked `from_key`; how many these are.

    Only the ledger's name is new. The flow is made from the same brief, identifier included, or it asks other questions.
    """
    return store.now(partial(copy_before, scenario=scenario, key=from_key, name=name, now=clock.now()))


def _recorded(recording: Recording, ask: Ask) -> Labelled:
    reply = recording.reply_to(ask)
    if reply is None:
        raise NotRecorded(recording.scenario, ask.key)
    return reply


class Recording:
    """The answers a scenario has, and how far a flow has come through them."""

    def __init__(self, scenario: str, answers: dict[str, Answer]) -> None:
        self.scenario = scenario
        self.round_number = 0
        self._answers = answers
        self._hashes: dict[str, str] = {}

    def opened(self, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
        """The asks of the next round, none of which was asked before."""
        self.round_number += 1
        for ask in asks:
            if ask.key in self._hashes:
                raise RepeatedAsk(self.scenario, ask.key)
            self._hashes[ask.key] = assignment_hash(ask)
        return asks

    def hash_of(self, ask: Ask) -> str:
        """What identifies the question of an ask of an opened round."""
        return self._hashes[ask.key]

    def reply_to(self, ask: Ask) -> Labelled | None:
        """The stored reply, if there is one and it was given to this very question."""
        answer = self._answers.get(ask.key)
        return None if answer is None else self._read(ask, answer)

    def add(self, ask: Ask, answer: Answer) -> Labelled:
        """Take in what the ledger now holds; the reply."""
        self._answers[ask.key] = answer
        return self._read(ask, answer)

    def refuse_unused(self) -> None:
        """Raise if the flow has ended without asking for something that was answered."""
        for key, answer in self._answers.items():
            if key not in self._hashes:
                raise FlowChanged(
                    self.scenario, key, "was answered and is not asked any more", answer.code_version
                )

    def _read(self, ask: Ask, answer: Answer) -> Labelled:
        if answer.assignment_hash != self.hash_of(ask):
            raise FlowChanged(
                self.scenario, ask.key, "is asked otherwise than when it was answered", answer.code_version
            )
        try:
            return ask.returns.model_validate_json(answer.reply)
        except ValidationError as error:
            what = (
                f"was answered with what is no {ask.returns.__name__} any more ({error.error_count()} errors)"
            )
            raise FlowChanged(self.scenario, ask.key, what, answer.code_version) from error


def assignment_hash(ask: Ask) -> str:
    """What identifies a question: the hash of all that the flow decided of it, in the order it was put in."""
    return hashlib.sha256(assignment_json(ask)).hexdigest()


def assignment_json(ask: Ask) -> bytes:
    """An assignment as JSON."""
    # Five times as fast as the json module; a replay spends most of its time here.
    return to_json(ask.assignment.as_data())


def refuse_what_has_no_order(ask: Ask) -> None:
    """Raise if an assignment holds a set or the like: it would be another question in the next process."""
    try:
        json.dumps(ask.assignment.as_data())
    except TypeError as error:
        raise TypeError(
            f"{ask.key}: the assignment is not plain data ({error}). A question must be the same at every replay: "
            "sort what has no order before it is filed."
        ) from error
