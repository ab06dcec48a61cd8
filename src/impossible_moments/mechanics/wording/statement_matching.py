"""Matching of plain words with what an answer must say: by the stems of content words, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from impossible_moments.mechanics.wording.call_wording import VALUE, CallWording, NeededStatement

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_IDLE: Final = frozenset(
    """a an the my your his her its their our of to in on at by for from with and or out up down into onto over under
    is are be it this that these those one some any each every as than then very own own's which who""".split()
)
_ENDINGS: Final = ("ies", "ing", "ed", "es", "s")
_SHORTEST_STEM: Final = 3


def extract_word_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(stem_word(word) for word in _WORD.findall(text.lower()) if word not in _IDLE)


def stem_word(word: str) -> str:
    """Return a word without plural, tense and possessive endings; rough, but the same for both texts."""
    word = word.removesuffix("'s").removesuffix("s'")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _drop_doubled_letter(word[: -len(ending)]) + ("y" if ending == "ies" else "")
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _drop_doubled_letter(stem: str) -> str:
    """Return a stem without a doubled last letter or a silent e, so that `clipping` is like `clip`."""
    if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
        return stem[:-1]
    return stem.removesuffix("e") if len(stem) > _SHORTEST_STEM else stem


def find_said_words(text: str, statement: NeededStatement) -> str:
    """Return the alternative of a statement that a text says, or an empty text.

    A statement of a value counts as said if the text has a number.
    """
    stems = extract_word_stems(text)
    if statement.is_value:
        return VALUE if any(stem[0].isdigit() for stem in stems) else ""
    return next((each for each in statement.alternatives if _contains_all(stems, each)), "")


def _contains_all(stems: frozenset[str], phrase: str) -> bool:
    # a phrase of idle words alone, such as "on", is compared as it stands
    wanted = extract_word_stems(phrase)
    return bool(wanted) and wanted <= stems


def list_unsaid_statements(text: str, wording: CallWording) -> tuple[str, ...]:
    """Return the names of the needed statements that a text does not make."""
    return tuple(each.name for each in wording.needed if not find_said_words(text, each))


def says_everything(texts: Iterable[str], wording: CallWording) -> bool:
    """Return whether texts together say all that a call needs. A call that needs nothing is not said."""
    return bool(wording.needed) and not list_unsaid_statements(" ".join(texts), wording)
