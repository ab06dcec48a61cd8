"""Audit of one document: all checks on a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Protocol

from impossible_moments.audit.densities import object_density, sheets_and_liquids
from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.documents.parts import split_document_parts
from impossible_moments.audit.documents.sources import LARGEST_DOCUMENT
from impossible_moments.audit.findings import AuditFinding, DocumentAudit, create_finding
from impossible_moments.audit.leaks import leak_patterns, leftover_thinking
from impossible_moments.audit.leaks.hint_scoring import find_answer_like_lines
from impossible_moments.audit.numbers import (
    amount_triples,
    body_scale,
    bracketed_amounts,
    equations,
    fuel_energies,
    mass_contradictions,
    ratios,
    shape_sizes,
    table_totals,
)
from impossible_moments.audit.structure import template_structure
from impossible_moments.audit.times import repeated_durations, time_contradictions
from impossible_moments.scenarios.similarity import Embedder


class _Contradiction(Protocol):
    """Contradiction between two statements of a document."""

    @property
    def line(self) -> int: ...
    @property
    def what(self) -> str: ...
    @property
    def found(self) -> str: ...
    @property
    def expected(self) -> str: ...


_COMPUTED: Final = (
    equations.find_wrong_equations,
    bracketed_amounts.find_wrong_explanations,
    ratios.find_wrong_ratios,
    body_scale.find_wrong_body_multiples,
    shape_sizes.find_wrong_shape_sizes,
    fuel_energies.find_wrong_fuel_energies,
)
"""Checks that recompute the calculations of a text."""
_CONTRADICTION_CHECKS: Final[
    tuple[tuple[str, Callable[[MarkdownDocument], Iterator[_Contradiction]]], ...]
] = (
    ("arithmetic.sum", table_totals.find_wrong_totals),
    ("density.impossible", object_density.find_too_heavy_objects),
    ("density.unusual", object_density.find_too_light_objects),
    ("density.unusual", sheets_and_liquids.find_sheet_and_liquid_misfits),
    ("value.twice", mass_contradictions.find_mass_disagreements),
)
"""Checks that compare two statements, with the code of their findings."""


def audit_document(
    text: str, name: str = "", *, blind: bool = False, embedder: Embedder | None = None
) -> DocumentAudit:
    """Run all checks on a text and return the findings in line order.

    `name` identifies the document in the result. `blind` restricts leak checks to the text of the scenario.
    With an embedder, lines that resemble the answer are reported too.
    """
    notes: list[AuditFinding] = []
    if not text.strip():
        return DocumentAudit(name, (create_finding(1, "document.empty", "the document contains no text"),))
    if "\x00" in text[:LARGEST_DOCUMENT]:
        return DocumentAudit(
            name,
            (
                create_finding(
                    1, "document.binary", "the document is not a text file: it contains null characters"
                ),
            ),
        )
    if len(text) > LARGEST_DOCUMENT:
        notes.append(
            create_finding(
                1,
                "document.cut",
                f"the document has {len(text):,} characters, only the first {LARGEST_DOCUMENT:,} were read",
                str(len(text)),
            )
        )
    document = MarkdownDocument(text[:LARGEST_DOCUMENT])
    notes += _run_checks(document, blind=blind)
    if embedder is not None:
        notes += _find_notes_by_embedding(document, notes, embedder)
    return DocumentAudit(name, tuple(sorted(dict.fromkeys(notes), key=lambda each: (each.line, each.code))))


def _run_checks(document: MarkdownDocument, *, blind: bool) -> Iterator[AuditFinding]:
    for defect in template_structure.find_structure_defects(document):
        yield create_finding(defect.line, defect.code, defect.what, defect.found, defect.expected)
    numbers = list(_check_numbers_and_times(document))
    yield from numbers
    wrong_lines = {each.line for each in numbers}
    for mistake in amount_triples.find_inconsistent_amounts(document):
        if mistake.line not in wrong_lines:
            yield create_finding(
                mistake.line, "arithmetic.apart", mistake.what, mistake.printed, mistake.correct
            )
    for leak in leak_patterns.find_leaks(document, split_document_parts(document), blind=blind):
        yield create_finding(leak.line, leak.code, leak.what, leak.quote)
    for remark in leftover_thinking.find_author_remarks(document):
        yield create_finding(
            remark.line, "scratch.left", "left-over thinking of the author in the text", remark.quote
        )
    for doubt in leftover_thinking.find_possible_author_remarks(document):
        yield create_finding(
            doubt.line, "scratch.doubt", "the line corrects itself or leaves something open", doubt.quote
        )


def _check_numbers_and_times(document: MarkdownDocument) -> Iterator[AuditFinding]:
    for mistakes in _COMPUTED:
        for mistake in mistakes(document):
            yield create_finding(
                mistake.line, "arithmetic.wrong", mistake.what, mistake.printed, mistake.correct
            )
    for code, find_contradictions in _CONTRADICTION_CHECKS:
        for contradiction in find_contradictions(document):
            yield create_finding(
                contradiction.line, code, contradiction.what, contradiction.found, contradiction.expected
            )
    for contradiction in time_contradictions.find_time_contradictions(document):
        yield create_finding(
            contradiction.line,
            contradiction.code,
            contradiction.what,
            contradiction.found,
            contradiction.expected,
        )


def _find_notes_by_embedding(
    document: MarkdownDocument, known: list[AuditFinding], embedder: Embedder
) -> Iterator[AuditFinding]:
    leaking = {each.line for each in known if each.code.startswith("leak.")}
    for each in find_answer_like_lines(document, split_document_parts(document), embedder):
        if each.line not in leaking:
            message = f"this line may hint at `{each.insight[:120]}` (hint score {each.weight:.1f})"
            yield create_finding(each.line, "leak.near", message, each.text)
    wrong_lines = {each.line for each in known if each.code.startswith("timing.")}
    for contradiction in repeated_durations.find_conflicting_step_durations(document, embedder):
        if contradiction.line not in wrong_lines:
            yield create_finding(
                contradiction.line,
                contradiction.code,
                contradiction.what,
                contradiction.found,
                contradiction.expected,
            )
