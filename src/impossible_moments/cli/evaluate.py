"""`im eval` and `im score`: run a model on scenarios, or score answers made elsewhere; results are one JSON file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from impossible_moments.cli.outcome import DONE, FOUND_ERRORS
from impossible_moments.cli.printing import print_json
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.attack import attack
from impossible_moments.evaluation.baselines import PREFIX, baseline
from impossible_moments.evaluation.engine import Conditions, replies_of
from impossible_moments.evaluation.environment import keys_beside
from impossible_moments.evaluation.evaluator import Evaluator, summed_up
from impossible_moments.evaluation.presentation import Form, Presentation, prompt_of
from impossible_moments.evaluation.results import Results
from impossible_moments.models.prices import price_table
from impossible_moments.models.references import reference
from impossible_moments.models.speaking import prompt_size
from impossible_moments.scenarios.scenario import Scenario

EXPECTED: Final = 1_200
"""Tokens of an answer, for estimates."""
_LINE: Final = 'each line is a JSON object such as {"scenario_id": "IM-0001", "answer": "..."}.'


@dataclass(frozen=True)
class Trial:
    """What is run on what."""

    model: str
    scenarios: Path
    rubrics: Path | None
    output: Path
    runs: int = 3
    temperature: float | None = 0.7
    presentation: str = "blind"
    answer: str = "plan"
    limit: int | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    judges: tuple[str, ...] = ()


def evaluate(trial: Trial, *, dry_run: bool, as_json: bool) -> int:
    """Run a model, write the results, and say what they are."""
    scenarios = _scenarios(trial.scenarios, trial.limit)
    presentation, answer = _of(Presentation, trial.presentation), _of(Form, trial.answer)
    if trial.model.startswith(PREFIX):
        baseline(trial.model)
    if dry_run:
        return _estimate(trial, scenarios, as_json=as_json)
    _refuse_unwritable(trial.output)
    with _progress(len(scenarios) * trial.runs) as told:
        evaluator = Evaluator(
            rubrics_path=_rubrics(trial),
            model_under_test=trial.model,
            runs_per_scenario=trial.runs,
            temperature=trial.temperature,
            presentation=presentation,
            answer=answer,
            output=trial.output.parent / f".{trial.output.stem}",
            spending_limit=trial.spending_limit,
            prices=trial.prices,
            judges=trial.judges,
            told=told,
        )
        results = evaluator.evaluate(scenarios)
    return _written(results, trial.output, as_json=as_json)


def score(
    answers: Path, *, scenarios: Path, rubrics: Path | None, output: Path, model: str, as_json: bool
) -> int:
    """Score a file of answers."""
    known = {each.scenario_id: each for each in _scenarios(scenarios, None)}
    replies = replies_of(_lines(answers))
    if not replies:
        raise ConfigurationError(f"{answers.name} is empty; {_LINE}")
    strange = sorted({name for name, _ in replies if name not in known})
    if strange:
        raise ConfigurationError(
            f"{answers.name} answers {strange[0] or 'a scenario without a name'}, which is not in {scenarios}; {_LINE}"
        )
    _refuse_unwritable(output)
    chosen = [known[name] for name in dict.fromkeys(name for name, _ in replies)]
    evaluator = Evaluator(rubrics_path=rubrics or keys_beside(scenarios))
    conditions = Conditions(model, runs=max((number for _, number in replies), default=1), temperature=None)
    results = summed_up(chosen, evaluator.keys(chosen), replies, conditions, library=str(evaluator.library))
    return _written(results, output, as_json=as_json)


def attacked(scenarios: Path, rubrics: Path | None, *, as_json: bool) -> int:
    """Attack the scorer on every scenario and say how many false answers it took."""
    known = _scenarios(scenarios, None)
    keys = Evaluator(rubrics_path=rubrics or keys_beside(scenarios)).keys(known)
    with _progress(len(keys)) as told:
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


def _refuse_unwritable(output: Path) -> None:
    """Say that results cannot be written before anybody is asked for them."""
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ConfigurationError(
            f"{output.parent} is no folder that results can be written into: {(problem.strerror or '').lower()}."
        ) from None
    if output.is_dir():
        raise ConfigurationError(f"{output} is a folder; name a file for the results.")


def _rubrics(trial: Trial) -> Path:
    return trial.rubrics or keys_beside(trial.scenarios)


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
    presentation, form = Presentation(trial.presentation), Form(trial.answer)
    sent = trial.runs * sum(prompt_size(prompt_of(each, presentation, form)) for each in scenarios)
    calls = trial.runs * len(scenarios)
    written = calls * EXPECTED
    prices = price_table(trial.prices)
    cost = (
        Decimal(0) if trial.model.startswith(PREFIX) else prices.cost(reference(trial.model), sent, written)
    )
    told = "price not known" if cost is None else f"${cost:.2f}"
    if as_json:
        print_json(
            {
                "calls": calls,
                "input_tokens": sent,
                "output_tokens": written,
                "cost": None if cost is None else str(cost),
                "prices": prices.told,
            }
        )
    else:
        Console().print(
            f"{calls:,} calls, {sent:,} tokens in, about {written:,} out ({EXPECTED:,} an answer), {told} by {prices.told}. "
            "Nobody was asked.",
            highlight=False,
        )
    return DONE


def _written(results: Results, output: Path, *, as_json: bool) -> int:
    output.write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    if as_json:
        print_json(
            {
                "results": str(output),
                "im_score": results.im_score,
                "im_profile": dict(results.im_profile),
                "im_frontier": results.im_frontier,
                "unscored": results.unscored,
                "cost": results.cost,
            }
        )
        return DONE
    shown = "none" if results.im_score is None else f"{results.im_score:.1f}"
    console = Console()
    console.print(
        f"{results.model}: IM-Score {shown} over {len(results.scenarios)} scenarios", highlight=False
    )
    if results.unscored:
        console.print(
            f"  {results.unscored} runs have no score; `im report {output}` says why", highlight=False
        )
    console.print(f"  {output}", highlight=False)
    return DONE


@contextmanager
def _progress(whole: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, and a line now and then elsewhere; both on standard error."""
    if not sys.stderr.isatty():
        every = max(whole // 10, 1)

        def told(done: int, of: int) -> None:
            if done % every == 0 or done == of:
                print(f"{done} of {of} answers", file=sys.stderr)  # noqa: T201 - progress

        yield told
        return
    columns = (TextColumn("answers"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("answers", total=whole)
        yield lambda done, _of: bar.update(task, completed=done)
