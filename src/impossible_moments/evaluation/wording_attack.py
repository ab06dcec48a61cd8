"""Hostile answers to scenarios with wording: right things with wrong acts, everything at once, menus filled by chance or greed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.hostile_answers import AttackKind, HostileAnswer, format_answer
from impossible_moments.evaluation.menus import ActionMenu, LineKind, build_action_menu
from impossible_moments.evaluation.record_wording import convert_call_to_step
from impossible_moments.evaluation.runs.greedy_search import find_greedy_plan
from impossible_moments.evaluation.runs.menu_baselines import CodeFinder, generate_random_answer
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.mechanics.records import PlannedCall, parse_call

RANDOM_MENUS: Final = 60
"""The number of menus that are filled at random for each scenario."""


def generate_worded_attacks(key: AnswerKey) -> Iterator[HostileAnswer]:
    """Generate answers to a scenario with wording, in the plan form and from its menu."""
    menu = build_action_menu(key)
    yield from _use_everything(menu, key)
    for name, outcome in key.analysis.outcomes.items():
        if outcome.reaches_goal:
            calls = tuple(move.text for move in key.analysis.plans[name])
            yield from _replace_deeds(calls, key)
            yield from _replace_lines(calls, menu, key)
    chance = Random(key.scenario_id)  # noqa: S311 - the same answers for the same scenario
    for _ in range(RANDOM_MENUS):
        text = generate_random_answer(menu, chance)
        yield HostileAnswer(AttackKind.RANDOM_MENUS, text, AnswerForm.MENU)
    yield from _fill_greedily(menu, key)


def _use_everything(menu: ActionMenu, key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield all lines as a plan, in one sentence and from the menu, and all things used."""
    texts = [line.text for line in menu.lines]
    things = [f"Use {thing.label}." for thing in key.analysis.world.things.values() if thing.own]
    for plan in (texts, texts[::-1], things, [" ".join(texts)], [*texts, *texts]):
        yield HostileAnswer(AttackKind.EVERYTHING, format_answer("solvable", plan))
    codes = [f"{line.code}=50" if line.takes_value else line.code for line in menu.lines]
    statements: dict[str, object] = {
        "assumption": next(iter(menu.premises), ""),
        "conflict": list(menu.conditions),
        "crux": next(iter(menu.uncertainties), ""),
    }
    for verdict in ("solvable", "impossible", "contested"):
        for plan in (codes, codes[::-1]):
            text = format_answer(verdict, plan, other_plans=[codes, codes[::-1]], **statements)
            yield HostileAnswer(AttackKind.EVERYTHING, text, AnswerForm.MENU)


def _replace_deeds(calls: tuple[str, ...], key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield a working plan with each of its deeds replaced by each of its near misses."""
    steps = [str(convert_call_to_step(call, key)["do"]) for call in calls]
    for place, call in enumerate(calls):
        parsed = parse_call(call)
        found = key.wording.find_wording(PlannedCall(parsed.verb, parsed.arguments))
        for near_miss in found.near_misses if found is not None else ():
            plan = [*steps[:place], near_miss, *steps[place + 1 :]]
            meant = (*calls[:place], *calls[place + 1 :])
            yield HostileAnswer(AttackKind.NEAR_MISSES, format_answer("solvable", plan), meant=meant)


def _replace_lines(calls: tuple[str, ...], menu: ActionMenu, key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield the codes of a working plan with one of them replaced by each near miss of the menu."""
    codes = CodeFinder(menu, key).find_plan_codes(calls)
    near_misses = [line.code for line in menu.lines if line.kind is LineKind.NEAR_MISS]
    for place in range(len(codes)):
        for near_miss in near_misses:
            plan = [*codes[:place], near_miss, *codes[place + 1 :]]
            yield HostileAnswer(AttackKind.NEAR_MISSES, format_answer("solvable", plan), AnswerForm.MENU)


def _fill_greedily(menu: ActionMenu, key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield the lines of a greedy search, whole and cut short, with every verdict."""
    plan = CodeFinder(menu, key).find_plan_codes(find_greedy_plan(key))
    for length in range(len(plan) + 1):
        for verdict in ("solvable", "contested", "impossible"):
            text = format_answer(verdict, plan[:length])
            yield HostileAnswer(AttackKind.GREEDY_MENUS, text, AnswerForm.MENU)
