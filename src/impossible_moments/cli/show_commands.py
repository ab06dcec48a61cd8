"""`im show`: names and options of its commands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, Agent, AsJson, Config, Output, ScenarioId, Topic

show_app = typer.Typer(
    help="What the library knows, the rules as they are in force, and what was published.",
    no_args_is_help=True,
)


# The words are the vocabulary's; a test compares them. To import it would load the whole domain for --help.
class SolutionStatus(StrEnum):
    """The solution statuses."""

    KS = "KS"
    CT = "CT"
    OF = "OF"
    PX = "PX"
    MT = "MT"
    DG = "DG"


@show_app.command("library")
def show_library(*, as_json: AsJson = False) -> None:
    """What the library holds, with the hash that every verdict names."""
    from impossible_moments.cli import show

    raise typer.Exit(show.library(as_json=as_json))


@show_app.command("object")
def show_object(
    name: Annotated[str, typer.Argument(help="A thing of the library, such as stepladder.")],
    *,
    as_json: AsJson = False,
) -> None:
    """One thing: its figures with their source, what it can serve as, and what can be done with it."""
    from impossible_moments.cli import show

    raise typer.Exit(show.thing(name, as_json=as_json))


@show_app.command("operators")
def show_operators(
    *,
    for_: Annotated[str | None, typer.Option("--for", help="Only those this thing can take part in.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only those of this domain, such as fluids.")] = None,
    as_json: AsJson = False,
) -> None:
    """What anybody can do: conditions, effects and duration of every operator."""
    from impossible_moments.cli import show

    raise typer.Exit(show.operators(for_, domain, as_json=as_json))


@show_app.command("template")
def show_template(
    name: Annotated[
        str | None, typer.Argument(help="A formula, such as orifice_flow; none lists all.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Formulas that a record calls by name: parameters, where they hold, and an example."""
    from impossible_moments.cli import show

    raise typer.Exit(show.template(name, as_json=as_json))


@show_app.command("matrix")
def show_matrix(*, as_json: AsJson = False) -> None:
    """The isolation matrix: who may read which content in which phase."""
    from impossible_moments.cli import show_rules

    raise typer.Exit(show_rules.matrix(as_json=as_json))


@show_app.command("gates")
def show_gates(
    phase: Annotated[str | None, typer.Argument(help="Only the gate of this phase.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """The quality gates: every criterion, and where it is read otherwise for some scenarios."""
    from impossible_moments.cli import show_rules

    raise typer.Exit(show_rules.gates(phase, as_json=as_json))


@show_app.command("tiers")
def show_tiers(*, as_json: AsJson = False) -> None:
    """The difficulty tiers and their bounds."""
    from impossible_moments.cli import show_rules

    raise typer.Exit(show_rules.tiers(as_json=as_json))


@show_app.command("protocol")
def show_protocol(
    name: Annotated[str, typer.Argument(help="challenge, veto, escalation or breakthrough.")],
    *,
    as_json: AsJson = False,
) -> None:
    """A protocol as a Mermaid state diagram."""
    from impossible_moments.cli import show_rules

    raise typer.Exit(show_rules.protocol(name, as_json=as_json))


@show_app.command("scenario")
def show_scenario(scenario: ScenarioId, *, output: Output = SCENARIOS, as_json: AsJson = False) -> None:
    """The public document of a scenario."""
    from impossible_moments.cli import show_rules

    raise typer.Exit(show_rules.scenario(scenario, output, as_json=as_json))


@show_app.command("trace")
def show_trace(scenario: ScenarioId, *, output: Output = SCENARIOS, as_json: AsJson = False) -> None:
    """How a scenario came about."""
    from impossible_moments.cli import show_rules

    raise typer.Exit(show_rules.trace(scenario, output, as_json=as_json))


@show_app.command("recording")
def show_recording(
    scenario: ScenarioId,
    *,
    output: Output = SCENARIOS,
    to: Annotated[
        Path | None,
        typer.Option(help="The file to write; standard output if none is named.", show_default=False),
    ] = None,
) -> None:
    """Everything that was answered in a scenario's run, as a file that `im create --model replay:FILE` plays again."""
    from impossible_moments.cli import recording

    raise typer.Exit(recording.show(scenario, output, to=to))


@show_app.command("prompt")
def show_prompt(
    agent: Agent,
    phase: Annotated[str, typer.Argument(help="A phase, such as VALIDATE.")],
    *,
    topic: Topic = None,
    status: Annotated[
        SolutionStatus, typer.Option(help="Of the scenario; what agents are asked depends on it.")
    ] = SolutionStatus.KS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """The prompt of an agent in a phase, with the contents it may read in the place of the context."""
    from impossible_moments.cli import agent as work

    raise typer.Exit(
        work.prompt(agent, phase, topic=topic, status=status.value, config=config, as_json=as_json)
    )
