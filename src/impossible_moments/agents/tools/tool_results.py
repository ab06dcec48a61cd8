"""Results of tools: plain JSON data, cut to a readable length, with a note of what was left out."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Data: TypeAlias = dict[str, object]

MOST_CHARACTERS: Final = 4_000
"""Characters of JSON that a result may have, without its note."""
DIGITS: Final = 6
_SHORTEST: Final = 40
_LEAST_OPENED: Final = 160
_MOST_NAMED_PLACES: Final = 6


def limit_result_length(result: Mapping[str, object]) -> Data:
    """Convert a result to plain data of limited length. The largest parts lose their last entries first."""
    data: object = {str(key): to_plain_data(value) for key, value in result.items()}
    cut_places: Counter[str] = Counter()
    while _measure_json_length(data) > MOST_CHARACTERS:
        data, place, number = _remove_last_entries_once(data, "")
        cut_places[place] += number
    assert isinstance(data, dict), "shortening keeps the type"
    if cut_places:
        named = [f"`{place}` ({number})" for place, number in list(cut_places.items())[:_MOST_NAMED_PLACES]]
        remainder = (
            f" and {len(cut_places) - _MOST_NAMED_PLACES} other places"
            if len(cut_places) > _MOST_NAMED_PLACES
            else ""
        )
        data["left_out"] = (
            f"Cut to {MOST_CHARACTERS:,} characters: entries or words are missing at the end of {', '.join(named)}{remainder}; ask for less, or for a part."
        )
    return data


def to_plain_data(value: object) -> object:
    """Convert a value to JSON data. Floats are rounded to six digits, and non-finite ones become a text."""
    match value:
        case bool() | None | int():
            return value
        case float():
            return float(f"{value:.{DIGITS}g}") + 0.0 if math.isfinite(value) else "not finite"
        case str():
            # replace lone surrogates, which cannot be encoded
            return value.encode("utf-8", "replace").decode("utf-8")
        case Mapping():
            return {str(key): to_plain_data(each) for key, each in value.items()}
        case list() | tuple():
            return [to_plain_data(each) for each in value]
        case _:
            return to_plain_data(str(value))


def _measure_json_length(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _remove_last_entries_once(value: object, place: str) -> tuple[object, str, int]:
    """Shorten a value by one step. Return it with the place and the number of entries that were removed.

    The last entries are removed, unless a single entry is most of the value and can be shortened itself.
    """
    if isinstance(value, str):
        return f"{value[: max(len(value) // 2, _SHORTEST - 3)]}...", place, 1
    assert isinstance(value, dict | list), "only containers and texts are shortened"
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    largest = max(keys, key=lambda key: _measure_json_length(value[key]))
    outgrown = not place or 2 * _measure_json_length(value[largest]) > _measure_json_length(value)
    if outgrown and _can_be_shortened(value[largest]):
        part, where, number = _remove_last_entries_once(
            value[largest], f"{place}.{largest}" if place else str(largest)
        )
        value[largest] = part
        return value, where, number
    removed_keys = keys[-max(len(keys) // 8, 1) :]
    for key in reversed(removed_keys):
        del value[key]
    return value, place or str(removed_keys[0]), len(removed_keys)


def _can_be_shortened(value: object) -> bool:
    if isinstance(value, str):
        return len(value) > _SHORTEST
    return isinstance(value, dict | list) and _measure_json_length(value) > _LEAST_OPENED
