"""An agent trace states what the dossier holds: requests, challenges with responses, disagreements and versions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.documents.trace_parts.agent_requests import list_agent_requests
from impossible_moments.agents.orchestrator.documents.trace_parts.trace_archive import format_version_lines
from impossible_moments.domain.agent_trace import NO_CONTRIBUTION, AgentTrace
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.metadata import AgentVersion, build_agent_version
from support.disputed_runs import get_trace, run_scenario_with_lost_challenge
from support.finished_dossiers import PROMPTS, build_finished_dossier


def read_part(trace: str, agent: str, part: str) -> list[str]:
    own = trace.partition(f"### AGENT TRACE: {agent}\n")[2].partition("### AGENT TRACE")[0]
    return re.findall(r"^- (.*)$", own.partition(f"{part}\n")[2].partition("####")[0], re.MULTILINE)


def test_every_request_of_a_run_is_counted() -> None:
    run = run_scenario_with_lost_challenge()
    assert run.end.documents is not None
    versions = run.end.documents.metadata.agent_versions
    assert {agent: versions[agent].calls for agent in ROLES} == Counter(ask.agent for ask in run.asks)


def test_a_trace_names_the_requests_of_every_phase() -> None:
    role = read_part(get_trace(), ATHENA, "1. MY ROLE IN THIS SCENARIO")
    asked = [line for line in role if line.startswith("What I was asked to do")]
    assert [line.split(" in ")[1].split(":")[0] for line in asked] == ["SEED", "REFINE", "DOCUMENT"]
    assert "answer a challenge; revise the scenario" in asked[1]


def test_no_trace_repeats_the_instruction_to_write_it() -> None:
    assert "Hand in your trace" not in get_trace()


def test_a_challenge_stands_with_its_outcome_at_its_author() -> None:
    (line,) = read_part(get_trace(), GALILEO, "3. CHALLENGES ISSUED")
    assert line.startswith("REFINE, to ATHENA: the table slides.")
    assert "Outcome: UPHELD, by structured debate" in line


def test_a_challenge_stands_with_the_response_at_its_addressee() -> None:
    (line,) = read_part(get_trace(), ATHENA, "4. CHALLENGES RECEIVED")
    assert "Response: DEFEND (confidence 0.8): The table stands on bare concrete." in line


def test_both_parties_state_the_losing_position_and_their_confidence_in_the_resolution() -> None:
    for agent in (ATHENA, GALILEO):
        lost, sure = read_part(get_trace(), agent, "5. DISAGREEMENTS")
        assert "Losing position: ATHENA: The table stands on bare concrete." in lost
        assert sure == "My confidence that the resolution was correct: 0.8"


def test_who_had_no_dispute_states_none() -> None:
    assert read_part(get_trace(), SOCRATES, "5. DISAGREEMENTS") == ["none"]


def test_only_parties_are_told_of_a_dispute_when_they_hand_in_their_trace() -> None:
    asks = [ask for ask in run_scenario_with_lost_challenge().asks if ask.returns is AgentTrace]
    told = {ask.agent for ask in asks if any("Dispute:" in note for note in ask.assignment.context["notes"])}
    assert told == {ATHENA, GALILEO}


def test_no_contribution_is_printed_with_its_reason() -> None:
    dossier = build_finished_dossier()
    trace = dossier.find_latest_deliverable(AgentTrace, NEWTON)
    assert trace is not None
    silent = trace.model_copy(update={"found": NO_CONTRIBUTION, "justification": "No physics is claimed."})
    documents = build_documents(
        dossier.add_deliverable(Phase.DOCUMENT, NEWTON, silent), load_everyday_library(), prompts=PROMPTS
    )
    role = read_part(documents.trace, NEWTON, "1. MY ROLE IN THIS SCENARIO")
    assert role[-2:] == [
        f"What I found: {NO_CONTRIBUTION}",
        "Why there was nothing to contribute: No physics is claimed.",
    ]


def test_a_repeated_request_is_named_as_repeated() -> None:
    dossier = build_finished_dossier()
    seed = next(entry.deliverable for entry in dossier.entries if entry.author == ATHENA)
    twice = replace(dossier, entries=()).add_deliverable(Phase.SEED, ATHENA, seed)
    twice = twice.add_deliverable(Phase.VALIDATE, ATHENA, seed).add_deliverable(Phase.VALIDATE, ATHENA, seed)
    assert list_agent_requests(twice, ATHENA) == (
        "SEED: design the scenario",
        "VALIDATE: revise the scenario (2 times)",
    )


def test_an_agent_without_answers_has_no_request() -> None:
    assert list_agent_requests(Dossier.create_for_brief(build_finished_dossier().brief), NEWTON) == ()


def test_a_program_consumes_nothing_and_says_so() -> None:
    lines = format_version_lines(build_agent_version(model="builtin-1.0", prompt="abc", usages=[{}, {}]))
    assert lines == [
        "Model: builtin-1.0 (a program: it reads no prompt and consumes no tokens)",
        "System prompt version: none",
        "Calls: 2",
        "Tokens consumed: 0",
        "Cost: 0.0000 USD",
        "Context window usage: 0%",
    ]


def test_usage_of_a_model_is_summed() -> None:
    usages = [
        {"tokens": 100, "cost": "0.25", "context_window_usage": 0.1},
        {"tokens": 50, "cost": "0.5", "context_window_usage": 0.4},
    ]
    version = build_agent_version(model="m", prompt="abc", usages=usages)
    assert (version.calls, version.tokens, version.cost, version.peak_context) == (2, 150, 0.75, 0.4)
    assert version.missing == ""


def test_an_unknown_price_is_named_as_missing() -> None:
    version = build_agent_version(
        model="m", prompt="abc", usages=[{"tokens": 1, "cost": None, "context_window_usage": 0.1}]
    )
    assert version.cost is None
    assert "cost" in version.missing


def test_a_mixed_cast_is_not_a_program() -> None:
    assert AgentVersion(model="builtin-1.0").is_program
    assert not AgentVersion(model="builtin-1.0, gpt").is_program
