"""Implementation of `im audit`: check scenario texts and print the findings."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from impossible_moments.audit.audit import audit as audit_text
from impossible_moments.audit.duplicates import duplicates_in
from impossible_moments.audit.report import Audit, Found, found
from impossible_moments.audit.sources import Source, sources
from impossible_moments.cli.outcome import DONE, FOUND_ERRORS
from impossible_moments.mechanics.findings import Severity
from impossible_moments.scenarios.embedding import wordllama_embedder

KINDS = {
    "arithmetic": "sums",
    "timing": "time",
    "density": "dens.",
    "leak": "leak",
    "scratch": "scratch",
    "enum": "enum",
    "document": "file",
}
"""Kinds of errors with the headings of their columns."""
FEW = 8
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def audit(
    paths: list[Path], *, as_json: bool, blind: bool, duplicates: bool, errors_only: bool, notes: bool = False
) -> int:
    """Audit every document and print the findings. Return the exit status."""
    progress = Console(stderr=True)
    known = list(sources(paths))
    quiet = len(known) < FEW or not progress.is_terminal
    audits = [
        _audited(each, blind=blind)
        for each in (known if quiet else track(known, "auditing", console=progress, transient=True))
    ]
    if duplicates and len(known) > 1:
        audits = duplicates_in(known, audits)
    if errors_only:
        audits = [Audit(each.name, each.errors) for each in audits]
    if as_json:
        _print_json(audits)
    elif len(audits) == 1:
        _show_one(audits[0], notes=notes)
    else:
        _show_many(audits)
    return FOUND_ERRORS if any(each.errors for each in audits) else DONE


def _audited(source: Source, *, blind: bool) -> Audit:
    if source.problem:
        return Audit(source.name, (found(1, "document.binary", source.problem),))
    return audit_text(source.text, source.name, blind=blind, embedder=wordllama_embedder())


def _print_json(audits: list[Audit]) -> None:
    total = sum((each.counts for each in audits), Counter[str]())
    json.dump(
        {
            "documents": [each.as_data() for each in audits],
            "errors": sum(len(each.errors) for each in audits),
            "errors_by_kind": dict(sorted(total.items())),
        },
        sys.stdout,
        indent=2,
        ensure_ascii=False,
    )
    sys.stdout.write("\n")


def _show_one(result: Audit, *, notes: bool) -> None:
    console = Console()
    shown = tuple(each for each in result.findings if notes or each.severity is not Severity.NOTE)
    if not result.findings:
        console.print(f"[green]No findings[/] in {escape(result.name)}")
        return
    _findings(console, shown)
    unseen = len(result.findings) - len(shown)
    more = f". --notes shows {unseen} note{'s' * (unseen != 1)}." if unseen else ""
    console.print(f"{escape(result.name)}: {_said(result)}{more}")


def _findings(console: Console, findings: tuple[Found, ...]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("line", justify="right", style="dim")
    table.add_column("")
    table.add_column("code", no_wrap=True)
    table.add_column("what")
    for each in findings:
        what = escape(each.what)
        if each.found and each.found not in each.what:
            what += f"\n[dim]found:[/] {escape(each.found)}"
        if each.expected and each.expected not in each.what:
            what += f"\n[dim]expected:[/] {escape(each.expected)}"
        table.add_row(str(each.line), f"[{_COLOURS[each.severity]}]{each.severity}[/]", each.code, what)
    console.print(table)


def _show_many(audits: list[Audit]) -> None:
    console = Console()
    table = Table(box=None, pad_edge=False)
    table.add_column("document", no_wrap=True)
    for head in (*KINDS.values(), "errors", "warnings"):
        table.add_column(head, justify="right")
    for each in audits:
        counts = each.counts
        table.add_row(
            escape(_short(each.name)),
            *(_number(counts[kind]) for kind in KINDS),
            _number(len(each.errors)),
            _number(len(each.warnings)),
        )
    total = sum((each.counts for each in audits), Counter[str]())
    table.add_section()
    table.add_row(
        f"[bold]{len(audits)} documents[/]", *(f"[bold]{total[kind]}[/]" for kind in KINDS),
        f"[bold]{sum(len(each.errors) for each in audits)}[/]", f"[bold]{sum(len(each.warnings) for each in audits)}[/]",
    )  # fmt: skip
    console.print(table)
    wrong = sum(1 for each in audits if each.errors)
    clean = len(audits) - wrong
    console.print(
        f"{wrong} with errors, {clean} without. `im audit FILE` shows all findings of one document, `--json` those of all."
    )


def _short(name: str) -> str:
    """Return the file name of a path. For a line of a JSONL file, return its own name or its line number."""
    line = re.fullmatch(r".*\.jsonl:(\d+)(?: (.+))?", name)
    return Path(name).name if line is None else line[2] or f"line {line[1]}"


def _number(count: int) -> str:
    return str(count) if count else "[dim]·[/]"


def _said(result: Audit) -> str:
    errors, warnings = len(result.errors), len(result.warnings)
    colour = "red" if errors else "green"
    return f"[{colour}]{errors} error{'s' * (errors != 1)}[/], {warnings} warning{'s' * (warnings != 1)}"
