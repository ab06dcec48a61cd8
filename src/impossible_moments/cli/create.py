"""Implementation of `im create`: run a cast through the six phases and publish the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from rich.console import Console

from impossible_moments.agents.adapters.builtin_adapter import NAME as BUILTIN
from impossible_moments.agents.adapters.replay_adapter import Recording
from impossible_moments.agents.configuration import Configuration, configuration
from impossible_moments.casting.choosing import Means, adapter_for, cast_of, chosen
from impossible_moments.casting.performers import Builtin, ByRole, Scripted
from impossible_moments.casting.twinning import brief_of_twin
from impossible_moments.cli.casts import Cast, Told, status_of
from impossible_moments.cli.outcome import DONE
from impossible_moments.cli.printing import print_json, said, visible
from impossible_moments.cli.recording import REPLAY, decided
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA, CATEGORIES, STATUSES, TIERS
from impossible_moments.errors import ConfigurationError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.ledger.leases import State
from impossible_moments.models.references import reference
from impossible_moments.models.spending import Purse
from impossible_moments.pipeline import LEDGER, Pipeline, Result
from impossible_moments.runtime.rounds import Performer
from impossible_moments.scenarios.metadata import Metadata
from impossible_moments.scenarios.registry import Registry

_TOLD: Final = {
    True: "both scenarios use the same text with different figures",
    False: "it has a text of its own: the original text does not work with the changed figures",
}


def create(
    wanted: Mapping[str, object],
    *,
    cast: Cast,
    output: Path,
    config: Path | None,
    as_json: bool,
    further: Sequence[str] = (),
) -> int:
    """Create one scenario, or the twin of a published one, and print the result. Return the exit status."""
    settings = configuration(config).joined_by(tuple(further))
    means = Means(spending_limit=cast.spending_limit, prices=cast.prices)
    recording = _recording(cast.models)
    if (twin_of := wanted.get("twin_of")) is not None:
        _refuse_beside_twin(wanted, recording, cast.models, settings)
    if recording is not None:
        brief = _validated(wanted, recording.brief.model_dump())
        performer: Performer = Scripted(recording.answer, f"{REPLAY}{recording.name}")
    else:
        names = chosen(cast.models, settings)
        brief = (
            _brief(wanted, designer=names[ATHENA])
            if twin_of is None
            else brief_of_twin(str(twin_of), Registry(output), output / LEDGER, Builtin().adapter.cast)
        )
        if cast.dry_run:
            return _rehearse(brief, names, settings, means, as_json=as_json)
        performer = cast_of(names, settings, everyday(), means)
        if isinstance(performer, Builtin | ByRole):
            performer.admit(brief)
    pipeline = Pipeline(config, performer=Told(performer), output=output, further_agents=further)
    result = pipeline.generate(brief)
    if recording is not None:
        result = decided(pipeline, brief, recording, result)
    if as_json:
        _print_json(result, output, means.purse)
    else:
        _show(result, output)
        if brief.twin is not None and result.documents is not None:
            Console().print(f"  {_TOLD[brief.twin.told_alike]}", highlight=False)
        if means.purse.requests:
            Console().print(f"  model usage: {means.purse}", highlight=False)
    return status_of(result)


def _rehearse(
    brief: GenerationBrief, names: Mapping[str, str], settings: Configuration, means: Means, *, as_json: bool
) -> int:
    """Print the expected calls, tokens and cost of the scenario. No model is called."""
    references = {agent: reference(name) for agent, name in names.items() if name != BUILTIN}
    if not references:
        raise ConfigurationError(
            "The built-in cast costs nothing, so there is nothing to estimate. Name a model with --model."
        )
    # An estimate needs no API key.
    adapter = adapter_for(references, settings, everyday(), means, needs_keys=False)
    from impossible_moments.casting.rehearsing import estimate
    from impossible_moments.cli.estimates import print_estimate

    print_estimate(estimate(brief, adapter, settings, everyday()), as_json=as_json)
    return DONE


def _brief(wanted: Mapping[str, object], *, designer: str) -> GenerationBrief:
    """Build the brief from the options.

    Fill missing fields with defaults, or with an offer of the built-in designer.
    """
    names = ("category", "solution_status", "difficulty_tier")
    usual = dict(zip(names, (CATEGORIES[0], STATUSES[0], TIERS[1]), strict=True))
    brief = _validated(wanted, usual)
    if designer != BUILTIN:
        return brief
    given = {name: str(wanted[name]) if wanted.get(name) else None for name in names}
    return _validated(wanted, dict(zip(names, Builtin().adapter.cast.usual(**given), strict=True)))


def _refuse_beside_twin(
    wanted: Mapping[str, object], recording: Recording | None, models: Sequence[str], settings: Configuration
) -> None:
    """Reject options that --twin-of excludes: other brief fields, recordings and model designers."""
    given = [
        f"--{name.replace('constraints', 'constraint').replace('_', '-')}"
        for name, value in wanted.items()
        if name != "twin_of" and value not in {None, ()}
    ]
    if given:
        raise ConfigurationError(
            f"--twin-of takes all settings from the named scenario. Remove {', '.join(given)}."
        )
    if recording is not None or chosen(models, settings)[ATHENA] != BUILTIN:
        raise ConfigurationError(
            f"--twin-of needs the built-in designer, because only it can repeat the same draw. Use "
            f"--model {ATHENA}={BUILTIN}."
        )


def _recording(models: Sequence[str]) -> Recording | None:
    """Return the recording named by --model replay:FILE, or None if the models are not a recording."""
    if not models or not models[0].startswith(REPLAY):
        return None
    if len(models) > 1:
        raise ConfigurationError("A recording plays all roles. Name it alone: --model replay:FILE.")
    return Recording.read(Path(models[0].removeprefix(REPLAY)))


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
            f"--{option} is `{wanted.get(name)}`. It must be one of {', '.join(choices)}."
        ) from None


def _files(result: Result, output: Path) -> list[str]:
    return [str(output / name) for name in result.documents.files()] if result.documents else []


def _print_json(result: Result, output: Path, purse: Purse) -> None:
    data = {
        "scenario_id": result.scenario_id,
        "state": str(result.state),
        "reason": result.reason,
        "files": _files(result, output),
        "usage": {
            "requests": purse.requests,
            "input_tokens": purse.input_tokens,
            "output_tokens": purse.output_tokens,
            "cost": str(purse.spent),
        },
        "metadata": result.metadata.model_dump(mode="json") if result.metadata else None,
    }
    print_json(data)


def _show(result: Result, output: Path) -> None:
    console = Console()
    if result.documents is None:
        console.print(f"{result.scenario_id} is {result.state}: {said(result.reason)}")
        if result.state is State.FAILED:
            console.print(
                f"All answers so far are kept. `im resume --output {output}` continues from there.",
                style="dim",
            )
        if result.state is State.AWAITING_HUMAN:
            console.print(
                f"`im review show {result.scenario_id} --output {output}` shows the open question.",
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
    """Yield one line for each notable event of the run: twin, repeated gates, challenges and vetoes."""
    if meta.twin is not None:
        yield f"twin of {meta.twin} (recorded in the registry, not in public documents)"
    loops = [f"{phase} {count} times" for phase, count in meta.revision_loops.items() if count > 1]
    if loops:
        yield f"revision loops: {', '.join(loops)}"
    if meta.challenges.issued:
        yield f"challenges: {meta.challenges.issued} issued, {meta.challenges.resolved} resolved"
    if meta.vetoes.issued:
        yield f"vetoes: {meta.vetoes.issued} issued, {meta.vetoes.lifted} lifted"
