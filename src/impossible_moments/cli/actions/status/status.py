"""Implementation of `im status`: states of scenarios, losses of phases, metrics of finished scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import typer

from impossible_moments.agents import METRICS, MetricHealth, ScenarioMetric, is_delta_always_zero
from impossible_moments.cli.actions.status.scenario_metrics import ScenarioMetrics as Measured
from impossible_moments.cli.actions.status.scenario_metrics import measure_finished_scenarios
from impossible_moments.cli.actions.status.scenario_status import (
    PhaseLoss,
    ScenarioStatus,
    SystemState,
    compute_attrition,
    compute_system_state,
    list_scenario_statuses,
)
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import (
    escape_for_terminal,
    format_time_span,
    format_utc_time,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.domain.thresholds import EXPECTED_ATTRITION, HEALTHY_ESCALATION_RATES
from impossible_moments.ledger import ScenarioState, list_escalated_scenarios, list_usages
from impossible_moments.pipeline import SystemClock
from impossible_moments.scenarios import ScenarioRegistry

COLOURS: Final = {
    ScenarioState.RUNNING: "cyan",
    ScenarioState.AWAITING_HUMAN: "yellow",
    ScenarioState.ACCEPTED: "green",
    ScenarioState.DISCARDED: "dim",
    ScenarioState.FAILED: "red",
}
MARKS: Final = {
    MetricHealth.HEALTHY: "green",
    MetricHealth.UNUSUAL: "yellow",
    MetricHealth.RED_FLAG: "red",
    MetricHealth.UNKNOWN: "dim",
}
DELTA: Final = METRICS[-1].name
NEVER_DECEIVES: Final = "Red flag: SOCRATES never changed its classification after the reveal, so the scenarios create no illusion of impossibility."


def show_status(folder: Path, *, as_json: bool, metrics: bool = False, config: Path | None = None) -> int:
    """Print the status of the scenarios of a folder, their model usage, and their metrics if requested."""
    now = SystemClock().now()
    with open_ledger(folder) as store:
        found = list_scenario_statuses(store)
        health = measure_finished_scenarios(store, found, folder, config=config) if metrics else {}
        taken = _sum_model_usage(store.read_and_wait(list_usages))
        escalated = store.read_and_wait(list_escalated_scenarios)
    registry = ScenarioRegistry(folder)
    state = compute_system_state(registry.entries, found, escalated)
    if (loss := registry.find_loss()) is not None:
        typer.echo(f"im: {loss}", err=True)
    if as_json:
        print_json(
            {
                "scenarios": [
                    {
                        **_convert_status_to_dict(each, health.get(each.scenario), now),
                        **_convert_usage_to_dict(taken.get(each.scenario)),
                    }
                    for each in found
                ],
                "system": state.to_data(),
                "states": dict(Counter(str(each.state) for each in found)),
                "attrition": [_convert_loss_to_dict(each) for each in compute_attrition(found)],
                "red_flags": [NEVER_DECEIVES] if _is_illusion_delta_always_zero(health) else [],
            }
        )
        return DONE
    _print_status_table(found, now)
    _print_system_state(Console(), state)
    if any(each.tokens for each in taken.values()):
        whole = sum((each.dollars for each in taken.values()), Decimal(0))
        Console().print(f"Model usage: {sum(each.tokens for each in taken.values()):,} tokens, ${whole:.4f}")
    if metrics:
        _print_metrics(health)
    return DONE


@dataclass
class _ModelUsage:
    """Model tokens and cost of a scenario."""

    tokens: int = 0
    dollars: Decimal = Decimal(0)


def _sum_model_usage(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, _ModelUsage]:
    found: dict[str, _ModelUsage] = {}
    for scenario, usage in rows:
        taken = found.setdefault(scenario, _ModelUsage())
        taken.tokens += int(usage.get("tokens", 0))
        taken.dollars += Decimal(usage.get("cost") or 0)
    return found


def _convert_usage_to_dict(taken: _ModelUsage | None) -> dict[str, Any]:
    return {"tokens": taken.tokens if taken else 0, "cost": str(taken.dollars if taken else 0)}


def _convert_status_to_dict(each: ScenarioStatus, health: Measured | None, now: float) -> dict[str, Any]:
    question = each.question
    return {
        "scenario": each.scenario,
        "state": each.state,
        "phase": each.phase,
        "reason": each.reason,
        "runner": each.runner,
        "changed_at": format_utc_time(each.row.changed_at),
        "question": None
        if question is None
        else {
            "key": question.key,
            "due_at": format_utc_time(question.due_at),
            "overdue": now > question.due_at,
        },
        "metrics": None if health is None else [asdict(metric) for metric in health.metrics],
        "unmeasured": "" if health is None else health.problem,
    }


def _convert_loss_to_dict(each: PhaseLoss) -> dict[str, Any]:
    return {**asdict(each), "share": each.share, "expected": EXPECTED_ATTRITION[each.phase]}


def _print_status_table(found: Sequence[ScenarioStatus], now: float) -> None:
    console = Console()
    if not found:
        console.print("No scenarios have been started here.")
        return
    table = create_table("scenario", "state", "phase", "what", whole=("scenario", "state", "phase"))
    for each in found:
        colour = COLOURS[each.state]
        table.add_row(
            escape_for_terminal(each.scenario),
            f"[{colour}]{each.state}[/]",
            escape_for_terminal(each.phase or "-"),
            _describe_progress(each, now),
        )
    console.print(table)
    counts = Counter(each.state for each in found)
    console.print(", ".join(f"{counts[state]} {state}" for state in ScenarioState if counts[state]))
    losses = compute_attrition(found)
    if losses[0].entered:
        _print_phase_losses(console, losses)


def _describe_progress(each: ScenarioStatus, now: float) -> str:
    if each.question is not None:
        left = each.question.due_at - now
        due = (
            f"[red]overdue by {format_time_span(left)}[/]"
            if left < 0
            else f"due {format_utc_time(each.question.due_at)}"
        )
        return f"{due}: {escape_for_terminal(each.question.key)}"
    if each.state is ScenarioState.RUNNING:
        return f"by {escape_for_terminal(each.runner)}" if each.runner else "[dim]no active runner[/]"
    return escape_for_terminal(each.reason)


def _print_phase_losses(console: Console, losses: Sequence[PhaseLoss]) -> None:
    table = create_table("phase", "entered", "discarded", "share", "expected", whole=("phase",))
    for each in losses:
        share = "-" if each.share is None else f"{each.share:.0%}"
        table.add_row(
            each.phase, str(each.entered), str(each.discarded), share, f"{EXPECTED_ATTRITION[each.phase]:.0%}"
        )
    console.print()
    console.print(table)


def _print_system_state(console: Console, state: SystemState) -> None:
    """Print the counts as a table, with a line on completion."""
    if not state.counts:
        return
    table = create_table("by", "value", "published", "in work", whole=("by", "value"))
    for each in state.counts:
        table.add_row(each.kind, each.value, str(each.published), str(each.in_work))
    console.print()
    console.print(table)
    if state.completion is not None:
        console.print(
            f"{state.finished} of {state.started} started scenarios are finished ({state.completion:.0%})."
        )
    if state.escalation_rate is not None:
        lowest, highest = HEALTHY_ESCALATION_RATES
        console.print(
            f"A human was asked about {state.escalated} of them ({state.escalation_rate:.0%}, healthy are {lowest:.0%} to "
            f"{highest:.0%}): {state.escalation_health}."
        )


def _print_metrics(health: Mapping[str, Measured]) -> None:
    console = Console()
    for name, measured in health.items():
        console.print()
        if measured.problem:
            console.print(
                f"[bold]{escape_for_terminal(name)}[/]: metrics are not available: {escape_for_terminal(measured.problem)}"
            )
            continue
        console.print(f"[bold]{escape_for_terminal(name)}[/]")
        table = create_table("metric", "value", "healthy", "red flag", "", whole=("value",))
        for each in measured.metrics:
            mark = f"[{MARKS[each.health]}]{each.health}[/]"
            table.add_row(each.name, _format_metric_value(each), each.healthy, each.red_flag, mark)
        console.print(table)
    if _is_illusion_delta_always_zero(health):
        console.print(f"[red]{NEVER_DECEIVES}[/]")


def _format_metric_value(metric: ScenarioMetric) -> str:
    return "-" if metric.value is None else f"{metric.value:.4g}"


def _is_illusion_delta_always_zero(health: Mapping[str, Measured]) -> bool:
    return is_delta_always_zero(
        metric.value for each in health.values() for metric in each.metrics if metric.name == DELTA
    )
