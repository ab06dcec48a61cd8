"""Facts of composed scenarios by level. `python -m benchmarks.composed --seeds 2` draws every place at every level.

For each level it prints how many draws were made, the median of what was measured, the tiers that the draws earn, and
how many different ways of work there are. Two draws have the same way if they use the same jobs equally often.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import process_time

from impossible_moments.composition import (
    LEVELS,
    ComposedDraw,
    ComposedOptions,
    ComposedStatus,
    MeasuredDraw,
    NoComposedDraw,
    PlaceForm,
    draw_from_place,
    format_measured_draws,
    load_shipped_places,
)
from impossible_moments.domain.vocabulary import TIERS

TABLE = Path(__file__).parent.parent / "src/impossible_moments/composition/measured_draws.csv"
STATUSES: tuple[ComposedStatus, ...] = ("KS", "PX")


@dataclass(frozen=True)
class TimedDraw:
    """A draw with its seed and the processor time that it took."""

    draw: ComposedDraw
    seed: int
    seconds: float

    @property
    def way(self) -> tuple[str, ...]:
        """What identifies the solution: the place, the status and the jobs of the way, in no order."""
        verdict = self.draw.trial.report.verdict
        ways = () if verdict is None else verdict.ways
        return (
            self.draw.facts.place,
            str(self.draw.trial.status),
            self.draw.changed,
            *sorted(call for each in ways for call in each.calls),
        )


def draw_level(
    places: Iterable[PlaceForm], level: int, status: ComposedStatus, seeds: Iterable[int]
) -> tuple[list[TimedDraw], list[str]]:
    """Draw a level from every place that serves it. Return the draws and why others were not found."""
    drawn: list[TimedDraw] = []
    problems: list[str] = []
    chosen = tuple(seeds)
    for place in places:
        if not place.levels.low <= level <= place.levels.high:
            continue
        for seed in chosen:
            started = process_time()
            try:
                draw = draw_from_place(place, level, seed, ComposedOptions(status))
            except NoComposedDraw as problem:
                problems.append(f"{place.name}, level {level}, {status}, seed {seed}: {problem}")
            else:
                drawn.append(TimedDraw(draw, seed, process_time() - started))
    return drawn, problems


def format_level(level: int, status: ComposedStatus, drawn: Sequence[TimedDraw]) -> str:
    """Return the row of a level: medians over its draws."""
    facts = [each.draw.facts for each in drawn]
    cells = [str(level), status, str(len(drawn)), str(len({each.way for each in drawn}))]
    cells += [
        f"{median(values):,.4g}"
        for values in (
            [each.steps for each in facts],
            [each.states for each in facts],
            [each.edges / each.states for each in facts],
            [each.winning_orders for each in facts],
            [each.winning_first_moves / each.first_moves for each in facts],
            [each.late_dead_ends / max(each.wrong_turns, 1) for each in facts],
            [each.random_success for each in facts],
            [each.greedy_success for each in facts],
            [each.seconds for each in drawn],
        )
    ]
    tiers = Counter(str(each.draw.trial.tier) for each in drawn)
    cells.append(", ".join(f"{tier} {tiers[tier]}" for tier in TIERS if tiers[tier]))
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print a row for each level and status, the capacity by tier and status, and what was not found."""
    parser = ArgumentParser(description="Measure draws of every place at every level.")
    parser.add_argument("--seeds", type=int, default=1, help="draws of each place and level (default 1)")
    parser.add_argument("--first-seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--level", type=int, action="append", help="only this level; may be repeated")
    parser.add_argument(
        "--write", action="store_true", help="write the table from which production chooses draws"
    )
    chosen = parser.parse_args()
    seeds = range(chosen.first_seed, chosen.first_seed + chosen.seeds)
    places = tuple(load_shipped_places().values())
    print(
        "| level | status | draws | different ways | steps | states | moves a state | winning orders "
        "| first moves that can win | late dead ends | random | greedy | CPU s | earned tiers |"
    )
    print("|" + "---|" * 14)
    ways: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    problems: list[str] = []
    rows: list[MeasuredDraw] = []
    for level in chosen.level or LEVELS:
        for status in STATUSES:
            drawn, missing = draw_level(places, level, status, seeds)
            problems += missing
            if drawn:
                print(format_level(level, status, drawn), flush=True)
            rows += [
                MeasuredDraw(each.draw.facts.place, level, each.seed, status, str(each.draw.trial.tier))
                for each in drawn
            ]
            if chosen.write:
                TABLE.write_text(format_measured_draws(rows), encoding="utf-8")
            for each in drawn:
                ways[str(each.draw.trial.tier), status].add(each.way)
    print(f"\nmost memory: {getrusage(RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    for cell, found in sorted(ways.items(), key=lambda each: (TIERS.index(each[0][0]), each[0][1])):
        print(f"{cell[0]} {cell[1]}: {len(found)} different ways")
    print(f"{len(problems)} draws were not found")
    for problem in problems:
        print(f"  {problem}")


if __name__ == "__main__":
    main()
