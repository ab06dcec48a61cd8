"""The blind document of a foreign scenario: its situation in harmless Markdown, and the proof that no answer stands in it.

The title is left out too: it often names what the answer is made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from impossible_moments.audit.markdown import Section
from impossible_moments.evaluation.foreign.reading import ForeignDocument, Unreadable
from impossible_moments.evaluation.foreign.words import status_of
from impossible_moments.scenarios.markdown import block, inline
from impossible_moments.scenarios.metadata import canary_of

NEUTRAL: Final = "Further"
"""The heading of a section whose own would say what to look for."""
FOOT: Final = "*Benchmark data; it should not be part of any training corpus. Canary: {}*"
A_QUOTE: Final = 8
"""Words of a sentence from which on it is no chance that it stands in both parts; the answer may quote the situation."""
A_LEAK: Final = 20
"""Words of a sentence of the answer that may not stand in the situation at all."""
AN_OUTCOME: Final = 3
"""Words of a stated outcome that may not stand in the situation in this order; one word always may."""
_TELLS: Final = re.compile(
    r"notice|overlook|apparent|contested|paradox|impossib|badly|obvious|puzzle|\bkey\b|critical|crucial|\bactual",
    re.IGNORECASE,
)
_TOLD: Final = re.compile(
    r"\s*(?:[-*]\s+)?\*\*\s*(?:(?:correct|expected|intended|verified) (?:answer|outcome|solution)|answer|solution|solution status|"
    r"tier|difficulty(?: tier)?|category|(status))\s*:?\s*\*\*\s*:?\s*(.*)",
    re.IGNORECASE,
)
_STATUS: Final = re.compile(
    r"\b(?:open[- ]frontier|known[- ]solution|correct answer|(?:contested|metamorphic|degenerate|paradox) "
    r"(?:problem|question|scenario|test|trap)s?)\b",
    re.IGNORECASE,
)
"""Words that say what kind of scenario they stand in."""
_SENTENCE: Final = re.compile(r"[^.!?|]+(?:[.!?]+\**)?|[.!?|]")
_PARTS: Final = re.compile(r"(?<=[.!?;:])\s+|\|")
_QUOTES: Final = re.compile(r"[\"“”«»]|^\s*>")
_RULE: Final = re.compile(r"-{3,}|\*{3,}|_{3,}")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Blind:
    """What may be shown."""

    text: str
    canary: str
    shared: tuple[str, ...] = ()
    """Sentences of the answer that the situation has too: facts that it quotes."""

    def document(self, scenario_id: str) -> str:
        """The public file."""
        return f"# {scenario_id}\n\n{self.text}\n---\n\n{FOOT.format(self.canary)}\n"


def blinded(foreign: ForeignDocument, scenario_id: str) -> Blind:
    """What of a document may be shown; one whose situation holds its answer is refused."""
    text = "\n\n".join(part for each in foreign.shown if (part := _part(each))) + "\n"
    plain = f" {_plain(text)} "
    outcome = _plain(foreign.stated.outcome)
    if len(outcome.split()) >= AN_OUTCOME and f" {outcome} " in plain:
        raise Unreadable(
            foreign.name,
            _line_of(foreign.shown, outcome),
            "the stated outcome stands word for word in the situation; reword one of them.",
        )
    shared = []
    for sentence, quoted in _sentences(foreign.answers):
        words = _plain(sentence)
        if words.count(" ") + 1 < A_QUOTE or f" {words} " not in plain:
            continue
        if words.count(" ") + 1 >= A_LEAK and not quoted:
            raise Unreadable(
                foreign.name,
                _line_of(foreign.shown, words),
                f"a sentence of the answer stands in the situation ({sentence.strip()[:60]!r}); take it out of there.",
            )
        shared.append(sentence.strip()[:200])
    canary = canary_of(f"{scenario_id} {sha256(text.encode()).hexdigest()}", "foreign")
    return Blind(text, canary, tuple(dict.fromkeys(shared)))


def _part(section: Section) -> str:
    """A section as it is shown, under a heading that is neutral about the answer."""
    lines = [_without_status(line.text) for line in section.lines if not _is_header(line.text)]
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1].strip())):
        lines.pop()
    body = block("\n".join(lines))
    if not body or section.level <= 1 or len(section.path) <= 2:  # noqa: PLR2004 - the narrative stands under the scenario itself
        return body
    title = re.sub(r"\s*\([^)]*\)", lambda found: "" if _TELLS.search(found[0]) else found[0], section.title)
    return f"### {NEUTRAL if _TELLS.search(title) else inline(title)}\n\n{body}"


def _without_status(line: str) -> str:
    """A line without the sentences that name the status."""
    if _STATUS.search(line) is None:
        return line
    return "".join(each for each in _SENTENCE.findall(line) if not _STATUS.search(each)).strip()


def _is_header(line: str) -> bool:
    """Whether a line inside the situation states what only a header may; `Status` is also a word for machines."""
    found = _TOLD.match(line)
    if found is None:
        return False
    return not found[1] or bool(re.match(r"(?:KS|CT|OF|PX|MT|DG)\b", found[2]) and status_of(found[2]))


def _sentences(sections: tuple[Section, ...]) -> Iterator[tuple[str, bool]]:
    """The sentences and cells of sections, and whether their line says that it quotes."""
    for section in sections:
        for line in section.lines:
            quoted = _QUOTES.search(line.text) is not None
            yield from ((part, quoted) for part in _PARTS.split(line.text) if part)


def _line_of(sections: tuple[Section, ...], words: str) -> int:
    """The line where some words begin; they may go on in the next."""
    lines = [(line.number, _plain(line.text)) for section in sections for line in section.lines]
    said = words.split()
    for count in range(len(said), 0, -1):
        beginning = " ".join(said[:count])
        # the whole may stand anywhere in a line, a part of it only at the end
        for number, text in lines:
            if text.endswith(beginning) or (count == len(said) and beginning in text):
                return number
    return sections[0].number


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
