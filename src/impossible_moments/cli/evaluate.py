"""`im eval` and `im score`: run a model on scenarios, or score answers made elsewhere; results are one JSON file."""

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

_LINE: Final = 'each line is a JSON object such as {"scenario_id": "IM-0001", "answer": "..."}.'


@dataclass(frozen=True)
class Trial:
    """What is run on what, or who gave the answers that are scored."""

    model: str
    scenarios: Path
    rubrics: Path | None
    output: Path
    runs: int = 3
    temperature: float | None = 0.7
    presentation: str = "blind"
    answer: str | None = None
    """A plan unless another form is named; of scenarios without mechanics, plain words."""
    limit: int | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: tuple[str, ...] = ()
    translator: str | None = None
    by_outcome: bool = False

    @property
    def form(self) -> str:
        """The form in which answers are asked for."""
        return _of(Form, self.answer or Form.PLAN)

    @property
    def elsewhere(self) -> ForeignTrial | None:
        """The same on scenarios of others, if that is what these are."""
        if not is_foreign(self.scenarios):
            if self.by_outcome:
                raise ConfigurationError(
                    f"--by-outcome is for scenarios without mechanics; those in {self.scenarios} are executed: leave it out."
                )
            return None
        if self.translator:
            raise ConfigurationError(
                "--translator writes plans to execute, and these scenarios have no mechanics: leave it out."
            )
        return ForeignTrial(
            self.model, self.scenarios, self.output, self.runs, self.temperature, self.presentation,
            self.answer or Form.FREE, self.limit, self.spending_limit, self.prices, self.judges, self.by_outcome,
        )  # fmt: skip

    @property
    def evaluator(self) -> Evaluator:
        """Who runs it; answers, and what is said about them, are kept beside the results."""
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
    """Run a model, write the results, and say what they are."""
    if trial.elsewhere is not None:
        return foreign.evaluate(trial.elsewhere, dry_run=dry_run, as_json=as_json)
    scenarios = _scenarios(trial.scenarios, trial.limit)
    evaluator = trial.evaluator
    if trial.model.startswith(PREFIX):
        baseline(trial.model)
    if trial.translator and evaluator.answer != Form.FREE:
        raise ConfigurationError(
            "--translator reads answers in plain words, and plans need none; add --answer free."
        )
    if dry_run:
        return _estimate(trial, scenarios, as_json=as_json)
    refuse_unwritable(trial.output)
    with progress(len(scenarios) * trial.runs) as told:
        evaluator.told = told
        results = evaluator.evaluate(scenarios)
    return _written(evaluator, results, trial.output, as_json=as_json)


def score(answers: Path, trial: Trial, *, as_json: bool) -> int:
    """Score a file of answers; with a translator, those in plain words are no failed plans."""
    if trial.elsewhere is not None:
        return foreign.score(replies_of(_lines(answers)), trial.elsewhere, as_json=as_json)
    known = {each.scenario_id: each for each in _scenarios(trial.scenarios, None)}
    evaluator = replace(trial, answer=Form.FREE).evaluator if trial.translator else trial.evaluator
    replies = replies_of(_lines(answers))
    if not replies:
        raise ConfigurationError(f"{answers.name} is empty; {_LINE}")
    strange = sorted({name for name, _ in replies if name not in known})
    if strange:
        raise ConfigurationError(
            f"{answers.name} answers {strange[0] or 'a scenario without a name'}, which is not in {trial.scenarios}; {_LINE}"
        )
    refuse_unwritable(trial.output)
    chosen = [known[name] for name in dict.fromkeys(name for name, _ in replies)]
    results = evaluator.score(chosen, replies, model=trial.model)
    return _written(evaluator, results, trial.output, as_json=as_json)


def attacked(scenarios: Path, rubrics: Path | None, *, as_json: bool) -> int:
    """Attack the scorer on every scenario and say how many false answers it took."""
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
            f"{found.mutants:,} mutants of winning plans: {lost} lose; {found.reread:,} more can be read as another plan "
            "that works, by both executors.",
            highlight=False,
        )
    return FOUND_ERRORS if found.false or found.surviving else DONE


def _scenarios(folder: Path, limit: int | None) -> Sequence[Scenario]:
    found = Scenario.load_directory(folder)[:limit]
    if not found:
        raise ConfigurationError(f"{folder} holds no public documents `IM-0001.md`; name a folder that does.")
    return found


def _of(kind: type[Presentation | Form], text: str) -> str:
    if text not in set(kind):
        raise ConfigurationError(f"`{text}` is none of {', '.join(kind)}.")
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
            raise ConfigurationError(f"{path.name}, line {number}, is no JSON object; {_LINE}")
        yield data


def _estimate(trial: Trial, scenarios: Sequence[Scenario], *, as_json: bool) -> int:
    """What the run would take; nobody is asked."""
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
    """Write results down and say what they are; what stopped the rest of them is raised when they are safe."""
    output.write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    print_results(results, output, as_json=as_json)
    if evaluator.stopped is not None:
        raise evaluator.stopped
    return DONE
