"""Scenarios of the catalogue and answers to them, for tests of how fairly answers are scored."""

from __future__ import annotations

import json
from functools import cache

from impossible_moments.blueprints import draw_instance, load_shipped_catalogue
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from impossible_moments.library import load_everyday_library

PASSES = 80


@cache
def draw_key(name: str) -> AnswerKey:
    """Draw a scenario by the name of its skin and variant, and return its key."""
    offer = next(each for each in load_shipped_catalogue().iterate_offers() if each.name == name)
    instance = draw_instance(offer, load_everyday_library(), 1, 0)
    return AnswerKey.from_record("IM-0001", instance.record, load_everyday_library())


def build_plan(*steps: object, **more: object) -> str:
    """Return an answer in the plan form."""
    return json.dumps({"verdict": "solvable", "plan": list(steps), **more})


def score_plan(name: str, *steps: object, **more: object) -> ScoredAnswer:
    """Score a plan for a drawn scenario."""
    return score_answer(build_plan(*steps, **more), draw_key(name))


def score_reasons(name: str, *reasons: str) -> ScoredAnswer:
    """Score the answer that a drawn scenario is impossible for some reasons."""
    return score_answer(json.dumps({"verdict": "impossible", "conflict": reasons}), draw_key(name))


def get_outcome(found: ScoredAnswer) -> float | None:
    """Return the outcome of a scored answer, or None if it has no score."""
    is_scored = found.state is RunState.SCORED and found.components is not None
    return found.components.outcome if is_scored and found.components is not None else None


def is_passed(found: ScoredAnswer) -> bool:
    """Return whether an answer is accepted."""
    return (get_outcome(found) or 0.0) >= PASSES


def get_number(name: str, path: str) -> float:
    """Return a stated or derived number of a drawn scenario, in the unit that the text prints."""
    engine = draw_key(name).analysis.engine
    quantity = engine.world.quantities[path]
    value = engine.get_quantity_value(path, engine.build_start_values())
    assert isinstance(value, int | float)
    return quantity.display_unit.from_si(value) if quantity.display_unit is not None else float(value)
