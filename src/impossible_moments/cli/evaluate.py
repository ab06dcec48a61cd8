"""Implementation of `im eval` and `im score`: run a model or score given answers, and write a result file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

from rich.console import Console

from impossible_moments.cli import foreign
from impossible_moments.cli.evaluation_printing import (
    print_estimate,
    print_results,
    progress,
    refuse_unwritable,
)
from impossible_moments.cli.foreign import ForeignTrial
from impossible_moments.cli.outcome import DONE, FOUND_ERRORS
from impossible_moments.cli.printing import print_json
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.attack import attack
from impossible_moments.evaluation.baselines import PREFIX, baseline
from impossible_moments.evaluation.engine import replies_of
from impossible_moments.evaluation.environment import keys_beside
from impossible_moments.evaluation.estimates import Inquiry, estimated
from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.foreign.shown import is_foreign
from impossible_moments.evaluation.judges import refuse_no_panel
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.presentation import Form, Presentation
from impossible_moments.evaluation.results import Results
from impossible_moments.models.prices import price_table
from impossible_moments.models.references import reference
from impossible_moments.scenarios.scenario import Scenario

_LINE: Final = 'Each line must be a JSON object such as {"scenario_id": "IM-0001", "answer": "..."}.'


@dataclass(frozen=True)
class Trial:
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
        return _of(Form, self.answer or Form.PLAN)

    @property
    def elsewhere(self) -> ForeignTrial | None:
        """The same options as a trial on imported scenarios, or None for other scenarios."""
        if not is_foreign(self.scenarios):
            if self.by_outcome:
                raise ConfigurationError(
                    f"--by-outcome is only for imported scenarios without mechanics. Answers to those in {self.scenarios} are executed. Remove it."
                )
            return None
        if self.translator:
            raise ConfigurationError(
                "--translator writes plans to execute, but imported scenarios have no mechanics. Remove it."
            )
        return ForeignTrial(
            self.model, self.scenarios, self.output, self.runs, self.temperature, self.presentation,
            self.answer or Form.FREE, self.limit, self.spending_limit, self.prices, self.judges, self.by_outcome,
        )  # fmt: skip

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator. It stores answers and judgements in a hidden folder beside the result file."""
        return Evaluator(
            rubrics_path=self.rubrics or keys_beside(self.scenarios),
            model_under_test=self.model,
            runs_per_scenario=self.runs,
            temperature=self.temperature,
            presentation=_of(Presentation, self.presentation),
            answer=self.form,
            output=self.output.parent / f".{self.output.stem}",
            spending_limit=self.spending_limit,
            prices=self.prices,
            judges=self.judges,
            translator=self.translator,
        )


def evaluate(trial: Trial, *, dry_run: bool, as_json: bool) -> int:
    """Run a model on scenarios, write the result file and print a summary. Return the exit status."""
    if trial.elsewhere is not None:
        return foreign.evaluate(trial.elsewhere, dry_run=dry_run, as_json=as_json)
    scenarios = _scenarios(trial.scenarios, trial.limit)
    evaluator = trial.evaluator
    if trial.model.startswith(PREFIX):
        baseline(trial.model)
    if trial.translator and evaluator.answer != Form.FREE:
        raise ConfigurationError(
            "--translator needs free-form answers. Plans need no translation. Add --answer free."
        )
    if dry_run:
        return _estimate(trial, scenarios, as_json=as_json)
    refuse_unwritable(trial.output)
    with progress(len(scenarios) * trial.runs) as told:
        evaluator.told = told
        results = evaluator.evaluate(scenarios)
    return _written(evaluator, results, trial.output, as_json=as_json)


def score(answers: Path, trial: Trial, *, as_json: bool) -> int:
    """Score a file of answers, write the result file and print a summary.

    With a translator, answers are read as free text.
    """
    if trial.elsewhere is not None:
        return foreign.score(replies_of(_lines(answers)), trial.elsewhere, as_json=as_json)
    known = {each.scenario_id: each for each in _scenarios(trial.scenarios, None)}
    evaluator = replace(trial, answer=Form.FREE).evaluator if trial.translator else trial.evaluator
    replies = replies_of(_lines(answers))
    if not replies:
        raise ConfigurationError(f"{answers.name} is empty. {_LINE}")
    strange = sorted({name for name, _ in replies if name not in known})
    if strange:
        raise ConfigurationError(
            f"{answers.name} answers {strange[0] or 'a scenario without an ID'}, which is not in {trial.scenarios}. {_LINE}"
        )
    refuse_unwritable(trial.output)
    chosen = [known[name] for name in dict.fromkeys(name for name, _ in replies)]
    results = evaluator.score(chosen, replies, model=trial.model)
    return _written(evaluator, results, trial.output, as_json=as_json)


def attacked(scenarios: Path, rubrics: Path | None, *, as_json: bool) -> int:
    """Attack the scorer on every scenario and print how many wrong answers it accepted.

    Return the exit status.
    """
    known = _scenarios(scenarios, None)
    keys = Evaluator(rubrics_path=rubrics or keys_beside(scenarios)).keys(known)
    with progress(len(keys)) as told:
        found = attack(keys, told=told)
    if as_json:
        print_json(
            {
                "answers": found.answers,
                "accepted": found.accepted,
                "false_accepts": found.false,
                "false_rate": found.false_rate,
                "mutants": found.mutants,
                "surviving": found.surviving,
                "losing_rate": found.losing_rate,
                "reread": found.reread,
            }
        )
    else:
        lost = "-" if found.losing_rate is None else f"{found.losing_rate:.2%}"
        Console().print(
            f"{found.answers:,} hostile answers: {len(found.false)} false accepts ({found.false_rate:.2%}). "
            f"{found.mutants:,} mutants of winning plans: {lost} lose. {found.reread:,} more can be read as a different plan "
            "that works according to both executors.",
            highlight=False,
        )
    return FOUND_ERRORS if found.false or found.surviving else DONE


def _scenarios(folder: Path, limit: int | None) -> Sequence[Scenario]:
    found = Scenario.load_directory(folder)[:limit]
    if not found:
        raise ConfigurationError(
            f"{folder} contains no public documents such as `IM-0001.md`. Name the folder of the scenarios with --scenarios."
        )
    return found


def _of(kind: type[Presentation | Form], text: str) -> str:
    if text not in set(kind):
        raise ConfigurationError(f"`{text}` is not one of {', '.join(kind)}.")
    return text


def _lines(path: Path) -> Iterator[Mapping[str, object]]:
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


def _estimate(trial: Trial, scenarios: Sequence[Scenario], *, as_json: bool) -> int:
    """Print the expected calls, tokens and cost of the run. No model is called."""
    evaluator, rubrics = trial.evaluator, Path()
    judges = tuple(map(reference, trial.judges))
    translator = reference(trial.translator) if trial.translator else None
    keys: Mapping[str, AnswerKey] = {}
    if judges:
        refuse_no_panel(judges)
    if judges or translator is not None:
        rubrics = trial.rubrics or keys_beside(trial.scenarios)
        keys = evaluator.keys(scenarios)
    prices = price_table(trial.prices)
    inquiry = Inquiry(evaluator.conditions, judges, translator, rubrics)
    print_estimate(estimated(inquiry, scenarios, keys, prices), prices.told, as_json=as_json)
    return DONE


def _written(evaluator: Evaluator, results: Results, output: Path, *, as_json: bool) -> int:
    """Write the result file and print a summary, then raise the error that stopped the evaluation, if any."""
    output.write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    print_results(results, output, as_json=as_json)
    if evaluator.stopped is not None:
        raise evaluator.stopped
    return DONE
