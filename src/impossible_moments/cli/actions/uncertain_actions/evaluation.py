"""Implementation of `im eval` for uncertain worlds: play seeded worlds or evaluate policies, and write a result file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.evaluation import require_writable_result_file, show_answer_progress
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.evaluation import PREFIX
from impossible_moments.evaluation.uncertain_runs import (
    UncertainEvaluator,
    UncertainResults,
    build_policy_prompt,
    describe_summary,
)
from impossible_moments.llm import estimate_text_prompt_tokens, load_price_table, parse_model_reference
from impossible_moments.scenarios import Scenario, write_file_atomically

EXPECTED_TOKENS = 2_000
"""Assumed tokens of a policy with its reasoning, and of all turns of an episode, for estimates."""
EXPECTED_TURNS = 6
"""Assumed turns of an episode, for estimates."""


def evaluate_uncertain_scenarios(
    evaluator: UncertainEvaluator,
    scenarios: Sequence[Scenario],
    output: Path,
    *,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Run a model on uncertain worlds, write the result file and print a summary. Return the exit status."""
    evaluator.validate_setup()
    if dry_run:
        return _print_estimate(evaluator, scenarios, as_json=as_json)
    require_writable_result_file(output)
    with show_answer_progress(len(scenarios) * evaluator.answers_per_scenario) as report_progress:
        evaluator.report_progress = report_progress
        results = evaluator.evaluate(scenarios)
    return write_and_print_uncertain_results(results, output, as_json=as_json)


def write_and_print_uncertain_results(results: UncertainResults, output: Path, *, as_json: bool) -> int:
    """Write the result file and print a summary. Return the exit status."""
    write_file_atomically(output, results.model_dump_json(indent=1) + "\n")
    _print_results(results, output, as_json=as_json)
    return DONE if results.summary.scored else FOUND_ERRORS


def _print_results(results: UncertainResults, output: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"results": str(output), "summary": results.summary.model_dump(), "cost": results.cost})
        return
    console = Console(soft_wrap=True)
    console.print(f"{results.model} on uncertain worlds: {describe_summary(results)}", highlight=False)
    console.print(f"  {escape_for_terminal(output)}", highlight=False)


def _print_estimate(evaluator: UncertainEvaluator, scenarios: Sequence[Scenario], *, as_json: bool) -> int:
    """Print the expected calls, tokens and cost. No model is called."""
    is_policy = evaluator.form == "policy"
    turns = 1 if is_policy else EXPECTED_TURNS
    calls = len(scenarios) * evaluator.answers_per_scenario * turns
    sent = (
        evaluator.answers_per_scenario
        * turns
        * sum(estimate_text_prompt_tokens(build_policy_prompt(each.blind)) for each in scenarios)
    )
    written = len(scenarios) * evaluator.answers_per_scenario * EXPECTED_TOKENS
    prices = load_price_table(evaluator.prices)
    is_program = evaluator.model_under_test.startswith(PREFIX)
    cost = (
        None
        if is_program
        else prices.compute_cost(parse_model_reference(evaluator.model_under_test), sent, written)
    )
    if as_json:
        print_json(
            {"calls": calls, "input_tokens": sent, "output_tokens": written, "cost": cost and str(cost)}
        )
    else:
        price = "no cost" if is_program else "unknown price" if cost is None else f"${cost:.2f}"
        Console(soft_wrap=True).print(
            f"Uncertain worlds: {calls:,} calls, {sent:,} tokens in, about {written:,} out, {price} at {prices.description}. No model was called.",
            highlight=False,
        )
    return DONE
