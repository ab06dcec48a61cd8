"""The four further roles: each answers in its phases, and none takes part unless it is switched on."""

from __future__ import annotations

from typing import Final

import pytest

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.builtin.role import UnanswerableAsk
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.domain.additional_agent_reports import FURTHER_REPORTS, FurtherReport
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
)
from impossible_moments.domain.validation import MathematicsReport
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.errors import ConfigurationError
from support.planted_faults import add_sentence, build_dossier, build_healthy_seed

FURTHER: Final = ("DARWIN", "TURING", "HYPATIA", "CASSANDRA")
EVERYBODYS: Final = (ReviewMemo, CalibrationVote, DistractorReview, ReadinessVote)


def _policy() -> ContextPolicy:
    """The policy of a run with all four."""
    policy = ContextPolicy()
    agents = load_configuration(None).enable_agents(FURTHER).agents
    for name in FURTHER:
        policy = policy.add_agent(name, agents[name.lower()].context_policy)
    return policy


def _asked(dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]) -> LabelledModel:
    context = _policy().build_view(dossier, agent, phase)
    assignment = Assignment(agent, phase, "IM-0001", "Judge.", context, returns.__name__, 100_000)
    return load_builtin_cast().roles[agent].make_deliverable(AssignmentView(assignment), returns)


def _report(agent: str, seed: str = "cellar", addition: str = "") -> FurtherReport:
    (phase,) = (
        phase for phase in load_configuration(None).agents[agent.lower()].phases if phase in FURTHER_REPORTS
    )
    document = add_sentence(addition)(build_healthy_seed(seed)) if addition else build_healthy_seed(seed)
    report = _asked(build_dossier(document), agent, phase, FURTHER_REPORTS[phase])
    assert isinstance(report, FURTHER_REPORTS[phase])
    return report


def test_the_four_are_off_unless_they_are_switched_on() -> None:
    assert set(load_configuration(None).roster) == set(ROLES)
    assert set(load_configuration(None).enable_agents(("TURING",)).roster) == {*ROLES, "TURING"}


def test_an_agent_that_nobody_knows_cannot_join() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"`DIOGENES` is not an agent of the configuration.*DARWIN, TURING, HYPATIA, CASSANDRA",
    ):
        load_configuration(None).enable_agents(("DIOGENES",))


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_reports_before_refine(agent: str) -> None:
    report = _report(agent)
    assert report.text.strip()
    assert 0.6 <= report.confidence <= 1.0


@pytest.mark.parametrize("agent", FURTHER)
@pytest.mark.parametrize("returns", EVERYBODYS, ids=lambda each: each.__name__)
def test_a_further_agent_does_in_refine_what_the_five_do(agent: str, returns: type[LabelledModel]) -> None:
    assert isinstance(
        _asked(build_dossier(build_healthy_seed("cellar")), agent, Phase.REFINE, returns), returns
    )


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_accounts_for_its_work(agent: str) -> None:
    trace = _asked(build_dossier(build_healthy_seed("cellar")), agent, Phase.DOCUMENT, AgentTrace)
    assert isinstance(trace, AgentTrace)
    assert trace.decisions


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_does_no_work_of_the_five(agent: str) -> None:
    with pytest.raises(UnanswerableAsk, match="cannot make a MathematicsReport"):
        _asked(build_dossier(build_healthy_seed("cellar")), agent, Phase.REFINE, MathematicsReport)


def test_darwin_names_changes_that_make_another_scenario() -> None:
    findings = _report("DARWIN").findings
    assert findings
    assert all("times as stated" in each for each in findings)


def test_turing_tries_every_strategy_and_says_which_works() -> None:
    report = _report("TURING")
    assert len(report.findings) >= 3
    assert any("works" in each for each in report.findings)


def test_turing_is_shown_no_solution() -> None:
    sections = _policy().build_view(build_dossier(build_healthy_seed("cellar")), "TURING", Phase.CLASSIFY)[
        "sections"
    ]
    assert {name for section in sections for name in section["fields"]} == {
        "scenario",
        "impossibility_mirage",
    }


def test_hypatia_has_a_lesson_for_each_insight() -> None:
    assert len(_report("HYPATIA").findings) == len(build_healthy_seed("cellar").insight_chain)


@pytest.mark.parametrize(
    ("addition", "hazard"),
    [
        ("Beside it stands a bottle of bleach.", "corrosives"),
        ("There is a pound of gunpowder in the drawer.", "Explosives"),
    ],
)
def test_cassandra_warns_of_what_people_are_hurt_by(addition: str, hazard: str) -> None:
    assert hazard not in " ".join(_report("CASSANDRA").findings)
    assert hazard in " ".join(_report("CASSANDRA", addition=addition).findings)
