"""Wrong mechanics: missing, of another category, mutated, or far too large."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from support.golden_records import NAMES, load_golden_record
from support.nonsense.instances import draw_words

Data = dict[str, Any]
STRANGE: Final[tuple[Any, ...]] = (
    None, True, "", "x", -1, 0, 10**30, 1e308, -1e308, "NaN", "Infinity m", "1e308 m", "0 s", "-5 kg", [], {}, [[]],
    "../../x", "{width|m}", "width >= ", "(" * 500, "a" * 5_000, "width ** width ** width", "1 / 0", "__import__('os')",
)  # fmt: skip
THINGS: Final = 300


def draw_strange_record(dice: Random) -> Data:
    """Draw a record of some wrong kind."""
    kind = dice.choice(["none", "another's", "mutated", "mutated", "mutated", "huge", "words"])
    match kind:
        case "none":
            return {}
        case "words":
            return {draw_words(dice): draw_words(dice) for _ in range(dice.randint(1, 6))}
        case "another's":
            return load_golden_record(dice.choice(NAMES))
        case "huge":
            return enlarge_record(load_golden_record(dice.choice(NAMES)))
        case _:
            return mutate_record(load_golden_record(dice.choice(NAMES)), dice)


def mutate_record(record: Data, dice: Random, times: int | None = None) -> Data:
    """Return the record with a few leaves changed, deleted or exchanged."""
    for _ in range(times or dice.randint(1, 5)):
        holder, key = dice.choice(list(iterate_places(record)))
        match dice.choice(["strange", "strange", "gone", "scaled"]):
            case "gone":
                del holder[key]
            case "scaled" if isinstance(holder[key], int | float):
                holder[key] *= dice.choice([-1, 0, 1e-3, 1e3])
            case _:
                holder[key] = dice.choice(STRANGE)
    return record


def enlarge_record(record: Data) -> Data:
    """Return the record with hundreds of additional things and conditions."""
    things = record.get("things") or record.get("quantities")
    for holder in filter(None, (record.get("things"), record.get("quantities"))):
        if isinstance(holder, dict) and holder:
            one = next(iter(holder.values()))
            holder.update({f"extra_{at}": one for at in range(THINGS)})
        elif isinstance(holder, list) and holder and isinstance(holder[0], dict):
            holder.extend({**holder[0], "name": f"extra_{at}"} for at in range(THINGS))
    return record if things else {**record, "extra": ["x"] * THINGS}


def iterate_places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a document: its container, and its key or index."""
    match data:
        case dict():
            inner: Any = data.items()
        case list():
            inner = enumerate(data)
        case _:
            return
    for key, value in list(inner):
        yield data, key
        yield from iterate_places(value)
