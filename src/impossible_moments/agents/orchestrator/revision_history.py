"""The revisions of a seed document: what was demanded, what was answered, and which values changed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.dossier import Dossier, RevisionDemand
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, HUMAN, ROLES, Phase

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")
_SHORT_LINE: Final = 200
_NOT_COMPARED: Final = frozenset({"revision_notes", "prose", "confidence", "drawn_as"})
"""Fields that repeat others, or that only their author may read."""


@dataclass(frozen=True, slots=True)
class RevisionRound:
    """A revision with the demands that led to it."""

    number: int
    """The number of the version that the revision made, counted from 2."""
    phase: Phase
    demands: tuple[RevisionDemand, ...]
    answers: tuple[str, ...]
    """The revision notes that the revision added."""
    before: SeedDocument
    after: SeedDocument


def list_revision_rounds(dossier: Dossier) -> tuple[RevisionRound, ...]:
    """Return every revision since the scenario began, or began anew."""
    rounds: list[RevisionRound] = []
    last: SeedDocument | None = None
    number = 0
    for entry in dossier.entries:
        if not isinstance(entry.deliverable, SeedDocument):
            continue
        seed, number = entry.deliverable, number + 1
        if last is not None:
            demands = tuple(note.demand for note in entry.answered_notes if note.demand is not None)
            answers = seed.revision_notes[len(last.revision_notes) :]
            rounds.append(RevisionRound(number, entry.phase, demands, answers, last, seed))
        last = seed
    return tuple(rounds)


def describe_last_revision(
    dossier: Dossier, visible: frozenset[ContentLabel], reader: str
) -> dict[str, Any] | None:
    """Return the answers to the demands of the last revision and the changed values, or None if there was none.

    Only values with a visible label are compared. Until the reviews of others are visible, a reader is shown the
    answers to its own demands and to those of the program.
    """
    rounds = list_revision_rounds(dossier)
    if not rounds or ContentLabel.SOLUTION not in visible:
        return None
    last = rounds[-1]
    changes = list_changed_values(last.before.to_visible_data(visible), last.after.to_visible_data(visible))
    answers = (
        last.answers
        if ContentLabel.REVIEW in visible
        else [
            shown for each in last.answers if (shown := _limit_answer(each, reader, last.demands)) is not None
        ]
    )
    return {"answers": list(answers), "changes": changes}


def _limit_answer(answer: str, reader: str, demands: Iterable[RevisionDemand]) -> str | None:
    """Return an answer without the demands of other roles, or None if the reader demanded nothing of it.

    A demand that several roles raised is answered once, and its text holds the words of all.
    """
    head, _, rest = answer.partition(": ")
    names, on, subject = head.partition(" on ")
    roles = {*ROLES, HUMAN}.intersection(names.split(", "))
    if roles <= {reader}:
        return answer
    if reader not in roles:
        return None
    joined = next((each.demand for each in demands if rest.startswith(each.demand)), None)
    explanation = rest.rpartition("Answer: ")[2] if joined is None else rest[len(joined) :].strip()
    return f"{reader}{on}{subject}: your demand and a similar one are answered together. {explanation}"


def describe_rounds(dossier: Dossier) -> list[str]:
    """Return the course of the revisions in short form: demands, answers, and the corrections of the memos."""
    lines = [
        f"{each.phase}, version {each.number}: {_shorten(text)}"
        for each in list_revision_rounds(dossier)
        for text in each.answers or (_describe_demand(demand) for demand in each.demands)
    ]
    lines += [
        f"{entry.phase}, memo {entry.iteration + 1} of {entry.author} wants a change: {_shorten(str(correction))}"
        for entry in dossier.entries
        if isinstance(entry.deliverable, ReviewMemo)
        for correction in entry.deliverable.corrections
    ]
    return lines


def describe_answer(demand: Mapping[str, str], answer: str, explanation: str) -> str:
    """Return the revision note of an answered demand: the demand word for word, and how it was answered."""
    about = f" on {demand['subject']}" if demand.get("subject") else ""
    return f"{demand.get('demanded_by') or ATHENA}{about}: {demand.get('demand', '')} {answer.capitalize()}: {explanation}"


def list_changed_values(before: object, after: object, path: str = "") -> list[str]:
    """Return a line for each value that differs, with the old and the new one. Of a text only the sentences that differ are shown."""
    return list(_iterate_changes(before, after, path))


def _iterate_changes(before: object, after: object, path: str) -> Iterator[str]:
    if before == after:
        return
    match before, after:
        case dict(), dict():
            for name in dict.fromkeys((*before, *after)):
                if name not in _NOT_COMPARED:
                    yield from _iterate_changes(
                        before.get(name), after.get(name), f"{path}/{name}".strip("/")
                    )
        case list(), list():
            yield from _iterate_list_changes(before, after, path)
        case str(), str():
            yield from (f"{path}: {old} -> {new}" for old, new in _iterate_passages(before, after))
        case _:
            yield f"{path}: {_format_value(before)} -> {_format_value(after)}"


def _iterate_list_changes(before: list[Any], after: list[Any], path: str) -> Iterator[str]:
    """Yield the changes of a list, in which an entry is known by its name if it has one."""
    old, new = _index_entries(before), _index_entries(after)
    for key in dict.fromkeys((*old, *new)):
        if key not in new:
            yield f"{path}/{key}: {_format_value(old[key])} -> removed"
        elif key not in old:
            yield f"{path}/{key}: new: {_format_value(new[key])}"
        else:
            yield from _iterate_changes(old[key], new[key], f"{path}/{key}")


def _index_entries(entries: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, entry in enumerate(entries):
        name = ""
        if isinstance(entry, dict):
            fields = ("claim_id", "name", "feature", "parameter", "do")
            name = next((str(entry[each]) for each in fields if entry.get(each)), "")
        elif isinstance(entry, str) and "=" in entry:
            name = entry.partition("=")[0].strip()
        found[name if name and name not in found else str(number)] = entry
    return found


def _iterate_passages(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of two texts that differ."""
    old, new = _SENTENCE_END.split(before), _SENTENCE_END.split(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            yield (
                _format_value(" ".join(old[old_start:old_end])),
                _format_value(" ".join(new[new_start:new_end])),
            )


def _format_value(value: object) -> str:
    if value in (None, "", [], {}):
        return "nothing"
    return value if isinstance(value, str) else str(value)


def _describe_demand(demand: RevisionDemand) -> str:
    about = f" on {demand.subject}" if demand.subject else ""
    return f"{demand.demanded_by}{about}: {demand.demand}"


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHORT_LINE else f"{text[:_SHORT_LINE].rpartition(' ')[0]} …"
