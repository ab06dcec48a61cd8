"""Check of times: running times and totals of step tables, deadlines, and rates against durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownLine,
    MarkdownTable,
    split_sentences,
)
from impossible_moments.audit.numbers.amounts import find_amounts, is_amount_continuation
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.audit.times.deadlines import check_line_against_limit, check_table_against_deadlines
from impossible_moments.audit.times.durations import (
    MINUTE,
    Duration,
    find_durations,
    format_seconds,
    is_instant,
)
from impossible_moments.audit.times.step_tables import (
    TOTAL,
    TableStep,
    TimeContradiction,
    add_durations,
    has_duration_overlap,
    parse_step_table,
)
from impossible_moments.mechanics.language import TIME

TOLERANCE: Final = 0.02
RANGE_TOLERANCE: Final = 0.07


def find_time_contradictions(document: MarkdownDocument) -> Iterator[TimeContradiction]:
    """Yield all contradictions of times in a document."""
    for table in document.tables:
        steps = min(
            parse_step_table(table),
            key=lambda each: sum(1 for _ in find_running_time_errors(each)),
            default=(),
        )
        yield from find_running_time_errors(steps)
        yield from _check_stated_total(document, table, steps)
        yield from check_table_against_deadlines(document, table, steps)
    for line in document.lines:
        yield from check_line_against_limit(line)
        yield from _check_against_rate(line)


def find_running_time_errors(steps: tuple[TableStep, ...]) -> Iterator[TimeContradiction]:
    """Yield the running times that differ from the previous one plus the step.

    A table may print start times instead of end times. The interpretation with fewer errors counts.
    """
    ends, starts = (
        list(_find_running_time_mismatches(steps, ends=True)),
        list(_find_running_time_mismatches(steps, ends=False)),
    )
    checked = sum(1 for step in steps if step.running is not None and step.time is not None)
    if len(starts) < len(ends) and len(starts) <= checked // 4:
        ends = starts
    yield from ends


def _find_running_time_mismatches(steps: tuple[TableStep, ...], *, ends: bool) -> Iterator[TimeContradiction]:
    before: Duration | None = Duration(0.0, 0.0, 0.0)
    certain = bool(steps) and steps[0].is_first
    for step in steps:
        if step.time is None or step.is_parallel:
            # A parallel step or one of unknown duration makes the next sum uncertain.
            certain = certain and step.running is not None
            before = step.running or before
            if step.running is None and not is_instant(step.running_text):
                certain = False
            continue
        if before is not None and step.running is not None and not re.search(r"\btotal\b", step.running_text):
            expected = add_durations(before, step.time) if ends else before
            if certain and not _is_expected_running_time(expected, step.running, step.time):
                yield TimeContradiction(
                    step.line, "timing.running", f"the running time is {step.running_text}, but {before} plus {step.text} is {expected}",
                    step.running_text, str(expected),
                )  # fmt: skip
            before = step.running if ends else add_durations(step.running, step.time)
            certain = True
        elif before is not None:
            before = add_durations(before, step.time)


def _is_expected_running_time(expected: Duration, printed: Duration, step: Duration) -> bool:
    precision = (
        max(printed.half_step, MINUTE / 2 if printed.low >= 20 * MINUTE and step.high < MINUTE else 0.0)
        + 1e-9
    )
    tolerance = max(TOLERANCE, printed.tolerance)

    def is_near(a: float, b: float) -> bool:
        return abs(a - b) <= precision + tolerance * max(a, b)

    if expected.is_range and not printed.is_range:
        return (
            expected.low - precision - tolerance * expected.low
            <= printed.low
            <= expected.high + precision + tolerance * expected.high
        )
    if printed.is_range and not expected.is_range:
        return (
            printed.low - precision <= expected.low * (1 + tolerance)
            and expected.low * (1 - tolerance) <= printed.high + precision
        )
    return is_near(expected.low, printed.low) and is_near(expected.high, printed.high)


def _check_stated_total(
    document: MarkdownDocument, table: MarkdownTable, steps: tuple[TableStep, ...]
) -> Iterator[TimeContradiction]:
    """Check the total stated below a table against its last running time or the sum of its steps."""
    if any(step.is_parallel or step.time is None for step in steps):
        return
    last = next(
        (step.running for step in reversed(steps) if step.running is not None), None
    ) or _sum_step_durations(steps)
    end = table.rows[-1].number if table.rows else table.header.number
    for line in document.lines[end : end + 4]:
        if line.text.lstrip().startswith(("#", "|")):
            return
        for sentence in split_sentences(normalize_math_text(line.text)):
            match = TOTAL.search(sentence)
            if match is None:
                continue
            found = find_durations(sentence[match.end() :])
            if not found or re.search(r"\bthen\b|\+|=", sentence):
                return
            total = found[0][0]
            if len(re.findall(r"\btotal\b", line.text, re.IGNORECASE)) > 1:
                return  # several totals: it is unclear which belongs to the table
            if not _is_matching_total(last, total) and not re.search(r"depend|up to|vari|\bor\b", sentence):
                yield TimeContradiction(
                    line.number,
                    "timing.total",
                    f"the stated total is {total}, but the table ends at {last}",
                    sentence.strip()[:120],
                    str(last),
                )
            return


def _sum_step_durations(steps: tuple[TableStep, ...]) -> Duration:
    total = Duration(0.0, 0.0, 0.0)
    for step in steps:
        total = add_durations(total, step.time) if step.time is not None else total
    return total


def _is_matching_total(table: Duration, total: Duration) -> bool:
    """Return whether a stated total agrees with the end of a table. Two ranges must agree at both ends."""
    if not (table.is_range and total.is_range):
        return has_duration_overlap(table, total)
    tolerance = max(table.half_step, total.half_step)
    return all(
        abs(one - other) <= tolerance + RANGE_TOLERANCE * max(one, other)
        for one, other in ((table.low, total.low), (table.high, total.high))
    )


_CHAIN: Final = 2.0
"""Allowed factor between a stated time and distance divided by speed. Prose may include pauses."""
_AT_RATE: Final = re.compile(r"\s*(?:[a-z]+\s+){0,2}at\s+(?:about |approximately |roughly )?")
_OPENING_BRACKET: Final = re.compile(r"\s?\(\s?(?:for )?")
_THEN: Final = re.compile(
    r"\s?(?:=|:|,?\s(?:this |that |which |it )?takes|is|\()\s?(?:about |approximately )?"
)


def _check_against_rate(line: MarkdownLine) -> Iterator[TimeContradiction]:
    """Check adjacent distance, rate and time, as in `1.5 mm at 1 mm/s takes 1 min`."""
    if " at " not in line.text:
        return
    text = normalize_math_text(line.text)
    found = list(find_amounts(text))
    for at in range(len(found) - 1):
        total, rate = found[at], found[at + 1]
        if (
            not _AT_RATE.fullmatch(text[total.end : rate.start])
            or total.dimension != rate.dimension * TIME
            or min(rate.si) <= 0
        ):
            continue
        before = found[at - 1] if at else None
        after = found[at + 2] if at + 2 < len(found) else None
        if (
            before is not None
            and before.dimension == TIME
            and _OPENING_BRACKET.fullmatch(text[before.end : total.start])
            and not is_amount_continuation(text, before)
        ):
            time = before
        elif after is not None and after.dimension == TIME and _THEN.fullmatch(text[rate.end : after.start]):
            time = after
        else:
            continue
        low, high = total.si[0] / rate.si[1], total.si[1] / rate.si[0]
        if high * _CHAIN < time.si[0] or low > time.si[1] * _CHAIN:
            printed = text[min(total.start, time.start) : max(rate.end, time.end)]
            yield TimeContradiction(
                line.number,
                "timing.rate",
                f"`{printed}`: at that rate it takes {format_seconds(low)}",
                printed,
                format_seconds(low),
            )
