"""Figures that an answer in the plan form claims, compared with the record: wrong claims, and doubtful figures in its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from impossible_moments.audit.numbers import Amount
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.answers.figure_matching import extract_figures_of_line
from impossible_moments.evaluation.interpretation.deciding_quantities import find_deciding_quantities
from impossible_moments.evaluation.interpretation.known_amounts import (
    agrees_with_quantity,
    find_dimension,
    is_known_amount,
)
from impossible_moments.evaluation.interpretation.turning_points import (
    TurningPoints,
    TurningStanding,
    find_turning_points,
)
from impossible_moments.evaluation.reader.statement_reader import (
    find_meant_sentence,
    list_clauses,
    remove_figures,
)
from impossible_moments.mechanics.records import Quantity

_TURNS: Final = re.compile(
    r"\b(?:above|below|over|under|beyond|until|unless|otherwise|switch\w*|chang\w+|turn\w*|threshold|break.?even|"
    r"(?:more|less|higher|lower|at least|at most) than|from)\b",
    re.IGNORECASE,
)
"""Words with which a text states a value at which a choice changes."""


def find_false_claims(
    claims: Mapping[str, str], calls: Sequence[str], key: AnswerKey
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the claims that contradict the record: those on which the answer rests, and others.

    A claim is compared if its name means one quantity of the record, and its figure has the dimension of that quantity.
    """
    deciding = find_deciding_quantities(calls, key)
    false: list[str] = []
    asides: list[str] = []
    for name, value in claims.items():
        quantity = _find_named_quantity(name, key)
        wrong = quantity is not None and any(
            _contradicts(each, quantity) for each in extract_figures_of_line(value)[:1]
        )
        if quantity is not None and wrong and not _TURNS.search(name):
            (false if quantity.name in deciding else asides).append(f"{name[:80]} = {value[:40]}")
    return tuple(false), tuple(asides)


def list_doubtful_figures(parsed: ParsedAnswer, key: AnswerKey) -> tuple[str, ...]:
    """Return the words in which an answer gives a quantity a figure that the record does not have.

    Words are compared less surely than names of claims, so that a person has to read them.
    """
    return tuple(_iterate_doubtful_figures(parsed, key))


def _iterate_doubtful_figures(parsed: ParsedAnswer, key: AnswerKey) -> Iterator[str]:
    points = find_turning_points(key) if key.status == "CT" else None
    claims = [f"{name} {value}" for name, value in parsed.claims.items() if _TURNS.search(name)]
    for line in (parsed.crux, *claims, *parsed.because):
        if points is not None and _TURNS.search(line) and _states_wrong_turn(line, points, key):
            yield f"{line[:120]!r} gives a value at which the choice does not change"
    if points is not None and _TURNS.search(parsed.crux) and _states_unknown_turn(parsed.crux, points, key):
        yield f"{parsed.crux[:120]!r} gives a value that cannot be compared"
    for line in parsed.because:
        for clause in list_clauses(line) or [line]:
            yield from _iterate_wrong_clauses(clause, key)


def _states_wrong_turn(line: str, points: TurningPoints, key: AnswerKey) -> bool:
    """Return whether a line gives a value of the crux at which nothing changes, and no other quantity has it."""
    return any(
        points.judge_limit(each) is TurningStanding.FALSE and not _is_of_another(each, points, key)
        for each in extract_figures_of_line(line)
    )


def _states_unknown_turn(line: str, points: TurningPoints, key: AnswerKey) -> bool:
    """Return whether none of the figures of a line can be a value of the crux, and one is not that of another quantity."""
    amounts = extract_figures_of_line(line)
    return not any(map(points.can_compare, amounts)) and any(
        not _is_of_another(each, points, key) for each in amounts
    )


def _is_of_another(amount: Amount, points: TurningPoints, key: AnswerKey) -> bool:
    """Return whether an amount is the value of a quantity other than the crux."""
    return any(
        find_dimension(other) == amount.dimension and agrees_with_quantity(amount, other)
        for other in key.analysis.world.quantities.values()
        if other is not points.quantity
    )


def _iterate_wrong_clauses(clause: str, key: AnswerKey) -> Iterator[str]:
    amounts = [each for each in extract_figures_of_line(clause) if each.unit]
    quantity = _find_named_quantity(remove_figures(clause), key)
    if quantity is None or len(amounts) != 1:
        return
    if _contradicts(amounts[0], quantity) and not is_known_amount(amounts[0], key):
        yield f"{clause[:120]!r} gives a figure that the situation does not have"


def _find_named_quantity(text: str, key: AnswerKey) -> Quantity | None:
    name = find_meant_sentence(text, key.wording.uncertainties)
    return key.analysis.world.quantities.get(name)


def _contradicts(amount: Amount, quantity: Quantity) -> bool:
    """Return whether an amount of the dimension of a quantity is not a value of it."""
    dimension = find_dimension(quantity)
    if dimension is None or not amount.unit or amount.dimension != dimension:
        return False
    return not agrees_with_quantity(amount, quantity)
