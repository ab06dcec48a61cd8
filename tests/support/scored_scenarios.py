"""A small published folder with a scenario of every status, made once by the built-in cast; answer keys; answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import Category, Status, Tier
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.scorer_attack import generate_winning_answers
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.scenarios.scenario import Scenario
from support.golden_records import golden
from support.small_worlds import record

Step = dict[str, Any]

# fmt: off
_BRIEFS: Final[tuple[tuple[Category, Tier, Status, int], ...]] = (
    ("The Locked Room",     "SPARK",       "KS", 7),
    ("The Wrong Toolbox",   "RUPTURE",     "CT", 1),
    ("The Misdirection",    "SINGULARITY", "MT", 2),
    ("The Invisible Wall",  "RUPTURE",     "PX", 3),
    ("The Ghost Machine",   "SPARK",       "DG", 4),
    ("The Last Ingredient", "FRACTURE",    "KS", 5),
    ("The Horizon Problem", "FRACTURE",    "OF", 6),
    ("The Memory Palace",   "SPARK",       "KS", 8),
)
# fmt: on
_KEPT: Final = TemporaryDirectory(prefix="scored-scenarios-")


@cache
def published_folder() -> Path:
    """A folder of eight scenarios as `im create` publishes them. Nothing may be written into it."""
    briefs = [
        GenerationBrief(
            category=category,
            difficulty_tier=tier,
            solution_status=status,
            seed=seed,
            scenario_id=f"IM-{number:04}",
        )
        for number, (category, tier, status, seed) in enumerate(_BRIEFS, start=1)
    ]
    results = Pipeline(output=_KEPT.name).generate_all(briefs)
    assert {result.state for result in results} == {ScenarioState.ACCEPTED}, [
        result.reason for result in results
    ]
    return Path(_KEPT.name)


@cache
def scenarios() -> tuple[Scenario, ...]:
    """The eight scenarios."""
    return Scenario.load_directory(published_folder())


@cache
def published_keys() -> Mapping[str, AnswerKey]:
    """Their answer keys."""
    folder = published_folder() / "evaluation"
    return {
        each.scenario_id: AnswerKey.load(folder, each.scenario_id, load_everyday_library())
        for each in scenarios()
    }


@cache
def golden_key(name: str) -> AnswerKey:
    """The answer key of a golden record."""
    return AnswerKey.from_record(name, golden(name), load_everyday_library())


def small_key(**sections: Any) -> AnswerKey:
    """The answer key of a small world."""
    return AnswerKey.from_record("small", record(**sections), load_everyday_library())


def answer(*plan: Step | str, verdict: str = "solvable", **fields: Any) -> str:
    """An answer in the plan form."""
    return json.dumps({"verdict": verdict, "plan": list(plan), **fields}, ensure_ascii=False)


def step(do: str, *things: str, value: str = "") -> Step:
    """A step of an answer."""
    return {"do": do, "with": list(things), **({"value": value} if value else {})}


def right_answer(key: AnswerKey) -> str:
    """An answer that is right, if the record knows of one."""
    return next(iter(generate_winning_answers(key)), answer(verdict="open"))
