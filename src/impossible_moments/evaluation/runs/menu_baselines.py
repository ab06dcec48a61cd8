"""Built-in models that answer from the menu. They read the blind text and the menu, as a model does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.menus import ActionMenu, LineKind, build_action_menu
from impossible_moments.evaluation.menus.menu_values import format_chosen_value
from impossible_moments.evaluation.runs.baselines import PREFIX
from impossible_moments.evaluation.runs.greedy_search import find_greedy_plan
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.records import parse_call, strip_quotes
from impossible_moments.mechanics.world import NeverRuleSource
from impossible_moments.scenarios import Scenario
from impossible_moments.solver import (
    PublicText,
    load_shipped_situations,
    solve_public_text,
    try_most_salient_plan,
)

MenuBaseline = Callable[[Scenario, ActionMenu], str]
_VERDICTS: Final = tuple(each for each in AnswerVerdict if each is not AnswerVerdict.NONE)
_LONGEST_RANDOM_PLAN: Final = 4


def answer_by_search(scenario: Scenario, menu: ActionMenu) -> str:
    """Answer with the result of a full search of the situation recognised in the text."""
    found = solve_public_text(PublicText.from_scenario(scenario), load_shipped_situations())
    report = found.report
    if report is None or report.analysis is None or report.verdict is None:
        return json.dumps({"verdict": "open"})
    finder = CodeFinder(menu, AnswerKey(scenario.scenario_id, report.analysis))
    verdict = report.verdict
    if found.status == "PX":
        conflict = finder.find_condition_codes(_find_conflict(verdict, report.analysis))
        return json.dumps({"verdict": "impossible", "conflict": conflict})
    plans = found.plans or ((verdict.outside.calls,) if verdict.outside is not None else ())
    answer: dict[str, Any] = {"verdict": "solvable" if plans else "open"}
    if verdict.crux is not None:
        answer |= {"verdict": "contested", "crux": finder.find_uncertainty_code(verdict.crux.quantity)}
    if found.status == "MT":
        answer["assumption"] = finder.find_premise_code()
    if plans:
        answer["plan"] = finder.find_plan_codes(plans[0])
        answer["other_plans"] = [finder.find_plan_codes(plan) for plan in plans[1:4]]
    return json.dumps(answer)


def answer_with_salient_plan(scenario: Scenario, menu: ActionMenu) -> str:
    """Answer with the plan whose things the text mentions most, each used for its usual purpose."""
    text = PublicText.from_scenario(scenario)
    attempt = try_most_salient_plan(text, load_shipped_situations())
    report = solve_public_text(text, load_shipped_situations(), nodes=1, depth=1).report
    if report is None or report.analysis is None:
        return json.dumps({"verdict": "solvable", "plan": []})
    finder = CodeFinder(menu, AnswerKey(scenario.scenario_id, report.analysis))
    return json.dumps({"verdict": "solvable", "plan": finder.find_plan_codes(attempt.plan)})


def answer_greedily(scenario: Scenario, menu: ActionMenu) -> str:
    """Answer with the lines that bring the goal of the recognised situation nearest, each without looking further ahead."""
    found = solve_public_text(PublicText.from_scenario(scenario), load_shipped_situations(), nodes=1, depth=1)
    if found.report is None or found.report.analysis is None:
        return json.dumps({"verdict": "solvable", "plan": []})
    own = AnswerKey(scenario.scenario_id, found.report.analysis)
    plan = CodeFinder(menu, own).find_plan_codes(find_greedy_plan(own))
    return json.dumps({"verdict": "solvable", "plan": plan})


def answer_optimistically(_scenario: Scenario, menu: ActionMenu) -> str:
    """Answer that the scenario is solvable by the first two lines of the menu."""
    return json.dumps({"verdict": "solvable", "plan": [line.code for line in menu.lines[:2]]})


def answer_impossible(_scenario: Scenario, _menu: ActionMenu) -> str:
    """Answer that nothing can be done, without a reason."""
    return json.dumps({"verdict": "impossible"})


def answer_randomly(scenario: Scenario, menu: ActionMenu) -> str:
    """Answer with a random verdict and random lines that depend only on the scenario ID."""
    return generate_random_answer(menu, Random(scenario.scenario_id))  # noqa: S311 - the same answer every time


def generate_random_answer(menu: ActionMenu, chance: Random) -> str:
    """Return a random answer from the menu."""
    size = chance.randint(1, min(_LONGEST_RANDOM_PLAN, len(menu.lines)))
    lines = chance.sample(menu.lines, size)
    plan = [f"{line.code}={chance.randint(0, 100)}" if line.takes_value else line.code for line in lines]
    return json.dumps(
        {
            "verdict": str(chance.choice(_VERDICTS)),
            "plan": plan,
            "assumption": chance.choice(list(menu.premises) or [""]),
            "conflict": chance.sample(list(menu.conditions), min(2, len(menu.conditions))),
            "crux": chance.choice(list(menu.uncertainties) or [""]),
        }
    )


def answer_with_everything(_scenario: Scenario, menu: ActionMenu) -> str:
    """Answer with every line of the menu, in its order."""
    plan = [f"{line.code}=50" if line.takes_value else line.code for line in menu.lines]
    return json.dumps({"verdict": "solvable", "plan": plan, "conflict": list(menu.conditions)})


MENU_BASELINES: Final[Mapping[str, MenuBaseline]] = {
    "solver": answer_by_search,
    "greedy": answer_greedily,
    "canonical": answer_with_salient_plan,
    "optimist": answer_optimistically,
    "quitter": answer_impossible,
    "random": answer_randomly,
    "everything": answer_with_everything,
}


def find_menu_baseline(name: str) -> MenuBaseline:
    """Return the baseline with a name such as `builtin:solver`. Raise `ConfigurationError` if unknown."""
    found = MENU_BASELINES.get(name.removeprefix(PREFIX))
    if found is None:
        known = ", ".join(PREFIX + each for each in MENU_BASELINES)
        raise ConfigurationError(f"`{name}` is not a built-in model for menus. The models are {known}.")
    return found


class CodeFinder:
    """Finds the lines of a menu that say what calls of the solver's own record say."""

    def __init__(self, menu: ActionMenu, own: AnswerKey) -> None:
        self._own = own
        self._own_menu = build_action_menu(own)
        self._codes = {line.text: line.code for line in menu.lines}
        self._conditions = {text: code for code, text in menu.conditions.items()}
        self._premises = {text: code for code, text in menu.premises.items()}
        self._uncertainties = {text: code for code, text in menu.uncertainties.items()}

    def find_plan_codes(self, calls: Iterable[str]) -> list[str]:
        """Return the codes of calls, without those that have no line."""
        return [code for code in map(self._find_code, calls) if code]

    def find_condition_codes(self, names: Iterable[str]) -> list[str]:
        """Return the codes of conditions, without those that have no sentence."""
        sentences = (self._own.wording.conditions.get(name, "") for name in names)
        return [self._conditions[each] for each in sentences if each in self._conditions]

    def find_premise_code(self) -> str:
        """Return the code of the premise that the solver's record has, or an empty text."""
        rules = self._own.analysis.world.never_rules
        names = [rule.name for rule in rules if rule.by is NeverRuleSource.PREMISE]
        sentences = (self._own.wording.premises.get(name, "") for name in names)
        return next((self._premises[each] for each in sentences if each in self._premises), "")

    def find_uncertainty_code(self, quantity: str) -> str:
        """Return the code of a quantity that decides, or an empty text."""
        return self._uncertainties.get(self._own.wording.uncertainties.get(quantity, ""), "")

    def _find_code(self, call: str) -> str:
        parsed = parse_call(call)
        if parsed.verb == "choose":
            return self._find_value_code(parsed.arguments)
        line = self._own_menu.find_line_of_call(call)
        if line is None and parsed.verb == "answer":
            kinds = [each for each in self._own_menu.lines if each.kind is LineKind.ANSWER]
            line = next((each for each in kinds if each.call == parsed.arguments[0]), None)
            code = self._codes.get(line.text, "") if line is not None else ""
            return f"{code}={strip_quotes(parsed.arguments[1])}" if code else ""
        return self._codes.get(line.text, "") if line is not None else ""

    def _find_value_code(self, arguments: Sequence[str]) -> str:
        name, _, text = arguments[0].partition("=")
        lines = [each for each in self._own_menu.lines if each.kind is LineKind.VALUE]
        line = next((each for each in lines if each.call == name.strip()), None)
        code = self._codes.get(line.text, "") if line is not None else ""
        return f"{code}={format_chosen_value(name.strip(), text.strip(), self._own)}" if code else ""


def _find_conflict(verdict: StatusVerdict, analysis: WorldAnalysis) -> list[str]:
    proof = verdict.impossibility
    if proof is None:
        return []
    prover = analysis.create_prover(estimates_doubled=True)
    return [str(name) for name in prover.find_smallest_conflict(proof.blocking_conditions)]
