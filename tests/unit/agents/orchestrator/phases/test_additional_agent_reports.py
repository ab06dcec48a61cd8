"""Further agents before REFINE: who is asked, for what, and how far a doubt goes."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.configuration import Configuration, load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    collect_additional_agent_reports,
)
from impossible_moments.agents.orchestrator.rules import ScenarioRules, build_scenario_rules
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.additional_agent_reports import FURTHER_REPORTS, FurtherReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.dossiers import make_full_dossier

PHASES = tuple(FURTHER_REPORTS)
BEFORE = {Phase.VALIDATE: Phase.SEED, Phase.GROUND: Phase.VALIDATE, Phase.CLASSIFY: Phase.GROUND}


def rules(**agents: tuple[Phase, ...]) -> ScenarioRules:
    """The rules with some agents more, each with its phases."""
    data: dict[str, Any] = load_configuration().model_dump(mode="json", exclude_defaults=True)
    for name, phases in agents.items():
        data["agents"][name] = {
            "prompt": "agents/prompts/socrates_v1.md",
            "phases": phases,
            "context_policy": dict.fromkeys(phases, ("narrative",)),
        }
    return build_scenario_rules(Configuration.model_validate(data), load_everyday_library(), TfidfEmbedder())


def heard(phase: Phase, made: ScenarioRules, *, confidence: float = 0.8) -> tuple[Dossier, list[Ask]]:
    """The dossier after further agents were asked, and what they were asked."""

    def answer(ask: Ask) -> LabelledModel:
        return ask.returns.model_validate({"text": f"{ask.agent} was here.", "confidence": confidence})

    asks: list[Ask] = []
    return run_flow_with_player(
        collect_additional_agent_reports(made, make_full_dossier(BEFORE[phase]), phase), answer, asks
    ), asks


@pytest.mark.parametrize("phase", PHASES)
def test_whoever_lists_a_phase_is_asked_there(phase: Phase) -> None:
    _, asks = heard(phase, rules(darwin=(phase,)))

    assert [ask.key for ask in asks] == [f"{phase}/DARWIN/report/1"]


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_handed_in_is_filed_as_the_kind_of_its_phase(phase: Phase) -> None:
    dossier, _ = heard(phase, rules(darwin=(phase,)))

    assert type(dossier.find_latest_deliverable(FurtherReport, "DARWIN")) is FURTHER_REPORTS[phase]


@pytest.mark.parametrize("phase", PHASES)
def test_where_nobody_is_to_be_asked_nothing_changes(phase: Phase) -> None:
    assert heard(phase, rules(darwin=(Phase.REFINE,))) == (make_full_dossier(BEFORE[phase]), [])


def test_two_further_agents_do_not_read_each_other() -> None:
    _, asks = heard(Phase.GROUND, rules(darwin=(Phase.GROUND,), hypatia=(Phase.GROUND,)))

    assert [ask.agent for ask in asks if "was here" in str(ask.assignment.context)] == []


def test_a_further_agent_works_within_its_budget() -> None:
    _, (ask,) = heard(Phase.GROUND, rules(darwin=(Phase.GROUND,)))

    assert ask.assignment.token_budget == 20_000


# fmt: off
DOUBTS = [
    (0.6,  []),
    (0.59, ["DARWIN is unsure"]),
    (0.1,  ["DARWIN is unsure"]),
]
# fmt: on


@pytest.mark.parametrize(("confidence", "logged"), DOUBTS)
def test_a_confidence_under_the_threshold_is_logged(confidence: float, logged: list[str]) -> None:
    dossier, _ = heard(Phase.GROUND, rules(darwin=(Phase.GROUND,)), confidence=confidence)

    assert [each.topic for each in dossier.disagreements] == logged
