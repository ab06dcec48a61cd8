"""Text form of the messages of a run: one block for each message, at most 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from impossible_moments.agents.orchestrator import VisiblePart
from impossible_moments.cli.output.formatting import escape_control_characters
from impossible_moments.domain.message import Disposition, FiledMessage
from impossible_moments.domain.vocabulary import HUMAN, ORCHESTRATOR, MessageType, Phase

WIDTH: Final = 80
_INDENT: Final = "      "
DISPUTES: Final = frozenset(
    {MessageType.CHALLENGE, MessageType.VETO, MessageType.BREAKTHROUGH, MessageType.ESCALATION}
)
"""The types of messages that the orchestrator passes on as they are, or keeps."""
_FOOTER: Final = (
    "Authors can read their own work, and a human reviewer can read everything. Bodies, evidence and identifiers: "
    "--json."
)


@dataclass(frozen=True, slots=True)
class MessageEntry:
    """A message of a timeline."""

    number: int
    filed: FiledMessage
    dependencies: tuple[int, ...]
    """The numbers of the messages that it depends on."""
    shown_with: tuple[tuple[int, str], ...]
    """The numbers and recipients of the orchestrator's messages that show it to an agent."""
    readers: tuple[VisiblePart, ...]
    """What others may read of it, by phase."""


def format_timeline(scenario: str, entries: Sequence[MessageEntry], total: int, agents: Sequence[str]) -> str:
    """Return the messages as blocks of text, with the number of all messages."""
    count = f"{total} messages" if len(entries) == total else f"{len(entries)} of {total} messages"
    blocks = [f"{scenario}: {count}"]
    blocks += ["\n".join(_iterate_entry_lines(each, agents)) for each in entries]
    blocks.append("\n".join(textwrap.wrap(_FOOTER, WIDTH)))
    return escape_control_characters("\n\n".join(blocks)) + "\n"


def _iterate_entry_lines(entry: MessageEntry, agents: Sequence[str]) -> Iterator[str]:
    filed, message = entry.filed, entry.filed.message
    confidence = "" if message.confidence is None else f", confidence {message.confidence:.2f}"
    yield (
        f"{entry.number:>4}  {message.phase} {message.message_type} {message.sender} -> "
        f"{message.recipient}{confidence}"
    )
    yield from _wrap(message.content.summary)
    if entry.dependencies:
        yield from _wrap(f"Depends on {format_number_ranges(entry.dependencies)}.")
    for problem in filed.problems:
        yield from _wrap(f"Breaks a rule: {problem}.")
    if filed.disposition is not Disposition.ACCEPTED:
        yield from _wrap(f"It is {filed.disposition}.")
    if message.message_type in DISPUTES and message.sender != ORCHESTRATOR:
        passed = ", ".join(f"{to} with {number}" for number, to in entry.shown_with)
        yield from _wrap(f"Passed on to {passed}." if passed else "Not passed on.")
    yield from _wrap(f"Readers: {format_readers(entry.readers, message.sender, agents)}.")


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False
    )


def format_number_ranges(numbers: Sequence[int]) -> str:
    """Return sorted numbers with ranges, such as `2, 5-7`."""
    ordered = sorted(set(numbers))
    spans = [
        [number for _, number in group]
        for _, group in groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    ]
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)


@dataclass(frozen=True, slots=True, order=True)
class _PhaseSpan:
    """Consecutive phases in which a reader may read the same part."""

    first: int
    last: int
    portion: str

    def __str__(self) -> str:
        phases = tuple(Phase)
        if self.last == len(phases) - 1:
            span = f"from {phases[self.first]} on"
        elif self.first == self.last:
            span = f"in {phases[self.first]}"
        else:
            span = f"from {phases[self.first]} to {phases[self.last]}"
        return f"{span} ({self.portion})" if self.portion else span


def format_readers(readers: Sequence[VisiblePart], sender: str, agents: Sequence[str]) -> str:
    """Return which agents may read a message, from which phase on, and what is hidden from them."""
    if sender == ORCHESTRATOR:
        return f"{readers[0].reader} only"
    groups: dict[_PhaseSpan, list[str]] = {}
    for reader in dict.fromkeys(each.reader for each in readers if each.reader != HUMAN):
        for span in _find_spans([each for each in readers if each.reader == reader]):
            groups.setdefault(span, []).append(reader)
    others = [agent for agent in agents if agent != sender]
    lines = [
        f"{'every other agent' if names == others else ', '.join(names)} {span}"
        for span, names in sorted(groups.items())
    ]
    return "; ".join(lines) or "no other agent"


def _find_spans(parts: Sequence[VisiblePart]) -> Iterator[_PhaseSpan]:
    """Yield the spans of one reader."""
    order = {phase: place for place, phase in enumerate(Phase)}
    placed = sorted((order[each.phase], _describe_portion(each)) for each in parts)
    groups = groupby(enumerate(placed), key=lambda pair: (pair[1][0] - pair[0], pair[1][1]))
    for (_, portion), group in groups:
        places = [place for _, (place, _) in group]
        yield _PhaseSpan(places[0], places[-1], portion)


def _describe_portion(part: VisiblePart) -> str:
    if not part.hidden:
        return ""
    if len(part.hidden) <= len(part.shown):
        return f"without {', '.join(part.hidden)}"
    return f"only {', '.join(part.shown)}"
