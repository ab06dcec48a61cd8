"""The solver: it recognises the situation of a public text, extracts its values and searches for plans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from impossible_moments.blueprints.instances import Instance
from impossible_moments.blueprints.overlay import Data
from impossible_moments.blueprints.tables import tables_of
from impossible_moments.mechanics.check import Report, check
from impossible_moments.mechanics.lines import LineError, split_line, split_lines
from impossible_moments.mechanics.plans import MAX_CALLS
from impossible_moments.mechanics.quantities import Kind, Quantity, read_quantity
from impossible_moments.mechanics.search import Bounds
from impossible_moments.mechanics.sensitivity import numbers_behind
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.reading import Reading, read
from impossible_moments.solving.text import PublicText, bare

PATIENCE: Final = 20_000
"""The node limit of a full search."""
_TOLD: Final = frozenset({Kind.GIVEN, Kind.DISPUTED, Kind.STATE})
"""The kinds of numbers that a text states. A state is stated by its initial value."""


@dataclass(frozen=True)
class Solved:
    """The result of solving a text. `situation` is None if no known situation was recognised."""

    status: str
    """The computed status, `undecided` if the search limit was reached first, or `unread`."""
    plans: tuple[tuple[str, ...], ...] = ()
    reason: str = ""
    effort: int = 0
    """The number of nodes that the search used."""
    situation: Instance | None = None
    report: Report | None = None
    reading: Reading = field(default_factory=Reading)
    untold: tuple[str, ...] = ()
    """Given numbers that the text does not state."""

    @cached_property
    def rests_on(self) -> frozenset[str]:
        """The numbers that decide the outcome: those read by the solutions, or else by any approach."""
        analysis = self.report.analysis if self.report is not None else None
        if self.report is None or analysis is None or self.report.verdict is None:
            return frozenset()
        plans = [way.plan for way in self.report.verdict.ways] or list(analysis.plans.values())
        read = {name for plan in plans for name in numbers_behind(analysis.executor, plan)}
        # the initial values of states need not be stated
        return frozenset(read - analysis.world.mutable)


def solve(
    text: PublicText,
    lore: Lore,
    nodes: int = PATIENCE,
    edit: Callable[[Data], Data] | None = None,
    *,
    depth: int = MAX_CALLS,
) -> Solved:
    """Solve a public text.

    `nodes` and `depth` limit the search. `edit` changes the reconstructed record before it is checked.
    """
    best = _best(text, lore)
    if best is None:
        return Solved("unread", reason="nothing in the text is like a situation that is known")
    situation, reading = best
    record, untold = as_read(situation.record, reading)
    bounds = Bounds(nodes, depth)
    report = check(record if edit is None else edit(record), lore.library, bounds)
    if report.verdict is None:
        errors = "; ".join(str(each) for each in report.findings.errors[:2])
        return Solved(
            "unread", reason=errors, situation=situation, report=report, reading=reading, untold=untold
        )
    return Solved(
        status=report.verdict.status or "undecided",
        plans=tuple(way.calls for way in report.verdict.ways),
        reason=report.verdict.reason,
        effort=bounds.used,
        situation=situation,
        report=report,
        reading=reading,
        untold=untold,
    )


def _best(text: PublicText, lore: Lore) -> tuple[Instance, Reading] | None:
    """Return the known situation that fits the text best with the values extracted from it, or None."""
    found: tuple[tuple[float, int], Instance, Reading] | None = None
    for offer in lore.recognised(text):
        for situation in lore.imagined(offer):
            tables = tables_of(situation.record, situation.telling, lore.library)
            reading = read(text, situation.record["prose"], tables, _labels(situation.record))
            share = reading.matched / max(reading.matched + reading.missed, 1)
            score = (share - _strangers(situation.record, text), reading.matched)
            if found is None or score > found[0]:
                found = (score, situation, reading)
    return None if found is None or found[0][0] <= 0 else (found[1], found[2])


def _labels(record: Data) -> dict[str, str]:
    return {str(thing["name"]): str(thing.get("label", "")) for thing in record.get("things") or ()}


def _strangers(record: Data, text: PublicText) -> float:
    """Return the share of the things of a situation that the text does not name."""
    labels = [bare(label) for name, label in _labels(record).items() if name != "you"]
    whole = text.whole
    return sum(label not in whole for label in labels) / max(len(labels), 1)


def as_read(record: Data, reading: Reading) -> tuple[Data, tuple[str, ...]]:
    """Return the record with its placeholder values replaced, and the names of numbers not stated."""
    untold: list[str] = []
    result: dict[str, Any] = {
        **record,
        "quantities": list(_read_lines(record.get("quantities"), "", reading, untold)),
    }
    things = []
    for thing in record.get("things") or ():
        lines = list(_read_lines(thing.get("props"), f"{thing['name']}.", reading, untold))
        things.append({**thing, "props": lines})
    result["things"] = things
    return result, tuple(untold)


def _read_lines(lines: object, owner: str, reading: Reading, untold: list[str]) -> Iterator[str]:
    for line in split_lines(lines):
        quantity = _quantity(line)
        if quantity is None or not quantity.is_number or quantity.kind not in _TOLD:
            yield line
            continue
        name = f"{owner}{quantity.name}"
        if quantity.kind is Kind.DISPUTED:
            yield _with_range(
                line, quantity, reading.values.get(f"{name}.low"), reading.values.get(f"{name}.high")
            )
            continue
        value = reading.values.get(name)
        if value is None:
            # values with evidence are stated in words, and initial values need not be stated
            if not quantity.source and quantity.kind is not Kind.STATE:
                untold.append(name)
            yield line
            continue
        yield _with(line, quantity, value)


def _quantity(line: str) -> Quantity | None:
    try:
        return read_quantity(line)
    except LineError:
        return None


_STATED: Final = re.compile(r"-?[\d.]+(?:[eE][-+]?\d+)?\s*(?:\[[^\]]*\]|[A-Za-zµ°%][\w/*^²³°%µ]*)?")


def _with(line: str, quantity: Quantity, value: float) -> str:
    """Return the line with another value, keeping its range, kind and source."""
    parts = split_line(line, example="rim = 3.6[m]")
    stated = _STATED.match(parts.body)
    rest = parts.body[stated.end() :].strip() if stated is not None else ""
    evidence = f" @ {parts.evidence}" if parts.evidence else ""
    return f"{parts.head} = {_written(quantity, value)} {rest}".rstrip() + evidence


def _with_range(line: str, quantity: Quantity, low: float | None, high: float | None) -> str:
    """Return the line of a disputed quantity with the range that the text states."""
    if low is None or high is None or low > high or not isinstance(quantity.value, int | float):
        return line
    parts = split_line(line, example="k = 0.5[K/h] (0.1..3) disputed @ A against B")
    value = min(max(float(quantity.value), low), high)
    ends = "..".join(_written(quantity, end).partition("[")[0] for end in (low, high))
    return f"{parts.head} = {_written(quantity, value)} ({ends}) disputed @ {parts.evidence}"


def _written(quantity: Quantity, value: float) -> str:
    if quantity.shown is None:
        return f"{value:.6g}"
    return f"{quantity.shown.from_si(value):.6g}[{quantity.shown.text}]"
