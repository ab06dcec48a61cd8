"""The solver of clue puzzles: unknowns with finite domains, and clues that must leave one answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.puzzles.clue_form import Unknown, constraints_of, unknowns_of
from impossible_moments.mechanics.puzzles.context import Context
from impossible_moments.mechanics.puzzles.cores import smallest_core
from impossible_moments.mechanics.puzzles.forms import CluesPuzzle
from impossible_moments.mechanics.puzzles.reader import Reader
from impossible_moments.mechanics.puzzles.search import Budget, Constraint, Found, answers
from impossible_moments.mechanics.puzzles.solved import MOST_ANSWERS, Data, SolvedPuzzle, unsolved
from impossible_moments.mechanics.scalars import Value, Values, same

MOST_NODES: Final = 300_000
"""The limit of values tried for the answer, and again for the assessment of the clues."""


def solve(form: CluesPuzzle, context: Context, findings: Findings, where: str) -> SolvedPuzzle:
    """Solve a clue puzzle: find the answers that the clues leave, and assess the clues."""
    reader = Reader(context, findings, where)
    unknowns = unknowns_of(form, reader)
    clues = constraints_of(form, unknowns, reader)
    _names_known(form, unknowns, reader)
    if not reader.fine:
        return unsolved(form.name, form.kind)
    problem = _Problem(unknowns, tuple(form.different), tuple(form.asks), clues)
    found = problem.solved(problem.clue_names, Budget(MOST_NODES), most=MOST_NODES)
    texts = [problem.text(answer) for answer in found.answers]
    _judge(texts, found, reader)
    worth = _worth(problem, found, reader)
    facts: dict[str, Data] = {
        "unknowns": len(unknowns),
        "candidates": math.prod(len(unknown.options) for unknown in unknowns.values()),
        "answers": len(texts),
        "core": list(worth.core),
        "redundant": list(worth.redundant),
        "every_clue_weighed": worth.every_clue,
    }
    return SolvedPuzzle(
        form.name,
        form.kind,
        tuple(sorted(texts)[:MOST_ANSWERS]),
        facts,
        _explained(problem, texts, found, worth),
        exhausted=found.complete,
        asks=problem.asks,
    )


def _names_known(form: CluesPuzzle, unknowns: Mapping[str, Unknown], reader: Reader) -> None:
    for section, names in (("asks", form.asks), ("different", form.different)):
        reader.wants_unique(names, section, example="red, blue")
        for name in names:
            reader.knows(name, list(unknowns), f"{reader.where}/{section}", called="unknown")
    if not form.asks:
        reader.refuse(
            "puzzle.form", f"{reader.where}/asks", "no unknown is asked for", expected="asks: [red, blue]"
        )


@dataclass(frozen=True)
class _Problem:
    """The unknowns, the clues and the unknowns that are asked for."""

    unknowns: Mapping[str, Unknown]
    different: tuple[str, ...]
    asks: tuple[str, ...]
    clues: tuple[Constraint, ...]

    @property
    def clue_names(self) -> list[str]:
        return list(dict.fromkeys(clue.name for clue in self.clues))

    def solved(self, names: Sequence[str], budget: Budget, *, most: int) -> Found:
        """Find the answers that the named clues leave. Unknowns in `different` always differ."""
        if self.crowded:
            return Found((), complete=True)
        kept = [clue for clue in self.clues if clue.name in names]
        places = {name: place for place, name in enumerate(self.unknowns)}
        domains = [list(unknown.options) for unknown in self.unknowns.values()]
        pairs = itertools.combinations((places[name] for name in self.different), 2)
        return answers(
            domains,
            [*(_differ(*pair) for pair in pairs), *kept],
            [places[name] for name in self.asks],
            budget,
            most=most,
        )

    @property
    def crowded(self) -> bool:
        """Whether the unknowns that must differ have fewer values than there are unknowns."""
        return len({value for name in self.different for value in self.unknowns[name].options}) < len(
            self.different
        )

    def text(self, answer: Sequence[Value]) -> str:
        """Format an answer as `red=1, blue=2`."""
        named = zip(self.asks, answer, strict=True)
        return ", ".join(f"{name}={self.unknowns[name].options[value]}" for name, value in named)


def _differ(one: int, other: int) -> Constraint:
    def holds(values: Values) -> bool:
        return not same(values[one], values[other])

    return Constraint("", frozenset({one, other}), holds)


def _judge(texts: Sequence[str], found: Found, reader: Reader) -> None:
    if len(texts) > 1:
        count = len(texts) if found.complete else f"at least {len(texts)}"
        reader.remark(
            "puzzle.ambiguous",
            f"{reader.where}/clues",
            f"the clues leave {count} answers, among them `{texts[0]}` and `{texts[1]}`",
            found=f"{texts[0]}; {texts[1]}",
            expected="a clue that excludes all but one, as in `left = red < blue @ exact words of the prose`",
        )
    if not found.complete:
        reader.remark(
            "puzzle.not-exhausted",
            reader.where,
            f"the search stopped after {MOST_NODES} values tried, with {len(texts)} answers found",
            found=f"{len(texts)} answers",
            expected="fewer unknowns, smaller domains, or clues about one or two unknowns each",
        )


@dataclass(frozen=True, slots=True)
class _Worth:
    """The clues that contradict each other, and the redundant clues."""

    core: tuple[str, ...] = ()
    redundant: tuple[str, ...] = ()
    every_clue: bool = True
    """False if the limit of the search left a clue unassessed."""


def _worth(problem: _Problem, found: Found, reader: Reader) -> _Worth:
    budget = Budget(MOST_NODES)
    if found.complete and not found.answers:
        core, sure = smallest_core(
            problem.clue_names, lambda names: _impossible(problem.solved(names, budget, most=1))
        )
        return _Worth(core=core, every_clue=sure)
    if not found.complete or len(found.answers) > 1:
        return _Worth()
    spared = {name: _spared(name, problem, found, budget) for name in problem.clue_names}
    redundant = tuple(name for name, verdict in spared.items() if verdict)
    for name in redundant:
        reader.remark(
            "puzzle.redundant",
            f"{reader.where}/clues/{name}",
            f"the clue `{name}` is redundant: the answer is the same without it",
            found=name,
            expected="leave the clue out, or keep it as help for the reader",
        )
    return _Worth(redundant=redundant, every_clue=None not in spared.values())


def _spared(name: str, problem: _Problem, found: Found, budget: Budget) -> bool | None:
    """Return whether the answer is the same without this clue, or None if the budget did not suffice."""
    again = problem.solved([other for other in problem.clue_names if other != name], budget, most=2)
    if len(again.answers) > 1:
        return False
    return again.answers == found.answers if again.complete else None


def _impossible(found: Found) -> bool | None:
    if found.answers:
        return False
    return True if found.complete else None


def _explained(problem: _Problem, texts: Sequence[str], found: Found, worth: _Worth) -> str:
    if not found.complete:
        return f"Not solved completely: {len(texts)} answers were found before the search was given up."
    if problem.crowded:
        count = len(problem.different)
        return (
            f"{count} unknowns must all differ and have fewer than {count} values: some two would be alike."
        )
    if len(texts) == 1:
        return f"The clues {_listed(problem.clue_names)} leave only {texts[0]}."
    if texts:
        return f"The clues leave {len(texts)} answers, among them {texts[0]} and {texts[1]}."
    if not worth.core:
        return "No choice of values lets all listed unknowns differ, whatever the clues say."
    spare = "; without any one of them an answer would exist" if worth.every_clue else ""
    return f"The clues {_listed(worth.core)} contradict each other{spare}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
