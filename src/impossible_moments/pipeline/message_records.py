"""Messages in the ledger: their rows, and their reconstruction for scenarios whose ledger has none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from impossible_moments.agents.orchestrator import Ask, Flow
from impossible_moments.domain.message import Disposition, FiledMessage, Message, MessagePlace
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    MessageRow,
    list_answers,
    list_answers_without_messages,
    list_messages,
    record_messages,
)
from impossible_moments.pipeline.message_building import format_timestamp
from impossible_moments.pipeline.message_history import MessageHistory
from impossible_moments.pipeline.replay import FlowRecording


def convert_to_row(filed: FiledMessage, sent_at: float) -> MessageRow:
    """Return the row of a message. The time is a column of its own, so the JSON is the same at every run."""
    message, place = filed.message, filed.place
    return MessageRow(
        message_id=message.message_id,
        ask_key=filed.ask_key,
        round_number=place.round_number,
        is_reply=place.is_reply,
        ask_number=place.ask_number,
        part=place.part,
        phase=str(message.phase),
        sender=message.sender,
        recipient=message.recipient,
        message_type=str(message.message_type),
        disposition=str(filed.disposition),
        problems=json.dumps(filed.problems, ensure_ascii=False),
        sent_at=sent_at,
        message=message.model_dump_json(exclude={"timestamp"}).encode(),
    )


def parse_row(row: MessageRow) -> FiledMessage:
    """Return the message of a row."""
    fields = json.loads(row.message)
    return FiledMessage(
        MessagePlace(row.round_number, row.is_reply, row.ask_number, row.part),
        row.ask_key,
        Message.model_validate({**fields, "timestamp": format_timestamp(row.sent_at)}),
        tuple(json.loads(row.problems)),
        Disposition(row.disposition),
    )


@dataclass(frozen=True)
class MessageTimeline:
    """The messages of a scenario in the order of its run."""

    messages: tuple[FiledMessage, ...]
    answers: dict[str, AnsweredAsk]
    gap: str = ""
    """Why messages are missing, or an empty text."""


def load_messages(
    store: LedgerStore, scenario: str, build_flow: Callable[[], Flow[object]], *, vetoers: frozenset[str]
) -> MessageTimeline:
    """Load the messages of a scenario. Missing ones are rebuilt from its answers first.

    Ledgers of earlier versions have no messages, and a human's answer has none before the scenario runs again.
    """
    answers = store.read_and_wait(partial(list_answers, scenario=scenario))
    missing = store.read_and_wait(
        partial(list_answers_without_messages, scenario=scenario, refused=str(Disposition.REFUSED))
    )
    gap = ""
    if missing:
        try:
            rows = rebuild_message_rows(scenario, answers, build_flow(), vetoers=vetoers)
        except ImpossibleMomentsError as problem:
            gap = (
                f"{len(missing)} answers have no messages in the ledger, and the run cannot be replayed to rebuild "
                f"them: {problem}"
            )
        else:
            store.commit_and_wait(partial(record_messages, scenario=scenario, rows=rows))
    found = store.read_and_wait(partial(list_messages, scenario=scenario))
    return MessageTimeline(tuple(parse_row(row) for row in found), answers, gap)


def rebuild_message_rows(
    scenario: str, answers: dict[str, AnsweredAsk], flow: Flow[object], *, vetoers: frozenset[str]
) -> tuple[MessageRow, ...]:
    """Return the messages of a run by replaying its flow, up to the first round that is not answered.

    Raises `FlowChangedError` if the flow no longer asks what was answered.
    """
    recording = FlowRecording(scenario, dict(answers))
    history = MessageHistory(scenario, vetoers)
    rows: list[MessageRow] = []
    try:
        asks = next(flow)
        while True:
            opened = recording.open_round(asks)
            rows += _rebuild_round(recording, history, opened)
            replies = [recording.get_reply(ask) for ask in opened]
            if None in replies:
                return tuple(rows)
            asks = flow.send(tuple(each for each in replies if each is not None))
    except StopIteration:
        recording.require_all_answers_used()
        return tuple(rows)
    finally:
        flow.close()


def _rebuild_round(
    recording: FlowRecording, history: MessageHistory, asks: tuple[Ask, ...]
) -> Iterable[MessageRow]:
    answers = {ask.key: recording.get_answer(ask) for ask in asks}
    now = max((each.answered_at for each in answers.values() if each is not None), default=0.0)

    def get_time(ask: Ask) -> float:
        answer = answers[ask.key]
        return now if answer is None else answer.started_at

    by_key = {ask.key: ask for ask in asks}
    for filed in history.open_round(asks, get_time):
        yield convert_to_row(filed, get_time(by_key[filed.ask_key]))
    for ask in asks:
        answer, reply = answers[ask.key], recording.get_reply(ask)
        if answer is not None and reply is not None:
            for filed in history.build_reply(ask, answer, reply):
                yield convert_to_row(filed, answer.answered_at)
    history.close_round()
