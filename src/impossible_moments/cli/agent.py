"""Implementation of `im agent run` and `im show prompt`: the prompt and the deliverable of one agent."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import typer
from pydantic import BaseModel, ConfigDict, ValidationError

from impossible_moments.agents.configuration import Configuration, configuration
from impossible_moments.agents.deliverables import DELIVERABLES
from impossible_moments.agents.orchestrator.desk import Desk
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.rules import rules_for
from impossible_moments.agents.prompting import Prompt, duties, duty, prompt_for
from impossible_moments.casting.choosing import Means, cast_of, chosen
from impossible_moments.cli.casts import Cast
from impossible_moments.cli.outcome import DONE
from impossible_moments.cli.printing import print_json, visible
from impossible_moments.cli.recording import REPLAY
from impossible_moments.cli.show_rules import named_phase
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier, Note
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import Phase, Status
from impossible_moments.errors import ConfigurationError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.mechanics.documents import load
from impossible_moments.runtime.rounds import Performed, Performer
from impossible_moments.scenarios.embedding import TfidfEmbedder

NOBODY_ASKED: Final = "im: No --model was given: this is the prompt only, no model was called."


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Section(_Part):
    """One complete deliverable of a context file."""

    author: str
    phase: Phase
    document: str
    fields: dict[str, Any]
    iteration: int | None = None


class ContextFile(_Part):
    """Content of a context file. The isolation policy decides how much of it the agent reads."""

    brief: GenerationBrief
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes for the agent that is asked."""


@dataclass(frozen=True)
class Asked:
    """Agent, phase, context file and topic, as given on the command line."""

    agent: str
    phase: str
    context: Path
    topic: str | None = None


def run(asked: Asked, *, cast: Cast, config: Path | None, as_json: bool) -> int:
    """Print the prompt of an agent for a context file.

    If a model is named, call it and print its deliverable.
    """
    name, where, settings = asked.agent.upper(), named_phase(asked.phase), configuration(config)
    known = _read(asked.context)
    notes = (Note(name, text, where) for text in known.notes)
    ask = _ask(name, where, _dossier(known, asked.context).noting(notes), settings, asked.topic)
    if cast.models:
        return _answer(ask, settings, cast, as_json=as_json)
    typer.echo(NOBODY_ASKED, err=True)
    return _print(ask, prompt_for(ask, settings), as_json=as_json)


def _answer(ask: Ask, settings: Configuration, cast: Cast, *, as_json: bool) -> int:
    """Call the model and print its deliverable with the usage."""
    means = Means(spending_limit=cast.spending_limit, prices=cast.prices)
    names = {ask.agent: chosen(cast.models, settings)[ask.agent]}
    if names[ask.agent].startswith(REPLAY):
        raise ConfigurationError(
            "A recording answers only the asks of its own run. Name a model with --model, or builtin."
        )
    performer = cast_of(names, settings, everyday(), means)
    performed = asyncio.run(_performed(performer, ask))
    deliverable = performed.reply.model_dump(mode="json")
    if not as_json:
        print_json(deliverable)
        for fault in performed.usage.get("faults", ()):
            typer.echo(visible(f"im: Remaining fault: {fault}"), err=True)
        if means.purse.requests:
            typer.echo(f"im: Model usage: {means.purse}", err=True)
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


async def _performed(performer: Performer, ask: Ask) -> Performed:
    try:
        return await performer.perform(ask)
    finally:
        close = getattr(performer, "close", None)
        if close is not None:
            await close()


def prompt(
    agent: str, phase: str, *, topic: str | None, status: Status, config: Path | None, as_json: bool
) -> int:
    """Print the prompt of an agent in a phase.

    The context lists the names of the contents the agent may read.
    """
    name, where, settings = agent.upper(), named_phase(phase), configuration(config)
    brief = GenerationBrief(category="The Locked Room", difficulty_tier="FRACTURE", solution_status=status)
    dossier = Dossier.opened_for(brief)
    ask = _ask(name, where, dossier, settings, topic)
    readable = _desk(settings).policy.visible_to(name, where)
    shown = {"may_read": sorted(readable)}
    ask = replace(ask, assignment=replace(ask.assignment, context=shown))
    others = [each.topic for each in duties(name, where, dossier, settings)]
    if topic is None and len(others) > 1:
        typer.echo(
            f"im: {name} has several tasks in {where}. Choose one with --topic: {', '.join(others)}.",
            err=True,
        )
    return _print(ask, prompt_for(ask, settings), as_json=as_json)


def _ask(agent: str, phase: Phase, dossier: Dossier, settings: Configuration, topic: str | None) -> Ask:
    """Build the same ask as the pipeline, with the context limited by policy and budgets."""
    wanted = duty(duties(agent, phase, dossier, settings), topic)
    return _desk(settings).question(dossier, agent, phase, wanted.topic, wanted.task, wanted.returns)


def _desk(settings: Configuration) -> Desk:
    return rules_for(settings, everyday(), TfidfEmbedder()).desk


def _dossier(known: ContextFile, path: Path) -> Dossier:
    dossier = Dossier.opened_for(known.brief)
    for number, section in enumerate(known.sections, start=1):
        dossier = dossier.file(section.phase, section.author.upper(), _deliverable(path, number, section))
    return dossier


def _read(path: Path) -> ContextFile:
    try:
        return ContextFile.model_validate(load(path))
    except ValidationError as problem:
        raise _refused(path, "", problem) from None


def _deliverable(path: Path, number: int, section: Section) -> Labelled:
    model = DELIVERABLES.get(section.document)
    if model is None:
        raise ConfigurationError(
            f"{path.name}: section {number}: {section.document!r} is not a deliverable. "
            f"The deliverables are {', '.join(sorted(DELIVERABLES))}."
        )
    try:
        return model.model_validate(section.fields)
    except ValidationError as problem:
        raise _refused(path, f"section {number}, {section.document}, ", problem) from None


def _refused(path: Path, part: str, problem: ValidationError) -> ConfigurationError:
    first = problem.errors()[0]
    place = "/".join(str(each) for each in first["loc"]) or "the file"
    return ConfigurationError(
        f"{path.name}: {part}at {place}: {first['msg'].removeprefix('Value error, ').lower()}. "
        "A context file contains a brief, complete deliverables as sections, and notes. `im schema export` writes their schemas."
    )


def _print(ask: Ask, made: Prompt, *, as_json: bool) -> int:
    if as_json:
        print_json({"key": ask.key, "assignment": ask.assignment.as_data(), "prompt": asdict(made)})
    else:
        typer.echo(str(made), nl=False)
    return DONE
