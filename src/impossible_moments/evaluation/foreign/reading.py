"""A foreign document read: what its header states, what may be shown of it, and what is for those who judge.

Shown is what stands under the scenario's own heading, and nothing else: a section whose place is not known is taken
for a part of the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.markdown import Document, Section, plain
from impossible_moments.audit.parts import (
    DISTRACTORS,
    INSIGHTS,
    JUDGES,
    LOOKS_IMPOSSIBLE,
    SCENARIO,
    SOLUTION,
    WRONG_ANSWERS,
    last_of_header,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.foreign.words import category_of, status_of, tier_of

LARGEST: Final = 200_000
"""Characters of a document; a scenario with its answer has some twenty thousand."""
MOST_SECTIONS: Final = 300
LONGEST_OUTCOME: Final = 2_000
_LEAST_SHOWN: Final = 20
"""Words that a situation has at least."""
_MOST_BROKEN: Final = 0.01
"""The share of characters that are none, from which on a file is no text."""
_OUTCOME: Final = r"(?:(?:correct|expected|intended|verified) )?(?:answer|outcome)|correct solution"
_TIER: Final = r"(?:difficulty )?tier|difficulty"
_PROFILE: Final = re.compile(r"(?<![\d.])[1-5](?:\.[1-5]){5}(?![\d.])")
_TITLE: Final = re.compile(r"([A-Za-z]{1,8}-?\d{1,8})\s*[:.–—-]\s*(.+)")
_SHOWN: Final = re.compile(
    r"environment|setting|threat|challenge|position|starting|object|resource|equipment|materials?|tools?|capabilit|abilities",
    re.IGNORECASE,
)
"""Sections of a situation in a document that has no heading for the whole of it."""
_FOR_JUDGES: Final = re.compile(
    r"^(?:the )?(?:correct |expected |intended |full |model )?(?:answers?|insights?|hints?|spoilers?|solutions?)\b|^why |"
    r"\b(?:hidden|misdirections?|traps?|tricks?|secrets?|decoys?|red herrings?)\b",
    re.IGNORECASE,
)


class Unreadable(ConfigurationError):
    """A document that is no foreign scenario; it names the file and the line, and the rule."""

    def __init__(self, name: str, line: int, problem: str) -> None:
        super().__init__(f"{name}, line {line}: {problem}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Stated:
    """What the header says, in our words, or empty where ours has none for it."""

    status: str
    outcome: str
    outcome_line: int
    category: str = ""
    tier: str = ""
    profile: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """Status, category and tier as the document spells them."""


@dataclass(frozen=True, slots=True)
class ForeignDocument:
    """A document of others."""

    name: str
    """The file, and the line of a JSONL file."""
    number: str
    """The number that its title carries, empty where there is none."""
    title: str
    stated: Stated
    shown: tuple[Section, ...]
    """The situation: narrative, environment, threat, position, objects, capabilities."""
    answers: tuple[Section, ...]
    """All that is not shown and not the header."""
    document: Document


def read(text: str, name: str) -> ForeignDocument:
    """The document in a text; `name` says in errors whose it is."""
    _refuse_what_is_no_text(text, name)
    document = Document(_without_comments(text))
    first = next((each for each in document.sections if each.level > 0), None)
    if first is None:
        raise Unreadable(
            name, 1, "there is no heading; a foreign scenario has `## Scenario` with the situation below it."
        )
    if len(document.sections) > MOST_SECTIONS:
        raise Unreadable(
            name,
            document.sections[MOST_SECTIONS].number,
            f"there are more than {MOST_SECTIONS} headings; import one scenario a file.",
        )
    title = _TITLE.match(first.title) if first.level == 1 else None
    shown, answers = _divided(document)
    if sum(len(each.text.split()) for each in shown) < _LEAST_SHOWN:
        raise Unreadable(
            name, first.number, "no section tells a situation; put it under a heading `## Scenario`."
        )
    return ForeignDocument(
        name=name,
        number=title[1] if title else "",
        title=(title[2] if title else first.title if first.level == 1 else "")[:200],
        stated=_stated(document, name),
        shown=shown,
        answers=answers,
        document=document,
    )


def is_for_judges(title: str) -> bool:
    """Whether a heading says that what follows is about the answer."""
    patterns = (JUDGES, SOLUTION, INSIGHTS, DISTRACTORS, LOOKS_IMPOSSIBLE, WRONG_ANSWERS, _FOR_JUDGES)
    return any(each.search(title) for each in patterns)


def _refuse_what_is_no_text(text: str, name: str) -> None:
    if not text.strip():
        raise Unreadable(name, 1, "there is no text; a foreign scenario is a Markdown document.")
    if len(text) > LARGEST:
        raise Unreadable(
            name, 1, f"the document has more than {LARGEST:,} characters; import one scenario a file."
        )
    if "\x00" in text or text.count("\ufffd") > _MOST_BROKEN * len(text):
        raise Unreadable(name, 1, "this is no text in UTF-8; a foreign scenario is a Markdown document.")


def _without_comments(text: str) -> str:
    """The text with HTML comments blanked, since nobody sees them; the lines keep their numbers."""
    return re.sub(r"<!--.*?(?:-->|\Z)", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def _divided(document: Document) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """What is shown, and what is not."""
    named = [each for each in document.sections if each.level > 0]
    # the document's own title names no part of it
    whole = named[0].title if named[0].level == 1 else None
    below = {
        id(each): each.path[1:] if whole is not None and each.path[:1] == (whole,) else each.path
        for each in named
    }
    has_scenario = any(SCENARIO.search(title) for titles in below.values() for title in titles)
    pattern = SCENARIO if has_scenario else _SHOWN
    shown: list[Section] = []
    answers: list[Section] = []
    ended = False
    for each in named:
        titles = below[id(each)]
        inside = any(pattern.search(title) for title in titles)
        judged = any(is_for_judges(title) for title in titles)
        if inside and not ended and not judged:
            shown.append(each)
        elif titles:
            answers.append(each)
            # once the answers have begun, a heading that speaks of the scenario speaks of its solution
            ended = ended or (bool(shown) and not inside and (has_scenario or judged))
        elif not has_scenario:
            shown.append(_narrative(each))
    return tuple(shown), tuple(answers)


def _narrative(section: Section) -> Section:
    """What stands above the first heading of a document, without the lines of its header."""
    kept = tuple(
        line
        for line in section.lines
        if not re.match(r"\s*(?:[-*]\s+)?\*\*[^*]{1,80}\*\*\s*:|\s*\*\*[^*]{1,80}:\*\*", line.text)
    )
    return Section(section.level, section.title, section.number, kept, section.path)


def _stated(document: Document, name: str) -> Stated:
    last = last_of_header(document)
    header = [(line.number, key, plain(value)) for line, key, value in document.keys if line.number <= last]

    def found(pattern: str) -> tuple[int, str]:
        named = (
            (number, value) for number, key, value in header if re.fullmatch(pattern, key, re.IGNORECASE)
        )
        return next(named, (1, ""))

    line, spelled = found("(?:solution )?status")
    status = status_of(spelled)
    if status is None:
        told = (
            f"`{spelled[:60]}` is no status"
            if spelled
            else "no line `**Status**: ...` stands above the scenario"
        )
        raise Unreadable(name, line, f"{told}; name KS, CT, OF, PX, MT or DG, or their words.")
    outcome_line, outcome = found(_OUTCOME)
    if not outcome.strip():
        raise Unreadable(
            name, outcome_line, "no outcome is stated; put `**Correct Answer**: ...` above the scenario."
        )
    category, tier = found("category")[1], found(_TIER)[1]
    profile = _PROFILE.search(" ".join(value for _, _, value in header))
    return Stated(
        status=status,
        outcome=outcome[:LONGEST_OUTCOME],
        outcome_line=outcome_line,
        category=category_of(category) or "",
        tier=tier_of(tier) or "",
        profile=profile[0] if profile else "",
        words=tuple(
            (key, value[:200]) for key, value in (("status", spelled), ("category", category), ("tier", tier))
        ),
    )
