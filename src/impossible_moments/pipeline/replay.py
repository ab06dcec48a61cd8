"""Replay: a flow is answered from the ledger alone, without asking or paying for anything."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Final, TypeVar

from pydantic import ValidationError
from pydantic_core import to_json

from impossible_moments.agents.orchestrator import Ask, Flow
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import AnsweredAsk, LedgerStore, copy_answers_of_earlier_rounds, list_answers
from impossible_moments.pipeline.clock import Clock

T = TypeVar("T")
FLOW_CHANGED: Final = "FLOW_CHANGED"


class FlowChangedError(ImpossibleMomentsError):
    """The flow no longer asks a question that the ledger has an answer to."""

    def __init__(self, scenario: str, key: str, what: str, code_version: str) -> None:
        super().__init__(scenario, key, what, code_version)
        self.scenario, self.key, self.what, self.code_version = scenario, key, what, code_version

    def __str__(self) -> str:
        return (
            f"{FLOW_CHANGED}: {self.scenario}: the ask {self.key} {self.what}. An answer is valid only for the question it "
            f"was given to. Nothing was asked and nothing was paid. Run the scenario with the version that asked "
            f"({self.code_version or 'unknown'}), or fork it from this ask: the answers before it are kept."
        )


class RepeatedAskError(ImpossibleMomentsError):
    """The flow uses one key for two asks, but a key can have only one answer."""

    def __init__(self, scenario: str, key: str) -> None:
        super().__init__(scenario, key)
        self.scenario, self.key = scenario, key

    def __str__(self) -> str:
        return (
            f"{self.scenario}: the question {self.key} is asked twice. A key identifies one ask of a scenario: "
            "give the second ask another topic, or file the first answer before asking again."
        )


class UnrecordedAskError(ImpossibleMomentsError):
    """A replay reached an ask that has no answer yet."""

    def __init__(self, scenario: str, key: str) -> None:
        super().__init__(scenario, key)
        self.scenario, self.key = scenario, key

    def __str__(self) -> str:
        return (
            f"{self.scenario}: the ledger has no answer to {self.key}. "
            "A replay does not ask agents: run the scenario to continue."
        )


def replay_flow(store: LedgerStore, scenario: str, flow: Flow[T]) -> T:
    """Run a flow to its end with recorded answers only, and return its result.

    Raises `UnrecordedAskError` if an answer is missing.
    """
    recording = FlowRecording(scenario, store.read_and_wait(partial(list_answers, scenario=scenario)))
    try:
        asks = next(flow)
        while True:
            asks = flow.send(
                tuple(_require_recorded_reply(recording, ask) for ask in recording.open_round(asks))
            )
    except StopIteration as finished:
        recording.require_all_answers_used()
        result: T = finished.value
        return result
    finally:
        flow.close()


def fork_scenario(store: LedgerStore, scenario: str, from_key: str, *, name: str, clock: Clock) -> int:
    """Begin scenario `name` with the answers given before the round that asked `from_key`.

    Returns the number of answers copied. Only the name in the ledger is new. The flow must be built from the
    same brief, including its identifier, or it asks other questions.
    """
    return store.commit_and_wait(
        partial(copy_answers_of_earlier_rounds, scenario=scenario, key=from_key, name=name, now=clock.now())
    )


def _require_recorded_reply(recording: FlowRecording, ask: Ask) -> LabelledModel:
    reply = recording.get_reply(ask)
    if reply is None:
        raise UnrecordedAskError(recording.scenario, ask.key)
    return reply


class FlowRecording:
    """The recorded answers of a scenario, and the progress of a flow through them."""

    def __init__(self, scenario: str, answers: dict[str, AnsweredAsk]) -> None:
        self.scenario = scenario
        self.round_number = 0
        self._answers = answers
        self._hashes: dict[str, str] = {}

    def open_round(self, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
        """Begin the next round and return its asks. Raise `RepeatedAskError` if one was asked before."""
        self.round_number += 1
        for ask in asks:
            if ask.key in self._hashes:
                raise RepeatedAskError(self.scenario, ask.key)
            self._hashes[ask.key] = compute_assignment_hash(ask)
        return asks

    def get_assignment_hash(self, ask: Ask) -> str:
        """Return the hash that identifies the question of an ask of an opened round."""
        return self._hashes[ask.key]

    def get_reply(self, ask: Ask) -> LabelledModel | None:
        """Return the stored reply to an ask, or None.

        Raises `FlowChangedError` if it was given to another question.
        """
        answer = self._answers.get(ask.key)
        return None if answer is None else self._parse_reply(ask, answer)

    def get_answer(self, ask: Ask) -> AnsweredAsk | None:
        """Return the stored answer to an ask, or None."""
        return self._answers.get(ask.key)

    def add(self, ask: Ask, answer: AnsweredAsk) -> LabelledModel:
        """Add an answer that the ledger now holds, and return its reply."""
        self._answers[ask.key] = answer
        return self._parse_reply(ask, answer)

    def require_all_answers_used(self) -> None:
        """Raise `FlowChangedError` if the flow ended without asking for a recorded answer."""
        for key, answer in self._answers.items():
            if key not in self._hashes:
                raise FlowChangedError(
                    self.scenario, key, "was answered and is no longer asked", answer.code_version
                )

    def _parse_reply(self, ask: Ask, answer: AnsweredAsk) -> LabelledModel:
        if answer.assignment_hash != self.get_assignment_hash(ask):
            raise FlowChangedError(
                self.scenario, ask.key, "is not the question that was answered", answer.code_version
            )
        try:
            return ask.returns.model_validate_json(answer.reply)
        except ValidationError as error:
            what = f"has an answer that is no longer a valid {ask.returns.__name__} ({error.error_count()} errors)"
            raise FlowChangedError(self.scenario, ask.key, what, answer.code_version) from error


def compute_assignment_hash(ask: Ask) -> str:
    """Compute the hash that identifies a question, from all data of its assignment in order."""
    return hashlib.sha256(serialize_assignment(ask)).hexdigest()


def serialize_assignment(ask: Ask) -> bytes:
    """Return an assignment as JSON."""
    # Five times as fast as the json module. A replay spends most of its time here.
    return to_json(ask.assignment.to_data())


def require_ordered_assignment(ask: Ask) -> None:
    """Raise `TypeError` if an assignment holds a set or the like.

    It would be another question in the next process.
    """
    try:
        json.dumps(ask.assignment.to_data())
    except TypeError as error:
        raise TypeError(
            f"The assignment of the ask {ask.key} is not plain data ({error}). A question must be the same at every replay: "
            "sort unordered data before it is filed."
        ) from error
