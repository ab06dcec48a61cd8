"""Passages of a text: excerpts for messages, positions of quotes, and the passage most similar to a quote."""

from __future__ import annotations

import difflib
import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

AROUND: Final = 30
"""Characters on either side of the position in an excerpt."""
LONGEST_COMPARED: Final = 60
"""Most words of a quote that are compared with the prose, to limit the cost of the search."""
WINDOWS_COMPARED: Final = 6
SHARE_IN_COMMON: Final = 0.5


def format_excerpt_around(text: str, start: int, end: int) -> str:
    """Return the whole words around a range of positions, for a message."""
    first, last = max(start - AROUND, 0), min(end + AROUND, len(text))
    first = min(text.find(" ", first, start) + 1 or start, start) if first else 0
    last = max(text.rfind(" ", end, last), end) if last < len(text) else last
    excerpt = collapse_whitespace(text[first:last])
    return f"{'...' if first else ''}{excerpt}{'...' if last < len(text) else ''}"


def collapse_whitespace(text: str) -> str:
    """Replace each run of whitespace by one space."""
    return " ".join(text.split())


def find_quote_positions(quote: str, text: str) -> Iterator[int]:
    """Yield the positions of a quote in a text, at word boundaries.

    Both texts must have single spaces.
    """
    if not quote:
        return
    before = r"(?<!\w)" if quote[0].isalnum() else ""
    after = r"(?!\w)" if quote[-1].isalnum() else ""
    for match in re.finditer(before + re.escape(quote) + after, text):
        yield match.start()


def find_closest_passage(quote: str, texts: Iterable[str]) -> str:
    """Return the passage that shares most words with a quote, or an empty text if none is similar enough."""
    quote_words = quote.split()[:LONGEST_COMPARED]
    keys = [_normalize_word(word) for word in quote_words]
    candidates = [window for text in texts for window in _find_candidate_windows(keys, text.split())]
    best, passage = 0, ""
    for window in heapq.nlargest(WINDOWS_COMPARED, candidates, key=lambda each: each[0]):
        words = window[1]
        matcher = difflib.SequenceMatcher(
            None, keys, [_normalize_word(word) for word in words], autojunk=False
        )
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        common = sum(block.size for block in blocks)
        if common > best:
            best, passage = common, " ".join(words[blocks[0].b : blocks[-1].b + blocks[-1].size])
    return passage if best and best >= SHARE_IN_COMMON * len(quote_words) else ""


def _find_candidate_windows(keys: list[str], words: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the windows of a text that contain most words of the quote, with the number of shared words."""
    size = len(keys) + len(keys) // 2 + 2
    missing = Counter(keys)
    shared = 0
    counts: list[tuple[int, int]] = []
    for place, word in enumerate(map(_normalize_word, words)):
        shared += missing[word] > 0
        missing[word] -= 1
        if place >= size:
            left = _normalize_word(words[place - size])
            missing[left] += 1
            shared -= missing[left] > 0
        counts.append((shared, -place))
    for common, place in heapq.nlargest(WINDOWS_COMPARED, counts):
        yield common, words[max(1 - place - size, 0) : 1 - place]


_PUNCTUATION: Final = "\"'.,;:!?()“”‘’"  # noqa: RUF001 - typeset quotes


def _normalize_word(word: str) -> str:
    return word.strip(_PUNCTUATION).lower()
