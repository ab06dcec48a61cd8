"""Implementation of `im eval --reach`: an adaptive test on fresh composed scenarios for each thinking budget."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.cli.composed_items import ComposedItemSource
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.evaluation import require_writable_result_file, show_answer_progress
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.composition import LEVELS
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import MENU_BASELINES, PREFIX, AnswerForm
from impossible_moments.evaluation.reach import ReachEvaluator, ReachResults
from impossible_moments.llm import parse_thinking_budget
from impossible_moments.scenarios import write_file_atomically

FORMS: Final = (AnswerForm.MENU, AnswerForm.PLAN)
"""Answer forms that need no judge."""


@dataclass(frozen=True)
class ReachOptions:
    """Options of IM-Reach."""

    model: str
    output: Path
    budgets: tuple[str, ...]
    seed: int
    items: int
    answer: str | None = None
    temperature: float | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None

    @property
    def form(self) -> AnswerForm:
        """The answer form, validated. Menus are the default, because every answer from them is executed exactly."""
        if (self.answer or AnswerForm.MENU) not in FORMS:
            raise ConfigurationError(
                f"--reach asks for answers that need no judge. Use --answer {' or --answer '.join(FORMS)}."
            )
        return AnswerForm(self.answer or AnswerForm.MENU)


def measure_reach(options: ReachOptions, *, as_json: bool) -> int:
    """Measure the reach of a model, write the result file and print the curve. Return the exit status."""
    name = options.model.removeprefix(PREFIX)
    if options.model.startswith(PREFIX) and options.form is AnswerForm.MENU and name not in MENU_BASELINES:
        raise ConfigurationError(
            f"`{options.model}` is not a built-in model. The models are {', '.join(f'{PREFIX}{each}' for each in MENU_BASELINES)}."
        )
    budgets = tuple(parse_thinking_budget(each) for each in options.budgets) or (None,)
    require_writable_result_file(options.output)
    with show_answer_progress(options.items) as report_progress:
        results = ReachEvaluator(
            ComposedItemSource(),
            options.model,
            options.output.parent / f".{options.output.stem}",
            seed=options.seed,
            items=options.items,
            answer=options.form,
            budgets=budgets,
            temperature=options.temperature,
            spending_limit=options.spending_limit,
            prices=options.prices,
            report_progress=report_progress,
        ).measure()
    write_file_atomically(options.output, results.model_dump_json(indent=1) + "\n")
    print_reach_curve(results, options.output, as_json=as_json)
    return DONE if all(each.level is not None for each in results.points) else FOUND_ERRORS


def print_reach_curve(results: ReachResults, output: Path, *, as_json: bool) -> None:
    """Print the reached level for each budget beside the tokens that were really used."""
    if as_json:
        points = [each.model_dump(exclude={"items"}) for each in results.points]
        print_json({"results": str(output), "model": results.model, "seed": results.seed, "points": points})
        return
    table = create_table("budget", "level", "95 % interval", "solved", "tokens an item", "of these thinking")
    for each in results.points:
        table.add_row(
            each.thinking_asked or "as set",
            "none" if each.level is None else _format_level(each.level),
            ""
            if each.low is None or each.high is None
            else f"{_format_level(each.low)} to {_format_level(each.high)}",
            f"{each.solved} of {each.scored}",
            _format_tokens(each.tokens),
            _format_tokens(each.thinking_tokens),
        )
    console = Console()
    console.print(f"{results.model}: IM-Reach on {results.source}, seed {results.seed}", highlight=False)
    console.print(table)
    console.print(f"  {escape_for_terminal(output)}", highlight=False)


def _format_level(level: float) -> str:
    """Format a level. Estimates outside the levels that can be drawn are only named as such."""
    if level < LEVELS[0]:
        return f"below {LEVELS[0]}"
    return f"above {LEVELS[-1]}" if level > LEVELS[-1] else f"{level:.1f}"


def _format_tokens(tokens: float | None) -> str:
    return "" if tokens is None else f"{tokens:,.0f}"
