"""Misspelled words in a document, with a correction. Names and terms are recognised by rules, not by a list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from impossible_moments.audit import EnglishDictionary, load_english_dictionary
from impossible_moments.library import load_everyday_objects, load_materials
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.language import UnitError, normalize_printed_unit
from impossible_moments.mechanics.prose import parse_untrusted_unit

_APOSTROPHE: Final = "\u2019"
_WORD: Final = re.compile(r"(?<![\w'])[^\W\d_](?:[^\W\d_]|'(?=[^\W\d_]))*(?!\w)")
_POSSESSIVE: Final = re.compile(r"'s?$")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:…|]|[.!?]['\"”)]+)[\s*_“\"'\u2018(]*$")
_SENTENCE_HEAD: Final = re.compile(r"(?:^|[.!?] )[“\"'\u2018(]?([^\W\d_])")
_SKIPPED_LINE: Final = re.compile(r"\bCanary: ")
_CODE: Final = re.compile(r"`[^`]*`|https?://\S+")
_SHORTEST_PART: Final = 3
"""The fewest letters of each part of a closed compound such as seagrass."""
NAME_PARTICLES: Final = frozenset(
    {
        "da",
        "de",
        "del",
        "della",
        "den",
        "der",
        "di",
        "do",
        "dos",
        "du",
        "el",
        "la",
        "le",
        "los",
        "ter",
        "van",
        "von",
    }
)
"""Small words that stand inside names, such as Tristan da Cunha."""
_PARTICLE_PLACE: Final = re.compile(rf"\b[^\W\d_]\w* (?:(?:{'|'.join(sorted(NAME_PARTICLES))}) )?$")
"""What stands before a particle: a word, and at most another particle, as in van der Waals."""
SHORT_NAME: Final = 4
"""A capitalised word of so few letters is taken for a name, also at the start of a sentence."""
TERM_OCCURRENCES: Final = 2
"""A word that a text uses so often is a term of it."""
INFORMAL_WORDS: Final = 2
"""So many contractions without an apostrophe are the manner of a narrator."""


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A word that is neither English nor a name, with its line and the word that was probably meant."""

    line: int
    word: str
    correction: str

    def __str__(self) -> str:
        return f"line {self.line}: `{self.word}` is misspelled; did you mean `{self.correction}`?"


def find_misspellings(text: str, known_words: Set[str] = frozenset()) -> Iterator[Misspelling]:
    """Yield each misspelled word once, at its first line. `known_words` are lower-case words that are right.

    A word that no English word resembles is a name or a foreign term, and so is one that the text repeats. Of a
    capitalised word at the start of a sentence, which may be a name, only swapped letters show that it is misspelled.
    """
    dictionary = load_english_dictionary()
    found = list(_iterate_words(text))
    names = {word.casefold() for _, word, is_name in found if is_name}
    counts = Counter(word.casefold() for _, word, _ in found)
    unknown = [
        (line, word)
        for line, word, _ in found
        if counts[word.casefold()] < TERM_OCCURRENCES
        and word.casefold() not in names | known_words
        and not (len(word) <= SHORT_NAME and word[0].isupper())
        and not _is_right(word, dictionary)
    ]
    informal = {word for _, word in unknown if dictionary.lacks_apostrophe(word)}
    for line, word in unknown:
        is_style = word in informal and len(informal) >= INFORMAL_WORDS
        correction = dictionary.suggest_correction(word, only_swaps=word[0].isupper())
        if correction and not is_style:
            yield Misspelling(line, word, correction)


def collect_known_words(report: CheckReport | None) -> frozenset[str]:
    """Return the words in the labels of a record's things, and in the names of the library."""
    labels = [] if report is None or report.analysis is None else [
        thing.label for thing in report.analysis.world.things.values()
    ]  # fmt: skip
    return _collect_library_words() | {word.casefold() for label in labels for word in _split_words(label)}


@lru_cache(maxsize=1)
def _collect_library_words() -> frozenset[str]:
    names = [*load_everyday_objects(), *load_materials()]
    return frozenset(word.casefold() for name in names for word in _split_words(name.replace("_", " ")))


def _split_words(text: str) -> list[str]:
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(text)]


def _iterate_words(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each word with its line, and whether it is a name: capitalised in a title or inside a sentence, or a particle.

    Lines whose sentences begin with small letters are chats, whose spelling is the writer's.
    """
    for number, line in enumerate(text.replace(_APOSTROPHE, "'").split("\n"), start=1):
        if _SKIPPED_LINE.search(line) or _is_chat(line):
            continue
        for match in _WORD.finditer(_CODE.sub(lambda code: " " * len(code.group()), line)):
            word = _POSSESSIVE.sub("", match.group())
            is_inside = line.startswith("# ") or not _SENTENCE_START.search(line[: match.start()])
            before = _PARTICLE_PLACE.search(line[: match.start()])
            is_particle = word in NAME_PARTICLES and before is not None and before.group()[0].isupper()
            yield number, word, is_particle or (word[:1].isupper() and is_inside)


def _is_chat(line: str) -> bool:
    starts = _SENTENCE_HEAD.findall(line)
    return not line.startswith("|") and sum(sign.islower() for sign in starts) * 2 > len(starts)


def _is_right(word: str, dictionary: EnglishDictionary) -> bool:
    return (
        len(word) == 1
        or word.isupper()
        or dictionary.has_word(word)
        or _is_unit(word)
        or _is_closed_compound(word.casefold(), dictionary)
    )


def _is_unit(word: str) -> bool:
    try:
        return bool(parse_untrusted_unit(normalize_printed_unit(word)).text)
    except UnitError:
        return False


def _is_closed_compound(word: str, dictionary: EnglishDictionary) -> bool:
    """Return whether a word joins two English words."""
    return any(
        dictionary.has_word(word[:at]) and dictionary.has_word(word[at:])
        for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    )
