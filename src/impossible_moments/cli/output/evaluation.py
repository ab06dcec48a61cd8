"""Output of `im eval` and `im score`: progress, result summaries and cost estimates."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import ANSWER, CostEstimate, ExpectedUsage, Results, ResultsSummary


def print_result_summary(results: Results, output: Path, *, as_json: bool) -> None:
    """Print a summary of the results and the path of the result file."""
    if as_json:
        print_json(
            {
                "results": str(output),
                "im_score": results.im_score,
                "summary": None if results.summary is None else results.summary.model_dump(),
                "recognition_score": results.recognition_score,
                "im_bounds": results.im_bounds,
                "im_profile": dict(results.im_profile),
                "im_frontier": results.im_frontier,
                "unscored": results.unscored,
                "cost": results.cost,
                "judge_cost": results.judge_cost,
                "translator_cost": results.translator_cost,
            }
        )
        return
    shown = "none" if results.im_score is None else f"{results.im_score:.1f}"
    console = Console()
    count = len(results.counted_scenarios)
    scored = sum(each.best is not None for each in results.counted_scenarios)
    scenarios = "1 scenario" if count == 1 else f"{count} scenarios"
    if scored < count:
        scenarios = f"{scored} of {scenarios}"
    console.print(
        f"{results.model}: IM-Score {shown}{_format_interval(results)} over {scenarios}", highlight=False
    )
    if results.summary is not None:
        found = results.summary
        for line in iterate_form_lines(results, found):
            console.print(f"  {line}", highlight=False)
        console.print(
            f"  {found.scored} runs scored ({found.passed} passed), {found.review} in review, {found.unscored} without a score",
            highlight=False,
        )
        if not found.scored:
            console.print("  No answer could be scored, so there is no result.", highlight=False)
    if results.im_bounds is not None:
        low, high = results.im_bounds
        console.print(
            f"  between {low:.1f} and {high:.1f} after review: answers that could not be parsed are pending, not scored 0",
            highlight=False,
        )
    if results.unscored:
        console.print(
            f"  {results.unscored} runs have no score. `im report {escape_for_terminal(output)}` shows the reasons.",
            highlight=False,
        )
    paid = {
        "answers": results.cost,
        "translator": results.translator_cost,
        "judges": results.judge_cost,
    }
    if results.judges or results.translator:
        costs = ", ".join(f"{name} ${Decimal(cost):.4f}" for name, cost in paid.items() if cost is not None)
        console.print(f"  cost: {costs or 'unknown price'}", highlight=False)
    console.print(f"  {escape_for_terminal(output)}", highlight=False)


def iterate_form_lines(results: Results, found: ResultsSummary) -> Iterator[str]:
    """Yield what is special to menus and episodes: the recognition score, and how the acts went."""
    if found.recognition_scenarios:
        score = "none" if found.recognition_score is None else f"{found.recognition_score:.1f}"
        interval = _format_range(found.recognition_low, found.recognition_high)
        yield (
            f"recognition score {score}{interval} over {found.recognition_scenarios} scenarios whose menus name what the text "
            "does not name; it is no part of the IM-Score"
        )
    if found.acts:
        restarts = f", {found.restarts} restarts" if results.restarts_allowed else ""
        yield f"{found.acts} acts, {found.invalid_acts} invalid, {found.wasted_acts} wasted{restarts}"


def _format_interval(results: Results) -> str:
    found = results.summary
    return "" if found is None else _format_range(found.low, found.high)


def _format_range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" (95 % interval {low:.1f} to {high:.1f})"


def print_evaluation_estimate(estimate: CostEstimate, prices: str, *, as_json: bool) -> None:
    """Print the expected calls, tokens and cost of a run, separately for answers, translator and judges."""
    answers = estimate.answers
    if as_json:
        whole = estimate.total_cost
        data = {
            **_convert_expected_usage_to_dict(answers),
            "episodes": estimate.episodes,
            "prices": prices,
            "judged": estimate.judged_answers,
            "reviews": estimate.reviews,
            "judges": [_convert_expected_usage_to_dict(each) for each in estimate.judges],
            "if_they_differ": [_convert_expected_usage_to_dict(each) for each in estimate.reserve_judges],
            "translator": None
            if estimate.translator is None
            else _convert_expected_usage_to_dict(estimate.translator),
            "whole_cost": None if whole is None else str(whole),
        }
        del data["model"]
        print_json(data)
        return
    console = Console()

    def print_line(text: str) -> None:
        console.print(text, highlight=False, markup=False)

    per_answer = (
        f"{estimate.episodes:,} episodes of about {answers.calls / estimate.episodes:.0f} turns"
        if estimate.episodes
        else f"{ANSWER:,} per answer"
    )
    print_line(
        f"{_format_call_and_token_counts(answers)} ({per_answer}), {_format_cost(answers.cost)} at {prices}. No model was called."
    )
    if estimate.translator is not None:
        print_line(f"Translator {_format_expected_usage_of_model(estimate.translator)}.")
    if estimate.judges:
        more = f", plus those of {estimate.reviews:,} others that need review" if estimate.reviews else ""
        print_line(f"Judges read at most {estimate.judged_answers:,} answers{more}.")
    for each in estimate.judges:
        print_line(f"Judge {_format_expected_usage_of_model(each)}.")
    for each in estimate.reserve_judges:
        print_line(f"If the judges disagree, {_format_expected_usage_of_model(each)}.")
    if estimate.judges or estimate.translator is not None:
        print_line(f"Total: {_format_cost(estimate.total_cost)}.")


def _convert_expected_usage_to_dict(share: ExpectedUsage) -> dict[str, object]:
    return {**asdict(share), "cost": None if share.cost is None else str(share.cost)}


def _format_expected_usage_of_model(share: ExpectedUsage) -> str:
    return f"{share.model}: {_format_call_and_token_counts(share)}, {_format_cost(share.cost)}"


def _format_call_and_token_counts(share: ExpectedUsage) -> str:
    return f"{share.calls:,} calls, {share.input_tokens:,} tokens in, about {share.output_tokens:,} out"


def _format_cost(cost: Decimal | None) -> str:
    return "unknown price" if cost is None else f"${cost:.2f}"


@contextmanager
def show_answer_progress(whole: int) -> Iterator[Callable[[int, int], None]]:
    """Show progress on standard error: a bar on a terminal, otherwise a line for every tenth of the work.

    Yield a function that takes the number of finished answers and the total.
    """
    if not sys.stderr.isatty():
        every = max(whole // 10, 1)

        def print_progress_line(done: int, of: int) -> None:
            if done % every == 0 or done == of:
                print(f"{done} of {of} answers", file=sys.stderr)  # noqa: T201 - progress

        yield print_progress_line
        return
    columns = (TextColumn("answers"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("answers", total=whole)
        yield lambda done, _of: bar.update(task, completed=done)


def require_writable_result_file(output: Path) -> None:
    """Raise a ConfigurationError if the result file cannot be written, before any model is called."""
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write results to the folder {output.parent}: {(problem.strerror or '').lower()}."
        ) from None
    if output.is_dir():
        raise ConfigurationError(f"{output} is a folder. Name a file for the results.")
