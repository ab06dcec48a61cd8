"""Sizes of plain data as JSON text, each part measured once.

Forms of a view share most of their parts. Writing every form as JSON to learn its length takes a third of the time
of a scenario. Here each part is written once, and the sizes of its parts are added up.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Final, TypeAlias

from impossible_moments.llm.token_estimates import BYTES_OF_A_TOKEN

Size: TypeAlias = tuple[int, int]
"""Characters, and bytes in UTF-8."""
DEPTH: Final = 6
"""How many levels are measured part by part. What lies deeper is written as a whole."""
_BRACKETS: Final = 2
_SEPARATOR: Final = 2


class DataSizes:
    """The sizes of some data and of their parts, which must not be changed meanwhile."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, Size]] = {}

    def count_characters(self, data: object) -> int:
        """Return how many characters the data have when they are written as JSON."""
        return self._measure(data, DEPTH)[0]

    def estimate_tokens(self, data: object) -> int:
        """Estimate how many tokens the data have when they are written as JSON."""
        return -(-self._measure(data, DEPTH)[1] // BYTES_OF_A_TOKEN)

    def _measure(self, data: object, depth: int) -> Size:
        if not isinstance(data, dict | list):
            return _measure_text(data)
        known = self._known.get(id(data))
        if known is not None:
            return known[1]
        size = self._add_up(data, depth) if depth and data else _measure_text(data)
        # The data are kept with their size, so that no other data can get the same identity.
        self._known[id(data)] = (data, size)
        return size

    def _add_up(self, data: dict[str, object] | list[object], depth: int) -> Size:
        if isinstance(data, list):
            parts = [self._measure(each, depth - 1) for each in data]
        elif all(isinstance(name, str) for name in data):
            parts = [_measure_text(name) for name in data]
            parts += [self._measure(each, depth - 1) for each in data.values()]
        else:
            return _measure_text(data)
        # A separator stands between two entries of a list or a map, and between a name and its value.
        marks = _BRACKETS + _SEPARATOR * (len(parts) - 1)
        return marks + sum(each[0] for each in parts), marks + sum(each[1] for each in parts)


def _measure_text(data: object) -> Size:
    # Most parts are texts. The encoder's own function writes one without making an encoder for it.
    text = encode_basestring(data) if type(data) is str else json.dumps(data, ensure_ascii=False)
    return len(text), len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
