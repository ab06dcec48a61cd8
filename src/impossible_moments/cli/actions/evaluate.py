"""Implementation of `im eval`: run a model on scenarios and write a result file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.cli.actions import imported_scenarios
from impossible_moments.cli.actions.imported_scenarios import ImportedEvaluationOptions
from impossible_moments.cli.actions.uncertain_actions.evaluation import evaluate_uncertain_scenarios
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.evaluation import (
    print_evaluation_estimate,
    print_result_summary,
    require_writable_result_file,
    show_answer_progress,
)
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.evaluation_protocol import RUNS, TEMPERATURE
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import (
    BASELINES,
    MENU_BASELINES,
    MENU_FORMS,
    NO_WORDING,
    PREFIX,
    AnswerForm,
    AnswerKey,
    PlannedEvaluation,
    Presentation,
    Results,
    estimate_evaluation_cost,
    find_key_folder,
    has_worded_record,
    require_valid_panel,
    split_scenarios,
)
from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.imported_scenarios import is_imported_folder
from impossible_moments.evaluation.statistics import summarize_results
from impossible_moments.evaluation.uncertain_runs import (
    PLAYERS,
    UNCERTAIN_FORMS,
    WORLDS,
    UncertainEvaluator,
)
from impossible_moments.llm import (
    ThinkingBudget,
    load_price_table,
    parse_model_reference,
    parse_thinking_budget,
)
from impossible_moments.scenarios import Scenario, ScenarioRegistry, write_file_atomically

MOST_NAMES = 5
"""The most scenarios that a message names."""


INTERRUPTED: Final = "Interrupted. Everything that was answered is stored. Run the same command again to request only what is missing."


@dataclass(frozen=True)
class EvaluationOptions:
    """Options of an evaluation, or of scoring given answers."""

    model: str
    scenarios: Path
    rubrics: Path | None
    output: Path
    runs: int = RUNS
    temperature: float | None = TEMPERATURE
    presentation: str = "blind"
    answer: str | None = None
    """Answer form. None means `plan`, or `free` for imported scenarios without mechanics."""
    limit: int | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: tuple[str, ...] = ()
    translator: str | None = None
    by_outcome: bool = False
    restarts: int = 0
    """How often an interactive episode may begin again."""
    quick: bool = False
    """Whether only the quick set is used."""
    worlds: int = WORLDS
    """How many worlds of each uncertain scenario are played."""
    thinking: str | None = None
    """The thinking budget: none, free or a number of tokens. None means that nothing is asked."""

    @property
    def form(self) -> str:
        """The answer form to request, validated."""
        return _require_enum_value(AnswerForm, self.answer or AnswerForm.PLAN)

    @property
    def imported_options(self) -> ImportedEvaluationOptions | None:
        """The same options as a trial on imported scenarios, or None for other scenarios."""
        if not is_imported_folder(self.scenarios):
            if self.by_outcome:
                raise ConfigurationError(
                    f"--by-outcome is only for imported scenarios without mechanics. Answers to those in {self.scenarios} are executed. Remove it."
                )
            return None
        if self.translator:
            raise ConfigurationError(
                "--translator reads answers as actions to execute, but imported scenarios have no mechanics. Remove it."
            )
        return ImportedEvaluationOptions(
            self.model, self.scenarios, self.output, self.runs, self.temperature, self.presentation,
            self.answer or AnswerForm.FREE, self.limit, self.spending_limit, self.prices, self.judges, self.by_outcome,
        )  # fmt: skip

    @property
    def _allowed_restarts(self) -> int:
        if self.restarts and self.form != AnswerForm.INTERACTIVE:
            raise ConfigurationError(
                "--restarts is only for episodes. Add --answer interactive, or remove --restarts."
            )
        return self.restarts

    @property
    def thinking_budget(self) -> ThinkingBudget | None:
        """The thinking budget, validated."""
        if self.thinking is None:
            return None
        if self.form == AnswerForm.INTERACTIVE:
            raise ConfigurationError(
                "--thinking-budget limits one answer, but an episode has many. Remove it, or add --answer menu."
            )
        return parse_thinking_budget(self.thinking)

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator. It stores answers and judgements in a hidden folder beside the result file."""
        return Evaluator(
            rubrics_path=self.rubrics or find_key_folder(self.scenarios),
            model_under_test=self.model,
            runs_per_scenario=self.runs,
            temperature=self.temperature,
            presentation=_require_enum_value(Presentation, self.presentation),
            answer=self.form,
            output=self.output.parent / f".{self.output.stem}",
            spending_limit=self.spending_limit,
            prices=self.prices,
            judges=self.judges,
            translator=self.translator,
            restarts=self._allowed_restarts,
            thinking=self.thinking_budget,
        )

    @property
    def uncertain_evaluator(self) -> UncertainEvaluator:
        """The evaluator of the uncertain worlds of the folder. It stores answers in the same hidden folder."""
        if self._allowed_restarts:
            raise ConfigurationError(
                "An episode in an uncertain world cannot begin again. Remove --restarts."
            )
        if self.presentation != Presentation.BLIND:
            raise ConfigurationError(
                f"--presentation {self.presentation} would show traps of uncertain worlds. Use --presentation blind."
            )
        return UncertainEvaluator(
            rubrics_path=self.rubrics or find_key_folder(self.scenarios),
            model_under_test=self.model,
            form=AnswerForm(self.form),
            worlds=self.worlds,
            runs=self.runs,
            temperature=self.temperature,
            output=self.output.parent / f".{self.output.stem}",
            spending_limit=self.spending_limit,
            prices=self.prices,
        )


def require_single_budget(budgets: Sequence[str]) -> str | None:
    """Return the one thinking budget of an evaluation, or None. Raise a ConfigurationError if there are several."""
    if len(budgets) > 1:
        raise ConfigurationError(
            "An evaluation has one --thinking-budget. Run it once for each, or add --reach, which takes several."
        )
    return budgets[0] if budgets else None


def evaluate_model(trial: EvaluationOptions, *, dry_run: bool, as_json: bool) -> int:
    """Run a model on scenarios, write the result file and print a summary. Return the exit status."""
    if trial.imported_options is not None:
        return imported_scenarios.evaluate_imported_scenarios(
            trial.imported_options, dry_run=dry_run, as_json=as_json
        )
    rubrics = trial.rubrics or find_key_folder(trial.scenarios)
    loaded = load_scenarios(trial.scenarios, trial.limit, only_quick=trial.quick)
    scenarios, uncertain = split_scenarios(loaded, rubrics)
    if uncertain and _can_play(trial, alone=not scenarios):
        output = _choose_uncertain_output(trial, beside_others=bool(scenarios))
        status = evaluate_uncertain_scenarios(
            trial.uncertain_evaluator, uncertain, output, dry_run=dry_run, as_json=as_json
        )
        if output == trial.output:
            return status
    elif uncertain:
        _print_skipped_worlds(uncertain, trial.form)
    if trial.form == AnswerForm.POLICY:
        raise ConfigurationError(
            f"Policies are for uncertain worlds, and {trial.scenarios} has none. Use another --answer."
        )
    evaluator = trial.evaluator
    _require_known_baseline(trial.model, AnswerForm(evaluator.answer))
    _require_translatable_form(trial)
    worded = select_worded_scenarios(scenarios, Path(evaluator.rubrics_path))
    if dry_run:
        return _print_run_estimate(trial, worded, as_json=as_json)
    require_writable_result_file(trial.output)
    try:
        with show_answer_progress(len(worded) * trial.runs) as report_progress:
            evaluator.report_progress = report_progress
            results = evaluator.evaluate(scenarios)
    except KeyboardInterrupt:
        Console(stderr=True, soft_wrap=True).print(f"\n{INTERRUPTED}", highlight=False)
        raise
    return write_and_print_results(evaluator, results, trial.output, as_json=as_json)


def _can_play(trial: EvaluationOptions, *, alone: bool) -> bool:
    """Return whether the model plays the uncertain worlds of the folder.

    Without other scenarios a form or model that does not fit is an error, which the evaluator reports.
    """
    name = trial.model.removeprefix(PREFIX)
    is_player = not trial.model.startswith(PREFIX) or name in PLAYERS
    return alone or (trial.form in UNCERTAIN_FORMS and is_player)


def _choose_uncertain_output(trial: EvaluationOptions, *, beside_others: bool) -> Path:
    """Return the result file of the uncertain worlds, which are never in one file with other scenarios.

    It is the file that was asked for if the form or the model fits uncertain worlds only.
    """
    name = trial.model.removeprefix(PREFIX)
    only_here = trial.model.startswith(PREFIX) and name not in MENU_BASELINES
    if not beside_others or trial.form == AnswerForm.POLICY or only_here:
        return trial.output
    return trial.output.with_name(f"{trial.output.stem}.uncertain{trial.output.suffix}")


def _print_skipped_worlds(uncertain: Sequence[Scenario], form: str) -> None:
    count = "1 uncertain world is" if len(uncertain) == 1 else f"{len(uncertain)} uncertain worlds are"
    Console(stderr=True, soft_wrap=True).print(
        f"{count} left out with the form {form} and this model. Use --answer interactive or policy, and a player such as builtin:lookahead.",
        highlight=False,
    )


def load_scenarios(folder: Path, limit: int | None = None, *, only_quick: bool = False) -> Sequence[Scenario]:
    """Load the scenarios of a folder, at most `limit`, or those of its quick set.

    Raise a ConfigurationError if there are none.
    """
    quick = ScenarioRegistry(folder).quick if only_quick else ()
    if only_quick and not quick:
        raise ConfigurationError(
            f"{folder} has no quick set. `im release quick {folder}` chooses one and records it in the registry."
        )
    found = tuple(each for each in Scenario.load_directory(folder) if not quick or each.scenario_id in quick)[
        :limit
    ]
    if not found:
        raise ConfigurationError(
            f"{folder} contains no public documents such as `IM-0001.md`. Name the folder of the scenarios with --scenarios."
        )
    return found


def select_worded_scenarios(scenarios: Sequence[Scenario], rubrics: Path) -> Sequence[Scenario]:
    """Return the scenarios whose records have wording, and print which others are not scored and why."""
    found = [each for each in scenarios if has_worded_record(rubrics, each.scenario_id)]
    unscored = [each.scenario_id for each in scenarios if each not in found]
    if unscored:
        names = f"{', '.join(unscored[:MOST_NAMES])}{' and others' if len(unscored) > MOST_NAMES else ''}"
        Console(stderr=True, soft_wrap=True).print(
            f"{len(unscored)} of {len(scenarios)} scenarios are not scored ({names}): {NO_WORDING}.",
            highlight=False,
        )
    return found


def _require_known_baseline(model: str, form: AnswerForm) -> None:
    """Raise a ConfigurationError if the model is a built-in one that does not exist for this form."""
    name = model.removeprefix(PREFIX)
    known: Mapping[str, object] = MENU_BASELINES if form in MENU_FORMS else BASELINES
    if model.startswith(PREFIX) and name not in known:
        raise ConfigurationError(
            f"`{model}` is not a built-in model.{suggest_names(name, known)} "
            f"The models are {', '.join(f'{PREFIX}{each}' for each in known)}."
        )


def _require_translatable_form(trial: EvaluationOptions) -> None:
    """Raise a ConfigurationError if a translator is named and would have nothing to translate."""
    if trial.translator and trial.form not in {AnswerForm.FREE, AnswerForm.PLAN}:
        raise ConfigurationError(
            f"--translator reads free answers and plans. Answers of the form {trial.form} are executed as they are. Remove it, or add --answer free."
        )


def _require_enum_value(kind: type[Presentation | AnswerForm], text: str) -> str:
    if text not in set(kind):
        raise ConfigurationError(f"`{text}` is not one of {', '.join(kind)}.{suggest_names(text, kind)}")
    return text


def _print_run_estimate(trial: EvaluationOptions, scenarios: Sequence[Scenario], *, as_json: bool) -> int:
    """Print the expected calls, tokens and cost of the run. No model is called."""
    evaluator, rubrics = trial.evaluator, Path()
    judges = tuple(map(parse_model_reference, trial.judges))
    translator = parse_model_reference(trial.translator) if trial.translator else None
    keys: Mapping[str, AnswerKey] = {}
    if judges:
        require_valid_panel(judges)
    if judges or translator is not None or AnswerForm(trial.form) in MENU_FORMS:
        rubrics = trial.rubrics or find_key_folder(trial.scenarios)
        keys = evaluator.load_keys(scenarios)
    prices = load_price_table(trial.prices)
    inquiry = PlannedEvaluation(evaluator.conditions, judges, translator, rubrics)
    print_evaluation_estimate(
        estimate_evaluation_cost(inquiry, scenarios, keys, prices), prices.description, as_json=as_json
    )
    return DONE


def write_and_print_results(evaluator: Evaluator, results: Results, output: Path, *, as_json: bool) -> int:
    """Write the result file and print a summary, then raise the error that stopped the evaluation, if any.

    The file is replaced as a whole, so that an interruption keeps the earlier results. The exit status says whether any
    run was scored.
    """
    summary = summarize_results(results)
    results = results.model_copy(update={"summary": summary})
    write_file_atomically(output, results.model_dump_json(indent=1) + "\n")
    print_result_summary(results, output, as_json=as_json)
    if evaluator.stopped is not None:
        raise evaluator.stopped
    return DONE if summary.scored else FOUND_ERRORS
