"""Built-in models that need no API key: a searching solver, a naive planner and three trivial answerers.

They read the blind text as a model would and answer in the plan form. Their answers are scored like all
others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.record_wording import convert_call_to_step, describe_condition
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.world import NeverRuleSource
from impossible_moments.scenarios import Scenario
from impossible_moments.solver import (
    PublicText,
    SolverResult,
    load_shipped_situations,
    solve_public_text,
    try_most_salient_plan,
)

PREFIX: Final = "builtin:"
_VERBS: Final = (
    "take", "put", "push", "pull", "lift", "carry", "throw", "tie", "hang", "open", "close", "break", "cut", "pour", "fill",
    "heat", "cool", "light", "wet", "dry", "cover", "wedge", "shake", "connect",
)  # fmt: skip
"""Everyday verbs from which random plans are made."""
_ROW: Final = re.compile(r"^\| ([^|]+?) \|", re.MULTILINE)
_HEADER_CELLS: Final = frozenset({"Object", "Feature", "Parameter", "---"})


def answer_by_search(scenario: Scenario) -> str:
    """Answer with the result of a full search of the situation recognised in the text."""
    solver_result = solve_public_text(PublicText.from_scenario(scenario), load_shipped_situations())
    return json.dumps(_build_answer(solver_result), ensure_ascii=False)


def answer_with_salient_plan(scenario: Scenario) -> str:
    """Answer with the plan whose things the text mentions most, each used for its usual purpose."""
    text = PublicText.from_scenario(scenario)
    attempt = try_most_salient_plan(text, load_shipped_situations())
    solver_result = solve_public_text(text, load_shipped_situations(), nodes=1, depth=1)
    report = solver_result.report
    key = AnswerKey(scenario.scenario_id, report.analysis) if report is not None and report.analysis else None
    steps = [convert_call_to_step(call, key) for call in attempt.plan] if key is not None else []
    return json.dumps({"verdict": "solvable", "plan": steps}, ensure_ascii=False)


def answer_optimistically(scenario: Scenario) -> str:
    """Answer that the scenario is solvable by using the first object on the next two."""
    things = _list_object_names(scenario)
    plan = [{"do": "use", "with": things[:1], "to": each} for each in things[1:3]]
    return json.dumps({"verdict": "solvable", "plan": plan}, ensure_ascii=False)


def answer_impossible(_scenario: Scenario) -> str:
    """Answer that nothing can be done, without a reason."""
    return json.dumps({"verdict": "impossible"})


def answer_randomly(scenario: Scenario) -> str:
    """Answer with random verbs and objects that depend only on the scenario ID."""
    things = _list_object_names(scenario) or ["it"]
    stream = sha256(scenario.scenario_id.encode()).digest() * 2
    plan = [
        {
            "do": _VERBS[stream[3 * number] % len(_VERBS)],
            "with": [things[stream[3 * number + 1] % len(things)]],
            "to": things[stream[3 * number + 2] % len(things)],
        }
        for number in range(4)
    ]
    return json.dumps({"verdict": "solvable", "plan": plan}, ensure_ascii=False)


BASELINES: Final[Mapping[str, Callable[[Scenario], str]]] = {
    "solver": answer_by_search,
    "canonical": answer_with_salient_plan,
    "optimist": answer_optimistically,
    "quitter": answer_impossible,
    "random": answer_randomly,
}


def find_baseline(name: str) -> Callable[[Scenario], str]:
    """Return the baseline with a name such as `builtin:solver`. Raises `ConfigurationError` if unknown."""
    found = BASELINES.get(name.removeprefix(PREFIX))
    if found is None:
        raise ConfigurationError(
            f"`{name}` is not a built-in model. The models are {', '.join(PREFIX + each for each in BASELINES)}."
        )
    return found


def _build_answer(solver_result: SolverResult) -> dict[str, Any]:
    report = solver_result.report
    if report is None or report.analysis is None or report.verdict is None:
        return {"verdict": "open"}
    world, verdict = report.analysis.world, report.verdict
    found = solver_result.plans or (((verdict.outside.calls,)) if verdict.outside is not None else ())
    key = AnswerKey("", report.analysis)
    plans = [[convert_call_to_step(call, key) for call in plan] for plan in found]
    if solver_result.status == "PX":
        return {"verdict": "impossible", "conflict": list(_describe_conflict(verdict, report.analysis))}
    answer: dict[str, Any] = {"verdict": "solvable" if plans else "open"}
    if verdict.crux is not None:
        crux = verdict.crux.quantity
        words = key.wording.uncertainties.get(crux, crux.replace("_", " "))
        answer |= {"verdict": "contested", "crux": words}
    premises = [never.evidence for never in world.never_rules if never.by is NeverRuleSource.PREMISE]
    if premises and solver_result.status == "MT":
        answer["assumption"] = premises[0]
    if plans:
        answer["plan"] = plans[0]
        answer["other_plans"] = plans[1:4]
    return answer


def _describe_conflict(verdict: StatusVerdict, analysis: WorldAnalysis) -> Iterator[str]:
    """Yield the conflicting conditions, described by the things and figures that they read."""
    proof = verdict.impossibility
    for name in (
        analysis.create_prover(estimates_doubled=True).find_smallest_conflict(proof.blocking_conditions)
        if proof is not None
        else ()
    ):
        yield describe_condition(str(name), AnswerKey("", analysis))


def _list_object_names(scenario: Scenario) -> list[str]:
    rows = _ROW.findall(scenario.sections["Available Objects"])
    return [each for each in rows if each not in _HEADER_CELLS and not set(each) <= set("-: ")]
