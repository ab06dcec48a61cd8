"""Implementation of `im score`: score answers from a file, or attack the scorer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from rich.table import Table

from impossible_moments.cli.actions import imported_scenarios
from impossible_moments.cli.actions.evaluate import (
    EvaluationOptions,
    load_scenarios,
    select_worded_scenarios,
    write_and_print_results,
)
from impossible_moments.cli.actions.uncertain_actions.evaluation import write_and_print_uncertain_results
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.evaluation import require_writable_result_file, show_answer_progress
from impossible_moments.cli.output.formatting import print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import (
    AnswerForm,
    AttackReport,
    Reply,
    find_key_folder,
    parse_reply_lines,
    run_scorer_attack,
    split_scenarios,
)
from impossible_moments.evaluation.evaluator import Evaluator
from impossible_moments.evaluation.uncertain_runs import UNCERTAIN_FORMS
from impossible_moments.scenarios import Scenario

_LINE: Final = 'Each line must be a JSON object such as {"scenario_id": "IM-0001", "answer": "..."}.'


def score_answer_file(answers: Path, trial: EvaluationOptions, *, as_json: bool) -> int:
    """Score a file of answers, write the result file and print a summary.

    With a translator, answers are read as free text unless another form is named.
    """
    if trial.imported_options is not None:
        return imported_scenarios.score_imported_answers(
            parse_reply_lines(_read_json_lines(answers)), trial.imported_options, as_json=as_json
        )
    rubrics = trial.rubrics or find_key_folder(trial.scenarios)
    ordinary, uncertain = split_scenarios(load_scenarios(trial.scenarios), rubrics)
    if uncertain and trial.form in UNCERTAIN_FORMS:
        given = parse_reply_lines(_read_json_lines(answers))
        if given and {name for name, _ in given} <= {each.scenario_id for each in uncertain}:
            return _score_uncertain_answers(given, uncertain, trial, as_json=as_json)
    known = {each.scenario_id: each for each in ordinary}
    form = trial.answer or (AnswerForm.FREE if trial.translator else None)
    evaluator = replace(trial, answer=form).evaluator
    replies = parse_reply_lines(_read_json_lines(answers))
    if not replies:
        raise ConfigurationError(f"{answers.name} is empty. {_LINE}")
    if trial.form == AnswerForm.POLICY:
        raise ConfigurationError(
            f"--answer policy is for uncertain worlds only, and {answers.name} answers other scenarios as well. Split the file."
        )
    strange = sorted({name for name, _ in replies if name not in known})
    if strange:
        raise ConfigurationError(
            f"{answers.name} answers {strange[0] or 'a scenario without an ID'}, which is not in {trial.scenarios}. {_LINE}"
        )
    require_writable_result_file(trial.output)
    chosen = [known[name] for name in dict.fromkeys(name for name, _ in replies)]
    select_worded_scenarios(chosen, Path(evaluator.rubrics_path))
    results = evaluator.score(chosen, replies, model=trial.model)
    return write_and_print_results(evaluator, results, trial.output, as_json=as_json)


def _score_uncertain_answers(
    replies: Mapping[tuple[str, int], Reply],
    uncertain: Sequence[Scenario],
    trial: EvaluationOptions,
    *,
    as_json: bool,
) -> int:
    """Score transcripts or policies for uncertain worlds, write the result file and print a summary."""
    require_writable_result_file(trial.output)
    named = {name for name, _ in replies}
    chosen = [each for each in uncertain if each.scenario_id in named]
    results = trial.uncertain_evaluator.score(chosen, replies, model=trial.model)
    return write_and_print_uncertain_results(results, trial.output, as_json=as_json)


def report_scorer_attack(scenarios: Path, rubrics: Path | None, *, as_json: bool) -> int:
    """Attack the scorer on every scenario and print how many wrong answers it accepted.

    Return the exit status.
    """
    folder = rubrics or find_key_folder(scenarios)
    ordinary, _ = split_scenarios(load_scenarios(scenarios), folder)
    known = select_worded_scenarios(ordinary, folder)
    keys = Evaluator(rubrics_path=folder).load_keys(known)
    with show_answer_progress(len(keys)) as report_progress:
        texts = {each.scenario_id: each.blind for each in known}
        found = run_scorer_attack(keys, report_progress=report_progress, texts=texts)
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
                "kinds": {str(kind): asdict(count) for kind, count in found.kinds.items()},
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
        _print_attack_kinds(found)
    return FOUND_ERRORS if found.false_accepts or found.surviving_mutants else DONE


def _print_attack_kinds(found: AttackReport) -> None:
    """Print the counts of each kind of hostile answer. Accepted answers that hold are no errors."""
    table = Table(box=None, pad_edge=False)
    table.add_column("kind of answer")
    for head in ("answers", "accepted", "of these hold", "false accepts"):
        table.add_column(head, justify="right")
    for kind, count in found.kinds.items():
        holds = count.accepted - count.false_accepts
        figures = (count.answers, count.accepted, holds, count.false_accepts)
        table.add_row(str(kind), *(f"{each:,}" for each in figures))
    Console().print(table)


def _read_json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise ConfigurationError(f"No such file: {path}. Name a file of answers.") from None
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"The file of answers {path} cannot be read as text. Save it in UTF-8."
        ) from None
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
