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
from impossible_moments.audit.markdown import Document
from impossible_moments.audit.nearness import near_the_answer
from impossible_moments.audit.parts import parts_of
from impossible_moments.audit.report import Audit, Found, found
from impossible_moments.scenarios.embedding import Embedder

LARGEST: Final = 2_000_000
"""Maximum number of characters that are read. A scenario has about twenty thousand."""


class _Compared(Protocol):
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
    calculations.mistakes,
    asides.misexplained,
    ratios.misjudged,
    scale.misscaled,
    shapes.mismeasured,
    fuels.misfuelled,
)
"""Checks that recompute the calculations of a text."""
_COMPARED: Final[tuple[tuple[str, Callable[[Document], Iterator[_Compared]]], ...]] = (
    ("arithmetic.sum", sums.wrong_totals),
    ("density.impossible", density.too_heavy),
    ("density.unusual", density.too_light),
    ("density.unusual", goods.misweighed),
    ("value.twice", contradictions.disagreements),
)
"""Checks that compare two statements, with the code of their findings."""


def audit(text: str, name: str = "", *, blind: bool = False, embedder: Embedder | None = None) -> Audit:
    """Run all checks on a text and return the findings in line order.

    `name` identifies the document in the result. `blind` restricts leak checks to the text of the scenario.
    With an embedder, lines that resemble the answer are reported too.
    """
    notes: list[Found] = []
    if not text.strip():
        return Audit(name, (found(1, "document.empty", "the document contains no text"),))
    if "\x00" in text[:LARGEST]:
        return Audit(
            name,
            (found(1, "document.binary", "the document is not a text file: it contains null characters"),),
        )
    if len(text) > LARGEST:
        notes.append(
            found(
                1,
                "document.cut",
                f"the document has {len(text):,} characters, only the first {LARGEST:,} were read",
                str(len(text)),
            )
        )
    document = Document(text[:LARGEST])
    notes += _checks(document, blind=blind)
    if embedder is not None:
        notes += _by_meaning(document, notes, embedder)
    return Audit(name, tuple(sorted(dict.fromkeys(notes), key=lambda each: (each.line, each.code))))


def _checks(document: Document, *, blind: bool) -> Iterator[Found]:
    for defect in structure.defects(document):
        yield found(defect.line, defect.code, defect.what, defect.found, defect.expected)
    numbers = list(_numbers(document))
    yield from numbers
    wrong = {each.line for each in numbers}
    for mistake in triples.misjoined(document):
        if mistake.line not in wrong:
            yield found(mistake.line, "arithmetic.apart", mistake.what, mistake.printed, mistake.correct)
    for leak in leaks.leaks(document, parts_of(document), blind=blind):
        yield found(leak.line, leak.code, leak.what, leak.quote)
    for remark in scratch.remarks(document):
        yield found(remark.line, "scratch.left", "left-over thinking of the author in the text", remark.quote)
    for doubt in scratch.doubts(document):
        yield found(
            doubt.line, "scratch.doubt", "the line corrects itself or leaves something open", doubt.quote
        )


def _numbers(document: Document) -> Iterator[Found]:
    for mistakes in _COMPUTED:
        for mistake in mistakes(document):
            yield found(mistake.line, "arithmetic.wrong", mistake.what, mistake.printed, mistake.correct)
    for code, misfits in _COMPARED:
        for misfit in misfits(document):
            yield found(misfit.line, code, misfit.what, misfit.found, misfit.expected)
    for slip in timing.slips(document):
        yield found(slip.line, slip.code, slip.what, slip.found, slip.expected)


def _by_meaning(document: Document, known: list[Found], embedder: Embedder) -> Iterator[Found]:
    leaking = {each.line for each in known if each.code.startswith("leak.")}
    for each in near_the_answer(document, parts_of(document), embedder):
        if each.line not in leaking:
            what = f"this line may hint at `{each.insight[:120]}` (hint score {each.weight:.1f})"
            yield found(each.line, "leak.near", what, each.text)
    wrong = {each.line for each in known if each.code.startswith("timing.")}
    for slip in repeats.repeated(document, embedder):
        if slip.line not in wrong:
            yield found(slip.line, slip.code, slip.what, slip.found, slip.expected)
