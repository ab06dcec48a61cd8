"""Mechanics that are wrong: none, another category's, mutated ones, and ones too large to be meant."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from support.golden_records import NAMES, golden
from support.nonsense.instances import words

Data = dict[str, Any]
STRANGE: Final[tuple[Any, ...]] = (
    None, True, "", "x", -1, 0, 10**30, 1e308, -1e308, "NaN", "Infinity m", "1e308 m", "0 s", "-5 kg", [], {}, [[]],
    "../../x", "{width|m}", "width >= ", "(" * 500, "a" * 5_000, "width ** width ** width", "1 / 0", "__import__('os')",
)  # fmt: skip
THINGS: Final = 300


def strange_record(dice: Random) -> Data:
    """A record of some wrong kind."""
    kind = dice.choice(["none", "another's", "mutated", "mutated", "mutated", "huge", "words"])
    match kind:
        case "none":
            return {}
        case "words":
            return {words(dice): words(dice) for _ in range(dice.randint(1, 6))}
        case "another's":
            return golden(dice.choice(NAMES))
        case "huge":
            return huge(golden(dice.choice(NAMES)))
        case _:
            return mutated(golden(dice.choice(NAMES)), dice)


def mutated(record: Data, dice: Random, times: int | None = None) -> Data:
    """The record with a few leaves changed, deleted or exchanged."""
    for _ in range(times or dice.randint(1, 5)):
        holder, key = dice.choice(list(places_in(record)))
        match dice.choice(["strange", "strange", "gone", "scaled"]):
            case "gone":
                del holder[key]
            case "scaled" if isinstance(holder[key], int | float):
                holder[key] *= dice.choice([-1, 0, 1e-3, 1e3])
            case _:
                holder[key] = dice.choice(STRANGE)
    return record


def huge(record: Data) -> Data:
    """The record with hundreds of things and conditions more than anybody needs."""
    things = record.get("things") or record.get("quantities")
    for holder in filter(None, (record.get("things"), record.get("quantities"))):
        if isinstance(holder, dict) and holder:
            one = next(iter(holder.values()))
            holder.update({f"extra_{at}": one for at in range(THINGS)})
        elif isinstance(holder, list) and holder and isinstance(holder[0], dict):
            holder.extend({**holder[0], "name": f"extra_{at}"} for at in range(THINGS))
    return record if things else {**record, "extra": ["x"] * THINGS}


def places_in(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document: what holds it, and the key or number it is held under."""
    match data:
        case dict():
            inner: Any = data.items()
        case list():
            inner = enumerate(data)
        case _:
            return
    for key, value in list(inner):
        yield data, key
        yield from places_in(value)
