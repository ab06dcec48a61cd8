"""Produce a small set to coverage targets in batches, and look at the plan, the batches and the metrics.

Run it from the repository: `python examples/batch_production.py`. It takes a minute and needs no key.
"""

from __future__ import annotations

import tempfile

from impossible_moments import Pipeline
from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.ledger import ScenarioState
from impossible_moments.production import BatchManager, ScenarioSupply, load_coverage_targets


def main() -> None:
    """Plan six scenarios in the proportions of the specification, produce them in two batches, and print figures."""
    targets = load_coverage_targets().scale(6).model_copy(update={"batch_size": 3})
    with tempfile.TemporaryDirectory() as folder:
        manager = BatchManager(
            Pipeline(output=folder), targets, ScenarioSupply(load_builtin_cast().catalogue, seed=1)
        )
        plan = manager.plan()
        for cell, number in plan.counts.items():
            print(f"planned: {number} x {cell.category}, {cell.tier}, {cell.status}")
        outcome = manager.run()
    for batch in outcome.batches:
        print(
            f"batch {batch.number}: {batch.count(ScenarioState.ACCEPTED)} accepted in {batch.seconds:.0f} s"
        )
    for measured in outcome.measured:
        for metric in measured.metrics:
            print(
                f"batch {measured.number}: {metric.name} {metric.value:.2f} (target: {metric.target}): {metric.health}"
            )
    print(f"{sum(outcome.made.values())} of {targets.total} scenarios were made.")


if __name__ == "__main__":
    main()
