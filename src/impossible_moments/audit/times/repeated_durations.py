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
from impossible_moments.scenarios.similarity import Embedder

SIMILARITY_THRESHOLD: Final = 0.5
"""Least cosine of two texts about the same step."""
FEWEST_SHARED_WORDS: Final = 2
"""Least number of shared words of two texts about the same step."""
ALLOWED_FACTOR: Final = 1.3
MOST_DURATIONS: Final = 500
"""Maximum number of steps and of sentences that are compared."""
_END: Final = re.compile(r"(?<=[.:])\s")


def find_conflicting_step_durations(
    document: MarkdownDocument, embedder: Embedder
) -> Iterator[TimeContradiction]:
    """Yield the steps for which another line of the document states a different duration."""
    steps = list(_collect_timed_steps(document))[:MOST_DURATIONS]
    step_lines = {step.line for step, _ in steps}
    stated_durations = [each for each in _collect_stated_durations(document) if each[0] not in step_lines][
        :MOST_DURATIONS
    ]
    if not steps or not stated_durations:
        return
    cosines = (
        embedder.embed([name.lower() for _, name in steps])
        @ embedder.embed([text.lower() for _, text, _ in stated_durations]).T
    )
    stem_sets = [extract_word_stems(text) for _, text, _ in stated_durations]
    for (step, name), row in zip(steps, cosines, strict=True):
        words = extract_word_stems(name)
        similar = [
            at
            for at in range(len(stated_durations))
            if row[at] >= SIMILARITY_THRESHOLD and len(words & stem_sets[at]) >= FEWEST_SHARED_WORDS
        ]
        best = max(similar, key=lambda at: row[at], default=None)
        if best is None or step.time is None:
            continue
        line, text, duration = stated_durations[best]
        if step.time.low > duration.high * ALLOWED_FACTOR or duration.low > step.time.high * ALLOWED_FACTOR:
            message = f"`{name[:80]}` takes {step.time}, but line {line} states {duration}: {text[:100]}"
            yield TimeContradiction(step.line, "timing.twice", message, str(step.time), str(duration))


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
