"""Matching of plain words with what an answer must say: by the stems of content words, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from impossible_moments.mechanics.wording.call_wording import VALUE, CallWording, NeededStatement
from impossible_moments.mechanics.wording.word_stems import extract_particles, extract_word_stems


def match_statements(text: str, wording: CallWording) -> Mapping[str, str]:
    """Return for each needed statement the alternative that a text says, or an empty text.

    Where a text writes out the name of a thing, the words of the name do not also say a deed: leaving the broken plug
    does not break anything.
    """
    rest = text
    found: dict[str, str] = {}
    for statement in sorted(wording.needed, key=lambda each: not each.names):
        found[statement.name] = _find_said_words(text if statement.names else rest, statement)
        if statement.names:
            rest = _remove_written_names(rest, statement)
    return {each.name: found[each.name] for each in wording.needed}


def _remove_written_names(text: str, statement: NeededStatement) -> str:
    """Return a text without the names that it writes out, whole or by at least two words in a row."""
    for part in _list_written_parts(statement.names):
        text = re.sub(rf"\b{re.escape(part)}\b", " ", text, flags=re.IGNORECASE)
    return text


@cache
def _list_written_parts(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return all runs of two or more words of the names that are not idle words alone, the longest first."""
    runs = {
        " ".join(words[first:last])
        for words in (each.split() for each in names)
        for first in range(len(words) - 1)
        for last in range(first + 2, len(words) + 1)
    }
    parts = (each for each in runs if len(extract_word_stems(each)) > 1 or each in names)
    return tuple(sorted(parts, key=lambda each: (-len(each), each)))


def _find_said_words(text: str, statement: NeededStatement) -> str:
    """Return the first alternative whose words a text contains, or an empty text."""
    stems, particles = extract_word_stems(text), extract_particles(text)
    if statement.is_value:
        return VALUE if any(stem[0].isdigit() for stem in stems) else ""
    for each in statement.alternatives:
        wanted, needed_particles = _list_wanted_words(each, statement.names)
        if (wanted or needed_particles) and wanted <= stems and needed_particles <= particles:
            return each
    return ""


@cache
def _list_wanted_words(alternative: str, names: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems and the particles that an alternative asks for. Particles within a name are not asked for."""
    rest = alternative
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"\b{re.escape(name)}\b", " ", rest, flags=re.IGNORECASE)
    return extract_word_stems(alternative), extract_particles(rest)


def list_unsaid_statements(text: str, wording: CallWording) -> tuple[str, ...]:
    """Return the names of the needed statements that a text does not make."""
    return tuple(name for name, said in match_statements(text, wording).items() if not said)


def says_everything(texts: Iterable[str], wording: CallWording) -> bool:
    """Return whether texts together say all that a call needs. A call that needs nothing is not said."""
    return bool(wording.needed) and not list_unsaid_statements(" ".join(texts), wording)
