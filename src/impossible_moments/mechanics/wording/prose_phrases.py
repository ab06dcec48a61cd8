"""The words that a record's prose puts before each value, and the form in which it prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from impossible_moments.mechanics.prose import (
    AnyTemplatePiece,
    PlainText,
    ShownValue,
    ThingLabel,
    list_prose_parts,
)
from impossible_moments.mechanics.records.prose_form import ProseForm

_PARTS: Final = ("environment", "objects", "capabilities", "threat", "position", "narrative")
"""The parts of the prose in the order in which they are searched for the words of a quantity."""
_TABLES: Final = frozenset({"environment", "objects", "capabilities"})
_CLAUSE_END: Final = re.compile(r"[.;!?\n](?=\s|$)|\bwith\b|,")
_TABLE_CLAUSE_END: Final = re.compile(r"[.;!?\n](?=\s|$)")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_FOLLOWING: Final = re.compile(r" ((?:until|before|to|for|from|after) [^.,;:!?{}|\n]{4,60})(?=[.,;!?\n]|$)")
"""The words after a value that name it: a preposition and the rest of the clause."""
_LONGEST_PHRASE: Final = 14
_SHORTEST_NARRATED_PHRASE: Final = 2
_CACHED_PROSES: Final = 32


@dataclass(frozen=True, slots=True)
class ProsePhrase:
    """The words that the public text puts before a value, and the form in which it prints the value."""

    words: str
    form: str
    is_narrated: bool
    """Whether the words stand in running text. Then they are a part of a sentence and no name."""


@lru_cache(maxsize=_CACHED_PROSES)
def collect_prose_phrases(prose_json: str) -> Mapping[str, ProsePhrase]:
    """Return the phrase of each printed value of a prose, by path. Tables count before running text."""
    found: dict[str, ProsePhrase] = {}
    for path, phrase in _iterate_prose_phrases(ProseForm.model_validate_json(prose_json)):
        known = found.get(path)
        if known is None:
            found[path] = phrase
        elif not known.words and phrase.words:
            found[path] = ProsePhrase(phrase.words, known.form or phrase.form, phrase.is_narrated)
    return found


def _iterate_prose_phrases(prose: ProseForm) -> Iterator[tuple[str, ProsePhrase]]:
    """Yield the path of each printed value with its phrase."""
    parts = {part.name: part for part in list_prose_parts(prose)}
    for name in _PARTS:
        before = ""
        pieces = tuple(parts[name].pieces) if name in parts else ()
        for at, piece in enumerate(pieces):
            match piece:
                case PlainText():
                    end = _TABLE_CLAUSE_END if name in _TABLES else _CLAUSE_END
                    before = end.split(before + piece.raw)[-1]
                case ThingLabel():
                    before = "" if name in _TABLES else f"{before}{{}}"
                case ShownValue():
                    is_narrated = name not in _TABLES
                    words = _clean_phrase(before, is_narrated=is_narrated)
                    words = words or _find_following_words(pieces[at + 1 : at + 2])
                    yield piece.name, ProsePhrase(words, piece.form, is_narrated)
                    before = ""
                case _:
                    before = ""


def _find_following_words(pieces: tuple[AnyTemplatePiece, ...]) -> str:
    """Return the words after a value that stands first in its clause: `… until the ceiling comes down`."""
    text = next((piece.raw for piece in pieces if isinstance(piece, PlainText)), "")
    found = _FOLLOWING.match(text)
    return f"… {' '.join(found[1].split())}" if found is not None else ""


def _clean_phrase(text: str, *, is_narrated: bool) -> str:
    """Return the words of a clause that name a value, or nothing if they do not."""
    if is_narrated and text.rstrip().endswith((":", "(", "–", "—")):
        return ""  # the words before it are a statement of their own
    phrase = " ".join(text.split()).strip(" :,;-–—(")
    words = _WORD.findall(phrase)
    fewest = _SHORTEST_NARRATED_PHRASE if is_narrated else 1
    if "{}" in phrase or not fewest <= len(words) or len(phrase.split()) > _LONGEST_PHRASE:
        return ""
    return phrase[:1].lower() + phrase[1:] if not is_narrated else phrase
