"""How many scenarios with different solutions the catalogue can make, cell by cell, beside what 500 scenarios need.

`python -m benchmarks.capacity` draws every offer once. Two offers with the same solution, up to numbers, count once: their
skin, the verbs of their ways (or what stops every way) and the status decide.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict

from impossible_moments.blueprints import InstanceTrial, draw_and_check_instance, load_shipped_catalogue
from impossible_moments.domain.vocabulary import CATEGORIES, TIERS, parse_main_status
from impossible_moments.library import load_everyday_library

# Specification 7.3: scenarios in a tier, and the share of each status in per cent.
NEEDED = {
    "SPARK": (75, {"KS": 80, "DG": 10, "MT": 10}),
    "FRACTURE": (175, {"KS": 65, "CT": 15, "MT": 10, "PX": 5, "DG": 5}),
    "RUPTURE": (150, {"KS": 50, "CT": 20, "PX": 15, "OF": 10, "MT": 5}),
    "SINGULARITY": (75, {"OF": 30, "CT": 25, "PX": 25, "KS": 15, "MT": 5}),
    "IMPOSSIBLE": (25, {"OF": 50, "PX": 30, "CT": 20}),
}
RESERVE = 1.5


def describe_solution(trial: InstanceTrial) -> tuple[str, ...]:
    """Return what identifies the solution of a drawn scenario, without its numbers."""
    verdict, skin = trial.report.verdict, trial.instance.offer.skin.name
    assert verdict is not None, "accepted trials have a verdict"
    ways = [way for way in (*verdict.ways, verdict.outside) if way is not None]
    calls = sorted({call.partition("[")[0] for way in ways for call in way.calls})
    return (skin, parse_main_status(trial.status), *calls)


def main() -> None:
    """Print the capacity of each cell."""
    parser = ArgumentParser(description="Count scenarios with different solutions for each tier and status.")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draws (default 0)")
    seed = parser.parse_args().seed
    catalogue, library = load_shipped_catalogue(), load_everyday_library()
    offers: dict[tuple[str, str], int] = defaultdict(int)
    solutions: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for category in CATEGORIES:
        for offer in catalogue.iterate_offers(category):
            trial = draw_and_check_instance(offer, library, seed, 0)
            if trial.accepted and trial.tier is not None:
                cell = (str(trial.tier), str(parse_main_status(trial.status)))
                offers[cell] += 1
                solutions[cell].add(describe_solution(trial))
    print(f"{'tier':12}{'status':8}{'needed':>8}{'x 1.5':>8}{'offers':>8}{'solutions':>11}")
    for tier in TIERS:
        count, shares = NEEDED[tier]
        statuses = [*shares, *sorted({status for name, status in offers if name == tier} - set(shares))]
        for status in statuses:
            needed = count * shares.get(status, 0) / 100
            cell = (str(tier), str(status))
            short = "  short" if len(solutions[cell]) < RESERVE * needed else ""
            print(
                f"{tier:12}{status:8}{needed:8.1f}{RESERVE * needed:8.1f}{offers[cell]:8}{len(solutions[cell]):11}{short}"
            )
    print(f"all: {sum(offers.values())} offers, {sum(map(len, solutions.values()))} solutions")


if __name__ == "__main__":
    main()
