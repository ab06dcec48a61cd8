"""Implementation of `im score --explain`: how the answers to a scenario were read, executed and credited."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import escape_control_characters
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import AnswerForm, Results, explain_run, find_key_folder
from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.scenarios import Scenario


def print_score_explanations(name: str, results: Path, scenarios: Path, rubrics: Path | None) -> int:
    """Print the explanation of every run of a scenario in a result file. Return the exit status."""
    found = _load_results(results)
    scenario = found.per_scenario.get(name.upper())
    if scenario is None:
        raise ConfigurationError(f"{results} has no runs of {name}. Name a scenario of that file.")
    public = [each for each in Scenario.load_directory(scenarios) if each.scenario_id == name.upper()]
    if not public:
        raise ConfigurationError(f"{scenarios} has no scenario {name}. Name its folder with --scenarios.")
    keys = Evaluator(rubrics_path=rubrics or find_key_folder(scenarios)).load_keys(public)
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for run in scenario.runs:
        title = (
            f"{scenario.scenario_id}, {scenario.title}, {scenario.status}, run {run.number} of {found.model}"
        )
        console.print(f"{escape_control_characters(title)}\n")
        form = AnswerForm(found.answer_form)
        console.print(f"{escape_control_characters(explain_run(run, keys[scenario.scenario_id], form))}\n")
    return DONE


def _load_results(path: Path) -> Results:
    try:
        return Results.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        raise ConfigurationError(
            f"{path} is not a result file. Name one, such as the file that `im eval` wrote."
        ) from None
