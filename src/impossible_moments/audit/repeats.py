"""One step, two durations: a step table against the sentence elsewhere that speaks of the same step.

That two texts speak of the same is a matter of meaning, and they may not: it is told as a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.audit.calculations import tidied
from impossible_moments.audit.durations import Duration, durations
from impossible_moments.audit.leaks import stems
from impossible_moments.audit.markdown import Document, plain, sentences
from impossible_moments.audit.steps import Slip, Step, readings
from impossible_moments.scenarios.embedding import Embedder

ALIKE: Final = 0.5
"""Cosine from which two texts are taken to speak of one step."""
SHARED: Final = 2
"""Words they must share besides."""
APART: Final = 1.3
MOST: Final = 500
"""Steps and sentences that are compared; no plan has more."""
_END: Final = re.compile(r"(?<=[.:])\s")


def repeated(document: Document, embedder: Embedder) -> Iterator[Slip]:
    """Steps whose duration is told again, differently."""
    steps = list(_steps(document))[:MOST]
    own = {step.line for step, _ in steps}
    told = [each for each in _told(document) if each[0] not in own][:MOST]
    if not steps or not told:
        return
    cosines = (
        embedder.embed([name.lower() for _, name in steps])
        @ embedder.embed([text.lower() for _, text, _ in told]).T
    )
    used = [stems(text) for _, text, _ in told]
    for (step, name), row in zip(steps, cosines, strict=True):
        words = stems(name)
        alike = [at for at in range(len(told)) if row[at] >= ALIKE and len(words & used[at]) >= SHARED]
        best = max(alike, key=lambda at: row[at], default=None)
        if best is None or step.time is None:
            continue
        line, text, duration = told[best]
        if step.time.low > duration.high * APART or duration.low > step.time.high * APART:
            what = f"`{name[:80]}` takes {step.time}, and line {line} says {duration}: {text[:100]}"
            yield Slip(step.line, "timing.twice", what, str(step.time), str(duration))


def _steps(document: Document) -> Iterator[tuple[Step, str]]:
    """The steps that take a time, each with the beginning of what it says."""
    for table in document.tables:
        rows = {row.number: row for row in table.rows}
        for step in next(iter(readings(table)), ()):
            if step.time is not None and not step.beside and step.time.high > 0:
                yield step, _END.split(plain(max(rows[step.line].cells, key=len)))[0]


def _told(document: Document) -> Iterator[tuple[int, str, Duration]]:
    """Every sentence, or row of a table, that tells just one duration."""
    for line in document.lines:
        text = tidied(line.text)
        for part in [text] if text.lstrip().startswith("|") else sentences(text):
            found = durations(part)
            if len(found) == 1:
                yield line.number, plain(part), found[0][0]
