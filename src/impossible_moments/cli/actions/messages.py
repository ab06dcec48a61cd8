"""Implementation of `im show messages`: the messages of a run as a timeline, and who may read each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from impossible_moments.agents import load_extensions
from impossible_moments.agents.builtin import load_builtin_cast
from impossible_moments.agents.orchestrator import (
    Configuration,
    Flow,
    VisiblePart,
    build_context_policy,
    list_visible_parts,
    load_configuration,
)
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import print_json
from impossible_moments.cli.output.message_timeline import MessageEntry, format_timeline
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.message import FiledMessage
from impossible_moments.domain.vocabulary import HUMAN, ORCHESTRATOR, ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import AnsweredAsk, LedgerStore, ScenarioRow, leases, list_answers
from impossible_moments.library import load_everyday_library
from impossible_moments.pipeline import ScenarioSetup, build_recorded_flow
from impossible_moments.pipeline.messages import (
    MessageTimeline,
    load_messages,
    map_documents_by_message,
)
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.similarity import load_wordllama_embedder


@dataclass(frozen=True)
class MessageSelection:
    """Which messages to show."""

    message_type: str | None = None
    agent: str | None = None

    def includes(self, filed: FiledMessage) -> bool:
        """Return whether a message is shown."""
        message = filed.message
        return self.message_type in {None, str(message.message_type)} and (
            self.agent is None or self.agent.upper() in {message.sender, message.recipient}
        )


def show_messages(
    scenario: str, folder: Path, *, selection: MessageSelection, config: Path | None, as_json: bool
) -> int:
    """Print the messages of a scenario's run in their order, and which agents may read each."""
    with open_ledger(folder) as store:
        row = _get_started_scenario(store, scenario, folder)
        answers = store.read_and_wait(partial(list_answers, scenario=scenario))
        settings = _enable_recorded_agents(load_configuration(config), answers)
        timeline = load_messages(
            store,
            scenario,
            partial(_build_flow, store, folder, settings, row, answers),
            vetoers=settings.vetoers,
        )
    if not timeline.messages:
        raise ConfigurationError(
            f"{scenario} has no messages yet: nothing was asked. `im resume` continues it."
        )
    _require_known_agent(selection.agent, settings)
    entries = _build_entries(timeline, settings, row)
    shown = [each for each in entries if selection.includes(each.filed)]
    if timeline.gap:
        typer.echo(f"im: {timeline.gap}", err=True)
    if as_json:
        print_json(
            {
                "scenario_id": scenario,
                "incomplete": timeline.gap or None,
                "messages": [_convert_entry_to_dict(each) for each in shown],
            }
        )
        return DONE
    typer.echo(format_timeline(scenario, shown, len(entries), tuple(settings.roster)), nl=False)
    return DONE


def _get_started_scenario(store: LedgerStore, scenario: str, folder: Path) -> ScenarioRow:
    rows = {row.scenario: row for row in store.read_and_wait(leases.list_scenario_rows)}
    if scenario not in rows:
        raise ConfigurationError(
            f"{scenario!r} was not started in {folder}.{suggest_names(scenario, rows)} "
            f"Scenarios there: {', '.join(rows) or 'none'}."
        )
    return rows[scenario]


def _enable_recorded_agents(settings: Configuration, answers: Mapping[str, AnsweredAsk]) -> Configuration:
    """Return the settings with the additional agents that took part in the run."""
    agents = dict.fromkeys(key.split("/")[1] for key in answers)
    enabled = settings.enable_agents([each for each in agents if each not in {*ROLES, HUMAN}])
    load_extensions(enabled.roster)
    return enabled


def _build_flow(
    store: LedgerStore,
    folder: Path,
    settings: Configuration,
    row: ScenarioRow,
    answers: Mapping[str, AnsweredAsk],
) -> Flow[CreationOutcome]:
    cast = load_builtin_cast()
    stage = ScenarioSetup(
        settings,
        load_everyday_library(),
        load_wordllama_embedder(),
        reader=cast.find_document_shortcoming,
    )
    return build_recorded_flow(store, ScenarioRegistry(folder), stage, row, answers)


def _require_known_agent(agent: str | None, settings: Configuration) -> None:
    known = (*settings.roster, ORCHESTRATOR, HUMAN)
    if agent is not None and agent.upper() not in known:
        raise ConfigurationError(
            f"Unknown agent {agent}.{suggest_names(agent, known)} Senders and recipients are {', '.join(known)}."
        )


def _build_entries(
    timeline: MessageTimeline, settings: Configuration, row: ScenarioRow
) -> tuple[MessageEntry, ...]:
    """Return all messages with their numbers, dependencies, forwards and readers."""
    numbers = {filed.message.message_id: number for number, filed in enumerate(timeline.messages, start=1)}
    documents = map_documents_by_message(row.scenario, timeline.answers)
    policy, brief = build_context_policy(settings), GenerationBrief.model_validate_json(row.brief)
    forwards: dict[str, list[FiledMessage]] = {}
    for filed in timeline.messages:
        if filed.message.sender == ORCHESTRATOR:
            for each in filed.message.content.dependencies:
                forwards.setdefault(each, []).append(filed)

    def list_readers(filed: FiledMessage) -> tuple[VisiblePart, ...]:
        message = filed.message
        if message.sender == ORCHESTRATOR:
            return (VisiblePart(message.recipient, Phase(message.phase), (), ()),)
        if message.message_id not in documents:
            return ()
        entry, fields = documents[message.message_id]
        readers = [each for each in (*settings.roster, HUMAN) if each != message.sender]
        return list_visible_parts(policy, brief, entry, fields=fields, readers=readers)

    return tuple(
        MessageEntry(
            number,
            filed,
            dependencies=tuple(
                numbers[each] for each in filed.message.content.dependencies if each in numbers
            ),
            shown_with=tuple(
                (numbers[each.message.message_id], each.message.recipient)
                for each in forwards.get(filed.message.message_id, ())
            ),
            readers=list_readers(filed),
        )
        for number, filed in enumerate(timeline.messages, start=1)
    )


def _convert_entry_to_dict(entry: MessageEntry) -> dict[str, Any]:
    filed = entry.filed
    return {
        "number": entry.number,
        **filed.message.model_dump(mode="json"),
        "ask": filed.ask_key,
        "disposition": str(filed.disposition),
        "problems": list(filed.problems),
        "shown_with": [{"number": number, "to": to} for number, to in entry.shown_with],
        "readers": _convert_readers(entry.readers),
    }


def _convert_readers(readers: Sequence[VisiblePart]) -> list[dict[str, Any]]:
    return [
        {
            "reader": each.reader,
            "phase": str(each.phase),
            "whole": not each.hidden,
            "hidden": list(each.hidden),
        }
        for each in readers
    ]
