"""The tiers that draws of the shipped places earn, as a table.

The tier of a draw follows from its state graph, which takes a second. So the table is computed once by
`python -m benchmarks.composed --write` and must be computed again when places or levels change.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from io import StringIO
from typing import Final, NamedTuple

from impossible_moments.composition.composed_draws import ComposedStatus

FILE_NAME: Final = "measured_draws.csv"


class MeasuredDraw(NamedTuple):
    """A draw by its place, level, seed and status, with the tier that it earns."""

    place: str
    level: int
    seed: int
    status: ComposedStatus
    tier: str


@cache
def load_measured_draws() -> tuple[MeasuredDraw, ...]:
    """Return the rows of the table."""
    text = files("impossible_moments.composition").joinpath(FILE_NAME).read_text(encoding="utf-8")
    return tuple(
        MeasuredDraw(
            row["place"],
            int(row["level"]),
            int(row["seed"]),
            "PX" if row["status"] == "PX" else "KS",
            row["tier"],
        )
        for row in csv.DictReader(StringIO(text))
    )


def format_measured_draws(draws: Iterable[MeasuredDraw]) -> str:
    """Return the table as text, in a fixed order."""
    lines = [",".join(MeasuredDraw._fields)]
    lines += [",".join(map(str, each)) for each in sorted(draws)]
    return "\n".join(lines) + "\n"
