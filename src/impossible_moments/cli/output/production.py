"""Tables of coverage plans and production runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from impossible_moments.agents import MetricHealth
from impossible_moments.cli.output.formatting import escape_for_terminal
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, Phase
from impossible_moments.ledger import ScenarioState
from impossible_moments.production import BatchMetric, Cell, CoveragePlan, ProductionOutcome


def print_plan(plan: CoveragePlan) -> None:
    """Print what will be made, what cannot be met, and how many designs are expected."""
    console = Console()
    console.print(
        f"{plan.total} scenarios to make, {sum(plan.made.values())} made, {plan.targets.total} wanted; "
        f"{len(plan.split_into_batches())} batches of at most {plan.targets.batch_size}; "
        f"about {plan.targets.compute_expected_seeds(plan.total):.0f} designs at the expected attrition",
        highlight=False,
    )
    _print_coverage(
        console,
        plan,
        {cell: plan.counts.get(cell, 0) + plan.made.get(cell, 0) for cell in {*plan.counts, *plan.made}},
    )


def print_production(outcome: ProductionOutcome, folder: Path) -> None:
    """Print each batch, the losses by phase, the coverage, and what is missing."""
    console = Console()
    table = create_table(
        "batch",
        "accepted",
        "discarded",
        "awaiting human",
        "failed",
        "time",
        right=("batch", "accepted", "discarded", "awaiting human", "failed", "time"),
    )
    for batch in outcome.batches:
        table.add_row(
            str(batch.number or "resumed"),
            *(
                str(batch.count(state))
                for state in (
                    ScenarioState.ACCEPTED,
                    ScenarioState.DISCARDED,
                    ScenarioState.AWAITING_HUMAN,
                    ScenarioState.FAILED,
                )
            ),
            f"{batch.seconds:.0f} s",
        )
    console.print(table)
    if outcome.lost:
        losses = ", ".join(f"{phase} {outcome.lost[phase]}" for phase in Phase if outcome.lost.get(phase))
        console.print(f"discarded by phase: {losses or 'none'}", highlight=False)
    _print_coverage(console, outcome.plan, outcome.made)
    print_metrics(outcome)
    made = sum(outcome.made.values())
    console.print(
        f"{made} of {outcome.targets.total} scenarios are in {escape_for_terminal(folder)}.", highlight=False
    )
    if outcome.missing:
        console.print(
            f"{outcome.missing} are missing. `im review list --output {escape_for_terminal(folder)}` shows scenarios that wait for a human; "
            "run the same command again after decisions, or with another --seed for other designs.",
            highlight=False,
        )


def print_metrics(outcome: ProductionOutcome) -> None:
    """Print the metrics of every batch, what drifts, and the metrics of all scenarios."""
    console = Console()
    names = [metric.name for metric in outcome.measured[0].metrics] if outcome.measured else []
    table = create_table("batch", *(str(each.number) for each in outcome.measured), "target")
    for place, name in enumerate(names):
        metrics = [each.metrics[place] for each in outcome.measured]
        table.add_row(name, *map(_format_metric, metrics), metrics[0].target)
    if names:
        console.print(table)
    for each in outcome.measured:
        for drift in each.drifts:
            console.print(f"batch {each.number}: {drift}", highlight=False)
    if outcome.system is None or not outcome.measured:
        return
    for name, shares in (
        ("passed without a revision", outcome.system.agreement_by_phase),
        ("vetoes by category", {name: n for name, n in outcome.system.veto_rate_by_category.items() if n}),
    ):
        words = ", ".join(f"{kind} {share:.0%}" for kind, share in shares.items())
        console.print(f"{name}: {words or 'none'}", highlight=False)
    if outcome.system.blind_accuracy is not None:
        console.print(
            f"blind classification as the informed one: {outcome.system.blind_accuracy:.0%}", highlight=False
        )
    for flag in outcome.system.list_red_flags():
        console.print(f"red flag: {flag}", highlight=False)


def print_milestone(share: float, plan: CoveragePlan) -> None:
    """Print what the audit of a milestone found: the counts that are off, which the next batches fill."""
    console = Console(stderr=True)
    made = sum(plan.made.values())
    console.print(f"milestone {share:.0%}: {made} of {plan.targets.total} scenarios", highlight=False)
    missing = Counter[str]()
    for cell, number in plan.counts.items():
        missing[cell.category] += number
    if missing:
        words = ", ".join(f"{name} {number}" for name, number in missing.most_common())
        console.print(f"  planned next: {words}", style="dim", highlight=False)
    for each in plan.list_unmet():
        console.print(f"  {each}", style="dim", highlight=False)


def _format_metric(metric: BatchMetric) -> str:
    if metric.value is None:
        return "-"
    shown = f"{metric.value:.1f}" if "minutes" in metric.name else f"{metric.value:.0%}"
    return f"{shown} !" if metric.health is MetricHealth.RED_FLAG else shown


def _print_coverage(console: Console, plan: CoveragePlan, counts: Mapping[Cell, int]) -> None:
    table = create_table("category", *TIERS, "all", "wanted", right=(*TIERS, "all", "wanted"))
    for category in CATEGORIES:
        row = [sum(n for cell, n in counts.items() if cell.is_in(category, tier)) for tier in TIERS]
        table.add_row(
            category,
            *(str(each or "") for each in row),
            str(sum(row)),
            str(plan.targets.categories.get(category, 0)),
        )
    columns = [sum(n for cell, n in counts.items() if cell.is_in(tier=tier)) for tier in TIERS]
    table.add_row("all", *map(str, columns), str(sum(columns)), str(plan.targets.total))
    table.add_row("wanted", *(str(plan.targets.tiers.get(tier, 0)) for tier in TIERS), "", "")
    console.print(table)
    statuses = Counter[str]()
    for cell, number in counts.items():
        statuses[cell.status] += number
    console.print(
        "by status: " + ", ".join(f"{status} {statuses[status]}" for status in STATUSES), highlight=False
    )
    unmet = plan.list_unmet()
    if unmet:
        console.print("\nnot as wanted:", highlight=False)
        for each in unmet:
            console.print(f"  {each}", highlight=False)


def describe_plan(plan: CoveragePlan) -> dict[str, object]:
    """Return a plan as data."""
    return {
        "wanted": plan.targets.total,
        "made": sum(plan.made.values()),
        "planned": plan.total,
        "expected_designs": round(plan.targets.compute_expected_seeds(plan.total)),
        "batches": [len(each) for each in plan.split_into_batches()],
        "cells": _describe_cells(plan.counts),
        "unmet": [
            {"target": each.name, "wanted": each.wanted, "planned": each.planned, "reason": each.reason}
            for each in plan.list_unmet()
        ],
    }


def describe_production(outcome: ProductionOutcome) -> dict[str, object]:
    """Return a production run as data."""
    return {
        "wanted": outcome.targets.total,
        "made": sum(outcome.made.values()),
        "missing": outcome.missing,
        "batches": [
            {
                "number": batch.number,
                "seconds": round(batch.seconds, 1),
                **{str(state): batch.count(state) for state in ScenarioState},
            }
            for batch in outcome.batches
        ],
        "lost_by_phase": dict(outcome.lost),
        "metrics": [
            {
                "batch": each.number,
                "scenarios": each.size,
                **{
                    metric.name: {
                        "value": metric.value,
                        "target": metric.target,
                        "health": str(metric.health),
                    }
                    for metric in each.metrics
                },
                "drifts": list(each.drifts),
            }
            for each in outcome.measured
        ],
        "system": None
        if outcome.system is None
        else {**asdict(outcome.system), "red_flags": list(outcome.system.list_red_flags())},
        "cells": _describe_cells(outcome.made),
        "unmet": [str(each) for each in outcome.plan.list_unmet()],
    }


def _describe_cells(counts: Mapping[Cell, int]) -> list[dict[str, object]]:
    return [{**cell._asdict(), "count": counts[cell]} for cell in sorted(counts)]
