"""What an answer asserts although the record refutes it: wrong turning points and wrong conclusions.

To leave something out costs only its own points. To assert something false on which the answer rests keeps it from passing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from impossible_moments.domain.scoring_rubrics import FALSE_CLAIM_LIMIT
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.puzzle_answers import contradicts_puzzle
from impossible_moments.evaluation.interpretation.interpreted_answer import (
    InterpretedAnswer,
    StatedTurningPoint,
    StepKind,
)
from impossible_moments.evaluation.interpretation.outcome_rubrics import RubricOutcome
from impossible_moments.evaluation.interpretation.turning_points import (
    TurningPoints,
    TurningStanding,
    find_turning_points,
)
from impossible_moments.mechanics.records import strip_quotes

FALSE_CLAIM: Final = "false claim"
"""Flag of an answer that asserts something false."""
_ANSWER: Final = re.compile(r"answer\((\w+), *(.+)\)")


def refute_turning_points(answer: InterpretedAnswer, key: AnswerKey) -> InterpretedAnswer:
    """Return an answer without its crux if it states a value of it at which no plan begins to work or to be better.

    A value that may as well be a side of the dispute is added to its doubts.
    """
    if not answer.turning_points or key.status != "CT":
        return answer
    plans = [answer.calls, *(replace(answer, steps=steps).calls for steps in answer.other_plans)]
    found = find_turning_points(key, plans)
    if found is None:
        return answer
    judged = [(each, _judge_turning_point(each, found)) for each in answer.turning_points]
    wrong = [each for each, standing in judged if standing is TurningStanding.FALSE]
    at = _describe_values(found)
    doubts = tuple(
        f"{each.text[:120]!r}: the choice changes at {at}"
        for each, standing in judged
        if standing is TurningStanding.OPEN
    )
    answer = replace(answer, doubts=(*answer.doubts, *doubts))
    if not wrong:
        return answer
    claims = tuple(f"{each.text[:120]!r}, but the choice changes at {at}" for each in wrong)
    return replace(answer, names_crux=False, false_claims=(*answer.false_claims, *claims))


def _judge_turning_point(stated: StatedTurningPoint, points: TurningPoints) -> TurningStanding:
    return points.judge_limit(stated.amount) if stated.is_limit else points.judge_supposition(stated.amount)


def _describe_values(points: TurningPoints) -> str:
    unit = points.quantity.display_unit
    values = sorted({points.convert_to_unit(value) for value in points.values})
    texts = list(dict.fromkeys(f"{value:.3g}" for value in values))
    return f"{' or '.join(texts)}{f' {unit.text}' if unit is not None else ''}"


def list_wrong_conclusions(answer: InterpretedAnswer, key: AnswerKey) -> tuple[str, ...]:
    """Return the answers to puzzles of the record that are wrong, with the words that give them."""
    solved = key.analysis.world.puzzles
    forms = {each.name: each for each in key.analysis.world.record.puzzles if each.name in solved}
    found = []
    for step in answer.steps:
        match = _ANSWER.fullmatch(step.call) if step.kind is StepKind.CALL else None
        puzzle = forms.get(match[1]) if match is not None else None
        if match is None or puzzle is None:
            continue
        if contradicts_puzzle(strip_quotes(match[2]), solved[puzzle.name], puzzle):
            found.append(f"{step.text[:120]!r} is a wrong answer to one of the questions")
    return tuple(found)


def apply_false_claims(found: RubricOutcome, answer: InterpretedAnswer, key: AnswerKey) -> RubricOutcome:
    """Return an outcome as low as an answer with false claims can have, which count as physical claims that fail."""
    deciding = (*answer.false_claims, *list_wrong_conclusions(answer, key))
    claims = (*deciding, *answer.false_asides)
    if not claims:
        return found
    acts = max(len(answer.calls), 1)
    return replace(
        found,
        outcome=min(found.outcome, FALSE_CLAIM_LIMIT) if deciding else found.outcome,
        physical=found.physical * acts / (acts + len(claims)),
        note=f"{found.note}; false: {'; '.join(claims)[:400]}",
        flags=(*found.flags, FALSE_CLAIM) if deciding else found.flags,
    )
