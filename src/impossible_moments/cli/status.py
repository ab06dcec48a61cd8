"""Implementation of `im status`: states of scenarios, losses of phases, metrics of finished scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from impossible_moments.agents.metrics import METRICS, Health, Metric, never_deceives
from impossible_moments.cli.health import Health as Measured
from impossible_moments.cli.health import healths
from impossible_moments.cli.outcome import DONE
from impossible_moments.cli.output_folder import opened
from impossible_moments.cli.printing import hours, print_json, said, utc
from impossible_moments.cli.standing import BUDGET, Loss, Standing, attrition, standings
from impossible_moments.ledger.leases import State
from impossible_moments.ledger.ledger import usages
from impossible_moments.runtime.clock import SystemClock

COLOURS: Final = {
    State.RUNNING: "cyan",
    State.AWAITING_HUMAN: "yellow",
    State.ACCEPTED: "green",
    State.DISCARDED: "dim",
    State.FAILED: "red",
}
MARKS: Final = {
    Health.HEALTHY: "green",
    Health.UNUSUAL: "yellow",
    Health.RED_FLAG: "red",
    Health.UNKNOWN: "dim",
}
DELTA: Final = METRICS[-1].name
NEVER_DECEIVES: Final = "Red flag: SOCRATES never changed its classification after the reveal, so the scenarios create no illusion of impossibility."


def status(folder: Path, *, as_json: bool, metrics: bool = False, config: Path | None = None) -> int:
    """Print the status of the scenarios of a folder, their model usage, and their metrics if requested."""
    now = SystemClock().now()
    with opened(folder) as store:
        found = standings(store, now)
        health = healths(store, found, folder, config=config) if metrics else {}
        taken = _taken(store.read_now(usages))
    if as_json:
        print_json(
            {
                "scenarios": [
                    {**_data(each, health.get(each.scenario), now), **_cost(taken.get(each.scenario))}
                    for each in found
                ],
                "states": dict(Counter(str(each.state) for each in found)),
                "attrition": [_loss(each) for each in attrition(found)],
                "red_flags": [NEVER_DECEIVES] if _never_deceives(health) else [],
            }
        )
        return DONE
    _show(found, now)
    if any(each.tokens for each in taken.values()):
        whole = sum((each.dollars for each in taken.values()), Decimal(0))
        Console().print(f"Model usage: {sum(each.tokens for each in taken.values()):,} tokens, ${whole:.4f}")
    if metrics:
        _show_health(health)
    return DONE


@dataclass
class _Taken:
    """Model tokens and cost of a scenario."""

    tokens: int = 0
    dollars: Decimal = Decimal(0)


def _taken(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, _Taken]:
    found: dict[str, _Taken] = {}
    for scenario, usage in rows:
        taken = found.setdefault(scenario, _Taken())
        taken.tokens += int(usage.get("tokens", 0))
        taken.dollars += Decimal(usage.get("cost") or 0)
    return found


def _cost(taken: _Taken | None) -> dict[str, Any]:
    return {"tokens": taken.tokens if taken else 0, "cost": str(taken.dollars if taken else 0)}


def _data(each: Standing, health: Measured | None, now: float) -> dict[str, Any]:
    question = each.question
    return {
        "scenario": each.scenario,
        "state": each.state,
        "phase": each.phase,
        "reason": each.reason,
        "runner": each.runner,
        "changed_at": utc(each.row.changed_at),
        "question": None
        if question is None
        else {"key": question.key, "due_at": utc(question.due_at), "overdue": now > question.due_at},
        "metrics": None if health is None else [asdict(metric) for metric in health.metrics],
        "unmeasured": "" if health is None else health.problem,
    }


def _loss(each: Loss) -> dict[str, Any]:
    return {**asdict(each), "share": each.share, "expected": BUDGET[each.phase]}


def _show(found: Sequence[Standing], now: float) -> None:
    console = Console()
    if not found:
        console.print("No scenarios have been started here.")
        return
    table = _table("scenario", "state", "phase", "what")
    for each in found:
        colour = COLOURS[each.state]
        table.add_row(
            said(each.scenario), f"[{colour}]{each.state}[/]", said(each.phase or "-"), _what(each, now)
        )
    console.print(table)
    counts = Counter(each.state for each in found)
    console.print(", ".join(f"{counts[state]} {state}" for state in State if counts[state]))
    losses = attrition(found)
    if losses[0].entered:
        _show_losses(console, losses)


def _what(each: Standing, now: float) -> str:
    if each.question is not None:
        left = each.question.due_at - now
        due = f"[red]overdue by {hours(left)}[/]" if left < 0 else f"due {utc(each.question.due_at)}"
        return f"{due}: {said(each.question.key)}"
    if each.state is State.RUNNING:
        return f"by {said(each.runner)}" if each.runner else "[dim]no active runner[/]"
    return said(each.reason)


def _show_losses(console: Console, losses: Sequence[Loss]) -> None:
    table = _table("phase", "entered", "discarded", "share", "expected")
    for each in losses:
        share = "-" if each.share is None else f"{each.share:.0%}"
        table.add_row(each.phase, str(each.entered), str(each.discarded), share, f"{BUDGET[each.phase]:.0%}")
    console.print()
    console.print(table)


def _show_health(health: Mapping[str, Measured]) -> None:
    console = Console()
    for name, measured in health.items():
        console.print()
        if measured.problem:
            console.print(f"[bold]{said(name)}[/]: metrics are not available: {said(measured.problem)}")
            continue
        console.print(f"[bold]{said(name)}[/]")
        table = _table("metric", "value", "healthy", "red flag", "")
        for each in measured.metrics:
            mark = f"[{MARKS[each.health]}]{each.health}[/]"
            table.add_row(each.name, _value(each), each.healthy, each.red_flag, mark)
        console.print(table)
    if _never_deceives(health):
        console.print(f"[red]{NEVER_DECEIVES}[/]")


def _value(metric: Metric) -> str:
    return "-" if metric.value is None else f"{metric.value:.4g}"


def _never_deceives(health: Mapping[str, Measured]) -> bool:
    return never_deceives(
        metric.value for each in health.values() for metric in each.metrics if metric.name == DELTA
    )


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, no_wrap=head in {"scenario", "state", "phase"})
    return table
