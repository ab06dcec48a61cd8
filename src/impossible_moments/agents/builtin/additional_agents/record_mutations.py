"""Mutations of a record: one quantity is changed, and the status is computed again."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from impossible_moments.domain.additional_agent_reports import Mutation
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.mechanics.checks import (
    CheckReport,
    OutcomeFlip,
    StatusVerdict,
    WorldAnalysis,
    find_counterfactual_variants,
    find_numbers_behind_plan,
    scale_quantity,
    verify_record,
)
from impossible_moments.mechanics.records import Library
from impossible_moments.mechanics.world import format_quantity_value

Becomes: TypeAlias = Literal[
    "still solvable", "fragile", "impossible", "solvable", "still impossible", "another status"
]
MOST_FLIPS: Final = 4
"""How many outcome flips are examined, the smallest change first."""
SHARES_OF_FLIP: Final = (0.5, 0.9, 1.02)
"""Parts of the way from the stated value to the value at which the outcome flips. The last is beyond it."""
STATED_TOLERANCE: Final = 0.1
"""The tolerance of a stated number in the KS-Fragile test. An assumed number has its own range."""
_DIGITS: Final = 3
_SOLVABLE: Final = frozenset({"KS", "DG"})
_VALUE: Final = r"(?P<number>[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?P<unit>\[[^\]\n]*\])?"
_LINE: Final = r"(?P<head>(?:^|[;\n])\s*{}\s*=\s*)" + _VALUE


@lru_cache(maxsize=64)
def _verify_record_text(text: str, library: Library) -> CheckReport:
    return verify_record(json.loads(text), library)


def verify_record_once(record: Mapping[str, Any], library: Library) -> CheckReport:
    """Verify a record. The same record is verified only once."""
    return _verify_record_text(json.dumps(record, sort_keys=True), library)


def read_quantity(record: Mapping[str, Any], quantity: str) -> str | None:
    """Return the value of a quantity as the record writes it, such as `2.85[m]`, or None if it is not a plain number."""
    for lines in _list_lines_of_quantity(record, quantity):
        if found := _search_quantity_line(lines, quantity):
            return f"{found['number']}{found['unit'] or ''}"
    return None


def change_quantity(record: Mapping[str, Any], quantity: str, value: str) -> dict[str, Any]:
    """Return a copy of the record in which a quantity has another value, such as `3.1[m]`."""

    def replace_in(lines: str) -> str:
        found = _search_quantity_line(lines, quantity)
        return (
            lines
            if found is None
            else f"{lines[: found.start('number')]}{value}{lines[found.end('value') :]}"
        )

    changed: dict[str, Any] = copy.deepcopy(dict(record))
    owner, _, _ = quantity.rpartition(".")
    holders = [changed] if not owner else [each for each in changed["things"] if each.get("name") == owner]
    key = "props" if owner else "quantities"
    for holder in holders:
        lines = holder.get(key)
        if isinstance(lines, str):
            holder[key] = replace_in(lines)
        elif isinstance(lines, list):
            holder[key] = [replace_in(each) if isinstance(each, str) else each for each in lines]
    return changed


def claim_computed_status(record: Mapping[str, Any], library: Library) -> dict[str, Any]:
    """Return a copy of the record that claims the subtype of KS that is computed from it.

    Records of other statuses are returned unchanged: their claims also name approaches and conditions.
    """
    verdict = verify_record_once(record, library).verdict
    if verdict is None or verdict.status is None or parse_main_status(verdict.status) != "KS":
        return dict(record)
    fragile_in = [each.quantity for each in verdict.fragile_in] if verdict.status == "KS-Fragile" else []
    status = {**record["status"], "claim": verdict.status, "fragile_in": fragile_in}
    return {**record, "status": {name: value for name, value in status.items() if value != []}}


def find_mutations(record: Mapping[str, Any], library: Library) -> tuple[Mutation, ...]:
    """Return mutations of the quantities that decide the outcome, the most sensitive quantity first."""
    report = verify_record_once(record, library)
    if report.analysis is None or report.verdict is None:
        return ()
    found: dict[tuple[str, str], Mutation] = {}
    flips = islice(find_counterfactual_variants(report.analysis, report.verdict), MOST_FLIPS)
    for flip in flips:
        for mutation in _mutate_towards_flip(record, flip, report.verdict, library):
            found.setdefault((mutation.quantity, mutation.after), mutation)
    return tuple(found.values())


def describe_fragility_test(record: Mapping[str, Any], library: Library) -> str | None:
    """Describe how the working plans fare in variants inside tolerance, or return None if no plan works."""
    report = verify_record_once(record, library)
    analysis, verdict = report.analysis, report.verdict
    if analysis is None or verdict is None or not verdict.ways:
        return None
    tried, failed = 0, []
    for name, value in _iterate_values_inside_tolerance(analysis, verdict):
        tried += 1
        if not any(
            analysis.executor.run_plan(way.plan, changes={name: value}).reaches_goal for way in verdict.ways
        ):
            failed.append(format_quantity_value(analysis.world, name, value))
    result = (
        f"none of the known plans works with {'; '.join(failed)}"
        if failed
        else "a known plan works in all of them"
    )
    return (
        f"KS-Fragile test: {tried} variants inside tolerance (assumed numbers at the ends of their ranges, stated "
        f"numbers {STATED_TOLERANCE:.0%} lower and higher): {result}. Computed status: {verdict.status or 'undecided'}."
    )


def _iterate_values_inside_tolerance(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[tuple[str, float]]:
    names = dict.fromkeys(
        name for way in verdict.ways for name in find_numbers_behind_plan(analysis.executor, way.plan)
    )
    for name in names:
        quantity = analysis.world.quantities[name]
        if quantity.kind == "state":
            continue  # plans change it; it is not a figure of the situation
        if quantity.low is not None and quantity.high is not None:
            yield from ((name, quantity.low), (name, quantity.high))
        else:
            for factor in (1 - STATED_TOLERANCE, 1 + STATED_TOLERANCE):
                yield name, scale_quantity(analysis.world, name, factor)


def _mutate_towards_flip(
    record: Mapping[str, Any], flip: OutcomeFlip, verdict: StatusVerdict, library: Library
) -> Iterator[Mutation]:
    """Yield mutations on the way to the value at which the outcome flips, and one beyond it."""
    before = read_quantity(record, flip.quantity)
    parts = re.fullmatch(_VALUE, before or "")
    if before is None or parts is None or "deg" in (parts["unit"] or ""):
        return  # computed, inherited from the library, or on a scale with another zero
    for share in SHARES_OF_FLIP:
        number = float(parts["number"]) * (1 + (flip.factor - 1) * share)
        after = f"{_format_rounded(number)}{parts['unit'] or ''}"
        if after == before:
            continue
        report = verify_record_once(change_quantity(record, flip.quantity, after), library)
        if report.verdict is not None:
            yield Mutation(
                quantity=flip.quantity,
                before=before,
                after=after,
                status=report.verdict.status or "undecided",
                becomes=_compare_outcomes(verdict, report.verdict),
            )


def _compare_outcomes(before: StatusVerdict, after: StatusVerdict) -> Becomes:
    """Return what a mutation makes of the scenario."""
    if before.ways and not after.ways:
        return "impossible" if after.exhausted else "another status"
    if after.status == "KS-Fragile":
        return "fragile"
    if after.status is not None and parse_main_status(after.status) in _SOLVABLE:
        return "still solvable" if before.ways else "solvable"
    if after.status == before.status == "PX":
        return "still impossible"
    return "another status"


def _format_rounded(number: float) -> str:
    """Format a number with few digits and without exponent where possible."""
    rounded = float(f"{number:.{_DIGITS}g}")
    return f"{rounded:g}" if abs(rounded) < 10**6 else f"{rounded:.0f}"


def _list_lines_of_quantity(record: Mapping[str, Any], quantity: str) -> Iterator[str]:
    owner, _, _ = quantity.rpartition(".")
    blocks = (
        [thing.get("props") for thing in record.get("things") or () if thing.get("name") == owner]
        if owner
        else [record.get("quantities")]
    )
    for block in blocks:
        yield from (
            [block] if isinstance(block, str) else [each for each in block or () if isinstance(each, str)]
        )


def _search_quantity_line(lines: str, quantity: str) -> re.Match[str] | None:
    name = re.escape(quantity.rpartition(".")[2])
    return re.search(_LINE.format(name).replace(_VALUE, f"(?P<value>{_VALUE})"), lines)
