"""Implementation of `im prompts test`: replay completed scenarios with a new prompt of one agent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console

from impossible_moments.agents.adapters.builtin_adapter import NAME as BUILTIN
from impossible_moments.agents.builtin.cast import builtin_cast
from impossible_moments.agents.configuration import Configuration, configuration
from impossible_moments.agents.extensions import load_extensions
from impossible_moments.casting.choosing import Means, adapter_for, chosen
from impossible_moments.casting.completed import Completed, Stage, completed_in, made_on_the_spot
from impossible_moments.casting.performers import Builtin, LanguageModels
from impossible_moments.casting.trials import Candidate, Comparison, Ending, Trial, tried
from impossible_moments.cli.casts import Cast
from impossible_moments.cli.options import SCENARIOS
from impossible_moments.cli.outcome import DONE, FAILED, FOUND_ERRORS
from impossible_moments.cli.output_folder import opened
from impossible_moments.cli.printing import print_json, said
from impossible_moments.cli.prompts import with_agent, with_prompt
from impossible_moments.cli.recording import REPLAY
from impossible_moments.errors import ConfigurationError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.ledger.leases import State
from impossible_moments.models.references import ModelReference, reference
from impossible_moments.models.spending import Purse
from impossible_moments.pipeline import LEDGER
from impossible_moments.scenarios.embedding import wordllama_embedder
from impossible_moments.scenarios.registry import Registry


@dataclass(frozen=True)
class Wanted:
    """Prompt to test and scenarios to test it on, as given on the command line."""

    agent: str
    prompt: Path
    output: Path | None
    """Folder of completed scenarios. None means the default folder, which need not exist."""
    scenarios: int
    config: Path | None = None


def test(wanted: Wanted, *, cast: Cast, as_json: bool) -> int:
    """Replay scenarios with the new prompt and print what would change. Return the exit status."""
    settings, name = with_agent(configuration(wanted.config), wanted.agent), wanted.agent.upper()
    proposed = with_prompt(settings, name, wanted.prompt)
    model = _model(cast.models, settings, name)
    load_extensions(settings.roster)
    means = Means(spending_limit=cast.spending_limit, prices=cast.prices)
    # Report a missing key before any scenario is replayed.
    performer = LanguageModels(adapter_for({name: model}, proposed, everyday(), means))
    found = _scenarios(settings, name, wanted.output, wanted.scenarios)
    trial = asyncio.run(_tried(Candidate(name, performer, Builtin()), performer, found))
    stopped = trial.stopped
    if stopped is not None and not means.purse.requests:
        raise stopped
    versions = (settings.prompt_versions[name], proposed.prompt_versions[name])
    if as_json:
        print_json(_data(trial, versions, model, found, means.purse))
    else:
        _show(trial, versions, model, found, means.purse)
    if stopped is not None:
        return FAILED
    return FOUND_ERRORS if trial.changed else DONE


def _model(names: Sequence[str], settings: Configuration, agent: str) -> ModelReference:
    """Return the model of the agent, chosen by the rules of `im create`.

    Reject the built-in cast and recordings.
    """
    name = chosen(names, settings)[agent]
    if name == BUILTIN:
        raise ConfigurationError(
            f"{agent} is played by the built-in cast, a program that does not read prompts, so there is nothing to test. "
            "Name the model that will use the prompt, as in --model openai:gpt-4o."
        )
    if name.startswith(REPLAY):
        raise ConfigurationError(
            f"`{name[:60]}` is a recording. Its answers were given to a different prompt. Name a model with --model."
        )
    return reference(name)


def _scenarios(
    settings: Configuration, agent: str, output: Path | None, wanted: int
) -> tuple[Completed, ...]:
    """Return the newest completed scenarios of a folder.

    If there are too few, create new ones with the built-in cast.
    """
    stage = Stage(settings, everyday(), wordllama_embedder(), reader=builtin_cast().reader)
    notes, folder = Console(stderr=True, soft_wrap=True), output or SCENARIOS
    if output is not None or (folder / LEDGER).is_file():
        with opened(folder) as store:
            found = tuple(islice(completed_in(store, Registry(folder), stage, agent=agent), wanted))
        if len(found) == wanted:
            notes.print(
                f"Testing on the {wanted} newest scenarios in {said(folder)}.", style="dim", highlight=False
            )
            return found
        why = f"{folder} has {len(found)} completed scenarios with {agent} that replay as recorded, but {wanted} are needed"
    else:
        why = f"{folder} has no ledger"
    notes.print(
        f"{said(why)}: the built-in cast creates {wanted} temporary scenarios.",
        style="dim",
        highlight=False,
    )
    return tuple(islice(made_on_the_spot(builtin_cast(), stage), wanted))


async def _tried(candidate: Candidate, performer: LanguageModels, found: Sequence[Completed]) -> Trial:
    progress = Console(stderr=True)

    def told(comparison: Comparison) -> None:
        word = "would change" if comparison.changes else "no change"
        progress.print(f"{comparison.scenario}  {word}", style="dim", highlight=False)

    try:
        return await tried(candidate, found, told)
    finally:
        await performer.close()


def verdict(trial: Trial) -> str:
    """Return the conclusion of the test as one sentence."""
    if trial.stopped is not None:
        done = len(trial.comparisons)
        return f"No verdict: stopped after {done} of {trial.wanted} scenarios: {trial.stopped}"
    if not trial.changed:
        return "No change: the prompt may be deployed."
    return f"{trial.changed} of {trial.wanted} scenarios would change: review before deployment."


def _spoken_by(found: Sequence[Completed], agent: str) -> str:
    return ", ".join(sorted({name for each in found for name in each.models.get(agent, ()) if name}))


def _data(
    trial: Trial, versions: tuple[str, str], model: ModelReference, found: Sequence[Completed], purse: Purse
) -> dict[str, Any]:
    return {
        "agent": trial.agent,
        "present": versions[0],
        "proposed": versions[1],
        "model": str(model),
        "recorded_by": _spoken_by(found, trial.agent),
        "scenarios": [_row(each) for each in trial.comparisons],
        "wanted": trial.wanted,
        "changed": trial.changed,
        "stopped": None if trial.stopped is None else str(trial.stopped),
        "verdict": verdict(trial),
        "usage": {
            "asks": sum(each.asks for each in trial.comparisons),
            "requests": purse.requests,
            "input_tokens": purse.input_tokens,
            "output_tokens": purse.output_tokens,
            "cost": str(purse.spent),
        },
    }


def _row(each: Comparison) -> dict[str, Any]:
    return {**asdict(each), "changes": list(each.changes)}


def _show(
    trial: Trial, versions: tuple[str, str], model: ModelReference, found: Sequence[Completed], purse: Purse
) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"[bold]{trial.agent}[/] {said(versions[0])} -> {said(versions[1])}, with model {said(model)}"
    )
    spoken = _spoken_by(found, trial.agent)
    if spoken != str(model):
        console.print(
            f"In the recorded runs {trial.agent} used {said(spoken or 'an unknown model')}. Changes may be caused by the "
            "model as well as by the prompt.",
            style="dim",
        )
    for each in trial.comparisons:
        console.print(
            f"\n[bold]{each.scenario}[/] {'[yellow]would change[/]' if each.changes else 'no change'}"
        )
        for line in _lines(each):
            console.print(f"  {said(line)}")
    asks, others = (
        sum(each.asks for each in trial.comparisons),
        sum(len(each.unrecorded) for each in trial.comparisons),
    )
    console.print(f"\n{asks} asks to {trial.agent}. Model usage: {purse}")
    if others:
        console.print(f"{others} asks to other agents were not recorded. The built-in cast answered them.")
    console.print(said(verdict(trial)), style="yellow" if trial.changed or trial.stopped else "green")


def _lines(each: Comparison) -> Iterator[str]:
    before, after = each.recorded, each.new
    if after.state is not State.ACCEPTED:
        yield f"different end: {after.state}: {after.reason}"
        after = Ending(after.state, "-", ("-",), "-")
    yield f"classification: {_pair(before.classification, after.classification)}"
    yield f"difficulty tier: {_pair(before.tier, after.tier)}"
    yield f"solution: {_pair(_told(before.solution), _told(after.solution))}"
    yield f"asks: {each.asks}" + (
        f", and {len(each.unrecorded)} unrecorded asks to other agents" if each.unrecorded else ""
    )


def _pair(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"


def _told(solution: tuple[str, ...]) -> str:
    return "; or ".join(solution) or "none (no plan works)"
