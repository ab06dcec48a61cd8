"""Implementation of `im prompts test`: replay completed scenarios with a new prompt of one agent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from impossible_moments.agents import load_extensions
from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.agents.adapters import BuiltinAdapter
from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.agents.orchestrator import Configuration, load_configuration
from impossible_moments.cli.actions.prompt_actions.prompts import enable_agent, replace_prompt
from impossible_moments.cli.actions.recording import REPLAY
from impossible_moments.cli.agent_names import reject_misspelt_roles
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.exit_status import DONE, FAILED, FOUND_ERRORS
from impossible_moments.cli.options import SCENARIOS
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import ScenarioState
from impossible_moments.library import load_everyday_library
from impossible_moments.llm import ModelReference, SpendingBudget, parse_model_reference
from impossible_moments.pipeline import (
    LEDGER,
    CompletedScenario,
    ModelResources,
    PromptTrial,
    RunEnding,
    ScenarioSetup,
    TrialCandidate,
    TrialComparison,
    build_model_adapter,
    generate_builtin_scenarios,
    iterate_completed_scenarios,
    run_prompt_trial,
    select_models,
)
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.similarity import load_wordllama_embedder


@dataclass(frozen=True)
class PromptTestOptions:
    """Prompt to test and scenarios to test it on, as given on the command line."""

    agent: str
    prompt: Path
    output: Path | None
    """Folder of completed scenarios. None means the default folder, which need not exist."""
    scenarios: int
    config: Path | None = None


def run_prompt_test(wanted: PromptTestOptions, *, cast: CastOptions, as_json: bool) -> int:
    """Replay scenarios with the new prompt and print what would change. Return the exit status."""
    settings, name = enable_agent(load_configuration(wanted.config), wanted.agent), wanted.agent.upper()
    proposed = replace_prompt(settings, name, wanted.prompt)
    model = _choose_agent_model(cast.models, settings, name)
    load_extensions(settings.roster)
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    # Report a missing key before any scenario is replayed.
    performer = build_model_adapter({name: model}, proposed, load_everyday_library(), means)
    found = _select_test_scenarios(settings, name, wanted.output, wanted.scenarios)
    trial = asyncio.run(_run_candidate_trial(TrialCandidate(name, performer, BuiltinAdapter()), found))
    stopped = trial.stopped
    if stopped is not None and not means.budget.requests:
        raise stopped
    versions = (settings.prompt_versions[name], proposed.prompt_versions[name])
    if as_json:
        print_json(_convert_trial_to_dict(trial, versions, model, found, means.budget))
    else:
        _print_trial(trial, versions, model, found, means.budget)
    if stopped is not None:
        return FAILED
    return FOUND_ERRORS if trial.changed else DONE


def _choose_agent_model(names: Sequence[str], settings: Configuration, agent: str) -> ModelReference:
    """Return the model of the agent, chosen by the rules of `im create`.

    Reject the built-in cast and recordings.
    """
    reject_misspelt_roles(names, settings)
    name = select_models(names, settings)[agent]
    if name == BUILTIN:
        raise ConfigurationError(
            f"{agent} is played by the built-in cast, a program that does not read prompts, so there is nothing to test. "
            "Name the model that will use the prompt, as in --model openai:gpt-4o."
        )
    if name.startswith(REPLAY):
        raise ConfigurationError(
            f"`{name[:60]}` is a recording. Its answers were given to a different prompt. Name a model with --model."
        )
    return parse_model_reference(name)


def _select_test_scenarios(
    settings: Configuration, agent: str, output: Path | None, wanted: int
) -> tuple[CompletedScenario, ...]:
    """Return the newest completed scenarios of a folder.

    If there are too few, create new ones with the built-in cast.
    """
    stage = ScenarioSetup(
        settings,
        load_everyday_library(),
        load_wordllama_embedder(),
        reader=load_builtin_cast().find_document_shortcoming,
    )
    notes, folder = Console(stderr=True, soft_wrap=True), output or SCENARIOS
    if output is not None or (folder / LEDGER).is_file():
        with open_ledger(folder) as store:
            found = tuple(
                islice(
                    iterate_completed_scenarios(store, ScenarioRegistry(folder), stage, agent=agent), wanted
                )
            )
        if len(found) == wanted:
            notes.print(
                f"Testing on the {wanted} newest scenarios in {escape_for_terminal(folder)}.",
                style="dim",
                highlight=False,
            )
            return found
        why = f"{folder} has {len(found)} completed scenarios with {agent} that replay as recorded, but {wanted} are needed"
    else:
        why = f"{folder} has no ledger"
    notes.print(
        f"{escape_for_terminal(why)}: the built-in cast creates {wanted} temporary scenarios.",
        style="dim",
        highlight=False,
    )
    return tuple(islice(generate_builtin_scenarios(load_builtin_cast(), stage), wanted))


async def _run_candidate_trial(candidate: TrialCandidate, found: Sequence[CompletedScenario]) -> PromptTrial:
    progress = Console(stderr=True)

    def print_comparison(comparison: TrialComparison) -> None:
        word = "would change" if comparison.changes else "no change"
        progress.print(f"{comparison.scenario}  {word}", style="dim", highlight=False)

    try:
        return await run_prompt_trial(candidate, found, print_comparison)
    finally:
        await candidate.performer.close()


def format_trial_verdict(trial: PromptTrial) -> str:
    """Return the conclusion of the test as one sentence."""
    if trial.stopped is not None:
        done = len(trial.comparisons)
        return f"No verdict: stopped after {done} of {trial.wanted} scenarios: {trial.stopped}"
    if not trial.changed:
        return "No change: the prompt may be deployed."
    return f"{trial.changed} of {trial.wanted} scenarios would change: review before deployment."


def _format_recorded_model_names(found: Sequence[CompletedScenario], agent: str) -> str:
    return ", ".join(sorted({name for each in found for name in each.models.get(agent, ()) if name}))


def _convert_trial_to_dict(
    trial: PromptTrial,
    versions: tuple[str, str],
    model: ModelReference,
    found: Sequence[CompletedScenario],
    budget: SpendingBudget,
) -> dict[str, Any]:
    return {
        "agent": trial.agent,
        "present": versions[0],
        "proposed": versions[1],
        "model": str(model),
        "recorded_by": _format_recorded_model_names(found, trial.agent),
        "scenarios": [_convert_comparison_to_dict(each) for each in trial.comparisons],
        "wanted": trial.wanted,
        "changed": trial.changed,
        "stopped": None if trial.stopped is None else str(trial.stopped),
        "verdict": format_trial_verdict(trial),
        "usage": {
            "asks": sum(each.asks for each in trial.comparisons),
            "requests": budget.requests,
            "input_tokens": budget.input_tokens,
            "output_tokens": budget.output_tokens,
            "cost": str(budget.spent),
        },
    }


def _convert_comparison_to_dict(each: TrialComparison) -> dict[str, Any]:
    return {**asdict(each), "changes": list(each.changes)}


def _print_trial(
    trial: PromptTrial,
    versions: tuple[str, str],
    model: ModelReference,
    found: Sequence[CompletedScenario],
    budget: SpendingBudget,
) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"[bold]{trial.agent}[/] {escape_for_terminal(versions[0])} -> {escape_for_terminal(versions[1])}, with model {escape_for_terminal(model)}"
    )
    spoken = _format_recorded_model_names(found, trial.agent)
    if spoken != str(model):
        console.print(
            f"In the recorded runs {trial.agent} used {escape_for_terminal(spoken or 'an unknown model')}. Changes may be caused by the "
            "model as well as by the prompt.",
            style="dim",
        )
    for each in trial.comparisons:
        console.print(
            f"\n[bold]{each.scenario}[/] {'[yellow]would change[/]' if each.changes else 'no change'}"
        )
        for line in _describe_comparison(each):
            console.print(f"  {escape_for_terminal(line)}")
    asks, others = (
        sum(each.asks for each in trial.comparisons),
        sum(len(each.unrecorded) for each in trial.comparisons),
    )
    console.print(f"\n{asks} asks to {trial.agent}. Model usage: {budget}")
    if others:
        console.print(f"{others} asks to other agents were not recorded. The built-in cast answered them.")
    console.print(
        escape_for_terminal(format_trial_verdict(trial)),
        style="yellow" if trial.changed or trial.stopped else "green",
    )


def _describe_comparison(each: TrialComparison) -> Iterator[str]:
    before, after = each.recorded, each.new
    if after.state is not ScenarioState.ACCEPTED:
        yield f"different end: {after.state}: {after.reason}"
        after = RunEnding(after.state, "-", ("-",), "-")
    yield f"classification: {_format_before_and_after(before.classification, after.classification)}"
    yield f"difficulty tier: {_format_before_and_after(before.tier, after.tier)}"
    yield f"solution: {_format_before_and_after(_format_solution_plans(before.solution), _format_solution_plans(after.solution))}"
    yield f"asks: {each.asks}" + (
        f", and {len(each.unrecorded)} unrecorded asks to other agents" if each.unrecorded else ""
    )


def _format_before_and_after(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"


def _format_solution_plans(solution: tuple[str, ...]) -> str:
    return "; or ".join(solution) or "none (no plan works)"
