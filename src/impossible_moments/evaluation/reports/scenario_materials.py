"""The scenarios behind result files: their public texts and their keys, if they are the ones that were answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.benchmark_description import describe_benchmark
from impossible_moments.evaluation.environment import find_key_folder
from impossible_moments.evaluation.menus import build_action_menu, render_menu_instructions
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.run_scoring import MENU_FORMS
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation, build_answer_prompt
from impossible_moments.library import load_everyday_library
from impossible_moments.scenarios import Scenario

_ALL: Final = ""


@dataclass(frozen=True)
class ScenarioMaterial:
    """The public document of a scenario and its key, or why there is no key."""

    scenario: Scenario
    key: AnswerKey | None
    problem: str = ""


@dataclass(frozen=True)
class ScenarioMaterials:
    """The materials of scenarios by their IDs, and a note on what is missing."""

    materials: Mapping[str, ScenarioMaterial]
    note: str = ""

    def build_prompts(
        self, scenario_id: str, results_by_name: Mapping[str, Results]
    ) -> tuple[tuple[str, str], ...]:
        """Return each different prompt for a scenario with the names of its evaluations; no names if it is the only one."""
        material = self.materials.get(scenario_id)
        if material is None:
            return ()
        prompts: dict[str, list[str]] = {}
        for name, results in results_by_name.items():
            if scenario_id in results.per_scenario:
                prompts.setdefault(_build_prompt(material, results), []).append(name)
        if len(prompts) == 1:
            return tuple((_ALL, text) for text in prompts)
        return tuple((", ".join(names), text) for text, names in prompts.items())


def _build_prompt(material: ScenarioMaterial, results: Results) -> str:
    try:
        form, presentation = AnswerForm(results.answer_form), Presentation(results.presentation)
    except ValueError:
        return material.scenario.blind  # the file names a form that this version does not know
    menu = ""
    if form in MENU_FORMS:
        if material.key is None:
            return material.scenario.blind
        with_unsaid = form is AnswerForm.INTERACTIVE
        menu = render_menu_instructions(build_action_menu(material.key, with_unsaid=with_unsaid))
    return build_answer_prompt(material.scenario, presentation, form, menu)


def load_scenario_materials(
    folder: Path, results: Sequence[Results], rubrics: Path | None = None
) -> ScenarioMaterials:
    """Load the scenarios that result files name.

    Raise `ConfigurationError` if the folder cannot be read. A scenario whose title, category, tier or status differs
    from the result files is another one and is left out. A key that cannot be opened is left out with its reason.
    """
    wanted = {each.scenario_id: each for found in results for each in found.scenarios}
    public = {each.scenario_id: each for each in Scenario.load_directory(folder)}
    library, keys = load_everyday_library(), rubrics or find_key_folder(folder)
    materials: dict[str, ScenarioMaterial] = {}
    others: list[str] = []
    for name, scenario in public.items():
        expected = wanted.get(name)
        if expected is None:
            continue
        if (scenario.title, scenario.category, scenario.tier) != (
            expected.title,
            expected.category,
            expected.tier,
        ):
            others.append(name)
            continue
        try:
            materials[name] = ScenarioMaterial(scenario, AnswerKey.load(keys, name, library))
        except ConfigurationError as problem:
            materials[name] = ScenarioMaterial(scenario, None, str(problem))
    notes = (_describe_missing(wanted, materials, others), _describe_changed_texts(results, public))
    return ScenarioMaterials(materials, " ".join(filter(None, notes)))


def _describe_changed_texts(results: Sequence[Results], public: Mapping[str, Scenario]) -> str:
    """Return a warning if the texts of the folder are not those of a result file, by the hash that the file holds."""
    for found in results:
        scenarios = [public[each.scenario_id] for each in found.scenarios if each.scenario_id in public]
        if len(scenarios) < len(found.scenarios) or not found.benchmark:
            continue
        if describe_benchmark(scenarios) != found.benchmark:
            return "The texts of the scenarios have changed since the answers were given: prompts and keys may differ from what was scored."
    return ""


def _describe_missing(
    wanted: Mapping[str, object], found: Mapping[str, object], others: Sequence[str]
) -> str:
    missing = len(wanted) - len(found)
    if not missing:
        return ""
    other = f" {len(others)} of them have another title, category or tier there." if others else ""
    return f"{missing} of {len(wanted)} scenarios are not in the folder, so their prompts and keys are missing here.{other}"
