"""Facts of uncertain worlds. `python -m benchmarks.uncertain --seeds 24` draws worlds of all families in turn.

For each world it prints the exact probability of success of the optimal policy and of four simpler ones, the size of the
belief graph, the words of the text, the draws of figures that were needed and the processor time. With `--publish DIR` the
worlds are published into a folder, through the gates of `im create --uncertain`.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import mean
from time import process_time

from impossible_moments.mechanics.uncertain import PolicyName
from impossible_moments.scenarios import ClockReadings
from impossible_moments.uncertain_worlds import GeneratedWorld, choose_family, generate_world, publish_world

POLICIES = (
    PolicyName.OPTIMAL,
    PolicyName.LOOKAHEAD,
    PolicyName.GREEDY,
    PolicyName.IGNORE,
    PolicyName.RANDOM,
)


@dataclass(frozen=True)
class TimedWorld:
    """A drawn world with its seed and the processor time that it took."""

    found: GeneratedWorld
    seed: int
    seconds: float

    def format_row(self) -> str:
        """Return the row of the table."""
        found = self.found
        values = [f"{float(found.measures.values[name]):.4f}" for name in POLICIES]
        sizes = [f"{found.measures.nodes:,}", str(found.text.count_words()), str(found.draws)]
        cells = [found.family.name, found.skin, str(self.seed), *values, *sizes, f"{self.seconds:.1f}"]
        return f"| {' | '.join(cells)} |"


def draw_world(seed: int) -> TimedWorld:
    """Draw the world of a seed."""
    started = process_time()
    family, skin = choose_family(seed)
    found = generate_world(family, skin, seed)
    return TimedWorld(found, seed, process_time() - started)


def main() -> None:
    """Print a row for each world, the mean regret of each policy, and the memory of the process."""
    parser = ArgumentParser(description="Draw and measure uncertain worlds.")
    parser.add_argument("--seeds", type=int, default=18, help="how many worlds (default 18)")
    parser.add_argument("--first-seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--publish", type=Path, help="publish the worlds into this folder")
    chosen = parser.parse_args()
    header = ["family", "skin", "seed", *map(str, POLICIES), "belief states", "words", "draws", "CPU s"]
    print(f"| {' | '.join(header)} |\n{'|---' * len(header)}|")
    worlds: list[TimedWorld] = []
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds):
        world = draw_world(seed)
        worlds.append(world)
        print(world.format_row(), flush=True)
        if chosen.publish is not None:
            stamps = ClockReadings(missing="an uncertain world has no pipeline to time")
            publish_world(world.found, chosen.publish, seed=seed, stamps=stamps)
    print("\nmean regret against the optimum:")
    for name in POLICIES[1:]:
        regrets = [
            float(each.found.measures.values[PolicyName.OPTIMAL] - each.found.measures.values[name])
            for each in worlds
        ]
        print(f"  {name}: {mean(regrets):.3f}, least {min(regrets):.3f}, most {max(regrets):.3f}")
    print(f"most memory: {getrusage(RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
