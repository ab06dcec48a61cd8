"""Implementation of `im eval` and `im score` for imported scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.evaluation import require_writable_result_file, show_answer_progress
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.evaluation_protocol import RUNS, TEMPERATURE
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import AnswerForm, Presentation, Reply, build_answer_prompt
from impossible_moments.evaluation.imported_scenarios import (
    ImportedEvaluator,
    ImportedFolder,
    ImportedResults,
    load_imported_folder,
)
from impossible_moments.llm import estimate_text_prompt_tokens, load_price_table, parse_model_reference
from impossible_moments.scenarios import write_file_atomically

EXPECTED: Final = 1_200
"""Assumed tokens of an answer, for estimates."""


@dataclass(frozen=True)
class ImportedEvaluationOptions:
    """Options of an evaluation on imported scenarios, or of scoring given answers to them."""

    model: str
    scenarios: Path
    output: Path
    runs: int = RUNS
    temperature: float | None = TEMPERATURE
    presentation: str = "blind"
    answer: str = "free"
    limit: int | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: tuple[str, ...] = ()
    by_outcome: bool = False

    @property
    def evaluator(self) -> ImportedEvaluator:
        """The evaluator. It stores answers and verdicts in a hidden folder beside the result file."""
        if self.answer != AnswerForm.FREE:
            raise ConfigurationError(
                f"--answer {self.answer} requests steps to execute, but imported scenarios have no mechanics. Use --answer free."
            )
        if self.presentation != Presentation.BLIND:
            raise ConfigurationError(
                f"--presentation {self.presentation} would show more than the situation, which is not allowed for imported scenarios. "
                "Use --presentation blind."
            )
        return ImportedEvaluator(
            self.output.parent / f".{self.output.stem}",
            judges=self.judges,
            by_outcome=self.by_outcome,
            runs=self.runs,
            temperature=self.temperature,
            spending_limit=self.spending_limit,
            prices=self.prices,
        )


def evaluate_imported_scenarios(trial: ImportedEvaluationOptions, *, dry_run: bool, as_json: bool) -> int:
    """Run a model on imported scenarios, write the result file and print a summary.

    Return the exit status.
    """
    evaluator = trial.evaluator
    evaluator.validate_setup(trial.model)
    folder = load_imported_folder(trial.scenarios, limit=trial.limit)
    if dry_run:
        return _print_answer_estimate(trial, folder, as_json=as_json)
    require_writable_result_file(trial.output)
    with show_answer_progress(len(folder.scenarios) * trial.runs) as report_progress:
        evaluator.report_progress = report_progress
        results = evaluator.evaluate(trial.model, folder)
    return _write_and_print_results(evaluator, results, trial.output, as_json=as_json)


def score_imported_answers(
    replies: Mapping[tuple[str, int], Reply], trial: ImportedEvaluationOptions, *, as_json: bool
) -> int:
    """Score given answers to imported scenarios, write the result file and print a summary."""
    evaluator = trial.evaluator
    folder = load_imported_folder(trial.scenarios)
    if not replies:
        raise ConfigurationError(
            'There are no answers. Each line must be {"scenario_id": "...", "answer": "..."}.'
        )
    strange = sorted({name for name, _ in replies if name not in folder.keys})
    if strange:
        raise ConfigurationError(
            f"{strange[0][:64] or 'an answer without a scenario'!r} is not in {trial.scenarios}. "
            "Answers must name scenarios that were imported there."
        )
    require_writable_result_file(trial.output)
    return _write_and_print_results(
        evaluator, evaluator.score_replies(replies, folder, trial.model), trial.output, as_json=as_json
    )


def _print_answer_estimate(trial: ImportedEvaluationOptions, folder: ImportedFolder, *, as_json: bool) -> int:
    """Print the expected calls, tokens and cost of the answers, without judges. No model is called."""
    sent = trial.runs * sum(
        estimate_text_prompt_tokens(build_answer_prompt(each, form=AnswerForm.FREE))
        for each in folder.scenarios
    )
    calls = trial.runs * len(folder.scenarios)
    prices = load_price_table(trial.prices)
    cost = prices.compute_cost(parse_model_reference(trial.model), sent, calls * EXPECTED)
    if as_json:
        print_json(
            {
                "calls": calls,
                "input_tokens": sent,
                "output_tokens": calls * EXPECTED,
                "cost": cost and str(cost),
            }
        )
    else:
        price = "unknown price" if cost is None else f"${cost:.2f}"
        judges = f" In addition, at most {len(trial.judges)} judges read each answer." if trial.judges else ""
        Console().print(
            f"{calls:,} calls, {sent:,} tokens in, about {calls * EXPECTED:,} out, {price} at {prices.description}.{judges} No model was called.",
            highlight=False,
            soft_wrap=True,
        )
    return DONE


def _write_and_print_results(
    evaluator: ImportedEvaluator, results: ImportedResults, output: Path, *, as_json: bool
) -> int:
    """Write the result file and print a summary, then raise the error that stopped the evaluation, if any."""
    write_file_atomically(output, results.model_dump_json(indent=1) + "\n")
    if as_json:
        print_json(
            {
                "results": str(output),
                "said": results.said,
                "foreign_mean": results.mean,
                "by_status": dict(results.by_status),
                "states": dict(results.states),
                "cost": results.cost,
            }
        )
    else:
        shown = "none" if results.mean is None else f"{results.mean:.1f}"
        states = ", ".join(f"{count} {state}" for state, count in results.states.items() if count)
        console = Console()
        count = len(results.scenarios)
        scenarios = "1 scenario" if count == 1 else f"{count} scenarios"
        console.print(
            f"{escape_for_terminal(results.model)}: mean score {shown} over {scenarios} ({states})",
            highlight=False,
            soft_wrap=True,
        )
        console.print(f"  {results.said} (no IM-Score)", highlight=False, soft_wrap=True)
        console.print(f"  {escape_for_terminal(output)}", highlight=False, soft_wrap=True)
    if evaluator.stopped is not None:
        raise evaluator.stopped
    return DONE
