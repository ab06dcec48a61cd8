"""The solver of code puzzles: the clues must leave one code, and determine each part of its reading."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.puzzles.code_form import Clue, answer_of, clues_of, reading_named, rules_of
from impossible_moments.mechanics.puzzles.context import Context
from impossible_moments.mechanics.puzzles.cores import smallest_core
from impossible_moments.mechanics.puzzles.forms import CodePuzzle
from impossible_moments.mechanics.puzzles.reader import Reader
from impossible_moments.mechanics.puzzles.readings import PARTS, Reading, Rule, Rules, all_readings, row_of
from impossible_moments.mechanics.puzzles.solved import MOST_ANSWERS, Data, SolvedPuzzle, unsolved

MOST_READINGS: Final = 4_096
MOST_ITEMS: Final = 60


def solve(form: CodePuzzle, context: Context, findings: Findings, where: str) -> SolvedPuzzle:
    """Solve a code puzzle: find the codes that the clues leave, and check the clues and stated readings."""
    reader = Reader(context, findings, where)
    rules = rules_of(form, reader)
    clues = clues_of(form, rules, reader)
    intended = answer_of(form, rules, reader)
    _bounded(form, rules, reader)
    if not reader.fine or intended is None:
        return unsolved(form.name, form.kind)
    readings = all_readings(row_of(form.items, form.length, rules, context), rules)
    table = _table(readings, clues, intended)
    _judge_answer(table, reader)
    _judge_parts(table, rules, reader)
    _judge_clues(table, reader)
    tempting = _judge_tempting(form, table, rules, reader)
    codes = table.codes(table.names)
    facts: dict[str, Data] = {
        "readings": len(readings),
        "well_formed": len(table.well_formed),
        "distinct_codes": len({reading.code for reading in table.well_formed}),
        "code": codes[0] if len(codes) == 1 else None,
        "intended": str(intended),
        "tempting": tempting,
        "core": list(table.core) if not codes else [],
    }
    answers = tuple(sorted(codes)[:MOST_ANSWERS])
    return SolvedPuzzle(form.name, form.kind, answers, facts, _explained(table, codes), exhausted=True)


def _bounded(form: CodePuzzle, rules: Mapping[str, Sequence[Rule]], reader: Reader) -> None:
    count = math.prod(len(rules[part]) for part in PARTS)
    if count > MOST_READINGS or len(form.items) > MOST_ITEMS:
        reader.refuse(
            "puzzle.not-exhausted",
            reader.where,
            "there are too many readings to try",
            found=f"{count} readings of {len(form.items)} items",
            expected=f"at most {MOST_READINGS} readings (keep x order x read) of {MOST_ITEMS} items",
        )


@dataclass(frozen=True)
class _Table:
    """All readings, and the clues that exclude each of them."""

    readings: Mapping[Rules, Reading]
    clues: tuple[Clue, ...]
    intended: Rules
    killers: Mapping[Rules, tuple[str, ...]]
    well_formed: tuple[Reading, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(clue.name for clue in self.clues)

    def left_by(self, clues: Collection[str]) -> list[Reading]:
        """Return the well-formed readings that the named clues allow."""
        return [
            reading
            for reading in self.well_formed
            if not any(name in clues for name in self.killers[reading.rules])
        ]

    def codes(self, clues: Collection[str]) -> list[str]:
        return list(dict.fromkeys(reading.code or "" for reading in self.left_by(clues)))

    @property
    def core(self) -> tuple[str, ...]:
        """A minimal set of clues that together leave no reading."""
        names = [clue.name for clue in self.clues]
        return smallest_core(names, lambda some: not self.left_by(frozenset(some)))[0]


def _table(readings: Sequence[Reading], clues: tuple[Clue, ...], intended: Rules) -> _Table:
    return _Table(
        {reading.rules: reading for reading in readings},
        clues,
        intended,
        {each.rules: tuple(clue.name for clue in clues if not clue.allows(each.rules)) for each in readings},
        tuple(reading for reading in readings if reading.code is not None),
    )


def _judge_answer(table: _Table, reader: Reader) -> None:
    left = table.left_by(table.names)
    stated = table.readings[table.intended]
    codes = table.codes(table.names)
    shown = (
        "; ".join(f"{reading.rules} ({reading.code})" for reading in left[:3])
        or "a reading that the clues allow"
    )
    killers = table.killers[table.intended]
    if stated.code is None or killers:
        why = (
            f"it is not well formed: {stated.why}"
            if stated.code is None
            else f"clue `{killers[0]}` excludes it"
        )
        reader.remark(
            "puzzle.answer",
            f"{reader.where}/answer",
            f"the stated answer `{table.intended}` is wrong: {why}",
            found=f"{table.intended} ({stated.code or 'no code'})",
            expected=shown,
        )
    if len(codes) > 1:
        one = stated if stated in left else left[0]
        other = next(reading for reading in left if reading.code != one.code)
        reader.remark(
            "puzzle.ambiguous",
            f"{reader.where}/clues",
            f"the clues leave {len(codes)} codes: `{one.rules}` gives {one.code}, `{other.rules}` gives {other.code}",
            found=f"{one.rules} = {one.code}; {other.rules} = {other.code}",
            expected=f"a clue that excludes all but one, as in `{_excluding(one.rules, other.rules)}`",
        )


def _excluding(one: Rules, other: Rules) -> str:
    part = next(part for part in PARTS if getattr(one, part) != getattr(other, part))
    return f"c_{part} = {part} == '{getattr(one, part)}' @ exact words of the prose"


def _judge_parts(table: _Table, rules: Mapping[str, Sequence[Rule]], reader: Reader) -> None:
    """Check that for each part of the intended reading clues exclude rival rules with another code."""
    code = table.readings[table.intended].code
    for part in PARTS if code is not None else ():
        own = getattr(table.intended, part)
        about = [clue for clue in table.clues if part in clue.parts]
        for rule in rules[part]:
            rival = table.readings[table.intended._replace(**{part: rule.name})]
            if rival.code not in {None, code} and all(clue.allows(rival.rules) for clue in about):
                reader.remark(
                    "puzzle.unclued",
                    f"{reader.where}/{part}/{own}",
                    f"no clue decides for the {part} rule `{own}` against `{rule.name}`, which gives {rival.code}",
                    found=", ".join(clue.name for clue in about) or f"no clue mentions {part}",
                    expected=f"c_{part} = {part} == '{own}' @ exact words of the prose",
                )


def _judge_clues(table: _Table, reader: Reader) -> None:
    codes = table.codes(table.names)
    for clue in table.clues if len(codes) == 1 else ():
        if table.codes(table.names - {clue.name}) == codes:
            reader.remark(
                "puzzle.redundant",
                clue.where,
                f"the clue `{clue.name}` is redundant: without it the code is still {codes[0]}",
                found=clue.name,
                expected="leave the clue out, or keep it as help for the reader",
            )


def _judge_tempting(
    form: CodePuzzle, table: _Table, rules: Mapping[str, Sequence[Rule]], reader: Reader
) -> dict[str, Data]:
    judged: dict[str, Data] = {}
    for number, text in enumerate(form.tempting):
        at = f"{reader.where}/tempting/{number}"
        named = reading_named(text, rules, reader, at)
        if named is None:
            continue
        problem, killers = _not_tempting(named, table), table.killers[named]
        if problem is not None:
            reader.remark(
                "puzzle.tempting",
                at,
                f"the tempting reading `{named}` {problem}",
                found=text,
                expected="a reading with a code of its own that a clue excludes, or leave it out",
            )
        judged[str(named)] = {"code": table.readings[named].code, "killed_by": list(killers)}
    return judged


def _not_tempting(rules: Rules, table: _Table) -> str | None:
    """Return why a reading is not a fair temptation, or None if it is one."""
    reading, code = table.readings[rules], table.readings[table.intended].code
    if reading.code is None:
        return f"is not well formed: {reading.why}"
    if reading.code == code:
        return f"gives the intended code {code}, so it is not a wrong reading"
    return None if table.killers[rules] else f"gives {reading.code} and no clue excludes it"


def _explained(table: _Table, codes: list[str]) -> str:
    if len(codes) == 1:
        (first, *_) = table.left_by(table.names)
        count = len(table.well_formed)
        return f"Of {count} well-formed readings the clues leave `{first.rules}`, which reads {codes[0]}."
    if codes:
        return f"The clues leave {len(codes)} codes: {', '.join(codes[:3])}."
    if not table.well_formed:
        return f"No reading gives a code; in the intended one {table.readings[table.intended].why}."
    named = ", ".join(f"`{name}`" for name in table.core)
    return f"No well-formed reading meets the clues {named} together; without any one of them some would."
