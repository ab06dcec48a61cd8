"""What the server charges, by a count that anybody can repeat by hand."""

from __future__ import annotations

from dataclasses import dataclass

from support.providers.conversation import Question, Reply, Usage, compact

BYTES_PER_TOKEN = 4


@dataclass(frozen=True)
class Bill:
    """Everything charged so far. `requests` counts those that were charged: a refused request costs nothing."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def plus(self, usage: Usage) -> Bill:
        """The bill with one more request on it."""
        return Bill(
            self.requests + 1,
            self.input_tokens + usage.input_tokens,
            self.output_tokens + usage.output_tokens,
        )


def counted(question: Question, reply: Reply) -> Usage:
    """The tokens of a question and its reply, unless the reply states its own.

    Input: the bytes of messages, system and tools as JSON without spaces. Output: the bytes of the text and of every
    call's arguments. Each sum is divided by four and rounded up.
    """
    if reply.usage is not None:
        return reply.usage
    sent = (
        question.raw[name] for name in ("messages", "system", "tools") if question.raw.get(name) is not None
    )
    answered = (reply.text, *(call.json for call in reply.calls))
    return Usage(_tokens(*map(compact, sent)), _tokens(*answered))


def _tokens(*texts: str) -> int:
    return -(-sum(len(text.encode()) for text in texts) // BYTES_PER_TOKEN)
