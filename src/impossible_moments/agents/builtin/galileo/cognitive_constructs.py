"""Cognitive constructs: what each insight, the category, the distractors and the deadline test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from impossible_moments.agents.builtin.galileo.record_sections import count_record_lines
from impossible_moments.domain.grounding import Construct
from impossible_moments.domain.seed import Insight, SeedDocument
from impossible_moments.library import load_research_works
from impossible_moments.mechanics.records import parse_document


@dataclass(frozen=True, slots=True)
class ThinkingHabit:
    """The research on a habit of thought, or on the skill that a category tests."""

    construct: str
    seminal: str
    recent: str
    share: float = 0.6
    prediction: str = ""
    intuition: str = ""
    confounds: tuple[str, ...] = ()


class ConstructOrigin(StrEnum):
    """What of a scenario tests a construct."""

    INSIGHT = "insight"
    CATEGORY = "category"
    DISTRACTOR = "distractor"
    DEADLINE = "deadline"


@dataclass(frozen=True, slots=True)
class TestedConstruct:
    """A construct of the report with what tests it."""

    origin: ConstructOrigin
    construct: Construct


@lru_cache(maxsize=1)
def load_habits_and_skills() -> tuple[Mapping[str, ThinkingHabit], Mapping[str, ThinkingHabit]]:
    """Load the habits by type of insight, and the skills by category."""
    folder = files("impossible_moments.agents.builtin.galileo")
    text = folder.joinpath("constructs.yaml").read_text(encoding="utf-8")
    data: Any = parse_document(text, name="constructs.yaml")
    return _parse_habits(data["habits"]), _parse_habits(data["categories"])


def _parse_habits(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, ThinkingHabit]:
    return {
        name: ThinkingHabit(**{**row, "confounds": tuple(row.get("confounds", ()))})
        for name, row in rows.items()
    }


def find_habit_of_insight(insight: Insight) -> ThinkingHabit:
    """Return the habit that an insight breaks. A habit that is not known is taken for mere surprise."""
    return _find_habit(insight.fixedness_type)


def find_share_breaking_habit(fixedness_type: str) -> float:
    """Return the share of solvers that research expects to break a habit."""
    return _find_habit(fixedness_type).share


def _find_habit(fixedness_type: str) -> ThinkingHabit:
    habits, _ = load_habits_and_skills()
    return habits.get(fixedness_type, habits["surprise"])


def list_tested_constructs(seed: SeedDocument) -> tuple[TestedConstruct, ...]:
    """Return all constructs that a scenario tests, with citations in full and a prediction for AI systems."""
    _, skills = load_habits_and_skills()
    skill = skills[seed.concept_summary.category]
    return (
        *_list_insight_constructs(seed.insight_chain),
        TestedConstruct(ConstructOrigin.CATEGORY, _build_category_construct(skill, seed)),
        *_list_distractor_constructs(seed),
        *_list_deadline_constructs(seed),
    )


def _list_insight_constructs(insights: tuple[Insight, ...]) -> Iterator[TestedConstruct]:
    for number, insight in enumerate(insights, 1):
        habit = find_habit_of_insight(insight)
        needs = ", ".join(map(str, insight.depends_on))
        dependence = f" It is out of reach until insight {needs} is found." if needs else ""
        prediction = f"{habit.prediction} Expected of direct answers: {habit.share:.0%} find “{insight.text}”{dependence}"
        yield TestedConstruct(
            ConstructOrigin.INSIGHT,
            build_construct(number, habit.construct, (habit.seminal, habit.recent), prediction),
        )


def _build_category_construct(skill: ThinkingHabit, seed: SeedDocument) -> Construct:
    recent = load_research_works()[skill.recent].finding
    quantities = count_record_lines(seed, "quantities")
    prediction = f"{recent} Here the {quantities} quantities of the record decide, so that recalling a similar story does not."
    return build_construct(1, skill.construct, (skill.seminal, skill.recent), prediction)


def _list_distractor_constructs(seed: SeedDocument) -> Iterator[TestedConstruct]:
    strong = [each for each in seed.distractor_inventory if each.strength == "strong"]
    if strong:
        names = ", ".join(each.name for each in strong)
        prediction = f"{names}: built into many plans, because “{strong[0].why_it_misleads}”"
        yield TestedConstruct(
            ConstructOrigin.DISTRACTOR,
            build_construct(
                1, "rejection of near misses", ("bilalic2008why", "chollet2019measure"), prediction
            ),
        )
    elif seed.distractor_inventory:
        names = ", ".join(each.name for each in seed.distractor_inventory)
        prediction = f"What is listed gets used: {names} will be added to plans in which they do nothing."
        yield TestedConstruct(
            ConstructOrigin.DISTRACTOR,
            build_construct(
                1, "knowing what to ignore", ("sperber1986relevance", "chollet2019measure"), prediction
            ),
        )
    else:
        objects = len(seed.scenario.objects)
        prediction = f"No distractor is declared; of {objects} listed objects those that the answer does not need will still be used."
        yield TestedConstruct(
            ConstructOrigin.CATEGORY,
            build_construct(
                1, "knowing what to ignore", ("sperber1986relevance", "chollet2019measure"), prediction
            ),
        )


def _list_deadline_constructs(seed: SeedDocument) -> Iterator[TestedConstruct]:
    if seed.mechanics.get("deadline"):
        steps = sum(step.seconds is not None for step in seed.solution_sketch.steps)
        prediction = f"The {steps} timed steps of the answer are named and not added up; plans that come too late are presented as fitting."
        yield TestedConstruct(
            ConstructOrigin.DEADLINE,
            build_construct(
                1, "decision under a deadline", ("easterbrook1959effect", "klein1998sources"), prediction
            ),
        )


def build_construct(insight: int, name: str, keys: tuple[str, ...], prediction: str) -> Construct:
    """Build a construct with its works in full."""
    works = load_research_works()
    return Construct(
        insight=insight,
        construct_tested=name,
        citations=keys,
        references=tuple(works[key].full_reference for key in keys),
        prediction=prediction,
    )
