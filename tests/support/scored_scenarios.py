"""A published folder with a scenario of every status by the built-in cast, created once; answer keys and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, Final

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.scoring_rubrics import PASSES
from impossible_moments.domain.vocabulary import Category, Status, Tier
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.scorer_attack import generate_winning_answers
from impossible_moments.evaluation.scoring import score_answer
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.scenarios.scenario import Scenario
from support.golden_records import load_golden_record
from support.small_worlds import build_record

Step = dict[str, Any]

# fmt: off
_BRIEFS: Final[tuple[tuple[Category, Tier, Status, int], ...]] = (
    ("The Locked Room",     "SPARK",       "KS", 7),
    ("The Wrong Toolbox",   "FRACTURE",    "CT", 3),
    ("The Misdirection",    "FRACTURE",    "MT", 2),
    ("The Invisible Wall",  "RUPTURE",     "PX", 4),
    ("The Ghost Machine",   "SPARK",       "DG", 4),
    ("The Last Ingredient", "FRACTURE",    "KS", 5),
    ("The Horizon Problem", "FRACTURE",    "OF", 6),
    ("The Memory Palace",   "SPARK",       "KS", 8),
)
# fmt: on
_KEPT: Final = TemporaryDirectory(prefix="scored-scenarios-")
_UNWORDED: Final = TemporaryDirectory(prefix="unworded-scenarios-")


@cache
def create_published_folder() -> Path:
    """Return a folder of eight scenarios as published by `im create`. Nothing may be written into it."""
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
def create_unworded_folder() -> Path:
    """Return the same folder with records that have no wording. Nothing may be written into it."""
    folder = Path(_UNWORDED.name)
    copytree(create_published_folder(), folder, dirs_exist_ok=True)
    for path in (folder / "evaluation").glob("*_mechanics.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        record.pop("wording", None)
        path.write_text(json.dumps(record), encoding="utf-8")
    return folder


@cache
def load_scenarios() -> tuple[Scenario, ...]:
    """Return the eight scenarios."""
    return Scenario.load_directory(create_published_folder())


@cache
def load_published_keys() -> Mapping[str, AnswerKey]:
    """Return the answer keys of the eight scenarios."""
    folder = create_published_folder() / "evaluation"
    return {
        each.scenario_id: AnswerKey.load(folder, each.scenario_id, load_everyday_library())
        for each in load_scenarios()
    }


@cache
def build_golden_key(name: str) -> AnswerKey:
    """Return the answer key of a golden record, with a wording made from its names."""
    return AnswerKey.from_record(name, load_golden_record(name), load_everyday_library())


def build_small_key(**sections: Any) -> AnswerKey:
    """Return the answer key of a small world."""
    return AnswerKey.from_record("small", build_record(**sections), load_everyday_library())


def build_answer(*plan: Step | str, verdict: str = "solvable", **fields: Any) -> str:
    """Build an answer in the plan form."""
    return json.dumps({"verdict": verdict, "plan": list(plan), **fields}, ensure_ascii=False)


def build_step(do: str, *things: str, value: str = "") -> Step:
    """Build a step of an answer."""
    return {"do": do, "with": list(things), **({"value": value} if value else {})}


def build_right_answer(key: AnswerKey) -> str:
    """Build a right answer, if the record has one."""
    return next(iter(generate_winning_answers(key)), build_answer(verdict="open"))


def is_passing(text: str, key: AnswerKey) -> bool:
    """Return whether an answer passes."""
    found = score_answer(text, key)
    return found.components is not None and found.components.outcome >= PASSES


def build_plan(key: AnswerKey) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the steps of the right answer and its other fields."""
    data = json.loads(build_right_answer(key))
    return data.pop("plan"), data
