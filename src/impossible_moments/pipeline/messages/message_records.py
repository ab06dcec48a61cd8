"""Messages in the ledger: their rows, and their reconstruction for scenarios whose ledger has none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from impossible_moments.agents import DELIVERABLES
from impossible_moments.agents.orchestrator import Ask, Assignment, Flow, split_message_body
from impossible_moments.domain.dossier import DossierEntry
from impossible_moments.domain.message import Disposition, FiledMessage, Message, MessagePlace
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    MessageRow,
    list_answers,
    list_answers_without_messages,
    list_messages,
)
from impossible_moments.pipeline.clock import derive_message_id
from impossible_moments.pipeline.completed_scenarios import parse_answers
from impossible_moments.pipeline.messages.message_building import format_timestamp
from impossible_moments.pipeline.messages.message_drafts import list_reply_drafts
from impossible_moments.pipeline.messages.message_history import MessageHistory
from impossible_moments.pipeline.replay import FlowChangedError, FlowRecording


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
    """Which messages are missing and why, or an empty text."""


def load_messages(
    store: LedgerStore, scenario: str, build_flow: Callable[[], Flow[Any]], *, vetoers: frozenset[str]
) -> MessageTimeline:
    """Load the messages of a scenario. Missing ones are rebuilt from its answers. The ledger is not changed.

    Ledgers of earlier versions have no messages, and a human's answer has none before the scenario runs again. If
    the flow no longer asks what was answered, only the replies can be rebuilt.
    """
    answers = store.read_and_wait(partial(list_answers, scenario=scenario))
    missing = store.read_and_wait(
        partial(list_answers_without_messages, scenario=scenario, refused=str(Disposition.REFUSED))
    )
    rows = store.read_and_wait(partial(list_messages, scenario=scenario))
    if missing:
        try:
            rebuilt = rebuild_message_rows(scenario, answers, build_flow(), vetoers=vetoers)
        except FlowChangedError as problem:
            replies = rebuild_replies(scenario, answers, vetoers=vetoers)
            return MessageTimeline(
                replies, answers, f"The requests of the orchestrator cannot be rebuilt. {problem}"
            )
        known = {row.message_id for row in rows}
        rows += tuple(row for row in rebuilt if row.message_id not in known)
    return MessageTimeline(tuple(parse_row(row) for row in sorted(rows, key=_get_place)), answers)


def _get_place(row: MessageRow) -> tuple[int, bool, int, int, str]:
    return row.round_number, row.is_reply, row.ask_number, row.part, row.message_id


def rebuild_message_rows(
    scenario: str, answers: dict[str, AnsweredAsk], flow: Flow[Any], *, vetoers: frozenset[str]
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


def rebuild_replies(
    scenario: str, answers: Mapping[str, AnsweredAsk], *, vetoers: frozenset[str]
) -> tuple[FiledMessage, ...]:
    """Return the messages of agents and humans from their answers alone, without the requests they answer."""
    replies, history = parse_answers(answers), MessageHistory(scenario, vetoers)
    found: list[FiledMessage] = []
    ordered = sorted(answers.values(), key=lambda each: (each.round_number, each.key))
    for _, group in groupby(ordered, key=lambda each: each.round_number):
        asks = {answer.key: (_build_unknown_ask(scenario, answer), answer) for answer in group}
        history.open_round(tuple(ask for ask, _ in asks.values()), lambda _ask: 0.0)
        for key, (ask, answer) in asks.items():
            found += history.build_reply(ask, answer, replies[key])
        history.close_round()
    known = {filed.message.message_id for filed in found}
    return tuple(_keep_known_dependencies(filed, known) for filed in found)


def map_documents_by_message(
    scenario: str, answers: Mapping[str, AnsweredAsk]
) -> dict[str, tuple[DossierEntry, frozenset[str]]]:
    """Return the document behind each message of a reply, and the fields of it that the message holds."""
    found = {}
    for key, reply in parse_answers(answers).items():
        phase, author, *_ = key.split("/")
        for draft in list_reply_drafts(reply, author):
            name = f"{key}#{draft.suffix}" if draft.suffix else key
            entry = DossierEntry(Phase(phase), author, draft.carrier)
            for part in split_message_body(draft.body):
                found[derive_message_id(scenario, f"{name}@{part.number}")] = entry, draft.fields
    return found


def _build_unknown_ask(scenario: str, answer: AnsweredAsk) -> Ask:
    """Return the ask of an answer without its task and context, which an answer does not hold."""
    phase, agent, *_ = answer.key.split("/")
    assignment = Assignment(agent, Phase(phase), scenario, "", {}, answer.returns, 0)
    return Ask(answer.key, assignment, DELIVERABLES[answer.returns])


def _keep_known_dependencies(filed: FiledMessage, known: set[str]) -> FiledMessage:
    message = filed.message
    dependencies = tuple(each for each in message.content.dependencies if each in known)
    content = message.content.model_copy(update={"dependencies": dependencies})
    return replace(filed, message=message.model_copy(update={"content": content}))
