"""Check of plans against the deadlines of the scenario and against their own stated limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownLine,
    MarkdownTable,
    strip_emphasis,
)
from impossible_moments.audit.documents.parts import SOLUTION, split_document_parts
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.audit.times.durations import Duration, find_durations, format_seconds
from impossible_moments.audit.times.step_tables import (
    TOTAL,
    TableStep,
    TimeContradiction,
    has_duration_overlap,
)

_WITHIN_TIME: Final = re.compile(
    r"\b(?:with)?in(?:side)?\s+(?:the|a|your|its|their)?\s*(?:stated\s+|available\s+|remaining\s+)?(?=[~\d])|"
    r"\b(?:under|below|before|out of|of)\s+(?:the\s+)?(?=[~\d])",
    re.IGNORECASE,
)
_LIMIT: Final = re.compile(
    r"[\s-]*(?:[a-z]+\s+){0,2}(?:window|deadline|limit|budget|constraint|available|allowed|supply|allotted|time\s?frame|period)\b",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(
    r"exceed|over(?:run|shoot)|too (?:long|late|slow)|beyond|not (?:within|enough)|tight against|insufficient|fails",
    re.IGNORECASE,
)

_TIME_AVAILABLE: Final = re.compile(
    r"\byou (?:now |still |only )?have (?:(?:a|full|only|just|about|approximately|roughly|exactly|at most|less than|under) )*(?=[~\d])",
    re.IGNORECASE,
)
_TIME_REQUIRED: Final = re.compile(
    r"\byou (?:must|need to|have to)\b[^.|]{3,80}?\bwithin (?:about |approximately |the next )?(?=[~\d])",
    re.IGNORECASE,
)
_LASTING_TIME: Final = re.compile(
    r"\s(?:of )?(?:daylight|light|air|oxygen|battery) (?:remaining|left)\b", re.IGNORECASE
)
_TIME_UNTIL: Final = re.compile(
    r"[\s-]*(?:[a-z]+\s+){0,2}(?:before|until|till|to [a-z]+|of daylight|remaining|left)\b",
    re.IGNORECASE,
)
_DEADLINE_KEY: Final = re.compile(
    r"^(?:deadline|countdown|time (?:limit|available|remaining|left|pressure|constraint|window)|available (?:work(?:ing)? )?time|"
    r"(?:\w+ )?window|daylight remaining|time (?:available )?(?:before|until)\b.*)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _collect_deadlines(document: MarkdownDocument) -> tuple[tuple[int, Duration], ...]:
    """Return all deadlines of a document with their lines. Cached for the checks of its tables."""
    return tuple(_find_stated_deadlines(document))


def _find_stated_deadlines(document: MarkdownDocument) -> Iterator[tuple[int, Duration]]:
    """Yield the deadlines stated in the scenario.

    Examples are `You have 15 minutes before`, `**Deadline**: 20 min` and `| Time available | 2 h |`.
    """
    scenario_lines = split_document_parts(document).scenario
    numbers = {line.number for line in scenario_lines}
    for line in scenario_lines:
        yield from ((line.number, each) for each in _find_deadlines_in_prose(normalize_math_text(line.text)))
    named = [(line.number, key, value) for line, key, value in document.keys]
    named += [
        (row.number, strip_emphasis(row.cells[0]), row.cells[1])
        for table in document.tables
        for row in table.rows
        if len(row.cells) > 1
    ]
    for number, key, value in named:
        found = find_durations(normalize_math_text(value))
        if (
            number in numbers
            and _DEADLINE_KEY.match(key)
            and found
            and not normalize_math_text(value)[: found[0][1].start].strip(" ~")
        ):
            yield number, found[0][0]


def _find_deadlines_in_prose(text: str) -> Iterator[Duration]:
    for match in _TIME_AVAILABLE.finditer(text):
        for duration, amount in find_durations(text[match.end() : match.end() + 60])[:1]:
            if amount.start <= 1 and _TIME_UNTIL.match(text, match.end() + amount.end):
                yield duration
    for match in _TIME_REQUIRED.finditer(text):
        yield from (
            each
            for each, amount in find_durations(text[match.end() : match.end() + 60])[:1]
            if amount.start <= 1
        )
    if _LASTING_TIME.search(text):
        yield from (each for each, amount in find_durations(text) if _LASTING_TIME.match(text, amount.end))


def _compute_deadline_tolerance(deadline: Duration) -> float:
    """Return the tolerance of a deadline in seconds: half a printed digit, at most 5 %."""
    return min(deadline.half_step, 0.05 * deadline.high)


def check_table_against_deadlines(
    document: MarkdownDocument, table: MarkdownTable, steps: tuple[TableStep, ...]
) -> Iterator[TimeContradiction]:
    """Check whether a solution table ends after the latest deadline, certainly or in the worst case."""
    if table.header.number not in _find_solution_lines(document):
        return
    timed_steps = [step for step in steps if step.running is not None]
    known = _collect_deadlines(document)
    if not timed_steps or not known:
        return
    last, row = timed_steps[-1].running, timed_steps[-1].line
    line, deadline = max(known, key=lambda each: each[1].high)
    latest = deadline.high * 1.02 + _compute_deadline_tolerance(deadline)
    # A plan many times longer than the deadline is about something else.
    if last is None or not 4 * deadline.high > last.low or last.high <= latest:
        return
    late = last.low > latest
    yield TimeContradiction(
        row,
        "timing.deadline" if late else "timing.tight",
        f"the plan ends after {last}, but the deadline in line {line} is {deadline}",
        str(last),
        f"at most {format_seconds(deadline.high)}",
    )


@lru_cache(maxsize=1)
def _find_solution_lines(document: MarkdownDocument) -> frozenset[int]:
    """Return the numbers of the lines in solution sections."""
    return frozenset(
        line.number for section in document.find_sections_under(SOLUTION) for line in section.lines
    )


def check_line_against_limit(line: MarkdownLine) -> Iterator[TimeContradiction]:
    """Check a total against a limit in the same line, as in `Total: 4-7 hours. Within the 6-hour window`."""
    text = normalize_math_text(line.text)
    match = TOTAL.search(text)
    if match is None or "|" in text:
        return
    text_after = text[match.end() :]
    found = find_durations(text_after)
    if not found:
        return
    total, amount = found[0]
    limit = _find_time_limit_in_line(text_after, amount.end)
    if limit is None:
        return
    deadline, place = limit
    clause = text_after[amount.end : place + 60]
    if _NEGATION.search(text_after):
        return
    if total.high > deadline.high * 1.001 + _compute_deadline_tolerance(deadline):
        yield TimeContradiction(
            line.number, "timing.deadline", f"the plan takes up to {format_seconds(total.high)}, which exceeds the stated limit of {format_seconds(deadline.high)}",
            clause.strip()[:120], f"at most {format_seconds(deadline.high)}",
        )  # fmt: skip
    yield from _check_stated_time_margin(line, text_after, total, deadline)


def _find_time_limit_in_line(text: str, start: int) -> tuple[Duration, int] | None:
    for match in _WITHIN_TIME.finditer(text, start):
        for duration, amount in find_durations(text[match.end() : match.end() + 60]):
            after = match.end() + amount.end
            if amount.start <= 1 and _LIMIT.match(text, after):
                return duration, after
            break
    return None


def _check_stated_time_margin(
    line: MarkdownLine, text: str, total: Duration, deadline: Duration
) -> Iterator[TimeContradiction]:
    match = re.search(
        r"\b(?:margin|buffer|slack|leaving|leaves|to spare)\b[^.\d]{0,20}(?=[~\d])", text, re.IGNORECASE
    )
    if match is None:
        return
    found = find_durations(text[match.end() : match.end() + 40])
    if not found or found[0][1].start > 1:
        return
    margin = found[0][0]
    expected = Duration(
        deadline.low - total.high,
        deadline.high - total.low,
        max(total.half_step, _compute_deadline_tolerance(deadline)),
        total.tolerance,
    )
    if expected.high < 0 or not has_duration_overlap(expected, margin):
        yield TimeContradiction(
            line.number,
            "timing.margin",
            f"the stated margin is {margin}, but {deadline} minus {total} is {expected}",
            text[match.start() : match.end() + 20],
            str(expected),
        )
