"""The charges of the server, by a simple count that can be repeated by hand."""

from __future__ import annotations

from dataclasses import dataclass

from support.providers.conversation import Question, Reply, Usage, to_compact_json

BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class Bill:
    """Everything charged so far. `requests` counts those that were charged: a refused request costs nothing."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def add_usage(self, usage: Usage) -> Bill:
        """Return the bill with one more request."""
        return Bill(
            self.requests + 1,
            self.input_tokens + usage.input_tokens,
            self.output_tokens + usage.output_tokens,
        )


def count_tokens(question: Question, reply: Reply) -> Usage:
    """Return the tokens of a question and its reply, unless the reply states its own.

    Input: the bytes of messages, system and tools as JSON without spaces. Output: the bytes of the text and of every
    call's arguments. Each sum is divided by four and rounded up.
    """
    if reply.usage is not None:
        return reply.usage
    sent = (
        question.raw[name] for name in ("messages", "system", "tools") if question.raw.get(name) is not None
    )
    answered = (reply.text, *(call.json for call in reply.calls))
    return Usage(_count_bytes(*map(to_compact_json, sent)), _count_bytes(*answered))


def _count_bytes(*texts: str) -> int:
    return -(-sum(len(text.encode()) for text in texts) // BYTES_PER_TOKEN)
