"""Implementation of `im create`: run a cast through the six phases and publish the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.agents.adapters import Performer, RunRecording
from impossible_moments.agents.builtin import (
    BuiltinCast,
    UnreachableBrief,
    explain_unused_contributions,
    load_builtin_cast,
    load_extended_cast,
)
from impossible_moments.agents.orchestrator import Configuration, load_configuration
from impossible_moments.cli.actions.recording import REPLAY, replay_human_decisions
from impossible_moments.cli.agent_names import reject_misspelt_roles, require_configured_agent
from impossible_moments.cli.brief_choices import BRIEF_CHOICES
from impossible_moments.cli.cast_options import CastOptions, PhaseProgressPrinter, get_exit_status
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.composed_briefs import (
    build_composed_brief,
    build_composed_twin_brief,
)
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.interruptions import explain_interruption, format_resume_command, report_waiting
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    print_json,
)
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.spent_cells import describe_what_is_left
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA, CATEGORIES, STATUSES, TIERS, Category
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import ScenarioState
from impossible_moments.library import load_everyday_library
from impossible_moments.llm import SpendingBudget, parse_model_reference
from impossible_moments.pipeline import (
    GenerationResult,
    ModelResources,
    Pipeline,
    ScriptedPerformer,
    build_cast,
    build_model_adapter,
    build_twin_brief_from_registry,
    find_ledger,
    select_models,
)
from impossible_moments.scenarios import BriefFulfilment, ScenarioMetadata, ScenarioRegistry

_TOLD: Final = {
    True: "both scenarios use the same text with different figures",
    False: "it has a text of its own: the original text does not work with the changed figures",
}

_ALREADY_DONE: Final = (
    "The same brief was given before, and {} was created from it. With --again another scenario is created."
)


def create_scenario(  # noqa: PLR0913 - the options of the command
    wanted: Mapping[str, object],
    *,
    cast: CastOptions,
    output: Path,
    config: Path | None,
    as_json: bool,
    further: Sequence[str] = (),
    blueprints: Path | None = None,
    again: bool = False,
) -> int:
    """Create one scenario, or the twin of a published one, and print the result. Return the exit status.

    A brief that was given before is continued. With `again` another scenario is created from it.
    """
    programs = None
    if blueprints is not None:
        _reject_options_beside_blueprints(wanted, cast.models)
        programs = load_extended_cast(blueprints)
        wanted = {**wanted, "blueprints": programs.catalogue.source}
    settings = _enable_requested_agents(load_configuration(config), further)
    reject_misspelt_roles(cast.models, settings)
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    recording = _load_recording(cast.models)
    if (twin_of := wanted.get("twin_of")) is None and wanted.get("other_way"):
        raise ConfigurationError(
            "--other-way belongs to --twin-of. Name the scenario: --twin-of IM-0001 --other-way."
        )
    if twin_of is not None:
        _reject_options_beside_twin(wanted, recording, cast.models, settings)
    if recording is not None:
        brief = _validate_brief(
            {name: value for name, value in wanted.items() if name not in {"level", "place"}},
            recording.brief.model_dump(),
        )
        performer: Performer = ScriptedPerformer(recording.answer, f"{REPLAY}{recording.name}")
        names = dict.fromkeys(settings.roster, cast.models[0])
    else:
        names = select_models(cast.models, settings)
        brief = (
            _build_brief(wanted, designer=names[ATHENA], programs=programs)
            if twin_of is None
            else build_composed_twin_brief(
                str(twin_of), ScenarioRegistry(output), other_way=bool(wanted.get("other_way"))
            )
            or build_twin_brief_from_registry(
                str(twin_of), ScenarioRegistry(output), find_ledger(output), load_builtin_cast()
            )
        )
        if programs is not None and (unused := explain_unused_contributions(programs.catalogue, brief)):
            Console(stderr=True).print(escape_control_characters(unused), highlight=False, markup=False)
        if cast.dry_run:
            return _print_cost_estimate(brief, names, settings, means, as_json=as_json)
        performer = build_cast(names, settings, load_everyday_library(), means, programs=programs)
    pipeline = Pipeline(
        config,
        performer=performer,
        output=output,
        further_agents=further,
        cast=names,
        on_ask=PhaseProgressPrinter().report_ask,
        on_wait=report_waiting,
    )
    earlier = pipeline.find_finished_run(brief) if not again else None
    resume = format_resume_command(output, config=config, blueprints=blueprints, cast=cast)
    with explain_interruption(resume):
        (result,) = pipeline.generate_all([brief], again=again)
        if recording is not None:
            result = replay_human_decisions(pipeline, brief, recording, result)
    if as_json:
        print_result_as_json(result, output, means.budget)
    else:
        print_result(result, output, resume=resume, category=brief.category)
        _print_remarks(result, brief, earlier, means.budget)
    return get_exit_status(result, asked=[name for name, value in wanted.items() if value])


def _print_remarks(
    result: GenerationResult, brief: GenerationBrief, earlier: str | None, budget: SpendingBudget
) -> None:
    """Print whether the scenario existed before, how its text relates to its twin, and what the models took."""
    console = Console()
    if earlier is not None:
        console.print(f"  {_ALREADY_DONE.format(earlier)}", highlight=False)
    if brief.twin is not None and result.documents is not None:
        console.print(f"  {_TOLD[brief.twin.told_alike]}", highlight=False)
    if budget.requests:
        console.print(f"  model usage: {budget}", highlight=False)


def _enable_requested_agents(settings: Configuration, further: Sequence[str]) -> Configuration:
    return settings.enable_agents([require_configured_agent(name, settings) for name in further])


def _print_cost_estimate(
    brief: GenerationBrief,
    names: Mapping[str, str],
    settings: Configuration,
    means: ModelResources,
    *,
    as_json: bool,
) -> int:
    """Print the expected calls, tokens and cost of the scenario. No model is called."""
    references = {agent: parse_model_reference(name) for agent, name in names.items() if name != BUILTIN}
    if not references:
        raise ConfigurationError(
            "The built-in cast costs nothing, so there is nothing to estimate. Name a model with --model."
        )
    # An estimate needs no API key.
    adapter = build_model_adapter(references, settings, load_everyday_library(), means, needs_keys=False)
    from impossible_moments.cli.output.cost_estimates import print_creation_estimate
    from impossible_moments.pipeline import estimate_scenario_cost

    print_creation_estimate(
        estimate_scenario_cost(brief, adapter, settings, load_everyday_library()), as_json=as_json
    )
    return DONE


def _build_brief(
    wanted: Mapping[str, object], *, designer: str, programs: BuiltinCast | None
) -> GenerationBrief:
    """Build the brief from the options.

    Fill missing fields with defaults, or with an offer of the built-in designer.
    """
    if wanted.get("level") is not None or wanted.get("place"):
        return build_composed_brief(wanted, designer=designer)
    wanted = {name: value for name, value in wanted.items() if name not in {"level", "place"}}
    names = ("category", "solution_status", "difficulty_tier")
    usual = dict(zip(names, (CATEGORIES[0], STATUSES[0], TIERS[1]), strict=True))
    brief = _validate_brief(wanted, usual)
    if designer != BUILTIN:
        if wanted.get("blueprints"):
            raise ConfigurationError(
                f"--blueprints needs the built-in designer, because only it draws from blueprints. Use --model {ATHENA}={BUILTIN}."
            )
        return brief
    given = {name: str(wanted[name]) if wanted.get(name) else None for name in names}
    target = (programs or load_builtin_cast()).choose_reachable_target(**given)
    return _validate_brief(wanted, dict(zip(names, target, strict=True)))


def _reject_options_beside_blueprints(wanted: Mapping[str, object], models: Sequence[str]) -> None:
    """Reject options that --blueprints excludes: twins of scenarios of other blueprints, and recordings."""
    if wanted.get("twin_of"):
        raise ConfigurationError("--twin-of repeats a draw of the shipped blueprints. Remove --blueprints.")
    if any(name.startswith(REPLAY) for name in models):
        raise ConfigurationError("A recording has its scenario already. Remove --blueprints.")


def _reject_options_beside_twin(
    wanted: Mapping[str, object],
    recording: RunRecording | None,
    models: Sequence[str],
    settings: Configuration,
) -> None:
    """Reject options that --twin-of excludes: other brief fields, recordings and model designers."""
    given = [
        f"--{name.replace('constraints', 'constraint').replace('_', '-')}"
        for name, value in wanted.items()
        if name not in {"twin_of", "other_way"} and value not in {None, ()}
    ]
    if given:
        raise ConfigurationError(
            f"--twin-of takes all settings from the named scenario. Remove {', '.join(given)}."
        )
    if recording is not None or select_models(models, settings)[ATHENA] != BUILTIN:
        raise ConfigurationError(
            f"--twin-of needs the built-in designer, because only it can repeat the same draw. Use "
            f"--model {ATHENA}={BUILTIN}."
        )


def _load_recording(models: Sequence[str]) -> RunRecording | None:
    """Return the recording named by --model replay:FILE, or None if the models are not a recording."""
    if not models or not models[0].startswith(REPLAY):
        return None
    if len(models) > 1:
        raise ConfigurationError("A recording plays all roles. Name it alone: --model replay:FILE.")
    return RunRecording.load(Path(models[0].removeprefix(REPLAY)))


def _validate_brief(wanted: Mapping[str, object], usual: Mapping[str, object]) -> GenerationBrief:
    given = {name: value for name, value in wanted.items() if value not in {None, ()}}
    try:
        return GenerationBrief.model_validate({**usual, **given})
    except ValidationError as problem:
        raise _make_brief_error(wanted, str(problem.errors()[0]["loc"][0])) from None


def _make_brief_error(wanted: Mapping[str, object], name: str) -> ConfigurationError:
    """Return the error for a field of the brief whose value is not in its list."""
    choices = BRIEF_CHOICES.get(name, ())
    given = str(wanted.get(name))
    return ConfigurationError(
        f"--{name.replace('_', '-')} is `{given}`.{suggest_names(given, choices)} It must be one of {', '.join(choices)}."
    )


def _list_document_paths(result: GenerationResult, output: Path) -> list[str]:
    return [str(output / name) for name in result.documents.list_files_by_path()] if result.documents else []


def print_result_as_json(result: GenerationResult, output: Path, budget: SpendingBudget) -> None:
    """Print a result as one JSON document."""
    data = {
        "scenario_id": result.scenario_id,
        "state": str(result.state),
        "reason": result.reason,
        "files": _list_document_paths(result, output),
        "usage": {
            "requests": budget.requests,
            "input_tokens": budget.input_tokens,
            "output_tokens": budget.output_tokens,
            "cost": str(budget.spent),
        },
        "brief": result.fulfilment.model_dump(mode="json") if result.fulfilment else None,
        "replaced": list(result.replaced),
        "variants": [
            {"scenario_id": each.scenario_id, "state": str(each.state), "reason": each.reason}
            for each in result.variants
        ],
        "metadata": result.metadata.model_dump(mode="json") if result.metadata else None,
    }
    print_json(data)


def print_result(
    result: GenerationResult, output: Path, *, resume: str = "", category: Category | None = None
) -> None:
    """Print a result: the public document and where its files are, or why there is none.

    `resume` is the command that continues a failed scenario. `category` is that of the brief, of which is stated what is
    left if the catalogue has nothing more for it.
    """
    console = Console()
    for line in result.replaced:
        console.print(f"Discarded {escape_for_terminal(line)}", highlight=False)
    if result.documents is None:
        _print_reason(console, result, output, resume=resume, category=category)
        return
    console.print(escape_control_characters(result.public_document), highlight=False, markup=False)
    meta = result.documents.metadata
    console.print(
        f"{result.scenario_id} is accepted: {meta.status}, {meta.tier} ({meta.profile}), within library {meta.library}.",
        style="green",
        highlight=False,
    )
    for line in _describe_notable_events(meta):
        console.print(f"  {line}", highlight=False)
    if meta.brief is not None:
        for line in _describe_fulfilment(meta.brief):
            console.print(f"  {escape_for_terminal(line)}", highlight=False)
    for name in _list_document_paths(result, output):
        console.print(f"  {escape_for_terminal(name)}", highlight=False)
    for each in result.variants:
        reason = f": {escape_for_terminal(each.reason)}" if each.reason else ""
        console.print(f"  variant {each.scenario_id} is {each.state}{reason}", highlight=False)


def _print_reason(
    console: Console, result: GenerationResult, output: Path, *, resume: str, category: Category | None
) -> None:
    """Print why there are no documents, and what can be done."""
    console.print(f"{result.scenario_id} is {result.state}: {escape_for_terminal(result.reason)}")
    if isinstance(result.error, UnreachableBrief) and category:
        console.print(escape_for_terminal(describe_what_is_left(output, category)), highlight=False)
    elif result.state is ScenarioState.FAILED:
        console.print(
            escape_for_terminal(
                f"All answers so far are kept. `{resume or format_resume_command(output)}` continues from there with the same cast."
            ),
            style="dim",
            highlight=False,
        )
    if result.state is ScenarioState.AWAITING_HUMAN:
        console.print(
            escape_for_terminal(
                f"`im review show {result.scenario_id} --output {output}` shows the open question."
            ),
            style="dim",
        )


def _describe_fulfilment(brief: BriefFulfilment) -> Iterator[str]:
    """Yield one line for each part of the brief that was judged, those that are not kept first."""
    yield from map(str, brief.deviations)
    for verdict in ("unmet", "unjudged", "met"):
        for each in brief.list_constraints_judged(verdict):
            yield f"constraint {verdict}: {each.text} ({each.reason})"
    if brief.inspiration is not None:
        yield f"inspiration {brief.inspiration.verdict}: {brief.inspiration.text} ({brief.inspiration.reason})"


def _describe_notable_events(meta: ScenarioMetadata) -> Iterator[str]:
    """Yield one line for each notable event of the run: twin, repeated gates, challenges and vetoes."""
    if meta.parent is not None:
        yield f"variant of {meta.parent} (recorded in the registry, not in public documents)"
    if meta.twin is not None:
        yield f"twin of {meta.twin} (recorded in the registry, not in public documents)"
    loops = [f"{phase} {count} times" for phase, count in meta.revision_loops.items() if count > 1]
    if loops:
        yield f"revision loops: {', '.join(loops)}"
    if meta.challenges.issued:
        yield f"challenges: {meta.challenges.issued} issued, {meta.challenges.resolved} resolved"
    if meta.vetoes.issued:
        yield f"vetoes: {meta.vetoes.issued} issued, {meta.vetoes.lifted} lifted"
