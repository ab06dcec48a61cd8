"""Implementation of `im audit`: check scenario texts and print the findings."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

from rich.progress import track

from impossible_moments.audit import AuditFinding, DocumentAudit, add_duplicate_findings, create_finding
from impossible_moments.audit import audit_document as audit_text
from impossible_moments.audit.documents import DocumentSource, read_document_sources
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import escape_for_terminal
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.mechanics.findings import Severity
from impossible_moments.scenarios.similarity import load_wordllama_embedder

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


def audit_documents(
    paths: list[Path], *, as_json: bool, blind: bool, duplicates: bool, errors_only: bool, notes: bool = False
) -> int:
    """Audit every document and print the findings. Return the exit status."""
    progress = Console(stderr=True)
    known = list(read_document_sources(paths))
    quiet = len(known) < FEW or not progress.is_terminal
    audits = [
        _audit_source(each, blind=blind)
        for each in (known if quiet else track(known, "auditing", console=progress, transient=True))
    ]
    if duplicates and len(known) > 1:
        audits = add_duplicate_findings(known, audits)
    if errors_only:
        audits = [DocumentAudit(each.name, each.errors) for each in audits]
    if as_json:
        _print_audits_as_json(audits)
    elif len(audits) == 1:
        _print_audit_in_full(audits[0], notes=notes)
    else:
        _print_audit_summary(audits)
    return FOUND_ERRORS if any(each.errors for each in audits) else DONE


def _audit_source(source: DocumentSource, *, blind: bool) -> DocumentAudit:
    if source.problem:
        return DocumentAudit(source.name, (create_finding(1, "document.binary", source.problem),))
    return audit_text(source.text, source.name, blind=blind, embedder=load_wordllama_embedder())


def _print_audits_as_json(audits: list[DocumentAudit]) -> None:
    total = sum((each.counts for each in audits), Counter[str]())
    json.dump(
        {
            "documents": [each.to_dict() for each in audits],
            "errors": sum(len(each.errors) for each in audits),
            "errors_by_kind": dict(sorted(total.items())),
        },
        sys.stdout,
        indent=2,
        ensure_ascii=False,
    )
    sys.stdout.write("\n")


def _print_audit_in_full(result: DocumentAudit, *, notes: bool) -> None:
    console = Console()
    shown = tuple(each for each in result.findings if notes or each.severity is not Severity.NOTE)
    if not result.findings:
        console.print(f"[green]No findings[/] in {escape_for_terminal(result.name)}")
        return
    _print_findings_table(console, shown)
    unseen = len(result.findings) - len(shown)
    more = f". --notes shows {unseen} note{'s' * (unseen != 1)}." if unseen else ""
    console.print(f"{escape_for_terminal(result.name)}: {_format_error_counts(result)}{more}")


def _print_findings_table(console: Console, findings: tuple[AuditFinding, ...]) -> None:
    table = create_table("line", "", "code", "what", whole=("line", "", "code"), right=("line",))
    for each in findings:
        what = escape_for_terminal(each.what)
        if each.found and each.found not in each.what:
            what += f"\n[dim]found:[/] {escape_for_terminal(each.found)}"
        if each.expected and each.expected not in each.what:
            what += f"\n[dim]expected:[/] {escape_for_terminal(each.expected)}"
        table.add_row(
            f"[dim]{each.line}[/]", f"[{_COLOURS[each.severity]}]{each.severity}[/]", each.code, what
        )
    console.print(table)


def _print_audit_summary(audits: list[DocumentAudit]) -> None:
    console = Console()
    numbers = (*KINDS.values(), "errors", "warn.")
    table = create_table("document", *numbers, whole=numbers, right=numbers)
    table.collapse_padding = True
    for each in audits:
        counts = each.counts
        table.add_row(
            escape_for_terminal(_shorten_source_name(each.name)),
            *(_format_count_or_dot(counts[kind]) for kind in KINDS),
            _format_count_or_dot(len(each.errors)),
            _format_count_or_dot(len(each.warnings)),
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


def _shorten_source_name(name: str) -> str:
    """Return the file name of a path. For a line of a JSONL file, return its own name or its line number."""
    line = re.fullmatch(r".*\.jsonl:(\d+)(?: (.+))?", name)
    return Path(name).name if line is None else line[2] or f"line {line[1]}"


def _format_count_or_dot(count: int) -> str:
    return str(count) if count else "[dim]·[/]"


def _format_error_counts(result: DocumentAudit) -> str:
    errors, warnings = len(result.errors), len(result.warnings)
    colour = "red" if errors else "green"
    return f"[{colour}]{errors} error{'s' * (errors != 1)}[/], {warnings} warning{'s' * (warnings != 1)}"
