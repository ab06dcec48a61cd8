"""Matching of plain words with what an answer must say: by the stems of content words, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from impossible_moments.mechanics.wording.call_wording import VALUE, CallWording, NeededStatement
from impossible_moments.mechanics.wording.word_stems import extract_word_stems


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
    """Return a text without the names of several words that it writes out."""
    names = sorted((each for each in statement.names if " " in each), key=len, reverse=True)
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}\b", " ", text, flags=re.IGNORECASE)
    return text


def _find_said_words(text: str, statement: NeededStatement) -> str:
    """Return the first alternative whose words a text contains, or an empty text."""
    stems = extract_word_stems(text)
    if statement.is_value:
        return VALUE if any(stem[0].isdigit() for stem in stems) else ""
    for each in statement.alternatives:
        wanted = extract_word_stems(each)
        if wanted and wanted <= stems:
            return each
    return ""


def list_unsaid_statements(text: str, wording: CallWording) -> tuple[str, ...]:
    """Return the names of the needed statements that a text does not make."""
    return tuple(name for name, said in match_statements(text, wording).items() if not said)


def says_everything(texts: Iterable[str], wording: CallWording) -> bool:
    """Return whether texts together say all that a call needs. A call that needs nothing is not said."""
    return bool(wording.needed) and not list_unsaid_statements(" ".join(texts), wording)
