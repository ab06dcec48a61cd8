"""`im create`: lead a cast through the six phases and publish what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from rich.console import Console

from impossible_moments.agents.adapters.replay_adapter import Recording
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.cli.outcome import AWAITING_HUMAN, DISCARDED, DONE, FAILED
from impossible_moments.cli.printing import print_json, said, visible
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import State
from impossible_moments.pipeline import Pipeline, Result
from impossible_moments.runtime.rounds import Performed

REPLAY: Final = "replay:"
_EXITS: Final = {
    State.ACCEPTED: DONE,
    State.AWAITING_HUMAN: AWAITING_HUMAN,
    State.DISCARDED: DISCARDED,
    State.FAILED: FAILED,
}


class _Told:
    """A recording as a cast, telling on standard error which phase it is in."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._console = Console(stderr=True)
        self._phase = ""

    async def perform(self, ask: Ask) -> Performed:
        if ask.assignment.phase != self._phase:
            self._phase = ask.assignment.phase
            self._console.print(f"{self._phase}", style="dim")
        return Performed(self._recording.answer(ask), model=f"{REPLAY}{self._recording.name}")


def create(
    wanted: Mapping[str, object], *, model: str, output: Path, config: Path | None, as_json: bool
) -> int:
    """Create one scenario and say what came of it; returns the exit status."""
    if not model.startswith(REPLAY):
        raise ConfigurationError(
            f"there is no cast `{model}` in this installation. Name a recorded one: --model replay:FILE."
        )
    recording = Recording.read(Path(model.removeprefix(REPLAY)))
    brief = _brief(wanted, recording.brief)
    result = Pipeline(config, performer=_Told(recording), output=output).generate(brief)
    if as_json:
        _print_json(result, output)
    else:
        _show(result, output)
    return _EXITS.get(result.state, FAILED)


def _brief(wanted: Mapping[str, object], recorded: GenerationBrief) -> GenerationBrief:
    given = {name: value for name, value in wanted.items() if value not in {None, ()}}
    try:
        return GenerationBrief.model_validate({**recorded.model_dump(), **given})
    except ValidationError as problem:
        name = str(problem.errors()[0]["loc"][0])
        choices = {
            "category": CATEGORIES, "difficulty_tier": TIERS, "solution_status": STATUSES,
        }.get(name, ())  # fmt: skip
        option = name.replace("_", "-")
        raise ConfigurationError(
            f"--{option} is `{wanted.get(name)}`; it is one of {', '.join(choices)}."
        ) from None


def _files(result: Result, output: Path) -> list[str]:
    return [str(output / name) for name in result.documents.files()] if result.documents else []


def _print_json(result: Result, output: Path) -> None:
    data = {
        "scenario_id": result.scenario_id,
        "state": str(result.state),
        "reason": result.reason,
        "files": _files(result, output),
        "metadata": result.metadata.model_dump(mode="json") if result.metadata else None,
    }
    print_json(data)


def _show(result: Result, output: Path) -> None:
    console = Console()
    if result.documents is None:
        console.print(f"{result.scenario_id} is {result.state}: {said(result.reason)}")
        if result.state is State.AWAITING_HUMAN:
            console.print(
                f"`im review show {result.scenario_id} --output {output}` tells what is to be decided.",
                style="dim",
            )
        return
    console.print(visible(result.public_document), highlight=False, markup=False)
    meta = result.documents.metadata
    console.print(
        f"{result.scenario_id} is accepted: {meta.status}, {meta.tier} ({meta.profile}).", style="green"
    )
    for name in _files(result, output):
        console.print(f"  {name}", highlight=False)
