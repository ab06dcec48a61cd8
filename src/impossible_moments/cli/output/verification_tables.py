"""Terminal output of `im verify`: one record in full, or a summary of many."""

from __future__ import annotations

from itertools import islice

from impossible_moments.cli.checked_record import CheckedRecord
from impossible_moments.cli.output.formatting import escape_for_terminal
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.mechanics.checks import (
    QuantitySensitivity,
    StatusVerdict,
    WorldAnalysis,
    compute_sensitivity_profile,
    find_counterfactual_variants,
    find_things_unused_by_plans,
)
from impossible_moments.mechanics.findings import Findings, Severity
from impossible_moments.mechanics.records import Library
from impossible_moments.mechanics.world import format_quantity_value

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}
_MOST_VARIANTS = 8
WIDE = 120


def print_record_report(checked: CheckedRecord, library: Library, *, deep: bool) -> None:
    """Print the complete report of one record."""
    console = Console()
    report = checked.report
    if report is None:
        Console(stderr=True).print(f"im: {escape_for_terminal(checked.problem)}", soft_wrap=True)
        return
    if report.record is not None:
        console.print(
            f"[bold]{escape_for_terminal(report.record.title)}[/] · {report.record.category} · claims {report.record.status.claim}"
        )
    if report.analysis is not None and report.verdict is not None:
        _print_verdict(console, report.analysis, report.verdict)
        _print_approaches(console, report.analysis)
        _print_plan_sensitivity(console, report.analysis, report.verdict)
        _print_cover_of_closed_mechanisms(console, report.verdict)
        if idle := find_things_unused_by_plans(report.analysis, report.verdict):
            console.print(f"Used in no solution: {', '.join(idle)}")
        if deep:
            _print_counterfactual_variants(console, report.analysis, report.verdict)
    _print_findings(console, report.findings)
    errors = len(report.findings.errors)
    verdict = (
        "[green]accepted[/]"
        if report.is_accepted
        else f"[red]rejected[/]: {errors} error{'s' * (errors != 1)}"
    )
    console.print(f"{verdict} within library {library}")


def print_records_summary(checked: list[CheckedRecord], library: Library) -> None:
    """Print one line for each record, then the errors of each record."""
    console = Console()
    numbers = ("errors", "warnings")
    table = create_table("record", "claims", "computed", *numbers, whole=numbers, right=numbers)
    for each in checked:
        report = each.report
        if report is None:
            table.add_row(each.path.name, "", "", "unreadable", "", style="red")
            continue
        computed = report.verdict.status if report.verdict else None
        errors, warnings = (
            len(report.findings.errors),
            len(report.findings.select_by_severity(Severity.WARNING)),
        )
        claim = report.record.status.claim if report.record else ""
        table.add_row(
            each.path.name,
            claim,
            computed or "undecided",
            str(errors),
            str(warnings),
            style="red" if errors else "",
        )
    console.print(table)
    for each in checked:
        if each.report is None:
            Console(stderr=True).print(f"im: {escape_for_terminal(each.problem)}", soft_wrap=True)
        elif each.report.findings.errors:
            console.print(f"\n[bold]{each.path.name}[/]")
            _print_findings(console, Findings(each.report.findings.errors))
    good = sum(each.report is not None and each.report.is_accepted for each in checked)
    console.print(f"{good} of {len(checked)} records accepted within library {library}")


def _print_verdict(console: Console, analysis: WorldAnalysis, verdict: StatusVerdict) -> None:
    console.print(
        f"Computed: [bold]{verdict.status or 'undecided'}[/], because {escape_for_terminal(verdict.reason)}",
        soft_wrap=True,
    )
    if verdict.crux is not None:
        console.print(
            f"Crux: {escape_for_terminal(format_quantity_value(analysis.world, verdict.crux.quantity, verdict.crux.at))}"
        )


def _print_approaches(console: Console, analysis: WorldAnalysis) -> None:
    # Show plans only if the terminal is wide enough.
    wide = console.width >= WIDE
    numbers = ("time", "of", "margin")
    heads = ("approach", "ends", *numbers, *(("plan",) if wide else ()))
    table = create_table(*heads, whole=numbers, right=numbers, title="Executed approaches")
    for name, outcome in analysis.outcomes.items():
        margin = outcome.least_margin if outcome.reaches_goal else outcome.failing_margin
        deadline = format_duration(outcome.deadline) if outcome.deadline else ""
        row = [
            name,
            outcome.end,
            format_duration(outcome.time),
            deadline,
            "" if margin is None else f"{margin:+.0%}",
        ]
        plan = [escape_for_terminal(" → ".join(move.text for move in analysis.plans[name]))] if wide else []
        table.add_row(*row, *plan, style="green" if outcome.reaches_goal else "")
    console.print(table)


def format_duration(seconds: float) -> str:
    """Return a duration in seconds as text in a suitable unit."""
    for size, name in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 3 * size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds:.3g} s"


def _print_plan_sensitivity(console: Console, analysis: WorldAnalysis, verdict: StatusVerdict) -> None:
    for way in verdict.ways[:3]:
        rows = compute_sensitivity_profile(analysis.executor, way.plan)
        breaking = [_format_breaking_quantity(each) for each in rows if each.breaks]
        calls, text = " → ".join(way.calls), "; ".join(breaking) if breaking else "no quantity"
        console.print(
            f"±20 % of {len(rows)} quantities, {escape_for_terminal(calls)}: broken by {escape_for_terminal(text)}",
            soft_wrap=True,
        )


def _format_breaking_quantity(each: QuantitySensitivity) -> str:
    ends = [f"{sign}20 %: {end}" for sign, end in (("−", each.lower), ("+", each.higher)) if end != "goal"]
    return f"{each.quantity} ({', '.join(ends)})"


def _print_cover_of_closed_mechanisms(console: Console, verdict: StatusVerdict) -> None:
    if not verdict.cells or verdict.status not in {"PX", None}:
        return
    mechanisms = list(dict.fromkeys(cell.mechanism for cell in verdict.cells))
    table = create_table("", *mechanisms, title="Cover")
    for thing in dict.fromkeys(cell.thing for cell in verdict.cells):
        row = {
            cell.mechanism: cell.closed_by or "[red]empty[/]" for cell in verdict.cells if cell.thing == thing
        }
        table.add_row(thing, *(row.get(mechanism, "") for mechanism in mechanisms))
    console.print(table)


def _print_counterfactual_variants(console: Console, analysis: WorldAnalysis, verdict: StatusVerdict) -> None:
    found = islice(find_counterfactual_variants(analysis, verdict), _MOST_VARIANTS)
    table = create_table("quantity", "times", "becomes", "plan", title="Nearest variants")
    for each in found:
        table.add_row(
            each.quantity, f"{each.factor:.3g}", each.becomes, escape_for_terminal(" → ".join(each.plan))
        )
    console.print(table)


def _print_findings(console: Console, findings: Findings) -> None:
    if not len(findings):
        return
    table = create_table("", "code", "where and what", whole=("", "code"), title="Findings")
    for severity in Severity:
        for finding in findings.select_by_severity(severity):
            lines = [f"[bold]{escape_for_terminal(finding.where)}[/] {escape_for_terminal(finding.what)}"]
            lines += [f"[dim]found:[/] {escape_for_terminal(finding.found)}"] if finding.found else []
            lines += (
                [f"[dim]expected:[/] {escape_for_terminal(finding.expected)}"] if finding.expected else []
            )
            table.add_row(f"[{_COLOURS[severity]}]{severity}[/]", finding.code, "\n".join(lines))
    console.print(table)
