"""The runs behind a report: for each scenario the prompt, every answer with its explanation, and the key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.interpretation.explained_execution import (
    ExplainedExecution,
    describe_key_plan,
)
from impossible_moments.evaluation.interpretation.plain_words import describe_condition
from impossible_moments.evaluation.interpretation.score_explanation import ScoreExplanation
from impossible_moments.evaluation.reports.run_outcomes import classify_run
from impossible_moments.evaluation.reports.scenario_materials import ScenarioMaterial, ScenarioMaterials
from impossible_moments.evaluation.results import EvaluationRun, Results, ScenarioResult
from impossible_moments.evaluation.run_explanation import build_run_explanation
from impossible_moments.evaluation.runs.presentation import AnswerForm


@dataclass(frozen=True)
class AnswerPage:
    """One answer, with the runs that gave it with the same result, and how its score came about."""

    runs: tuple[EvaluationRun, ...]
    explanation: ScoreExplanation | None = None
    why_not_explained: str = ""

    @property
    def run(self) -> EvaluationRun:
        """The first of the runs."""
        return self.runs[0]


@dataclass(frozen=True)
class EvaluationSide:
    """The answers of one evaluation to one scenario."""

    name: str
    answers: tuple[AnswerPage, ...]
    best: float | None


@dataclass(frozen=True)
class KeyApproach:
    """An approach of the record: its name in words of its steps, why it seems promising, and its execution."""

    why: str
    execution: ExplainedExecution


@dataclass(frozen=True)
class ScenarioPage:
    """Everything about one scenario."""

    scenario: ScenarioResult
    prompts: tuple[tuple[str, str], ...]
    """What solvers were shown, each with the names of the evaluations that it was shown in; shared parts are cut."""
    sides: tuple[EvaluationSide, ...]
    approaches: tuple[KeyApproach, ...] = ()
    conflict: tuple[str, ...] = ()
    """The conditions that close the goal of an impossible scenario."""
    insights: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the evaluations have different results on it."""
        found = {
            tuple(sorted((classify_run(run), run.score or 0.0) for each in side.answers for run in each.runs))
            for side in self.sides
        }
        return len(found) > 1


@dataclass(frozen=True)
class RunPages:
    """The pages of all scenarios, and what holds for all of them."""

    names: tuple[str, ...]
    scenarios: tuple[ScenarioPage, ...]
    shared_prompt: tuple[str, str] = ("", "")
    """The beginning and the end that the prompts of all scenarios share."""
    note: str = ""
    """Why prompts, executions and keys are missing."""


def build_run_pages(
    results_by_name: Mapping[str, Results], materials: ScenarioMaterials | None = None
) -> RunPages:
    """Build the pages of all scenarios of one or several evaluations. Without materials they hold only results."""
    known = materials or ScenarioMaterials({}, _NO_FOLDER)
    first = {each.scenario_id: each for results in results_by_name.values() for each in results.scenarios}
    prompts = {name: known.build_prompts(name, results_by_name) for name in first}
    shared = _find_shared_ends([text for pairs in prompts.values() for _, text in pairs])
    pages = tuple(
        _build_page(
            each,
            results_by_name,
            known.materials.get(name),
            tuple((label, _cut_ends(text, shared)) for label, text in prompts[name]),
        )
        for name, each in first.items()
    )
    return RunPages(tuple(results_by_name), pages, shared, known.note)


_NO_FOLDER: Final = (
    "The scenarios were not given, so prompts, executed steps and keys are missing here. "
    "Name their folder with --scenarios."
)


def _build_page(
    scenario: ScenarioResult,
    results_by_name: Mapping[str, Results],
    material: ScenarioMaterial | None,
    prompts: tuple[tuple[str, str], ...],
) -> ScenarioPage:
    sides = tuple(
        EvaluationSide(name, _build_answers(found.runs, results, material), found.best)
        for name, results in results_by_name.items()
        if (found := results.per_scenario.get(scenario.scenario_id)) is not None
    )
    if material is None or material.key is None:
        return ScenarioPage(scenario, prompts, sides)
    key = material.key
    reasons = {each.name: each.why for each in key.analysis.world.record.approaches}
    order = sorted(key.analysis.outcomes, key=lambda name: not key.analysis.outcomes[name].reaches_goal)
    return ScenarioPage(
        scenario,
        prompts,
        sides,
        tuple(KeyApproach(reasons.get(name) or "", describe_key_plan(name, key)) for name in order),
        tuple(describe_condition(name, key) for name in key.conflict if name not in key.wording.bookkeeping),
        tuple(each.text for each in key.insights),
    )


def _build_answers(
    runs: Sequence[EvaluationRun], results: Results, material: ScenarioMaterial | None
) -> tuple[AnswerPage, ...]:
    """Return the answers of an evaluation. Runs with the same answer and the same result are one."""
    groups: dict[str, list[EvaluationRun]] = {}
    for run in runs:
        same = run.model_dump_json(exclude={"number", "input_tokens", "output_tokens", "cost"})
        groups.setdefault(same, []).append(run)
    return tuple(_build_answer(tuple(each), results, material) for each in groups.values())


def _build_answer(
    runs: tuple[EvaluationRun, ...], results: Results, material: ScenarioMaterial | None
) -> AnswerPage:
    if material is None:
        return AnswerPage(runs)
    if material.key is None:
        return AnswerPage(runs, None, material.problem)
    if not runs[0].answer.strip():
        return AnswerPage(runs, None, "There is no answer to read.")
    try:
        return AnswerPage(runs, build_run_explanation(runs[0], material.key, AnswerForm(results.answer_form)))
    except (ConfigurationError, ValueError, KeyError) as problem:
        # an answer that cannot be explained must not take the others with it
        return AnswerPage(runs, None, f"It cannot be explained: {problem}")


def _find_shared_ends(texts: Iterable[str]) -> tuple[str, str]:
    """Return the lines with which all texts begin and end; empty for fewer than two texts."""
    lines = [each.splitlines(keepends=True) for each in dict.fromkeys(texts)]
    if len(lines) < 2:  # noqa: PLR2004 - one text shares nothing
        return "", ""
    start = _count_shared_lines(lines)
    end = _count_shared_lines([list(reversed(each[start:])) for each in lines])
    return "".join(lines[0][:start]), "".join(lines[0][len(lines[0]) - end :])


def _count_shared_lines(texts: Sequence[Sequence[str]]) -> int:
    count = 0
    for found in zip(*texts, strict=False):
        if len(set(found)) > 1:
            break
        count += 1
    return count


def _cut_ends(text: str, ends: tuple[str, str]) -> str:
    return text.removeprefix(ends[0]).removesuffix(ends[1])
