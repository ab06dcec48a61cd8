"""Recordings: export the answers of a run to a file, and replay its human decisions."""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

import typer

from impossible_moments.agents.adapters import RunRecording, format_recording
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import FINISHED, ScenarioState, leases, list_answers
from impossible_moments.pipeline import GenerationResult, Pipeline, ReviewDesk, SystemClock, parse_answers
from impossible_moments.scenarios import write_file_atomically

REPLAY: Final = "replay:"
"""Prefix of a recording in place of a model name."""


def export_recording(scenario: str, folder: Path, *, to: Path | None) -> int:
    """Write the answers of a scenario's run as a recording for `im create --model replay:FILE`.

    Write to standard output if `to` is None. Return the exit status.
    """
    with open_ledger(folder) as store:
        rows = {row.scenario: row for row in store.read_and_wait(leases.list_scenario_rows)}
        answers = store.read_and_wait(partial(list_answers, scenario=scenario))
    row = rows.get(scenario)
    if row is None:
        raise ConfigurationError(
            f"{scenario!r} was not started in {folder}. Scenarios there: {', '.join(rows) or 'none'}."
        )
    if not answers:
        raise ConfigurationError(f"{scenario} has no answers yet, so there is nothing to record.")
    if row.state not in FINISHED:
        typer.echo(
            f"im: {scenario} is {row.state}. The recording ends at the current point of its run.", err=True
        )
    text = format_recording(GenerationBrief.model_validate_json(row.brief), parse_answers(answers))
    if to is None:
        typer.echo(text, nl=False)
        return DONE
    try:
        write_file_atomically(to, text)
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write {to}: {(problem.strerror or '').lower()}. Name another file with --to."
        ) from None
    typer.echo(f"{to}: {len(answers)} answers. `im create --model {REPLAY}{to}` replays them.")
    return DONE


def replay_human_decisions(
    pipeline: Pipeline, brief: GenerationBrief, recording: RunRecording, result: GenerationResult
) -> GenerationResult:
    """Continue a scenario that awaits human review as long as the recording contains the decisions."""
    numbered = brief.model_copy(update={"scenario_id": result.scenario_id})
    while result.state is ScenarioState.AWAITING_HUMAN and _answer_open_questions(
        pipeline, recording, result.scenario_id
    ):
        (result,) = pipeline.generate_all([numbered])
    return result


def _answer_open_questions(pipeline: Pipeline, recording: RunRecording, scenario: str) -> bool:
    """Answer the open questions of a scenario from the recording. Return False if a decision is missing."""
    with pipeline.open_ledger() as store:
        desk = ReviewDesk(store, SystemClock(), version("impossible-moments"))
        keys = [review.key for review in desk.list_pending_reviews() if review.scenario == scenario]
        decisions = {
            key: decision for key in keys if (decision := recording.get_human_decision(key)) is not None
        }
        if len(decisions) < len(keys):
            return False
        for key, decision in decisions.items():
            desk.record_decision(scenario, decision, key=key)
    return True
