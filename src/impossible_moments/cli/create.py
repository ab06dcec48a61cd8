"""`im create`: lead a cast through the six phases and publish what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from rich.console import Console

from impossible_moments.agents.adapters.builtin_adapter import NAME as BUILTIN
from impossible_moments.agents.adapters.replay_adapter import Recording
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.gate_checks.case import Reader
from impossible_moments.cli.outcome import AWAITING_HUMAN, DISCARDED, DONE, FAILED
from impossible_moments.cli.printing import print_json, said, visible
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.leases import State
from impossible_moments.pipeline import Builtin, Pipeline, Result, Scripted
from impossible_moments.runtime.rounds import Performed, Performer
from impossible_moments.scenarios.metadata import Metadata

REPLAY: Final = "replay:"
_EXITS: Final = {
    State.ACCEPTED: DONE,
    State.AWAITING_HUMAN: AWAITING_HUMAN,
    State.DISCARDED: DISCARDED,
    State.FAILED: FAILED,
}


# fmt: off
_WORK: Final = {
    Phase.SEED:     "ATHENA designs",
    Phase.VALIDATE: "NEWTON and EULER check",
    Phase.GROUND:   "GALILEO grounds it",
    Phase.CLASSIFY: "SOCRATES reads it blind",
    Phase.REFINE:   "all five review",
    Phase.DOCUMENT: "the documents are written",
}
# fmt: on


class _Told:
    """A cast that tells on standard error which phase it is in."""

    def __init__(self, performer: Performer) -> None:
        self._performer = performer
        self.reader: Reader | None = getattr(performer, "reader", None)
        self._console = Console(stderr=True)
        self._phase = ""

    async def perform(self, ask: Ask) -> Performed:
        if ask.assignment.phase != self._phase:
            self._phase = ask.assignment.phase
            self._console.print(f"{self._phase:<9} {_WORK[Phase(self._phase)]}", style="dim", highlight=False)
        return await self._performer.perform(ask)


def create(
    wanted: Mapping[str, object],
    *,
    model: str,
    output: Path,
    config: Path | None,
    as_json: bool,
    further: Sequence[str] = (),
) -> int:
    """Create one scenario and say what came of it; returns the exit status."""
    brief, performer = _builtin(wanted) if model == BUILTIN else _replayed(wanted, model)
    result = Pipeline(config, performer=_Told(performer), output=output, further_agents=further).generate(
        brief
    )
    if as_json:
        _print_json(result, output)
    else:
        _show(result, output)
    return _EXITS.get(result.state, FAILED)


def _builtin(wanted: Mapping[str, object]) -> tuple[GenerationBrief, Performer]:
    cast = Builtin()
    _validated(
        wanted, {"category": CATEGORIES[0], "difficulty_tier": TIERS[0], "solution_status": STATUSES[0]}
    )
    names = ("category", "solution_status", "difficulty_tier")
    given = {name: str(wanted[name]) if wanted.get(name) else None for name in names}
    brief = _validated(wanted, dict(zip(names, cast.adapter.cast.usual(**given), strict=True)))
    cast.admit(brief)
    return brief, cast


def _replayed(wanted: Mapping[str, object], model: str) -> tuple[GenerationBrief, Performer]:
    if not model.startswith(REPLAY):
        raise ConfigurationError(
            f"there is no cast `{model}` in this installation. The built-in one needs nothing: --model builtin. "
            "A recorded one is named by its file: --model replay:FILE."
        )
    recording = Recording.read(Path(model.removeprefix(REPLAY)))

    return _validated(wanted, recording.brief.model_dump()), Scripted(
        recording.answer, f"{REPLAY}{recording.name}"
    )


def _validated(wanted: Mapping[str, object], usual: Mapping[str, object]) -> GenerationBrief:
    given = {name: value for name, value in wanted.items() if value not in {None, ()}}
    try:
        return GenerationBrief.model_validate({**usual, **given})
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
        f"{result.scenario_id} is accepted: {meta.status}, {meta.tier} ({meta.profile}), within library {meta.library}.",
        style="green",
        highlight=False,
    )
    for line in _found(meta):
        console.print(f"  {line}", highlight=False)
    for name in _files(result, output):
        console.print(f"  {name}", highlight=False)


def _found(meta: Metadata) -> Iterator[str]:
    """What the checks found on the way, in a line each; nothing of what went without a word."""
    loops = [f"{phase} {count} times" for phase, count in meta.revision_loops.items() if count > 1]
    if loops:
        yield f"gates asked for more: {', '.join(loops)}"
    if meta.challenges.issued:
        yield f"challenges: {meta.challenges.issued} issued, {meta.challenges.resolved} resolved"
    if meta.vetoes.issued:
        yield f"vetoes: {meta.vetoes.issued} issued, {meta.vetoes.lifted} lifted"
