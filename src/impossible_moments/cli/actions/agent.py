"""Implementation of `im agent run` and `im show prompt`: the prompt and the deliverable of one agent."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import typer
from pydantic import BaseModel, ConfigDict, ValidationError

from impossible_moments.agents import (
    DELIVERABLES,
    AgentPrompt,
    build_agent_prompt,
    list_agent_duties_in_phase,
    select_duty_on_topic,
)
from impossible_moments.agents.adapters import PerformedAsk, Performer
from impossible_moments.agents.orchestrator import (
    Ask,
    AskDesk,
    Configuration,
    build_scenario_rules,
    load_configuration,
)
from impossible_moments.cli.actions.recording import REPLAY
from impossible_moments.cli.actions.rules import parse_phase
from impossible_moments.cli.agent_names import reject_misspelt_roles, require_configured_agent
from impossible_moments.cli.brief_choices import BRIEF_CHOICES
from impossible_moments.cli.cast_options import CastOptions
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import escape_control_characters, print_json
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.vocabulary import Phase, Status
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import load_document
from impossible_moments.pipeline import ModelResources, build_cast, select_models
from impossible_moments.scenarios.similarity import TfidfEmbedder

NOBODY_ASKED: Final = "im: No --model was given: this is the prompt only, no model was called."


class _ContextFilePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ContextFileSection(_ContextFilePart):
    """One complete deliverable of a context file."""

    author: str
    phase: Phase
    document: str
    fields: dict[str, Any]
    iteration: int | None = None


class ContextFile(_ContextFilePart):
    """Content of a context file. The isolation policy decides how much of it the agent reads."""

    brief: GenerationBrief
    sections: tuple[ContextFileSection, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes for the agent that is asked."""


@dataclass(frozen=True)
class AgentRunRequest:
    """Agent, phase, context file and topic, as given on the command line."""

    agent: str
    phase: str
    context: Path
    topic: str | None = None


def run_agent(asked: AgentRunRequest, *, cast: CastOptions, config: Path | None, as_json: bool) -> int:
    """Print the prompt of an agent for a context file.

    If a model is named, call it and print its deliverable.
    """
    where, settings = parse_phase(asked.phase), load_configuration(config)
    name = require_configured_agent(asked.agent, settings)
    reject_misspelt_roles(cast.models, settings)
    known = _load_context_file(asked.context)
    notes = (AgentNote(name, text, where) for text in known.notes)
    ask = _build_ask(
        name, where, _build_dossier(known, asked.context).replace_notes(notes), settings, asked.topic
    )
    if cast.models:
        return _print_model_deliverable(ask, settings, cast, as_json=as_json)
    typer.echo(NOBODY_ASKED, err=True)
    return _print_prompt(ask, build_agent_prompt(ask, settings), as_json=as_json)


def _print_model_deliverable(ask: Ask, settings: Configuration, cast: CastOptions, *, as_json: bool) -> int:
    """Call the model and print its deliverable with the usage."""
    means = ModelResources(spending_limit=cast.spending_limit, prices=cast.prices)
    names = {ask.agent: select_models(cast.models, settings)[ask.agent]}
    if names[ask.agent].startswith(REPLAY):
        raise ConfigurationError(
            "A recording answers only the asks of its own run. Name a model with --model, or builtin."
        )
    performer = build_cast(names, settings, load_everyday_library(), means)
    performed = asyncio.run(_perform_ask_and_close_performer(performer, ask))
    deliverable = performed.reply.model_dump(mode="json")
    if not as_json:
        print_json(deliverable)
        for fault in performed.usage.get("faults", ()):
            typer.echo(escape_control_characters(f"im: The deliverable still has a fault: {fault}"), err=True)
        if means.budget.requests:
            typer.echo(f"im: Model usage: {means.budget}", err=True)
        return DONE
    usage = dict(performed.usage)
    print_json(
        {
            "key": ask.key,
            "model": performed.model,
            "prompt": performed.prompt_hash,
            "returns": ask.returns.__name__,
            "deliverable": deliverable,
            "look_ups": usage.pop("look_ups", []),
            "faults": usage.pop("faults", []),
            "usage": usage,
        }
    )
    return DONE


async def _perform_ask_and_close_performer(performer: Performer, ask: Ask) -> PerformedAsk:
    try:
        return await performer.perform(ask)
    finally:
        await performer.close()


def show_agent_prompt(
    agent: str, phase: str, *, topic: str | None, status: Status, config: Path | None, as_json: bool
) -> int:
    """Print the prompt of an agent in a phase.

    The context lists the names of the contents the agent may read.
    """
    where, settings = parse_phase(phase), load_configuration(config)
    name = require_configured_agent(agent, settings)
    brief = GenerationBrief(category="The Locked Room", difficulty_tier="FRACTURE", solution_status=status)
    dossier = Dossier.create_for_brief(brief)
    ask = _build_ask(name, where, dossier, settings, topic)
    readable = _build_ask_desk(settings).policy.list_visible_contents(name, where)
    shown = {"may_read": sorted(readable)}
    ask = replace(ask, assignment=replace(ask.assignment, context=shown))
    others = [each.topic for each in list_agent_duties_in_phase(name, where, dossier, settings)]
    if topic is None and len(others) > 1:
        typer.echo(
            f"im: {name} has several tasks in {where}. Choose one with --topic: {', '.join(others)}.",
            err=True,
        )
    return _print_prompt(ask, build_agent_prompt(ask, settings), as_json=as_json)


def _build_ask(agent: str, phase: Phase, dossier: Dossier, settings: Configuration, topic: str | None) -> Ask:
    """Build the same ask as the pipeline, with the context limited by policy and budgets."""
    duties = list_agent_duties_in_phase(agent, phase, dossier, settings)
    topics = [each.topic for each in duties]
    if topic is not None and topic not in topics:
        raise ConfigurationError(
            f"{agent} has no task `{topic}` in {phase}.{suggest_names(topic, topics)} The topics are {', '.join(topics)}."
        )
    wanted = select_duty_on_topic(duties, topic)
    return _build_ask_desk(settings).build_ask(
        dossier, agent, phase, wanted.topic, wanted.task, wanted.returns
    )


def _build_ask_desk(settings: Configuration) -> AskDesk:
    return build_scenario_rules(settings, load_everyday_library(), TfidfEmbedder()).desk


def _build_dossier(known: ContextFile, path: Path) -> Dossier:
    dossier = Dossier.create_for_brief(known.brief)
    for number, section in enumerate(known.sections, start=1):
        dossier = dossier.add_deliverable(
            section.phase, section.author.upper(), _validate_deliverable(path, number, section)
        )
    return dossier


def _load_context_file(path: Path) -> ContextFile:
    try:
        return ContextFile.model_validate(load_document(path))
    except ValidationError as problem:
        raise _make_context_error(path, "", problem) from None


def _validate_deliverable(path: Path, number: int, section: ContextFileSection) -> LabelledModel:
    model = DELIVERABLES.get(section.document)
    if model is None:
        raise ConfigurationError(
            f"{path.name}: section {number}: {section.document!r} is not a deliverable.{suggest_names(section.document, DELIVERABLES)} "
            f"The deliverables are {', '.join(sorted(DELIVERABLES))}."
        )
    try:
        return model.model_validate(section.fields)
    except ValidationError as problem:
        raise _make_context_error(path, f"section {number}, {section.document}, ", problem) from None


def _make_context_error(path: Path, part: str, problem: ValidationError) -> ConfigurationError:
    first = problem.errors()[0]
    place = "/".join(str(each) for each in first["loc"]) or "the file"
    field = place.rpartition("/")[2].removeprefix("target_")
    reason = first["msg"].removeprefix("Value error, ")
    close = suggest_names(str(first["input"]), BRIEF_CHOICES.get(field, ()))
    return ConfigurationError(
        f"{path.name}: {part}at {place}: {reason[:1].lower()}{reason[1:]}.{close} "
        "A context file contains a brief, complete deliverables as sections, and notes. `im schema export` writes their schemas."
    )


def _print_prompt(ask: Ask, made: AgentPrompt, *, as_json: bool) -> int:
    if as_json:
        print_json({"key": ask.key, "assignment": ask.assignment.to_data(), "prompt": asdict(made)})
    else:
        typer.echo(str(made), nl=False)
    return DONE
