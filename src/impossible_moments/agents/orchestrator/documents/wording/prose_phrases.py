"""The words that a record's prose puts before each value, and the form in which it prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.prose import PlainText, ShownValue, ThingLabel, list_prose_parts
from impossible_moments.mechanics.records import ProseForm

_PARTS: Final = ("environment", "objects", "capabilities", "threat", "position", "narrative")
"""The parts of the prose in the order in which they are searched for the words of a quantity."""
_TABLES: Final = frozenset({"environment", "objects", "capabilities"})
_CLAUSE_END: Final = re.compile(r"[.;!?\n](?=\s|$)|\bwith\b|,")
_TABLE_CLAUSE_END: Final = re.compile(r"[.;!?\n](?=\s|$)")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONGEST_PHRASE: Final = 14
_SHORTEST_NARRATED_PHRASE: Final = 2


def collect_prose_phrases(prose: ProseForm) -> dict[str, tuple[str, str]]:
    """Return the words before each printed value and its form, by path. Tables count before running text."""
    found: dict[str, tuple[str, str]] = {}
    for path, phrase, form in _iterate_prose_phrases(prose):
        words, known_form = found.get(path, ("", ""))
        found[path] = (words or phrase, known_form or form)
    return found


def _iterate_prose_phrases(prose: ProseForm) -> Iterator[tuple[str, str, str]]:
    """Yield the path of each printed value with the words before it in its clause, and its form."""
    parts = {part.name: part for part in list_prose_parts(prose)}
    for name in _PARTS:
        before = ""
        for piece in parts[name].pieces if name in parts else ():
            match piece:
                case PlainText():
                    end = _TABLE_CLAUSE_END if name in _TABLES else _CLAUSE_END
                    before = end.split(before + piece.raw)[-1]
                case ThingLabel():
                    before = "" if name in _TABLES else f"{before}{{}}"
                case ShownValue():
                    yield piece.name, _clean_phrase(before, is_narrated=name not in _TABLES), piece.form
                    before = ""
                case _:
                    before = ""


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
