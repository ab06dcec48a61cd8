"""Command declarations of `im show`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.choices import build_choice_option
from impossible_moments.cli.options import SCENARIOS, Agent, AsJson, Config, Output, ScenarioId, Topic

show_app = typer.Typer(
    help="Show library content, the rules in force, and published scenarios.",
    no_args_is_help=True,
)


# Copy of the statuses of the domain vocabulary (a test compares them). Importing it would slow down --help.
class SolutionStatusOption(StrEnum):
    """Solution status of a scenario."""

    KS = "KS"
    CT = "CT"
    OF = "OF"
    PX = "PX"
    MT = "MT"
    DG = "DG"


# Copy of the message types of the domain vocabulary (a test compares them), for the same reason.
class MessageTypeOption(StrEnum):
    """Type of a message."""

    DELIVERABLE = "DELIVERABLE"
    CHALLENGE = "CHALLENGE"
    RESPONSE = "RESPONSE"
    VOTE = "VOTE"
    VETO = "VETO"
    ESCALATION = "ESCALATION"
    BREAKTHROUGH = "BREAKTHROUGH"


@show_app.command("library")
def show_library(*, as_json: AsJson = False) -> None:
    """Show the size of the library and its hash, which every verdict names."""
    from impossible_moments.cli.actions import library

    raise typer.Exit(library.show_library_summary(as_json=as_json))


@show_app.command("object")
def show_object(
    name: Annotated[str, typer.Argument(help="Name of a library object, such as stepladder.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show one object: its properties with their source, its affordances, and the operators that use it."""
    from impossible_moments.cli.actions import library

    raise typer.Exit(library.show_object(name, as_json=as_json))


@show_app.command("operators")
def show_operators(
    *,
    for_: Annotated[
        str | None, typer.Option("--for", help="Only operators that this object can take part in.")
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Only operators of this domain, such as fluids.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the operators (general actions) with their conditions, effects and durations."""
    from impossible_moments.cli.actions import library

    raise typer.Exit(library.show_operators(for_, domain, as_json=as_json))


@show_app.command("template")
def show_template(
    name: Annotated[
        str | None, typer.Argument(help="Name of a formula, such as orifice_flow. Default: list all.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show formulas that records call by name: parameters, range of validity, and an example."""
    from impossible_moments.cli.actions import library

    raise typer.Exit(library.show_templates(name, as_json=as_json))


@show_app.command("matrix")
def show_matrix(*, as_json: AsJson = False) -> None:
    """Show the isolation matrix: which agents may read which content in which phase."""
    from impossible_moments.cli.actions import rules

    raise typer.Exit(rules.show_isolation_matrix(as_json=as_json))


@show_app.command("gates")
def show_gates(
    phase: Annotated[str | None, typer.Argument(help="Show only the gate of this phase.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show the criteria of the quality gates, and where they differ for some scenarios."""
    from impossible_moments.cli.actions import rules

    raise typer.Exit(rules.show_quality_gates(phase, as_json=as_json))


@show_app.command("tiers")
def show_tiers(*, as_json: AsJson = False) -> None:
    """Show the difficulty tiers and their bounds."""
    from impossible_moments.cli.actions import rules

    raise typer.Exit(rules.show_tier_bounds(as_json=as_json))


@show_app.command("protocol")
def show_protocol(
    name: Annotated[str, typer.Argument(help="challenge, veto, escalation or breakthrough.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Print a protocol as a Mermaid state diagram."""
    from impossible_moments.cli.actions import rules

    raise typer.Exit(rules.print_protocol_state_diagram(name, as_json=as_json))


@show_app.command("scenario")
def show_scenario(scenario: ScenarioId, *, output: Output = SCENARIOS, as_json: AsJson = False) -> None:
    """Print the public document of a scenario."""
    from impossible_moments.cli.actions import rules

    raise typer.Exit(rules.show_public_document(scenario, output, as_json=as_json))


@show_app.command("trace")
def show_trace(scenario: ScenarioId, *, output: Output = SCENARIOS, as_json: AsJson = False) -> None:
    """Print the methodology trace of a scenario."""
    from impossible_moments.cli.actions import rules

    raise typer.Exit(rules.show_trace(scenario, output, as_json=as_json))


@show_app.command("messages")
def show_messages(
    scenario: ScenarioId,
    *,
    output: Annotated[
        Path, typer.Option("--output", "--folder", help="Folder of the scenarios and their ledger.")
    ] = SCENARIOS,
    message_type: Annotated[
        MessageTypeOption | None,
        build_choice_option(
            MessageTypeOption, "--type", help="Show only messages of this type.", show_default=False
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(help="Show only messages from or to this agent, such as NEWTON.", show_default=False),
    ] = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show the messages of a scenario's run, and from which phase on other agents may read each."""
    from impossible_moments.cli.actions import messages

    selection = messages.MessageSelection(message_type.value if message_type else None, agent)
    raise typer.Exit(
        messages.show_messages(scenario, output, selection=selection, config=config, as_json=as_json)
    )


@show_app.command("recording")
def show_recording(
    scenario: ScenarioId,
    *,
    output: Output = SCENARIOS,
    to: Annotated[
        Path | None,
        typer.Option(help="File to write. Default: standard output.", show_default=False),
    ] = None,
) -> None:
    """Export all answers of a scenario's run as a recording that `im create --model replay:FILE` replays."""
    from impossible_moments.cli.actions import recording

    raise typer.Exit(recording.export_recording(scenario, output, to=to))


@show_app.command("prompt")
def show_prompt(
    agent: Agent,
    phase: Annotated[str, typer.Argument(help="A phase, such as VALIDATE.")],
    *,
    topic: Topic = None,
    status: Annotated[
        SolutionStatusOption,
        build_choice_option(
            SolutionStatusOption, help="Solution status of the scenario. The tasks of agents depend on it."
        ),
    ] = SolutionStatusOption.KS,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print the prompt of an agent in a phase. The context lists the contents that the agent may read."""
    from impossible_moments.cli.actions import agent as work

    raise typer.Exit(
        work.show_agent_prompt(agent, phase, topic=topic, status=status.value, config=config, as_json=as_json)
    )
