"""The solver of code puzzles: the clues must leave one code, and determine each part of its reading."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.puzzles.code_puzzle_parser import (
    CodeClue,
    parse_reading,
    read_code_clues,
    read_intended_reading,
    read_rival_rules,
)
from impossible_moments.mechanics.puzzles.code_readings import (
    PARTS,
    CodeReading,
    ItemRule,
    ReadingRules,
    build_item_row,
    enumerate_readings,
)
from impossible_moments.mechanics.puzzles.minimal_conflicts import find_minimal_conflict
from impossible_moments.mechanics.puzzles.puzzle_context import PuzzleContext
from impossible_moments.mechanics.puzzles.puzzle_reader import PuzzleReader
from impossible_moments.mechanics.records.puzzle_forms import CodePuzzle
from impossible_moments.mechanics.world.puzzle_solution import (
    MOST_ANSWERS,
    Data,
    SolvedPuzzle,
    create_unsolved_puzzle,
)

MOST_READINGS: Final = 4_096
MOST_ITEMS: Final = 60


def solve_code_puzzle(
    form: CodePuzzle, context: PuzzleContext, findings: Findings, path: str
) -> SolvedPuzzle:
    """Solve a code puzzle: find the codes that the clues leave, and check the clues and stated readings."""
    reader = PuzzleReader(context, findings, path)
    rules = read_rival_rules(form, reader)
    clues = read_code_clues(form, rules, reader)
    intended = read_intended_reading(form, rules, reader)
    _reject_too_many_readings(form, rules, reader)
    if not reader.is_valid or intended is None:
        return create_unsolved_puzzle(form.name, form.kind)
    readings = enumerate_readings(build_item_row(form.items, form.length, rules, context), rules)
    table = _build_reading_table(readings, clues, intended)
    _check_stated_answer(table, reader)
    _check_each_reading_part_has_clues(table, rules, reader)
    _report_redundant_clues(table, reader)
    temptations = _check_tempting_readings(form, table, rules, reader)
    codes = table.list_codes_allowed_by_clues(table.clue_names)
    facts: dict[str, Data] = {
        "readings": len(readings),
        "well_formed": len(table.well_formed),
        "distinct_codes": len({reading.code for reading in table.well_formed}),
        "code": codes[0] if len(codes) == 1 else None,
        "intended": str(intended),
        "tempting": temptations,
        "core": list(table.core) if not codes else [],
    }
    answers = tuple(sorted(codes)[:MOST_ANSWERS])
    return SolvedPuzzle(form.name, form.kind, answers, facts, _explain_code(table, codes), exhausted=True)


def _reject_too_many_readings(
    form: CodePuzzle, rules: Mapping[str, Sequence[ItemRule]], reader: PuzzleReader
) -> None:
    count = math.prod(len(rules[part]) for part in PARTS)
    if count > MOST_READINGS or len(form.items) > MOST_ITEMS:
        reader.reject_puzzle(
            "puzzle.not-exhausted",
            reader.path,
            "there are too many readings to try",
            found=f"{count} readings of {len(form.items)} items",
            expected=f"at most {MOST_READINGS} readings (keep x order x read) of {MOST_ITEMS} items",
        )


@dataclass(frozen=True)
class _ReadingTable:
    """All readings, and the clues that exclude each of them."""

    readings: Mapping[ReadingRules, CodeReading]
    clues: tuple[CodeClue, ...]
    intended: ReadingRules
    excluding_clues: Mapping[ReadingRules, tuple[str, ...]]
    well_formed: tuple[CodeReading, ...]

    @property
    def clue_names(self) -> frozenset[str]:
        return frozenset(clue.name for clue in self.clues)

    def list_readings_allowed_by_clues(self, clues: Collection[str]) -> list[CodeReading]:
        """Return the well-formed readings that the named clues allow."""
        return [
            reading
            for reading in self.well_formed
            if not any(name in clues for name in self.excluding_clues[reading.rules])
        ]

    def list_codes_allowed_by_clues(self, clues: Collection[str]) -> list[str]:
        return list(
            dict.fromkeys(reading.code or "" for reading in self.list_readings_allowed_by_clues(clues))
        )

    @property
    def core(self) -> tuple[str, ...]:
        """A minimal set of clues that together leave no reading."""
        names = [clue.name for clue in self.clues]
        return find_minimal_conflict(
            names, lambda some: not self.list_readings_allowed_by_clues(frozenset(some))
        )[0]


def _build_reading_table(
    readings: Sequence[CodeReading], clues: tuple[CodeClue, ...], intended: ReadingRules
) -> _ReadingTable:
    return _ReadingTable(
        {reading.rules: reading for reading in readings},
        clues,
        intended,
        {
            each.rules: tuple(clue.name for clue in clues if not clue.allows_reading(each.rules))
            for each in readings
        },
        tuple(reading for reading in readings if reading.code is not None),
    )


def _check_stated_answer(table: _ReadingTable, reader: PuzzleReader) -> None:
    left = table.list_readings_allowed_by_clues(table.clue_names)
    intended_reading = table.readings[table.intended]
    codes = table.list_codes_allowed_by_clues(table.clue_names)
    codes_left = (
        "; ".join(f"{reading.rules} ({reading.code})" for reading in left[:3])
        or "a reading that the clues allow"
    )
    killers = table.excluding_clues[table.intended]
    if intended_reading.code is None or killers:
        reason = (
            f"it is not well formed: {intended_reading.why}"
            if intended_reading.code is None
            else f"clue `{killers[0]}` excludes it"
        )
        reader.report_finding(
            "puzzle.answer",
            f"{reader.path}/answer",
            f"the stated answer `{table.intended}` is wrong: {reason}",
            found=f"{table.intended} ({intended_reading.code or 'no code'})",
            expected=codes_left,
        )
    if len(codes) > 1:
        one = intended_reading if intended_reading in left else left[0]
        other = next(reading for reading in left if reading.code != one.code)
        reader.report_finding(
            "puzzle.ambiguous",
            f"{reader.path}/clues",
            f"the clues leave {len(codes)} codes: `{one.rules}` gives {one.code}, `{other.rules}` gives {other.code}",
            found=f"{one.rules} = {one.code}; {other.rules} = {other.code}",
            expected=f"a clue that excludes all but one, as in `{_suggest_clue_excluding_reading(one.rules, other.rules)}`",
        )


def _suggest_clue_excluding_reading(rules: ReadingRules, other: ReadingRules) -> str:
    part = next(part for part in PARTS if getattr(rules, part) != getattr(other, part))
    return f"c_{part} = {part} == '{getattr(rules, part)}' @ exact words of the prose"


def _check_each_reading_part_has_clues(
    table: _ReadingTable, rules: Mapping[str, Sequence[ItemRule]], reader: PuzzleReader
) -> None:
    """Check that for each part of the intended reading clues exclude rival rules with another code."""
    code = table.readings[table.intended].code
    for part in PARTS if code is not None else ():
        intended_rule = getattr(table.intended, part)
        about = [clue for clue in table.clues if part in clue.parts]
        for rule in rules[part]:
            rival = table.readings[table.intended._replace(**{part: rule.name})]
            if rival.code not in {None, code} and all(clue.allows_reading(rival.rules) for clue in about):
                reader.report_finding(
                    "puzzle.unclued",
                    f"{reader.path}/{part}/{intended_rule}",
                    f"no clue decides for the {part} rule `{intended_rule}` against `{rule.name}`, which gives {rival.code}",
                    found=", ".join(clue.name for clue in about) or f"no clue mentions {part}",
                    expected=f"c_{part} = {part} == '{intended_rule}' @ exact words of the prose",
                )


def _report_redundant_clues(table: _ReadingTable, reader: PuzzleReader) -> None:
    codes = table.list_codes_allowed_by_clues(table.clue_names)
    for clue in table.clues if len(codes) == 1 else ():
        if table.list_codes_allowed_by_clues(table.clue_names - {clue.name}) == codes:
            reader.report_finding(
                "puzzle.redundant",
                clue.path,
                f"the clue `{clue.name}` is redundant: without it the code is still {codes[0]}",
                found=clue.name,
                expected="leave the clue out, or keep it as help for the reader",
            )


def _check_tempting_readings(
    form: CodePuzzle, table: _ReadingTable, rules: Mapping[str, Sequence[ItemRule]], reader: PuzzleReader
) -> dict[str, Data]:
    judged: dict[str, Data] = {}
    for number, text in enumerate(form.tempting):
        at = f"{reader.path}/tempting/{number}"
        named = parse_reading(text, rules, reader, at)
        if named is None:
            continue
        problem, killers = _explain_unfair_temptation(named, table), table.excluding_clues[named]
        if problem is not None:
            reader.report_finding(
                "puzzle.tempting",
                at,
                f"the tempting reading `{named}` {problem}",
                found=text,
                expected="a reading with a code of its own that a clue excludes, or leave it out",
            )
        judged[str(named)] = {"code": table.readings[named].code, "killed_by": list(killers)}
    return judged


def _explain_unfair_temptation(rules: ReadingRules, table: _ReadingTable) -> str | None:
    """Return why a reading is not a fair temptation, or None if it is one."""
    reading, code = table.readings[rules], table.readings[table.intended].code
    if reading.code is None:
        return f"is not well formed: {reading.why}"
    if reading.code == code:
        return f"gives the intended code {code}, so it is not a wrong reading"
    return None if table.excluding_clues[rules] else f"gives {reading.code} and no clue excludes it"


def _explain_code(table: _ReadingTable, codes: list[str]) -> str:
    if len(codes) == 1:
        (first, *_) = table.list_readings_allowed_by_clues(table.clue_names)
        count = len(table.well_formed)
        return f"Of {count} well-formed readings the clues leave `{first.rules}`, which reads {codes[0]}."
    if codes:
        return f"The clues leave {len(codes)} codes: {', '.join(codes[:3])}."
    if not table.well_formed:
        return f"No reading gives a code; in the intended one {table.readings[table.intended].why}."
    named = ", ".join(f"`{name}`" for name in table.core)
    return f"No well-formed reading meets the clues {named} together; without any one of them some would."
