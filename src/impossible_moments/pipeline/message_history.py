"""The messages of a run, derived from its answered asks, with every field of the specification.

A run is its ledger, and messages are another view of it. Bodies over the limit are split into parts that
depend on each other. A dispute in a report (a challenge, a veto, a breakthrough, an escalation) is a message
of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from impossible_moments.agents.orchestrator import split_message_body
from impossible_moments.domain.message import Message, MessageContent, MessageMetadata
from impossible_moments.domain.vocabulary import HUMAN, ORCHESTRATOR, MessageType, Phase
from impossible_moments.ledger import AnsweredAsk
from impossible_moments.llm import estimate_text_tokens
from impossible_moments.pipeline.clock import derive_message_id

# fmt: off
_TYPES: Final[Mapping[str, MessageType]] = {
    "Ballot":            MessageType.VOTE,
    "RefinementBallot":  MessageType.VOTE,
    "ChallengeResponse": MessageType.RESPONSE,
    "VetoReview":        MessageType.RESPONSE,
    "HumanDecision":     MessageType.RESPONSE,
}
_DISPUTES: Final[Mapping[str, MessageType]] = {
    "challenges":   MessageType.CHALLENGE,
    "vetoes":       MessageType.VETO,
    "breakthrough": MessageType.BREAKTHROUGH,
    "escalation":   MessageType.ESCALATION,
}
# fmt: on
_SUMMARIES: Final = (
    "text",
    "reason",
    "justification",
    "concept_summary",
    "feasibility",
    "novelty_claim",
    "found",
)
LONGEST_SUMMARY: Final = 160


def build_message_history(scenario: str, answers: Sequence[AnsweredAsk]) -> tuple[Message, ...]:
    """Build all messages that agents and humans sent in a run, in the order of the flow."""
    ordered = sorted(answers, key=lambda each: (each.round_number, each.key))
    return tuple(message for answer in ordered for message in _iterate_answer_messages(scenario, answer))


def _iterate_answer_messages(scenario: str, answer: AnsweredAsk) -> Iterator[Message]:
    reply: dict[str, Any] = json.loads(answer.reply)
    disputes = {name: reply.pop(name) for name in _DISPUTES if reply.get(name)}
    kind = _TYPES.get(answer.returns, MessageType.DELIVERABLE)
    parts = list(_iterate_message_parts(scenario, answer, answer.key, kind, reply))
    yield from parts
    for name, value in disputes.items():
        for number, each in enumerate(value if isinstance(value, list) else [value], start=1):
            body = each if isinstance(each, dict) else {"text": each}
            key = f"{answer.key}#{name}-{number}"
            yield from _iterate_message_parts(
                scenario, answer, key, _DISPUTES[name], body, (parts[0].message_id,)
            )


def _iterate_message_parts(
    scenario: str,
    answer: AnsweredAsk,
    key: str,
    kind: MessageType,
    body: dict[str, Any],
    depends: tuple[str, ...] = (),
) -> Iterator[Message]:
    phase, sender, *_ = answer.key.split("/")
    text = json.dumps(body, ensure_ascii=False, indent=1)
    for part in split_message_body(text):
        earlier = tuple(derive_message_id(scenario, f"{key}@{number}") for number in part.depends_on)
        yield Message(
            message_id=derive_message_id(scenario, f"{key}@{part.number}"),
            timestamp=datetime.fromtimestamp(answer.answered_at, tz=UTC).isoformat(timespec="seconds"),
            phase=Phase(phase),
            sender=sender,
            recipient=ORCHESTRATOR,
            message_type=kind,
            confidence=_find_author_confidence(body, kind, sender),
            content=MessageContent(
                summary=_summarize_message_part(answer, body, part.number, part.parts),
                body=part.text,
                evidence=_extract_texts(body.get("evidence") or body.get("proof")),
                concerns=_extract_texts(body.get("concerns")),
                dependencies=(*depends, *earlier),
            ),
            metadata=MessageMetadata(
                agent_version=" ".join(filter(None, (answer.model, answer.prompt_hash))),
                token_count=int(answer.usage.get("tokens", 0)) or estimate_text_tokens(part.text),
                context_window_usage=float(answer.usage.get("context_window_usage") or 0.0),
                iteration=int(answer.key.rsplit("/", 1)[-1]) - 1,
            ),
        )


def _find_author_confidence(body: Mapping[str, Any], kind: MessageType, sender: str) -> float | None:
    """Return the author's confidence, wherever the deliverable holds it."""
    sketch = body.get("solution_sketch")
    for holder in (body, sketch if isinstance(sketch, dict) else {}):
        for name in ("confidence", "overall_confidence"):
            if isinstance(holder.get(name), int | float):
                return float(holder[name])
    # A human's decision and the review of a revision are final and have no confidence.
    return None if sender == HUMAN or kind is not MessageType.DELIVERABLE else 1.0


def _summarize_message_part(answer: AnsweredAsk, body: Mapping[str, Any], number: int, parts: int) -> str:
    said = next(
        (body[name] for name in _SUMMARIES if isinstance(body.get(name), str) and body[name]), answer.returns
    )
    first = str(said).split(". ")[0][:LONGEST_SUMMARY]
    return first if parts == 1 else f"{first} ({number} of {parts})"


def _extract_texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        str(each["text"]) if isinstance(each, dict) and "text" in each else str(each) for each in value
    )
