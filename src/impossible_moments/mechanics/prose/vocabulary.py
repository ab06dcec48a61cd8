"""Recognition of words that the prose should not contain: unlisted things, and hints at the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final


@dataclass(frozen=True, slots=True)
class PositionedWord:
    """A word or phrase with its position in a text."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Position after the word."""
        return self.start + len(self.text)


# Notices in capitals (OUT OF ORDER) and the CT scanner do not count as status codes.
_CODES: Final = re.compile(r"(?<!\w)(?:KS(?:-\w{1,20})?|CT(?!\s+scan)|OF|PX|MT|DG)(?!\w)")
_SIGN_BEFORE: Final = re.compile(r"[A-Z]{2,}\W{1,3}$")
_SIGN_BEHIND: Final = re.compile(r"\W{1,3}[A-Z]{2,}(?![a-z])")
_LOOK_BACK: Final = 40
# Only words that name the answer. A story may call itself hopeless, strange or a puzzle.
_NAMES: Final = re.compile(
    r"\b(?:paradox(?:es|ical(?:ly)?)?|impossib(?:le|ly|ility)|un(?:re)?solvable|insoluble|(?:no|only\s+one|one)\s+solutions?|solvable|"
    r"no\s+(?:answer\s+exists|way\s+to\s+solve)|distractors?|red\s+herrings?|trick\s+questions?|misdirections?|open\s+frontier|"
    r"known\s+solution|degenerate|the\s+(?:correct|right|intended)\s+(?:answer|solution))\b",
    re.IGNORECASE,
)


def find_giveaway_words(text: str) -> Iterator[PositionedWord]:
    """Yield the codes and names of a status, and words that reveal the kind of question."""
    for match in _CODES.finditer(text):
        before = text[max(match.start() - _LOOK_BACK, 0) : match.start()]
        if not _SIGN_BEFORE.search(before) and not _SIGN_BEHIND.match(text, match.end()):
            yield PositionedWord(match.start(), match.group())
    for match in _NAMES.finditer(text):
        yield PositionedWord(match.start(), match.group())


_TOKEN: Final = re.compile(r"[^\W\d_]+")
_WORD_GAP: Final = re.compile(r"[ \t\r\n-]{1,40}")


def find_known_things(text: str, catalogue: Mapping[str, str]) -> Iterator[tuple[PositionedWord, str]]:
    """Yield the words and pairs of words in the catalogue, with their entries. Pairs take precedence."""
    tokens = list(_TOKEN.finditer(text))
    place = 0
    while place < len(tokens):
        length, entry = _find_longest_entry(text, tokens[place : place + 2], catalogue)
        if entry is not None:
            start, end = tokens[place].start(), tokens[place + length - 1].end()
            yield PositionedWord(start, text[start:end]), entry
        place += length


def _find_longest_entry(
    text: str, tokens: list[re.Match[str]], catalogue: Mapping[str, str]
) -> tuple[int, str | None]:
    first, *following = tokens
    for second in following:
        if _WORD_GAP.fullmatch(text, first.end(), second.start()):
            phrases = [
                f"{first.group().lower()} {word}" for word in list_singular_forms(second.group().lower())
            ]
            if (entry := next((phrase for phrase in phrases if phrase in catalogue), None)) is not None:
                return 2, entry
    return 1, next((word for word in list_singular_forms(first.group().lower()) if word in catalogue), None)


@lru_cache(maxsize=4096)
def list_singular_forms(word: str) -> tuple[str, ...]:
    """Return the word and the singular words of which it may be the plural."""
    forms = [word]
    if word.endswith("ies"):
        forms.append(f"{word[:-3]}y")
    if word.endswith("ves"):
        forms += [f"{word[:-3]}f", f"{word[:-3]}fe"]
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        forms.append(word[:-1])
    return tuple(forms)


def is_catalogue_entry_in_labels(entry: str, labels: Iterable[str]) -> bool:
    """Return whether the words of a catalogue entry occur in a label, in singular or plural."""
    word_forms = [set(list_singular_forms(word)) for word in _TOKEN.findall(entry.lower())]
    return any(
        _has_phrase_in_singular_or_plural(word_forms, _TOKEN.findall(label.lower())) for label in labels
    )


def _has_phrase_in_singular_or_plural(word_forms: list[set[str]], words: list[str]) -> bool:
    starts = range(len(words) - len(word_forms) + 1)
    return any(
        all(forms & set(list_singular_forms(words[start + n])) for n, forms in enumerate(word_forms))
        for start in starts
    )
