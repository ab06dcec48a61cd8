"""Runs with a sixth agent: the cast of The Blast Room and TURING from `tests/plugin_package`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES
from impossible_moments.agents.orchestrator.rules import ScenarioRules, build_scenario_rules
from impossible_moments.agents.scripted_players import Player, build_scripted_player, run_flow_with_player
from impossible_moments.domain.additional_agent_reports import FurtherClassification, FurtherValidation
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.refinement import CalibrationVote, ReadinessVote, ReviewMemo
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.dossiers import BRIEF, PROFILE, make_agent_trace, make_distractor_review, make_full_dossier
from support.scripted_runs import decline_open_points

PLUGIN: Final = Path(__file__).parents[1] / "plugin_package"
CONFIG: Final = PLUGIN / "turing_agent/config.yaml"
TURING: Final = "TURING"
MEMO: Final = "Two of four common strategies reach the sill and none the yard."


@cache
def build_turing_deliverables() -> tuple[LabelledModel, ...]:
    """Build the deliverables of TURING."""
    return (
        FurtherValidation(text="I tried the door, the bolt and the banana.", confidence=0.7),
        FurtherClassification(text="Read blind, the window is out of reach.", confidence=0.65),
        ReviewMemo(text=MEMO, confidence=0.8),
        CalibrationVote(profile=PROFILE, confidence=0.8),
        make_distractor_review(),
        ReadinessVote(vote="APPROVE", confidence=0.9),
        make_agent_trace().model_copy(update={"found": "No common strategy solves it."}),
    )


@contextmanager
def extend_with_plugin() -> Iterator[None]:
    """Add the plugin's folder to the path and its row to the gate, for the duration of the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PLUGIN))
        rows = PHASE_GATES["VALIDATE"]["criteria"]._rows
        before = list(rows)
        try:
            import_module("turing_agent.gates")
            yield
        finally:
            rows[:] = before
            for name in [each for each in sys.modules if each.partition(".")[0] == "turing_agent"]:
                del sys.modules[name]


def build_rules(config: Path | None = CONFIG) -> ScenarioRules:
    """Build the rules of the plugin's configuration, or of another one."""
    return build_scenario_rules(load_configuration(config), load_everyday_library(), TfidfEmbedder())


def make_six_agent_player(*, instead: tuple[LabelledModel, ...] = ()) -> Player:
    """Make the cast that gets The Blast Room accepted, with TURING; `instead` replaces some of its answers."""
    answers = {
        (entry.author, type(entry.deliverable)): entry.deliverable
        for entry in make_full_dossier(Phase.DOCUMENT).entries
    }
    answers |= {(TURING, type(each)): each for each in (*build_turing_deliverables(), *instead)}
    return decline_open_points(
        build_scripted_player(
            answers, HumanDecision(option=Option.DISCARD, justification="as the test has it")
        )
    )


@dataclass
class SixAgentRun:
    """A completed run with all asks."""

    end: CreationOutcome
    asks: list[Ask] = field(default_factory=list)

    def list_asks_to(self, agent: str) -> list[Ask]:
        """Return the asks to an agent."""
        return [ask for ask in self.asks if ask.agent == agent]


def run_scenario(player: Player, config: Path | None = CONFIG) -> SixAgentRun:
    """Run a scenario with the plugin's row in the gate."""
    asks: list[Ask] = []
    with extend_with_plugin():
        end = run_flow_with_player(create_scenario(BRIEF, build_rules(config)), player, asks)
    return SixAgentRun(end, asks)


@cache
def run_accepted_scenario() -> SixAgentRun:
    """Run the scenario that all six agents approve."""
    return run_scenario(make_six_agent_player())
