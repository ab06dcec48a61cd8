"""Parser for imported documents: header, sections that may be shown, and sections for judges.

Only sections under the scenario heading are shown. A section of unknown purpose counts as part of the answer.
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
"""Maximum characters of a document; a scenario with its answer has about twenty thousand."""
MOST_SECTIONS: Final = 300
LONGEST_OUTCOME: Final = 2_000
_LEAST_SHOWN: Final = 20
"""Least number of words of a situation."""
_MOST_BROKEN: Final = 0.01
"""Maximum share of replacement characters in a text file."""
_OUTCOME: Final = r"(?:(?:correct|expected|intended|verified) )?(?:answer|outcome)|correct solution"
_TIER: Final = r"(?:difficulty )?tier|difficulty"
_PROFILE: Final = re.compile(r"(?<![\d.])[1-5](?:\.[1-5]){5}(?![\d.])")
_TITLE: Final = re.compile(r"([A-Za-z]{1,8}-?\d{1,8})\s*[:.–—-]\s*(.+)")
_SHOWN: Final = re.compile(
    r"environment|setting|threat|challenge|position|starting|object|resource|equipment|materials?|tools?|capabilit|abilities",
    re.IGNORECASE,
)
"""Headings of situation sections, for documents without a common scenario heading."""
_FOR_JUDGES: Final = re.compile(
    r"^(?:the )?(?:correct |expected |intended |full |model )?(?:answers?|insights?|hints?|spoilers?|solutions?)\b|^why |"
    r"\b(?:hidden|misdirections?|traps?|tricks?|secrets?|decoys?|red herrings?)\b",
    re.IGNORECASE,
)


class Unreadable(ConfigurationError):
    """Error for a document that cannot be imported, with file, line and the violated rule."""

    def __init__(self, name: str, line: int, problem: str) -> None:
        super().__init__(f"{name}, line {line}: {problem}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Stated:
    """The header of a document in the project's vocabulary; empty for values that it does not have."""

    status: str
    outcome: str
    outcome_line: int
    category: str = ""
    tier: str = ""
    profile: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """Status, category and tier as written in the document."""


@dataclass(frozen=True, slots=True)
class ForeignDocument:
    """A parsed document of another author."""

    name: str
    """The file name, with the line of a JSONL file."""
    number: str
    """The number in the title, empty if there is none."""
    title: str
    stated: Stated
    shown: tuple[Section, ...]
    """The situation: narrative, environment, threat, position, objects, capabilities."""
    answers: tuple[Section, ...]
    """All sections that are neither shown nor the header."""
    document: Document


def read(text: str, name: str) -> ForeignDocument:
    """Parse a document; `name` identifies it in errors. Raises `UnreadableDocument` if it breaks a rule."""
    _refuse_what_is_no_text(text, name)
    document = Document(_without_comments(text))
    first = next((each for each in document.sections if each.level > 0), None)
    if first is None:
        raise Unreadable(name, 1, "there is no heading; put the situation under a heading `## Scenario`.")
    if len(document.sections) > MOST_SECTIONS:
        raise Unreadable(
            name,
            document.sections[MOST_SECTIONS].number,
            f"there are more than {MOST_SECTIONS} headings; import one scenario per file.",
        )
    title = _TITLE.match(first.title) if first.level == 1 else None
    shown, answers = _divided(document)
    if sum(len(each.text.split()) for each in shown) < _LEAST_SHOWN:
        raise Unreadable(
            name, first.number, "no section describes a situation; put it under a heading `## Scenario`."
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
    """Check whether a heading belongs to the answer and not to the situation."""
    patterns = (JUDGES, SOLUTION, INSIGHTS, DISTRACTORS, LOOKS_IMPOSSIBLE, WRONG_ANSWERS, _FOR_JUDGES)
    return any(each.search(title) for each in patterns)


def _refuse_what_is_no_text(text: str, name: str) -> None:
    if not text.strip():
        raise Unreadable(name, 1, "there is no text; an imported scenario is a Markdown document.")
    if len(text) > LARGEST:
        raise Unreadable(
            name, 1, f"the document has more than {LARGEST:,} characters; import one scenario per file."
        )
    if "\x00" in text or text.count("\ufffd") > _MOST_BROKEN * len(text):
        raise Unreadable(name, 1, "this is not UTF-8 text; an imported scenario is a Markdown document.")


def _without_comments(text: str) -> str:
    """Return the text without HTML comments, which readers do not see; line numbers stay the same."""
    return re.sub(r"<!--.*?(?:-->|\Z)", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def _divided(document: Document) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """Split the sections into those that are shown and those that belong to the answer."""
    named = [each for each in document.sections if each.level > 0]
    # the title of the document is not the heading of a part
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
            # after the first answer section, a heading about the scenario belongs to the solution
            ended = ended or (bool(shown) and not inside and (has_scenario or judged))
        elif not has_scenario:
            shown.append(_narrative(each))
    return tuple(shown), tuple(answers)


def _narrative(section: Section) -> Section:
    """Return the section above the first subheading, without the header lines."""
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
        problem = (
            f"`{spelled[:60]}` is not a status"
            if spelled
            else "there is no line `**Status**: ...` above the scenario"
        )
        raise Unreadable(name, line, f"{problem}; write KS, CT, OF, PX, MT or DG, or their names.")
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
