"""Runs with a sixth agent: the cast of The Blast Room and TURING, whom `tests/plugin_package` brings."""

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
from impossible_moments.scenarios.embedding import TfidfEmbedder
from support.dossiers import BRIEF, PROFILE, agent_trace, distractor_review, full_dossier

PLUGIN: Final = Path(__file__).parents[1] / "plugin_package"
CONFIG: Final = PLUGIN / "turing_agent/config.yaml"
TURING: Final = "TURING"
MEMO: Final = "Two of four common strategies reach the sill and none the yard."

HANDED_IN: Final[tuple[LabelledModel, ...]] = (
    FurtherValidation(text="I tried the door, the bolt and the banana.", confidence=0.7),
    FurtherClassification(text="Read blind, the window is out of reach.", confidence=0.65),
    ReviewMemo(text=MEMO, confidence=0.8),
    CalibrationVote(profile=PROFILE, confidence=0.8),
    distractor_review(),
    ReadinessVote(vote="APPROVE", confidence=0.9),
    agent_trace().model_copy(update={"found": "No common strategy solves it."}),
)


@contextmanager
def extended() -> Iterator[None]:
    """The plugin's folder on the path and its row in the gate, for a while."""
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


def rules(config: Path | None = CONFIG) -> ScenarioRules:
    """The rules of the plugin's configuration, or of another."""
    return build_scenario_rules(load_configuration(config), load_everyday_library(), TfidfEmbedder())


def six(*, instead: tuple[LabelledModel, ...] = ()) -> Player:
    """The cast that gets The Blast Room accepted, and TURING; some of its answers can be exchanged."""
    answers = {
        (entry.author, type(entry.deliverable)): entry.deliverable
        for entry in full_dossier(Phase.DOCUMENT).entries
    }
    answers |= {(TURING, type(each)): each for each in (*HANDED_IN, *instead)}
    return build_scripted_player(
        answers, HumanDecision(option=Option.DISCARD, justification="as the test has it")
    )


@dataclass
class Run:
    """A run to its end, with all that was asked."""

    end: CreationOutcome
    asks: list[Ask] = field(default_factory=list)

    def to(self, agent: str) -> list[Ask]:
        """What an agent was asked."""
        return [ask for ask in self.asks if ask.agent == agent]


def run(player: Player, config: Path | None = CONFIG) -> Run:
    """A run with the plugin's row in the gate."""
    asks: list[Ask] = []
    with extended():
        end = run_flow_with_player(create_scenario(BRIEF, rules(config)), player, asks)
    return Run(end, asks)


@cache
def accepted() -> Run:
    """The run in which all six approve."""
    return run(six())
