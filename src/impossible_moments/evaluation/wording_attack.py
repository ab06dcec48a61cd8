"""Hostile answers to scenarios with wording: right things with wrong deeds, everything at once, menus filled at random."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.interpretation import score_interpreted_answer
from impossible_moments.evaluation.menus import build_action_menu, interpret_menu_answer
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.evaluation.runs.menu_baselines import generate_random_answer
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.mechanics.records import PlannedCall, parse_call

RANDOM_MENUS: Final = 60
"""The number of menus that are filled at random for each scenario."""


def generate_worded_attacks(key: AnswerKey) -> Iterator[str]:
    """Generate answers in the plan form that must not be accepted."""
    menu = build_action_menu(key)
    yield _format_plan([line.text for line in menu.lines])
    yield _format_plan([f"Use {thing.label}." for thing in key.analysis.world.things.values() if thing.own])
    yield _format_plan([" ".join(line.text for line in menu.lines)])
    for name, outcome in key.analysis.outcomes.items():
        if outcome.reaches_goal:
            yield from _replace_deeds(tuple(move.text for move in key.analysis.plans[name]), key)


def _replace_deeds(calls: tuple[str, ...], key: AnswerKey) -> Iterator[str]:
    """Yield a working plan with each of its deeds replaced by each of its near misses."""
    steps = [str(convert_call_to_step(call, key)["do"]) for call in calls]
    for place, call in enumerate(calls):
        parsed = parse_call(call)
        found = key.wording.find_wording(PlannedCall(parsed.verb, parsed.arguments))
        for near_miss in found.near_misses if found is not None else ():
            yield _format_plan([*steps[:place], near_miss, *steps[place + 1 :]])


def _format_plan(steps: list[str]) -> str:
    return json.dumps({"verdict": "solvable", "plan": steps}, ensure_ascii=False)


def score_random_menus(key: AnswerKey) -> Iterator[tuple[str, ScoredAnswer]]:
    """Yield answers from the menu that are filled at random, with their scores."""
    menu = build_action_menu(key)
    chance = Random(key.scenario_id)  # noqa: S311 - the same answers for the same scenario
    everything = json.dumps(
        {
            "verdict": "solvable",
            "plan": [f"{line.code}=50" if line.takes_value else line.code for line in menu.lines],
        }
    )
    for text in (everything, *(generate_random_answer(menu, chance) for _ in range(RANDOM_MENUS))):
        yield text, score_interpreted_answer(interpret_menu_answer(text, menu, key), key)
