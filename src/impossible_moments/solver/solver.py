"""The solver: it recognises the situation of a public text, extracts its values and searches for plans."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

from impossible_moments.blueprints import BlueprintInstance, Data, build_scenario_tables
from impossible_moments.mechanics.checks import CheckReport, find_numbers_behind_plan, verify_record
from impossible_moments.mechanics.execution import SearchBounds
from impossible_moments.mechanics.records import (
    MAX_CALLS,
    LineError,
    Quantity,
    QuantityKind,
    parse_line,
    parse_quantity,
    split_lines,
)
from impossible_moments.solver.known_situations import KnownSituations
from impossible_moments.solver.public_text import PublicText, normalize_label
from impossible_moments.solver.value_extraction import ExtractedValues, extract_values

SEARCH_NODES: Final = 20_000
"""The node limit of a full search."""
_STATED_KINDS: Final = frozenset({QuantityKind.GIVEN, QuantityKind.DISPUTED, QuantityKind.STATE})
"""The kinds of numbers that a text states. A state is stated by its initial value."""


@dataclass(frozen=True)
class SolverResult:
    """The result of solving a text. `situation` is None if no known situation was recognised."""

    status: str
    """The computed status, `undecided` if the search limit was reached first, or `unread`."""
    plans: tuple[tuple[str, ...], ...] = ()
    reason: str = ""
    effort: int = 0
    """The number of nodes that the search used."""
    situation: BlueprintInstance | None = None
    report: CheckReport | None = None
    """The check of the reconstructed record, without findings about its texts."""
    reading: ExtractedValues = field(default_factory=ExtractedValues)
    unstated_numbers: tuple[str, ...] = ()
    """Given numbers that the text does not state."""

    @cached_property
    def decisive_numbers(self) -> frozenset[str]:
        """The numbers that decide the outcome: those read by the solutions, or else by any approach."""
        analysis = self.report.analysis if self.report is not None else None
        if self.report is None or analysis is None or self.report.verdict is None:
            return frozenset()
        plans = [way.plan for way in self.report.verdict.ways] or list(analysis.plans.values())
        numbers_behind_plans = {
            name for plan in plans for name in find_numbers_behind_plan(analysis.executor, plan)
        }
        # the initial values of states need not be stated
        return frozenset(numbers_behind_plans - analysis.world.mutable)


def solve_public_text(
    text: PublicText,
    situations: KnownSituations,
    nodes: int = SEARCH_NODES,
    edit: Callable[[Data], Data] | None = None,
    *,
    depth: int = MAX_CALLS,
) -> SolverResult:
    """Solve a public text.

    `nodes` and `depth` limit the search. `edit` changes the reconstructed record before it is checked.
    """
    best = _find_best_situation(text, situations)
    if best is None:
        return SolverResult("unread", reason="nothing in the text is like a situation that is known")
    situation, reading = best
    record, unstated = apply_extracted_values(situation.record, reading)
    bounds = SearchBounds(nodes, depth)
    edited = record if edit is None else edit(record)
    report = verify_record(edited, situations.library, bounds, checks_texts=False)
    if report.verdict is None:
        errors = "; ".join(str(each) for each in report.findings.errors[:2])
        return SolverResult(
            "unread",
            reason=errors,
            situation=situation,
            report=report,
            reading=reading,
            unstated_numbers=unstated,
        )
    return SolverResult(
        status=report.verdict.status or "undecided",
        plans=tuple(way.calls for way in report.verdict.ways),
        reason=report.verdict.reason,
        effort=bounds.used,
        situation=situation,
        report=report,
        reading=reading,
        unstated_numbers=unstated,
    )


Recognition: TypeAlias = tuple[BlueprintInstance, ExtractedValues]
"""A known situation with the values that were extracted from a text."""
_RECOGNISED_TEXTS: Final = 16
_recognised: OrderedDict[tuple[int, PublicText], tuple[KnownSituations, Recognition | None]] = OrderedDict()
"""What was recognised in the last texts. Several strategies read the same text, and reading it costs the most."""


def _find_best_situation(text: PublicText, situations: KnownSituations) -> Recognition | None:
    """Return the known situation that fits the text best with the values extracted from it, or None."""
    key = (id(situations), text)
    found = _recognised.get(key)
    if found is None:
        # The situations are kept with what was found, so that no others can get the same identity.
        found = _recognised[key] = (situations, _recognise_situation(text, situations))
        while len(_recognised) > _RECOGNISED_TEXTS:
            _recognised.popitem(last=False)
    return found[1]


def _recognise_situation(text: PublicText, situations: KnownSituations) -> Recognition | None:
    found: tuple[tuple[float, int], BlueprintInstance, ExtractedValues] | None = None
    for offer in situations.find_matching_offers(text):
        for situation in situations.generate_placeholder_instances(offer):
            tables = build_scenario_tables(situation.record, situation.notes, situations.library)
            reading = extract_values(
                text, situation.record["prose"], tables, _collect_thing_labels(situation.record)
            )
            share = reading.matched_wordings / max(reading.matched_wordings + reading.missed_wordings, 1)
            score = (share - _compute_unnamed_share(situation.record, text), reading.matched_wordings)
            if found is None or score > found[0]:
                found = (score, situation, reading)
    return None if found is None or found[0][0] <= 0 else (found[1], found[2])


def _collect_thing_labels(record: Data) -> dict[str, str]:
    return {str(thing["name"]): str(thing.get("label", "")) for thing in record.get("things") or ()}


def _compute_unnamed_share(record: Data, text: PublicText) -> float:
    """Return the share of the things of a situation that the text does not name."""
    labels = [
        normalize_label(label) for name, label in _collect_thing_labels(record).items() if name != "you"
    ]
    lowercase_text = text.lowercase_text
    return sum(label not in lowercase_text for label in labels) / max(len(labels), 1)


def apply_extracted_values(record: Data, reading: ExtractedValues) -> tuple[Data, tuple[str, ...]]:
    """Return the record with its placeholder values replaced, and the names of numbers not stated."""
    unstated: list[str] = []
    result: dict[str, Any] = {
        **record,
        "quantities": list(_rewrite_quantity_lines(record.get("quantities"), "", reading, unstated)),
    }
    things = []
    for thing in record.get("things") or ():
        lines = list(_rewrite_quantity_lines(thing.get("props"), f"{thing['name']}.", reading, unstated))
        things.append({**thing, "props": lines})
    result["things"] = things
    return result, tuple(unstated)


def _rewrite_quantity_lines(
    lines: object, owner: str, reading: ExtractedValues, unstated: list[str]
) -> Iterator[str]:
    for line in split_lines(lines):
        quantity = _parse_quantity(line)
        if quantity is None or not quantity.is_number or quantity.kind not in _STATED_KINDS:
            yield line
            continue
        name = f"{owner}{quantity.name}"
        if quantity.kind is QuantityKind.DISPUTED:
            yield _replace_disputed_range(
                line, quantity, reading.values.get(f"{name}.low"), reading.values.get(f"{name}.high")
            )
            continue
        value = reading.values.get(name)
        if value is None:
            # values with evidence are stated in words, and initial values need not be stated
            if not quantity.source and quantity.kind is not QuantityKind.STATE:
                unstated.append(name)
            yield line
            continue
        yield _replace_stated_value(line, quantity, value)


def _parse_quantity(line: str) -> Quantity | None:
    try:
        return parse_quantity(line)
    except LineError:
        return None


_STATED_NUMBER: Final = re.compile(r"-?[\d.]+(?:[eE][-+]?\d+)?\s*(?:\[[^\]]*\]|[A-Za-zµ°%][\w/*^²³°%µ]*)?")


def _replace_stated_value(line: str, quantity: Quantity, value: float) -> str:
    """Return the line with another value, keeping its range, kind and source."""
    parts = parse_line(line, example="rim = 3.6[m]")
    stated = _STATED_NUMBER.match(parts.body)
    rest = parts.body[stated.end() :].strip() if stated is not None else ""
    evidence = f" @ {parts.evidence}" if parts.evidence else ""
    return f"{parts.head} = {_format_quantity_value(quantity, value)} {rest}".rstrip() + evidence


def _replace_disputed_range(line: str, quantity: Quantity, low: float | None, high: float | None) -> str:
    """Return the line of a disputed quantity with the range that the text states."""
    if low is None or high is None or low > high or not isinstance(quantity.value, int | float):
        return line
    parts = parse_line(line, example="k = 0.5[K/h] (0.1..3) disputed @ A against B")
    value = min(max(float(quantity.value), low), high)
    ends = "..".join(_format_quantity_value(quantity, end).partition("[")[0] for end in (low, high))
    return f"{parts.head} = {_format_quantity_value(quantity, value)} ({ends}) disputed @ {parts.evidence}"


def _format_quantity_value(quantity: Quantity, value: float) -> str:
    if quantity.display_unit is None:
        return f"{value:.6g}"
    return f"{quantity.display_unit.from_si(value):.6g}[{quantity.display_unit.text}]"
