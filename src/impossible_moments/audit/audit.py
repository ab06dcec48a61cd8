"""Audit of one document: all checks on a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Protocol

from impossible_moments.audit import (
    asides,
    calculations,
    contradictions,
    density,
    fuels,
    goods,
    leaks,
    ratios,
    repeats,
    scale,
    scratch,
    shapes,
    structure,
    sums,
    timing,
    triples,
)
from impossible_moments.audit.markdown import MarkdownDocument
from impossible_moments.audit.nearness import find_answer_like_lines
from impossible_moments.audit.parts import split_document_parts
from impossible_moments.audit.report import DocumentAudit, AuditFinding, create_finding
from impossible_moments.scenarios.embedding import Embedder

LARGEST: Final = 2_000_000
"""Maximum number of characters that are read. A scenario has about twenty thousand."""


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
    calculations.find_wrong_equations,
    asides.find_wrong_explanations,
    ratios.find_wrong_ratios,
    scale.find_wrong_body_multiples,
    shapes.find_wrong_shape_sizes,
    fuels.find_wrong_fuel_energies,
)
"""Checks that recompute the calculations of a text."""
_COMPARED: Final[tuple[tuple[str, Callable[[MarkdownDocument], Iterator[_Contradiction]]], ...]] = (
    ("arithmetic.sum", sums.find_wrong_totals),
    ("density.impossible", density.find_too_heavy_objects),
    ("density.unusual", density.find_too_light_objects),
    ("density.unusual", goods.find_sheet_and_liquid_misfits),
    ("value.twice", contradictions.find_mass_disagreements),
)
"""Checks that compare two statements, with the code of their findings."""


def audit_document(text: str, name: str = "", *, blind: bool = False, embedder: Embedder | None = None) -> DocumentAudit:
    """Run all checks on a text and return the findings in line order.

    `name` identifies the document in the result. `blind` restricts leak checks to the text of the scenario.
    With an embedder, lines that resemble the answer are reported too.
    """
    notes: list[AuditFinding] = []
    if not text.strip():
        return DocumentAudit(name, (create_finding(1, "document.empty", "the document contains no text"),))
    if "\x00" in text[:LARGEST]:
        return DocumentAudit(
            name,
            (create_finding(1, "document.binary", "the document is not a text file: it contains null characters"),),
        )
    if len(text) > LARGEST:
        notes.append(
            create_finding(
                1,
                "document.cut",
                f"the document has {len(text):,} characters, only the first {LARGEST:,} were read",
                str(len(text)),
            )
        )
    document = MarkdownDocument(text[:LARGEST])
    notes += _run_checks(document, blind=blind)
    if embedder is not None:
        notes += _find_semantic_notes(document, notes, embedder)
    return DocumentAudit(name, tuple(sorted(dict.fromkeys(notes), key=lambda each: (each.line, each.code))))


def _run_checks(document: MarkdownDocument, *, blind: bool) -> Iterator[AuditFinding]:
    for defect in structure.find_structure_defects(document):
        yield create_finding(defect.line, defect.code, defect.what, defect.found, defect.expected)
    numbers = list(_check_numbers_and_times(document))
    yield from numbers
    wrong = {each.line for each in numbers}
    for mistake in triples.find_inconsistent_amounts(document):
        if mistake.line not in wrong:
            yield create_finding(mistake.line, "arithmetic.apart", mistake.what, mistake.printed, mistake.correct)
    for leak in leaks.find_leaks(document, split_document_parts(document), blind=blind):
        yield create_finding(leak.line, leak.code, leak.what, leak.quote)
    for remark in scratch.find_author_remarks(document):
        yield create_finding(remark.line, "scratch.left", "left-over thinking of the author in the text", remark.quote)
    for doubt in scratch.find_doubtful_lines(document):
        yield create_finding(
            doubt.line, "scratch.doubt", "the line corrects itself or leaves something open", doubt.quote
        )


def _check_numbers_and_times(document: MarkdownDocument) -> Iterator[AuditFinding]:
    for mistakes in _COMPUTED:
        for mistake in mistakes(document):
            yield create_finding(mistake.line, "arithmetic.wrong", mistake.what, mistake.printed, mistake.correct)
    for code, misfits in _COMPARED:
        for misfit in misfits(document):
            yield create_finding(misfit.line, code, misfit.what, misfit.found, misfit.expected)
    for slip in timing.find_time_contradictions(document):
        yield create_finding(slip.line, slip.code, slip.what, slip.found, slip.expected)


def _find_semantic_notes(document: MarkdownDocument, known: list[AuditFinding], embedder: Embedder) -> Iterator[AuditFinding]:
    leaking = {each.line for each in known if each.code.startswith("leak.")}
    for each in find_answer_like_lines(document, split_document_parts(document), embedder):
        if each.line not in leaking:
            what = f"this line may hint at `{each.insight[:120]}` (hint score {each.weight:.1f})"
            yield create_finding(each.line, "leak.near", what, each.text)
    wrong = {each.line for each in known if each.code.startswith("timing.")}
    for slip in repeats.find_conflicting_step_durations(document, embedder):
        if slip.line not in wrong:
            yield create_finding(slip.line, slip.code, slip.what, slip.found, slip.expected)
