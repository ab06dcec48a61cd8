"""Foreign scenarios on the command line: `im import`, and `im eval` and `im score` on what it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from rich.console import Console

from impossible_moments.cli.evaluation_printing import progress, refuse_unwritable
from impossible_moments.cli.outcome import DONE, FOUND_ERRORS
from impossible_moments.cli.printing import print_json, said
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.engine import Reply
from impossible_moments.evaluation.foreign.importing import Imported, imported, write
from impossible_moments.evaluation.foreign.results import ForeignResults
from impossible_moments.evaluation.foreign.running import ForeignEvaluator
from impossible_moments.evaluation.foreign.shown import ForeignFolder, load
from impossible_moments.evaluation.presentation import Form, Presentation, prompt_of
from impossible_moments.models.prices import price_table
from impossible_moments.models.references import reference
from impossible_moments.models.speaking import prompt_size
from impossible_moments.scenarios.registry import write_whole

EXPECTED: Final = 1_200
"""Tokens of an answer, for estimates."""
MOST_TOLD: Final = 20
"""Sentences about refused documents on the terminal; `--json` has all."""


@dataclass(frozen=True)
class ForeignTrial:
    """What is run on what, or who gave the answers that are scored."""

    model: str
    scenarios: Path
    output: Path
    runs: int = 3
    temperature: float | None = 0.7
    presentation: str = "blind"
    answer: str = "free"
    limit: int | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: tuple[str, ...] = ()
    by_outcome: bool = False

    @property
    def evaluator(self) -> ForeignEvaluator:
        """Who runs it; answers and verdicts are kept beside the results."""
        if self.answer != Form.FREE:
            raise ConfigurationError(
                f"--answer {self.answer} asks for steps to execute, and foreign scenarios have no mechanics; use --answer free."
            )
        if self.presentation != Presentation.BLIND:
            raise ConfigurationError(
                f"--presentation {self.presentation} would show more than the situation, and of foreign scenarios nothing else may be "
                "shown; use blind."
            )
        return ForeignEvaluator(
            self.output.parent / f".{self.output.stem}",
            judges=self.judges,
            by_outcome=self.by_outcome,
            runs=self.runs,
            temperature=self.temperature,
            spending_limit=self.spending_limit,
            prices=self.prices,
        )


def import_scenarios(paths: Sequence[Path], output: Path, *, as_json: bool) -> int:
    """Import documents and say what became of them; the exit status tells whether some were refused."""
    made = imported(paths, outside=output)
    if made.keys:
        write(made, output)
    if as_json:
        print_json(
            {
                "folder": str(output),
                "imported": [each.scenario_id for each in made.keys],
                "refused": list(made.refused),
                "remarks": {each.scenario_id: list(each.remarks) for each in made.keys if each.remarks},
            }
        )
    else:
        _tell(made, output)
    return FOUND_ERRORS if made.refused else DONE


def evaluate(trial: ForeignTrial, *, dry_run: bool, as_json: bool) -> int:
    """Run a model on foreign scenarios, write the results, and say what they are."""
    evaluator = trial.evaluator
    evaluator.refuse_unfit(trial.model)
    folder = load(trial.scenarios, limit=trial.limit)
    if dry_run:
        return _estimate(trial, folder, as_json=as_json)
    refuse_unwritable(trial.output)
    with progress(len(folder.scenarios) * trial.runs) as told:
        evaluator.told = told
        results = evaluator.evaluate(trial.model, folder)
    return _written(evaluator, results, trial.output, as_json=as_json)


def score(replies: Mapping[tuple[str, int], Reply], trial: ForeignTrial, *, as_json: bool) -> int:
    """Score answers to foreign scenarios that were made elsewhere."""
    evaluator = trial.evaluator
    folder = load(trial.scenarios)
    if not replies:
        raise ConfigurationError(
            'there are no answers; each line is {"scenario_id": "...", "answer": "..."}.'
        )
    strange = sorted({name for name, _ in replies if name not in folder.keys})
    if strange:
        raise ConfigurationError(
            f"{strange[0][:64] or 'an answer without a scenario'!r} is not in {trial.scenarios}; "
            "answers name scenarios that were imported there."
        )
    refuse_unwritable(trial.output)
    return _written(evaluator, evaluator.score(replies, folder, trial.model), trial.output, as_json=as_json)


def _tell(made: Imported, output: Path) -> None:
    console, errors = Console(), Console(stderr=True)
    for each in made.refused[:MOST_TOLD]:
        errors.print(said(each), highlight=False, soft_wrap=True)
    if len(made.refused) > MOST_TOLD:
        errors.print(f"{len(made.refused) - MOST_TOLD} more were refused; --json tells why", highlight=False)
    remarks = sum(len(each.remarks) for each in made.keys)
    beside = f", with {remarks} remarks in their keys" if remarks else ""
    told = f"{len(made.keys)} imported{beside}, {len(made.refused)} refused"
    console.print(f"{told}: {said(output)}" if made.keys else told, highlight=False, soft_wrap=True)


def _estimate(trial: ForeignTrial, folder: ForeignFolder, *, as_json: bool) -> int:
    """What the answers would take; judges, who read each of them, come on top. Nobody is asked."""
    sent = trial.runs * sum(prompt_size(prompt_of(each, form=Form.FREE)) for each in folder.scenarios)
    calls = trial.runs * len(folder.scenarios)
    prices = price_table(trial.prices)
    cost = prices.cost(reference(trial.model), sent, calls * EXPECTED)
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
        told = "price not known" if cost is None else f"${cost:.2f}"
        judges = (
            f" Judges read each answer, {len(trial.judges)} at most, on top of that." if trial.judges else ""
        )
        Console().print(
            f"{calls:,} calls, {sent:,} tokens in, about {calls * EXPECTED:,} out, {told} by {prices.told}.{judges} Nobody was asked.",
            highlight=False,
            soft_wrap=True,
        )
    return DONE


def _written(evaluator: ForeignEvaluator, results: ForeignResults, output: Path, *, as_json: bool) -> int:
    """Write results down and say what they are; what stopped the rest of them is raised when they are safe."""
    write_whole(output, results.model_dump_json(indent=1) + "\n")
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
        console.print(
            f"{said(results.model)}: foreign mean {shown} over {len(results.scenarios)} scenarios ({states})",
            highlight=False,
            soft_wrap=True,
        )
        console.print(f"  {results.said}; no IM-Score", highlight=False, soft_wrap=True)
        console.print(f"  {said(output)}", highlight=False, soft_wrap=True)
    if evaluator.stopped is not None:
        raise evaluator.stopped
    return DONE
