"""Implementation of `im show matrix`, `gates`, `tiers`, `protocol`, `scenario` and `trace`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import typer

from impossible_moments.agents.orchestrator import (
    DEPARTURES,
    ISOLATION_MATRIX,
    PHASE_GATES,
    GateDeparture,
    breakthrough_protocol,
    challenge_protocol,
    describe_applicability,
    escalation_protocol,
    veto_protocol,
)
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.scenario_folder import read_published_document
from impossible_moments.domain.difficulty_tiers import BOUNDS, IMPOSSIBLE
from impossible_moments.domain.vocabulary import (
    CATEGORIES,
    ROLES,
    STATUSES,
    TIERS,
    DifficultyDimension,
    Phase,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import Scenario


@dataclass(frozen=True, slots=True)
class ProtocolTransition:
    """Transition of a protocol."""

    state: str
    event: str
    target: str


def _list_protocol_transitions(
    transitions: Iterable[tuple[tuple[StrEnum, str], StrEnum]],
) -> tuple[ProtocolTransition, ...]:
    return tuple(
        ProtocolTransition(str(state), str(event), str(target)) for (state, event), target in transitions
    )


PROTOCOLS: Final[Mapping[str, tuple[ProtocolTransition, ...]]] = {
    "challenge": _list_protocol_transitions(challenge_protocol.TRANSITIONS.items()),
    "veto": _list_protocol_transitions(veto_protocol.TRANSITIONS.items()),
    "escalation": _list_protocol_transitions(escalation_protocol.TRANSITIONS.items()),
    "breakthrough": _list_protocol_transitions(breakthrough_protocol.TRANSITIONS.items()),
}


def show_isolation_matrix(*, as_json: bool) -> int:
    """Print which agents may read which content in which phase."""
    cells = {
        content: {phase: _sort_audience(audience) for phase, audience in row.items()}
        for content, row in ISOLATION_MATRIX.items()
    }
    if as_json:
        print_json(cells)
        return DONE
    table = create_table("content", *Phase)
    for content, row in cells.items():
        table.add_row(str(content), *(_format_readers(row[phase]) for phase in Phase))
    console = Console()
    console.print(table)
    console.print("Authors can always read their own work. A human reviewer can read everything.")
    return DONE


def _sort_audience(audience: Iterable[str]) -> list[str]:
    named = set(audience)
    return [role for role in ROLES if role in named] + sorted(named - set(ROLES))


def _format_readers(audience: list[str]) -> str:
    if not audience:
        return "[dim]-[/]"
    return "all" if audience == list(ROLES) else "\n".join(audience)


def show_quality_gates(phase: str | None, *, as_json: bool) -> int:
    """Print the gate criteria of every phase, or of one phase."""
    wanted = tuple(Phase) if phase is None else (parse_phase(phase),)
    if as_json:
        print_json({each: _convert_gate_to_dict(each) for each in wanted})
        return DONE
    console = Console()
    for each in wanted:
        gate = PHASE_GATES[each]
        console.print(f"[bold]{each}[/], {gate.attempts} attempts")
        table = create_table("criterion", "required", "checked by")
        for row in gate.criteria:
            optional = "" if row.binding else " [dim](not required)[/]"
            table.add_row(
                escape_for_terminal(row.name) + optional,
                _format_gate_criterion(each, row.name, row.required),
                escape_for_terminal(row.method),
            )
        console.print(table)
    return DONE


def _convert_gate_to_dict(phase: Phase) -> dict[str, object]:
    gate = PHASE_GATES[phase]
    return {
        "attempts": gate.attempts,
        "criteria": [
            {
                "name": row.name,
                "required": row.required,
                "method": row.method,
                "binding": row.binding,
                "statuses": {status: describe_applicability(phase, row.name, status) for status in STATUSES},
            }
            for row in gate.criteria
        ],
    }


def _format_gate_criterion(phase: Phase, name: str, words: str) -> str:
    departures = [each for each in DEPARTURES if each.phase is phase and each.criterion == name]
    return "\n".join(
        [
            escape_for_terminal(words),
            *(f"[dim]{escape_for_terminal(_format_gate_departure(each))}[/]" for each in departures),
        ]
    )


def _format_gate_departure(each: GateDeparture) -> str:
    for_whom = [] if each.statuses == STATUSES else [", ".join(each.statuses)]
    for_whom += [] if each.categories == CATEGORIES else [", ".join(each.categories)]
    for_whom += [] if each.where is None else [f"where {each.where.words}"]
    return f"{'; '.join(for_whom) or 'always'}: {each}"


def show_tier_bounds(*, as_json: bool) -> int:
    """Print the bounds of every tier, the easiest first."""
    bounds = {tier: BOUNDS[tier] for tier in TIERS if tier in BOUNDS}
    if as_json:
        print_json(
            {
                "dimensions": {each.name: each.value for each in DifficultyDimension},
                "tiers": {
                    tier: {each.name: list(row[at]) for at, each in enumerate(DifficultyDimension)}
                    for tier, row in bounds.items()
                },
                "IMPOSSIBLE": IMPOSSIBLE,
            }
        )
        return DONE
    table = create_table("tier", *(each.name for each in DifficultyDimension))
    for tier, row in bounds.items():
        table.add_row(tier, *(f"{low}-{high}" for low, high in row))
    console = Console()
    console.print(table)
    console.print(f"{', '.join(f'{each.name} {each.value}' for each in DifficultyDimension)}.")
    console.print(f"IMPOSSIBLE: {IMPOSSIBLE}.")
    console.print(
        "Tiers are matched from the hardest down. If none matches, the nearest counts, the harder one on a tie."
    )
    return DONE


def print_protocol_state_diagram(name: str, *, as_json: bool) -> int:
    """Print a protocol as a Mermaid state diagram."""
    steps = PROTOCOLS.get(name.lower())
    if steps is None:
        raise ConfigurationError(
            f"Unknown protocol {name}.{suggest_names(name, PROTOCOLS)} The protocols are {', '.join(PROTOCOLS)}."
        )
    if as_json:
        transitions = [{"from": each.state, "event": each.event, "to": each.target} for each in steps]
        print_json(
            {
                "protocol": name.lower(),
                "initial": steps[0].state,
                "transitions": transitions,
                "terminal": _find_terminal_states(steps),
            }
        )
    else:
        typer.echo(render_state_diagram(steps), nl=False)
    return DONE


def render_state_diagram(steps: tuple[ProtocolTransition, ...]) -> str:
    """Return the transitions of a protocol, from its initial state, as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {steps[0].state}"]
    lines += [f"    {each.state} --> {each.target}: {each.event}" for each in steps]
    lines += [f"    {state} --> [*]" for state in _find_terminal_states(steps)]
    return "\n".join(lines) + "\n"


def _find_terminal_states(steps: tuple[ProtocolTransition, ...]) -> list[str]:
    left = {each.state for each in steps}
    return list(dict.fromkeys(each.target for each in steps if each.target not in left))


def show_public_document(name: str, folder: Path, *, as_json: bool) -> int:
    """Print the public document of a scenario, or its parsed fields as JSON."""
    text = read_published_document(folder, name, "public/{}.md")
    if as_json:
        print_json({**asdict(Scenario.parse(text, name)), "text": text})
        return DONE
    return _print_document(text)


def show_trace(name: str, folder: Path, *, as_json: bool) -> int:
    """Print the methodology trace of a scenario."""
    text = read_published_document(folder, name, "traces/{}_trace.md")
    if as_json:
        print_json({"scenario_id": name, "text": text})
        return DONE
    return _print_document(text)


def _print_document(text: str) -> int:
    # Write unchanged text to files and pipes. Escape control characters on a terminal.
    typer.echo(escape_control_characters(text) if sys.stdout.isatty() else text, nl=False)
    return DONE


def parse_phase(name: str) -> Phase:
    """Return the phase with a name, in any case. Raise a ConfigurationError for an unknown name."""
    for phase in Phase:
        if phase == name.upper():
            return phase
    raise ConfigurationError(
        f"Unknown phase {name}.{suggest_names(name, Phase)} The phases are {', '.join(Phase)}."
    )
