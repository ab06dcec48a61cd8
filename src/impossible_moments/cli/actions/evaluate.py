"""Implementation of `im eval` and `im score`: run a model or score given answers, and write a result file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from rich.console import Console

from impossible_moments.cli.actions import imported_scenarios
from impossible_moments.cli.actions.imported_scenarios import ImportedEvaluationOptions
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.evaluation import (
    print_evaluation_estimate,
    print_result_summary,
    require_writable_result_file,
    show_answer_progress,
)
from impossible_moments.cli.output.formatting import print_json
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import (
    PREFIX,
    AnswerForm,
    AnswerKey,
    Evaluator,
    PlannedEvaluation,
    Presentation,
    Results,
    estimate_evaluation_cost,
    find_baseline,
    find_key_folder,
    parse_reply_lines,
    require_valid_panel,
    run_scorer_attack,
)
from impossible_moments.evaluation.imported_scenarios import is_imported_folder
from impossible_moments.llm import load_price_table, parse_model_reference
from impossible_moments.scenarios import Scenario

_LINE: Final = 'Each line must be a JSON object such as {"scenario_id": "IM-0001", "answer": "..."}.'


@dataclass(frozen=True)
class EvaluationOptions:
    """Options of an evaluation, or of scoring given answers."""

    model: str
    scenarios: Path
    rubrics: Path | None
    output: Path
    runs: int = 3
    temperature: float | None = 0.7
    presentation: str = "blind"
    answer: str | None = None
    """Answer form. None means `plan`, or `free` for imported scenarios without mechanics."""
    limit: int | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: tuple[str, ...] = ()
    translator: str | None = None
    by_outcome: bool = False

    @property
    def form(self) -> str:
        """The answer form to request, validated."""
        return _require_choice(AnswerForm, self.answer or AnswerForm.PLAN)

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
                "--translator writes plans to execute, but imported scenarios have no mechanics. Remove it."
            )
        return ImportedEvaluationOptions(
            self.model, self.scenarios, self.output, self.runs, self.temperature, self.presentation,
            self.answer or AnswerForm.FREE, self.limit, self.spending_limit, self.prices, self.judges, self.by_outcome,
        )  # fmt: skip

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator. It stores answers and judgements in a hidden folder beside the result file."""
        return Evaluator(
            rubrics_path=self.rubrics or find_key_folder(self.scenarios),
            model_under_test=self.model,
            runs_per_scenario=self.runs,
            temperature=self.temperature,
            presentation=_require_choice(Presentation, self.presentation),
            answer=self.form,
            output=self.output.parent / f".{self.output.stem}",
            spending_limit=self.spending_limit,
            prices=self.prices,
            judges=self.judges,
            translator=self.translator,
        )


def evaluate_model(trial: EvaluationOptions, *, dry_run: bool, as_json: bool) -> int:
    """Run a model on scenarios, write the result file and print a summary. Return the exit status."""
    if trial.imported_options is not None:
        return imported_scenarios.evaluate_imported_scenarios(
            trial.imported_options, dry_run=dry_run, as_json=as_json
        )
    scenarios = _load_scenarios(trial.scenarios, trial.limit)
    evaluator = trial.evaluator
    if trial.model.startswith(PREFIX):
        find_baseline(trial.model)
    if trial.translator and evaluator.answer != AnswerForm.FREE:
        raise ConfigurationError(
            "--translator needs free-form answers. Plans need no translation. Add --answer free."
        )
    if dry_run:
        return _print_run_estimate(trial, scenarios, as_json=as_json)
    require_writable_result_file(trial.output)
    with show_answer_progress(len(scenarios) * trial.runs) as told:
        evaluator.report_progress = told
        results = evaluator.evaluate(scenarios)
    return _write_and_print_results(evaluator, results, trial.output, as_json=as_json)


def score_answer_file(answers: Path, trial: EvaluationOptions, *, as_json: bool) -> int:
    """Score a file of answers, write the result file and print a summary.

    With a translator, answers are read as free text.
    """
    if trial.imported_options is not None:
        return imported_scenarios.score_imported_answers(
            parse_reply_lines(_read_json_lines(answers)), trial.imported_options, as_json=as_json
        )
    known = {each.scenario_id: each for each in _load_scenarios(trial.scenarios, None)}
    evaluator = replace(trial, answer=AnswerForm.FREE).evaluator if trial.translator else trial.evaluator
    replies = parse_reply_lines(_read_json_lines(answers))
    if not replies:
        raise ConfigurationError(f"{answers.name} is empty. {_LINE}")
    strange = sorted({name for name, _ in replies if name not in known})
    if strange:
        raise ConfigurationError(
            f"{answers.name} answers {strange[0] or 'a scenario without an ID'}, which is not in {trial.scenarios}. {_LINE}"
        )
    require_writable_result_file(trial.output)
    chosen = [known[name] for name in dict.fromkeys(name for name, _ in replies)]
    results = evaluator.score(chosen, replies, model=trial.model)
    return _write_and_print_results(evaluator, results, trial.output, as_json=as_json)


def report_scorer_attack(scenarios: Path, rubrics: Path | None, *, as_json: bool) -> int:
    """Attack the scorer on every scenario and print how many wrong answers it accepted.

    Return the exit status.
    """
    known = _load_scenarios(scenarios, None)
    keys = Evaluator(rubrics_path=rubrics or find_key_folder(scenarios)).load_keys(known)
    with show_answer_progress(len(keys)) as told:
        found = run_scorer_attack(keys, told=told)
    if as_json:
        print_json(
            {
                "answers": found.answers,
                "accepted": found.accepted,
                "false_accepts": found.false_accepts,
                "false_rate": found.false_rate,
                "mutants": found.mutants,
                "surviving": found.surviving_mutants,
                "losing_rate": found.losing_rate,
                "reread": found.reread_mutants,
            }
        )
    else:
        lost = "-" if found.losing_rate is None else f"{found.losing_rate:.2%}"
        Console().print(
            f"{found.answers:,} hostile answers: {len(found.false_accepts)} false accepts ({found.false_rate:.2%}). "
            f"{found.mutants:,} mutants of winning plans: {lost} lose. {found.reread_mutants:,} more can be read as a different plan "
            "that works according to both executors.",
            highlight=False,
        )
    return FOUND_ERRORS if found.false_accepts or found.surviving_mutants else DONE


def _load_scenarios(folder: Path, limit: int | None) -> Sequence[Scenario]:
    found = Scenario.load_directory(folder)[:limit]
    if not found:
        raise ConfigurationError(
            f"{folder} contains no public documents such as `IM-0001.md`. Name the folder of the scenarios with --scenarios."
        )
    return found


def _require_choice(kind: type[Presentation | AnswerForm], text: str) -> str:
    if text not in set(kind):
        raise ConfigurationError(f"`{text}` is not one of {', '.join(kind)}.")
    return text


def _read_json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{path} cannot be read as text.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise ConfigurationError(f"{path.name}, line {number} is not a JSON object. {_LINE}")
        yield data


def _print_run_estimate(trial: EvaluationOptions, scenarios: Sequence[Scenario], *, as_json: bool) -> int:
    """Print the expected calls, tokens and cost of the run. No model is called."""
    evaluator, rubrics = trial.evaluator, Path()
    judges = tuple(map(parse_model_reference, trial.judges))
    translator = parse_model_reference(trial.translator) if trial.translator else None
    keys: Mapping[str, AnswerKey] = {}
    if judges:
        require_valid_panel(judges)
    if judges or translator is not None:
        rubrics = trial.rubrics or find_key_folder(trial.scenarios)
        keys = evaluator.load_keys(scenarios)
    prices = load_price_table(trial.prices)
    inquiry = PlannedEvaluation(evaluator.conditions, judges, translator, rubrics)
    print_evaluation_estimate(
        estimate_evaluation_cost(inquiry, scenarios, keys, prices), prices.description, as_json=as_json
    )
    return DONE


def _write_and_print_results(evaluator: Evaluator, results: Results, output: Path, *, as_json: bool) -> int:
    """Write the result file and print a summary, then raise the error that stopped the evaluation, if any."""
    output.write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    print_result_summary(results, output, as_json=as_json)
    if evaluator.stopped is not None:
        raise evaluator.stopped
    return DONE
