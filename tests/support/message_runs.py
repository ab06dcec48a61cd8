"""Messages of scripted runs, built without a ledger."""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.message import FiledMessage, Message
from impossible_moments.domain.vocabulary import ORCHESTRATOR, MessageType
from impossible_moments.ledger.answered_asks import AnsweredAsk
from impossible_moments.pipeline.messages.message_history import MessageHistory
from support.dossiers import BRIEF
from support.scripted_runs import build_rules


@dataclass(frozen=True)
class MessageRun:
    """The messages of a run in their order."""

    filed: tuple[FiledMessage, ...]

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(each.message for each in self.filed)

    def find(self, kind: MessageType, sender: str, recipient: str = ORCHESTRATOR) -> list[Message]:
        """Return the messages of a type between two parties."""
        wanted = (kind, sender, recipient)
        return [each for each in self.messages if (each.message_type, each.sender, each.recipient) == wanted]

    def find_request(self, key: str) -> Message:
        """Return the request of an ask."""
        return [each.message for each in self.filed if each.ask_key == key and not each.place.is_reply][-1]

    def list_dependencies(self, message: Message) -> list[Message]:
        by_id = {each.message_id: each for each in self.messages}
        return [by_id[each] for each in message.content.dependencies]


def build_answer(ask: Ask, reply: LabelledModel, round_number: int = 1) -> AnsweredAsk:
    return AnsweredAsk(
        key=ask.key,
        round_number=round_number,
        assignment_hash="",
        reply=reply.model_dump_json().encode(),
        returns=type(reply).__name__,
        model="script",
    )


def run_with_messages(player: Player, *, until: str = "") -> MessageRun:
    """Run The Blast Room with a player and return its messages, up to the first reply of the agent `until`."""
    flow, history = create_scenario(BRIEF, build_rules()), MessageHistory(BRIEF.scenario_id)
    found: list[FiledMessage] = []
    try:
        asks = next(flow)
        while True:
            found += history.open_round(asks, lambda _ask: 0.0)
            replies = tuple(player(ask) for ask in asks)
            for ask, reply in zip(asks, replies, strict=True):
                found += history.build_reply(ask, build_answer(ask, reply), reply)
            history.close_round()
            if until in {ask.agent for ask in asks}:
                flow.close()
                return MessageRun(tuple(found))
            asks = flow.send(replies)
    except StopIteration:
        return MessageRun(tuple(found))
