"""How many menus can express the whole answer of the key: verdict, plan, crux, premise, conflict and figures.

`python -m benchmarks.menu_expression FOLDER` writes the key's answer to each scenario in the codes of its menu, and scores it. A menu
that cannot say a part of it is counted with what is missing. Values at which a contested answer would choose otherwise have no
form in a menu, and earn nothing there.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from impossible_moments.domain.scoring_rubrics import FULL_OUTCOME, LEAST_SIMPLE
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import parse_answer
from impossible_moments.evaluation.breakthroughs.frontier_filter import (
    build_frontier,
    check_figures_against_envelope,
)
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.menus import build_action_menu
from impossible_moments.evaluation.runs.menu_baselines import CodeFinder
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.mechanics.records import Quantity

SPOKEN = ("challenge",)
"""Verbs that menus express by the premise and not by a line."""


def write_menu_answer(key: AnswerKey) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the answer of the key in codes of the menu, and what has no code."""
    finder = CodeFinder(build_action_menu(key), key)
    match key.status:
        case "PX":
            names = [each for each in key.conflict if each not in key.wording.bookkeeping]
            codes = finder.find_condition_codes(names)
            missing = [each for each in names if not finder.find_condition_codes([each])]
            return {"verdict": "impossible", "conflict": codes}, tuple(missing)
        case "OF":
            claims = build_frontier(key).claims
            figures = {name: _write_figure(each) for name, each in claims.items()}
            return {"verdict": "open", "claims": figures}, ()
        case "CT":
            names = list(filter(None, (key.block.at_low, key.block.at_high)))
            plans = [_write_plan(name, finder, key) for name in names]
            crux = finder.find_uncertainty_code(key.block.crux)
            answer = {
                "verdict": "contested",
                "plan": plans[0][0],
                "other_plans": [plan for plan, _ in plans[1:]],
                "crux": crux,
            }
            return answer, (*(each for _, lost in plans for each in lost), *(() if crux else ("crux",)))
        case _:
            name = next(_iterate_right_plans(key))
            plan, lost = _write_plan(name, finder, key)
            premise = finder.find_premise_code()
            if key.status == "MT" and not premise:
                lost = (*lost, "premise")
            return {"verdict": "solvable", "plan": plan, "assumption": premise}, lost


def _write_figure(claim: Quantity) -> str:
    """Return a value that a claim may have, with its unit."""
    value = next((each for each in (claim.low, claim.high) if each is not None), 1.0)
    unit = claim.display_unit
    return f"{value:.10g}" if unit is None else f"{unit.from_si(value):.10g} {unit.text}"


def _iterate_right_plans(key: AnswerKey) -> Iterator[str]:
    yield from getattr(key.block, "outside", ())
    yield from (name for name, outcome in key.analysis.outcomes.items() if outcome.reaches_goal)


def _write_plan(name: str, finder: CodeFinder, key: AnswerKey) -> tuple[list[str], tuple[str, ...]]:
    """Return the codes of an approach, and its calls without a code. Steps that follow by themselves need none."""
    unsaid = {move.text for move in key.unsaid_moves}
    calls = [
        move.text for move in key.analysis.plans[name] if move.verb not in SPOKEN and move.text not in unsaid
    ]
    codes = [finder.find_plan_codes([call]) for call in calls]
    lost = tuple(call for call, code in zip(calls, codes, strict=True) if not code)
    return [code for each in codes for code in each], lost


def is_expressed(scenario_id: str, environment: Environment, answer: dict[str, Any]) -> bool:
    """Return whether an answer from the menu is right as a whole: all points, or all figures of an open question."""
    key, text = environment.load_key(scenario_id), json.dumps(answer)
    if key.status == "OF":
        parsed = parse_answer(text)
        return parsed is not None and not check_figures_against_envelope(parsed, key).unstated
    parts = environment.score_answer(scenario_id, text, AnswerForm.MENU).components
    # a simple answer keeps its points by its length
    least = FULL_OUTCOME * LEAST_SIMPLE if key.status == "DG" else FULL_OUTCOME
    return parts is not None and parts.outcome >= least


def main() -> None:
    """Print the share of menus that express the key's answer, and what the others lack."""
    parser = ArgumentParser(description="Count the menus that can express the whole answer of the key.")
    parser.add_argument("folder", type=Path, help="folder of scenarios with their keys")
    environment = Environment(parser.parse_args().folder)
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for name in environment.scenarios:
        key = environment.load_key(name)
        if key.unscorable_reason:
            continue
        answer, lost = write_menu_answer(key)
        whole = not lost and is_expressed(name, environment, answer)
        counts[key.status][whole] += 1
        if not whole:
            print(f"{name} {key.full_status}: {', '.join(lost) or 'the answer does not earn all points'}")
    for status, found in sorted(counts.items()):
        print(f"{status}: {found[True]} of {found.total()}")
    print(
        f"all: {sum(each[True] for each in counts.values())} of {sum(each.total() for each in counts.values())}"
    )


if __name__ == "__main__":
    main()
