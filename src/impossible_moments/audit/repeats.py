"""Steps with two different durations: one in a step table, one in another sentence about the same step.

Sentences are matched by meaning, which can be wrong, so the findings are notes.
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
"""Least cosine of two texts about the same step."""
SHARED: Final = 2
"""Least number of shared words of two texts about the same step."""
APART: Final = 1.3
MOST: Final = 500
"""Maximum number of steps and of sentences that are compared."""
_END: Final = re.compile(r"(?<=[.:])\s")


def repeated(document: Document, embedder: Embedder) -> Iterator[Slip]:
    """Yield the steps for which another line of the document states a different duration."""
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
            what = f"`{name[:80]}` takes {step.time}, but line {line} states {duration}: {text[:100]}"
            yield Slip(step.line, "timing.twice", what, str(step.time), str(duration))


def _steps(document: Document) -> Iterator[tuple[Step, str]]:
    """Yield the steps with a duration, each with the beginning of its description."""
    for table in document.tables:
        rows = {row.number: row for row in table.rows}
        for step in next(iter(readings(table)), ()):
            if step.time is not None and not step.beside and step.time.high > 0:
                yield step, _END.split(plain(max(rows[step.line].cells, key=len)))[0]


def _told(document: Document) -> Iterator[tuple[int, str, Duration]]:
    """Yield every sentence or table row that states exactly one duration, with its line number."""
    for line in document.lines:
        text = tidied(line.text)
        for part in [text] if text.lstrip().startswith("|") else sentences(text):
            found = durations(part)
            if len(found) == 1:
                yield line.number, plain(part), found[0][0]
