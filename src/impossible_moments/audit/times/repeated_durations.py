"""Steps with two different durations: one in a step table, one in another sentence about the same step.

Sentences are matched by meaning, which can be wrong, so the findings are notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, split_sentences, strip_emphasis
from impossible_moments.audit.leaks.leak_patterns import extract_word_stems
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.audit.times.durations import Duration, find_durations
from impossible_moments.audit.times.step_tables import TableStep, TimeContradiction, parse_step_table
from impossible_moments.scenarios import Embedder

ALIKE: Final = 0.5
"""Least cosine of two texts about the same step."""
SHARED: Final = 2
"""Least number of shared words of two texts about the same step."""
APART: Final = 1.3
MOST: Final = 500
"""Maximum number of steps and of sentences that are compared."""
_END: Final = re.compile(r"(?<=[.:])\s")


def find_conflicting_step_durations(
    document: MarkdownDocument, embedder: Embedder
) -> Iterator[TimeContradiction]:
    """Yield the steps for which another line of the document states a different duration."""
    steps = list(_collect_timed_steps(document))[:MOST]
    own = {step.line for step, _ in steps}
    told = [each for each in _collect_stated_durations(document) if each[0] not in own][:MOST]
    if not steps or not told:
        return
    cosines = (
        embedder.embed([name.lower() for _, name in steps])
        @ embedder.embed([text.lower() for _, text, _ in told]).T
    )
    used = [extract_word_stems(text) for _, text, _ in told]
    for (step, name), row in zip(steps, cosines, strict=True):
        words = extract_word_stems(name)
        alike = [at for at in range(len(told)) if row[at] >= ALIKE and len(words & used[at]) >= SHARED]
        best = max(alike, key=lambda at: row[at], default=None)
        if best is None or step.time is None:
            continue
        line, text, duration = told[best]
        if step.time.low > duration.high * APART or duration.low > step.time.high * APART:
            what = f"`{name[:80]}` takes {step.time}, but line {line} states {duration}: {text[:100]}"
            yield TimeContradiction(step.line, "timing.twice", what, str(step.time), str(duration))


def _collect_timed_steps(document: MarkdownDocument) -> Iterator[tuple[TableStep, str]]:
    """Yield the steps with a duration, each with the beginning of its description."""
    for table in document.tables:
        rows = {row.number: row for row in table.rows}
        for step in next(iter(parse_step_table(table)), ()):
            if step.time is not None and not step.is_parallel and step.time.high > 0:
                yield step, _END.split(strip_emphasis(max(rows[step.line].cells, key=len)))[0]


def _collect_stated_durations(document: MarkdownDocument) -> Iterator[tuple[int, str, Duration]]:
    """Yield every sentence or table row that states exactly one duration, with its line number."""
    for line in document.lines:
        text = normalize_math_text(line.text)
        for part in [text] if text.lstrip().startswith("|") else split_sentences(text):
            found = find_durations(part)
            if len(found) == 1:
                yield line.number, strip_emphasis(part), found[0][0]
