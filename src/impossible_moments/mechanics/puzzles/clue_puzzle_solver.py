"""The solver of clue puzzles: unknowns with finite domains, and clues that must leave one answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.scalar_evaluation import Value, Values, is_same_value
from impossible_moments.mechanics.puzzles.clue_puzzle_parser import (
    PuzzleUnknown,
    read_constraints,
    read_unknowns,
)
from impossible_moments.mechanics.puzzles.finite_domain_search import (
    FoundAnswers,
    SearchBudget,
    SearchConstraint,
    search_answers,
)
from impossible_moments.mechanics.puzzles.minimal_conflicts import find_minimal_conflict
from impossible_moments.mechanics.puzzles.puzzle_context import PuzzleContext
from impossible_moments.mechanics.puzzles.puzzle_reader import PuzzleReader
from impossible_moments.mechanics.records.puzzle_forms import CluesPuzzle
from impossible_moments.mechanics.world.puzzle_solution import (
    MOST_ANSWERS,
    Data,
    SolvedPuzzle,
    create_unsolved_puzzle,
)

MOST_NODES: Final = 300_000
"""The limit of values tried for the answer, and again for the assessment of the clues."""


def solve_clue_puzzle(
    form: CluesPuzzle, context: PuzzleContext, findings: Findings, path: str
) -> SolvedPuzzle:
    """Solve a clue puzzle: find the answers that the clues leave, and assess the clues."""
    reader = PuzzleReader(context, findings, path)
    unknowns = read_unknowns(form, reader)
    clues = read_constraints(form, unknowns, reader)
    _check_asked_names(form, unknowns, reader)
    if not reader.is_valid:
        return create_unsolved_puzzle(form.name, form.kind)
    problem = _ClueProblem(unknowns, tuple(form.different), tuple(form.asks), clues)
    answers = problem.find_answers(problem.clue_names, SearchBudget(MOST_NODES), most=MOST_NODES)
    texts = [problem.format_answer(answer) for answer in answers.answers]
    _report_ambiguous_or_incomplete_answers(texts, answers, reader)
    assessment = _find_conflicting_or_redundant_clues(problem, answers, reader)
    facts: dict[str, Data] = {
        "unknowns": len(unknowns),
        "candidates": math.prod(len(unknown.options) for unknown in unknowns.values()),
        "answers": len(texts),
        "core": list(assessment.core),
        "redundant": list(assessment.redundant),
        "every_clue_weighed": assessment.is_complete,
    }
    return SolvedPuzzle(
        form.name,
        form.kind,
        tuple(sorted(texts)[:MOST_ANSWERS]),
        facts,
        _explain_answers(problem, texts, answers, assessment),
        exhausted=answers.complete,
        asks=problem.asks,
    )


def _check_asked_names(
    form: CluesPuzzle, unknowns: Mapping[str, PuzzleUnknown], reader: PuzzleReader
) -> None:
    for section, names in (("asks", form.asks), ("different", form.different)):
        reader.require_unique_names(names, section, example="red, blue")
        for name in names:
            reader.check_known_name(name, list(unknowns), f"{reader.path}/{section}", description="unknown")
    if not form.asks:
        reader.reject_puzzle(
            "puzzle.form", f"{reader.path}/asks", "no unknown is asked for", expected="asks: [red, blue]"
        )


@dataclass(frozen=True)
class _ClueProblem:
    """The unknowns, the clues and the unknowns that are asked for."""

    unknowns: Mapping[str, PuzzleUnknown]
    different: tuple[str, ...]
    asks: tuple[str, ...]
    clues: tuple[SearchConstraint, ...]

    @property
    def clue_names(self) -> list[str]:
        return list(dict.fromkeys(clue.name for clue in self.clues))

    def find_answers(self, names: Sequence[str], budget: SearchBudget, *, most: int) -> FoundAnswers:
        """Find the answers that the named clues leave. Unknowns in `different` always differ."""
        if self.has_too_few_values:
            return FoundAnswers((), complete=True)
        kept = [clue for clue in self.clues if clue.name in names]
        places = {name: place for place, name in enumerate(self.unknowns)}
        domains = [list(unknown.options) for unknown in self.unknowns.values()]
        pairs = itertools.combinations((places[name] for name in self.different), 2)
        return search_answers(
            domains,
            [*(_create_difference_constraint(*pair) for pair in pairs), *kept],
            [places[name] for name in self.asks],
            budget,
            most=most,
        )

    @property
    def has_too_few_values(self) -> bool:
        """Whether the unknowns that must differ have fewer values than there are unknowns."""
        return len({value for name in self.different for value in self.unknowns[name].options}) < len(
            self.different
        )

    def format_answer(self, answer: Sequence[Value]) -> str:
        """Format an answer as `red=1, blue=2`."""
        named = zip(self.asks, answer, strict=True)
        return ", ".join(f"{name}={self.unknowns[name].options[value]}" for name, value in named)


def _create_difference_constraint(first: int, second: int) -> SearchConstraint:
    def are_different(values: Values) -> bool:
        return not is_same_value(values[first], values[second])

    return SearchConstraint("", frozenset({first, second}), are_different)


def _report_ambiguous_or_incomplete_answers(
    texts: Sequence[str], answers: FoundAnswers, reader: PuzzleReader
) -> None:
    if len(texts) > 1:
        count = len(texts) if answers.complete else f"at least {len(texts)}"
        reader.report_finding(
            "puzzle.ambiguous",
            f"{reader.path}/clues",
            f"the clues leave {count} answers, among them `{texts[0]}` and `{texts[1]}`",
            found=f"{texts[0]}; {texts[1]}",
            expected="a clue that excludes all but one, as in `left = red < blue @ exact words of the prose`",
        )
    if not answers.complete:
        reader.report_finding(
            "puzzle.not-exhausted",
            reader.path,
            f"the search stopped after {MOST_NODES} values tried, with {len(texts)} answers found",
            found=f"{len(texts)} answers",
            expected="fewer unknowns, smaller domains, or clues about one or two unknowns each",
        )


@dataclass(frozen=True, slots=True)
class _ClueAssessment:
    """The clues that contradict each other, and the redundant clues."""

    core: tuple[str, ...] = ()
    redundant: tuple[str, ...] = ()
    is_complete: bool = True
    """False if the limit of the search left a clue unassessed."""


def _find_conflicting_or_redundant_clues(
    problem: _ClueProblem, answers: FoundAnswers, reader: PuzzleReader
) -> _ClueAssessment:
    budget = SearchBudget(MOST_NODES)
    if answers.complete and not answers.answers:
        core, is_complete = find_minimal_conflict(
            problem.clue_names,
            lambda names: _is_absence_of_answers_proven(problem.find_answers(names, budget, most=1)),
        )
        return _ClueAssessment(core=core, is_complete=is_complete)
    if not answers.complete or len(answers.answers) > 1:
        return _ClueAssessment()
    redundant_clues = {
        name: _is_redundant_clue(name, problem, answers, budget) for name in problem.clue_names
    }
    redundant = tuple(name for name, verdict in redundant_clues.items() if verdict)
    for name in redundant:
        reader.report_finding(
            "puzzle.redundant",
            f"{reader.path}/clues/{name}",
            f"the clue `{name}` is redundant: the answer is the same without it",
            found=name,
            expected="leave the clue out, or keep it as help for the reader",
        )
    return _ClueAssessment(redundant=redundant, is_complete=None not in redundant_clues.values())


def _is_redundant_clue(
    name: str, problem: _ClueProblem, answers: FoundAnswers, budget: SearchBudget
) -> bool | None:
    """Return whether the answer is the same without this clue, or None if the budget did not suffice."""
    again = problem.find_answers([other for other in problem.clue_names if other != name], budget, most=2)
    if len(again.answers) > 1:
        return False
    return again.answers == answers.answers if again.complete else None


def _is_absence_of_answers_proven(answers: FoundAnswers) -> bool | None:
    if answers.answers:
        return False
    return True if answers.complete else None


def _explain_answers(
    problem: _ClueProblem, texts: Sequence[str], answers: FoundAnswers, assessment: _ClueAssessment
) -> str:
    if not answers.complete:
        return f"Not solved completely: {len(texts)} answers were found before the search was given up."
    if problem.has_too_few_values:
        count = len(problem.different)
        return (
            f"{count} unknowns must all differ and have fewer than {count} values: some two would be alike."
        )
    if len(texts) == 1:
        return f"The clues {_format_clue_names(problem.clue_names)} leave only {texts[0]}."
    if texts:
        return f"The clues leave {len(texts)} answers, among them {texts[0]} and {texts[1]}."
    if not assessment.core:
        return "No choice of values lets all listed unknowns differ, whatever the clues say."
    minimality_note = "; without any one of them an answer would exist" if assessment.is_complete else ""
    return f"The clues {_format_clue_names(assessment.core)} contradict each other{minimality_note}."


def _format_clue_names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
