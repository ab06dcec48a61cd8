"""Time in a scenario: step tables against their own sums, totals against tables, plans against deadlines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.audit.amounts import amounts
from impossible_moments.audit.calculations import tidied
from impossible_moments.audit.durations import (
    HOUR,
    MINUTE,
    Duration,
    duration_of,
    durations,
    is_instant,
    runs_beside,
    spoken,
)
from impossible_moments.audit.markdown import Document, Line, Table, plain, sentences
from impossible_moments.mechanics.dimensions import TIME

TOLERANCE: Final = 0.02
_STEP: Final = re.compile(
    r"^(?:time(?:\s*(?:cost|needed|required|taken|\(.*\)))?|duration|step time|cost \(time\))\b",
    re.IGNORECASE,
)
_RUNNING: Final = re.compile(r"cumulative|running|elapsed|total time", re.IGNORECASE)
_TOTAL: Final = re.compile(
    r"\btotal(?:\s+(?:escape|solution|elapsed|crossing|rescue|self-rescue|plan|execution|estimated|required))?(?:\s+time)?(?:\s+(?:needed|required|elapsed))?\s*(?::|\bis\b)",
    re.IGNORECASE,
)
"""A total of the whole plan; totals of a part (`total setup time`, `total time to exit`) are not meant."""
_MEANWHILE: Final = re.compile(
    r"\W*(?:simultaneously|meanwhile|at the same time|in parallel|while|concurrently)\b", re.IGNORECASE
)
_WITHIN: Final = re.compile(
    r"\b(?:with)?in(?:side)?\s+(?:the|a|your|its|their)?\s*(?:stated\s+|available\s+|remaining\s+)?(?=[~\d])|"
    r"\b(?:under|below|before|out of|of)\s+(?:the\s+)?(?=[~\d])",
    re.IGNORECASE,
)
_LIMIT: Final = re.compile(
    r"[\s-]*(?:[a-z]+\s+){0,2}(?:window|deadline|limit|budget|constraint|available|allowed|supply|allotted|time\s?frame|period)\b",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"exceed|over(?:run|shoot)|too (?:long|late|slow)|beyond|not (?:within|enough)|tight against|insufficient|fails",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slip:
    """Times that contradict each other."""

    line: int
    code: str
    what: str
    found: str
    expected: str


def slips(document: Document) -> Iterator[Slip]:
    """All contradictions of time in a document."""
    for table in document.tables:
        steps = _steps(table)
        if steps is None:
            continue
        yield from _running(steps)
        yield from _stated_total(document, table, steps)
    for line in document.lines:
        yield from _against_limit(line)
        yield from _against_rate(line)


@dataclass(frozen=True, slots=True)
class _Step:
    line: int
    time: Duration | None
    text: str
    beside: bool
    running: Duration | None
    running_text: str


def _steps(table: Table) -> tuple[_Step, ...] | None:
    time, running = table.column(_STEP), table.column(_RUNNING)
    if time is None and running is None:
        return None
    if time == running:
        return None
    return min(
        (_read(table, time, running, clock) for clock in (MINUTE, HOUR)),
        key=lambda steps: sum(1 for _ in _running(steps)),
    )


def _read(table: Table, time: int | None, running: int | None, clock: float) -> tuple[_Step, ...]:
    """The steps, with `0:45` counted in minutes or hours; the caller takes what agrees best with itself."""
    found = []
    for row in table.rows:
        cell, sum_cell = table.cell(row, time), table.cell(row, running)
        if re.search(r"\btotal\b", plain(row.cells[0]) if row.cells else "", re.IGNORECASE):
            continue
        beside = (bool(cell) and runs_beside(cell)) or any(
            _MEANWHILE.match(plain(each)) for each in row.cells
        )
        instant = Duration(0.0, 0.0, 0.0) if is_instant(cell) else None
        found.append(
            _Step(
                row.number,
                duration_of(cell, clock_unit=clock) or instant,
                cell,
                beside,
                duration_of(sum_cell, clock_unit=clock),
                sum_cell,
            )
        )
    return tuple(found)


def _running(steps: tuple[_Step, ...]) -> Iterator[Slip]:
    """Each running time is the one before plus the step; a table may print starts instead of ends."""
    ends, starts = list(_mismatches(steps, ends=True)), list(_mismatches(steps, ends=False))
    checked = sum(1 for step in steps if step.running is not None and step.time is not None)
    if len(starts) < len(ends) and len(starts) <= checked // 4:
        ends = starts
    yield from ends


def _mismatches(steps: tuple[_Step, ...], *, ends: bool) -> Iterator[Slip]:
    before: Duration | None = Duration(0.0, 0.0, 0.0)
    certain = True
    for step in steps:
        if step.time is None or step.beside:
            # what runs beside, or for an unknown time, says nothing of the next sum
            certain = certain and step.running is not None
            before = step.running or before
            if step.running is None and not is_instant(step.running_text):
                certain = False
            continue
        if before is not None and step.running is not None and not re.search(r"\btotal\b", step.running_text):
            expected = _plus(before, step.time) if ends else before
            if certain and not _agrees(expected, step.running, step.time):
                yield Slip(
                    step.line, "timing.running", f"the running time is {step.running_text}, and {before} and {step.text} make {expected}",
                    step.running_text, str(expected),
                )  # fmt: skip
            before = step.running if ends else _plus(step.running, step.time)
            certain = True
        elif before is not None:
            before = _plus(before, step.time)


def _plus(first: Duration, second: Duration) -> Duration:
    return Duration(
        first.low + second.low,
        first.high + second.high,
        max(first.half, second.half) if first.half else second.half,
        max(first.tolerance, second.tolerance),
    )


def _agrees(expected: Duration, printed: Duration, step: Duration) -> bool:
    room = max(printed.half, MINUTE / 2 if printed.low >= 20 * MINUTE and step.high < MINUTE else 0.0) + 1e-9
    tolerance = max(TOLERANCE, printed.tolerance)

    def near(a: float, b: float) -> bool:
        return abs(a - b) <= room + tolerance * max(a, b)

    if expected.is_range and not printed.is_range:
        return (
            expected.low - room - tolerance * expected.low
            <= printed.low
            <= expected.high + room + tolerance * expected.high
        )
    if printed.is_range and not expected.is_range:
        return (
            printed.low - room <= expected.low * (1 + tolerance)
            and expected.low * (1 - tolerance) <= printed.high + room
        )
    return near(expected.low, printed.low) and near(expected.high, printed.high)


def _stated_total(document: Document, table: Table, steps: tuple[_Step, ...]) -> Iterator[Slip]:
    """The total stated right below a table against its last running time, or the sum of its steps."""
    last = next((step.running for step in reversed(steps) if step.running is not None), None)
    if last is None or any(step.beside or step.time is None for step in steps):
        return
    end = table.rows[-1].number if table.rows else table.header.number
    for line in document.lines[end : end + 4]:
        if line.text.lstrip().startswith(("#", "|")):
            return
        for sentence in sentences(tidied(line.text)):
            match = _TOTAL.search(sentence)
            if match is None:
                continue
            found = durations(sentence[match.end() :])
            if not found or re.search(r"\bthen\b|\+|=", sentence):
                return
            total = found[0][0]
            if len(re.findall(r"\btotal\b", line.text, re.IGNORECASE)) > 1:
                return  # one of several totals: which is the table's is not said
            if not _overlaps(last, total):
                yield Slip(
                    line.number,
                    "timing.total",
                    f"the total is said to be {total}, and the table ends at {last}",
                    sentence.strip()[:120],
                    str(last),
                )
            return


def _overlaps(first: Duration, second: Duration) -> bool:
    room = max(first.half, second.half)
    tolerance = 0.10 if second.tolerance or first.tolerance else 0.05
    return (
        first.low <= second.high * (1 + tolerance) + room
        and second.low <= first.high * (1 + tolerance) + room
    )


def _against_limit(line: Line) -> Iterator[Slip]:
    """`Total: 4-7 hours. Within the 6-hour window`: the plan's own line must not contradict itself."""
    text = tidied(line.text)
    match = _TOTAL.search(text)
    if match is None or "|" in text:
        return
    rest = text[match.end() :]
    found = durations(rest)
    if not found:
        return
    total, amount = found[0]
    limit = _limit(rest, amount.end)
    if limit is None:
        return
    deadline, place = limit
    said = rest[amount.end : place + 60]
    if _DENIES.search(rest):
        return
    if total.high > deadline.high * 1.001 + deadline.half:
        yield Slip(
            line.number, "timing.deadline", f"the plan takes up to {spoken(total.high)}, and the time is said to suffice: {spoken(deadline.high)}",
            said.strip()[:120], f"at most {spoken(deadline.high)}",
        )  # fmt: skip
    yield from _margin(line, rest, total, deadline)


def _limit(text: str, start: int) -> tuple[Duration, int] | None:
    for match in _WITHIN.finditer(text, start):
        for duration, amount in durations(text[match.end() : match.end() + 60]):
            after = match.end() + amount.end
            if amount.start <= 1 and _LIMIT.match(text, after):
                return duration, after
            break
    return None


def _margin(line: Line, text: str, total: Duration, deadline: Duration) -> Iterator[Slip]:
    match = re.search(
        r"\b(?:margin|buffer|slack|leaving|leaves|to spare)\b[^.\d]{0,20}(?=[~\d])", text, re.IGNORECASE
    )
    if match is None:
        return
    found = durations(text[match.end() : match.end() + 40])
    if not found or found[0][1].start > 1:
        return
    margin = found[0][0]
    expected = Duration(
        deadline.low - total.high, deadline.high - total.low, max(total.half, deadline.half), total.tolerance
    )
    if expected.high < 0 or not _overlaps(expected, margin):
        yield Slip(
            line.number,
            "timing.margin",
            f"the margin is said to be {margin}, and {deadline} less {total} is {expected}",
            text[match.start() : match.end() + 20],
            str(expected),
        )


_CHAIN: Final = 2.0
"""How far a distance, a pace and a time may be apart before they contradict each other: prose counts pauses in."""
_AT: Final = re.compile(r"\s*(?:[a-z]+\s+){0,2}at\s+(?:about |approximately |roughly )?")
_OPENS: Final = re.compile(r"\s?\(\s?(?:for )?")
_THEN: Final = re.compile(
    r"\s?(?:=|:|,?\s(?:this |that |which |it )?takes|is|\()\s?(?:about |approximately )?"
)


def _against_rate(line: Line) -> Iterator[Slip]:
    """`1 min (1.5 mm at 1 mm/s)`, `1.5 mm at 1 mm/s takes 1 min`: three amounts side by side that do not go together."""
    if " at " not in line.text:
        return
    text = tidied(line.text)
    found = list(amounts(text))
    for at in range(len(found) - 1):
        total, rate = found[at], found[at + 1]
        if (
            not _AT.fullmatch(text[total.end : rate.start])
            or total.dimension != rate.dimension * TIME
            or min(rate.si) <= 0
        ):
            continue
        before = found[at - 1] if at else None
        after = found[at + 2] if at + 2 < len(found) else None
        if (
            before is not None
            and before.dimension == TIME
            and _OPENS.fullmatch(text[before.end : total.start])
        ):
            time = before
        elif after is not None and after.dimension == TIME and _THEN.fullmatch(text[rate.end : after.start]):
            time = after
        else:
            continue
        low, high = total.si[0] / rate.si[1], total.si[1] / rate.si[0]
        if high * _CHAIN < time.si[0] or low > time.si[1] * _CHAIN:
            shown = text[min(total.start, time.start) : max(rate.end, time.end)]
            yield Slip(
                line.number,
                "timing.rate",
                f"`{shown}`: at that rate it takes {spoken(low)}",
                shown,
                spoken(low),
            )
