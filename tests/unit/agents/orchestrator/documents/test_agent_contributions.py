"""The lines of a trace about each agent: what was found, with numbers that mean something."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.documents.trace_document import render_confidence_heatmap
from impossible_moments.domain.refinement import DesignVote
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.built_documents import BY_STATUS
from support.dossiers import change_deliverables
from support.finished_dossiers import PROMPTS, build_finished_dossier
from support.planted_faults import HEALTHY, build_healthy_seed, change_properties, run_newton


def read_line(trace: str, name: str) -> str:
    found = re.search(rf"^- {name}: (.*)$", trace, re.MULTILINE)
    assert found is not None
    return found[1]


def build_trace(
    kind: type[PhysicsReport | MathematicsReport], agent: str, *, name: str = "blast_room", **changes: object
) -> str:
    dossier = change_deliverables(build_finished_dossier(name), kind, agent, **changes)
    return build_documents(dossier, load_everyday_library(), prompts=PROMPTS).trace


def test_a_margin_of_milliseconds_is_not_zero() -> None:
    trace = build_trace(MathematicsReport, EULER, margin=0.48, deadline_seconds=0.029)
    assert read_line(trace, "Timing margin") == "0.0139 seconds (48% of deadline)"


@pytest.mark.parametrize("status", ["PX", "OF"])
def test_a_scenario_without_a_plan_has_no_margin_and_says_why(status: str) -> None:
    changes = {"margin": None, "deadline_seconds": None, "sensitivity": ()}
    trace = build_trace(MathematicsReport, EULER, name=BY_STATUS[status], **changes)
    assert read_line(trace, "Timing margin").startswith("none: no ")
    assert read_line(trace, "Fragility assessment").endswith("because no plan reaches the goal")


def test_the_key_finding_is_the_one_that_newton_states() -> None:
    trace = build_trace(PhysicsReport, NEWTON, key_finding="The pane breaks at 70 J.", concerns=("Dust.",))
    assert read_line(trace, "Key physics finding") == "The pane breaks at 70 J."
    assert (
        read_line(build_trace(PhysicsReport, NEWTON, concerns=("Dust.",)), "Key physics finding") == "Dust."
    )


@pytest.mark.parametrize("name", HEALTHY)
def test_newton_finds_the_claim_that_is_nearest_to_its_limit(name: str) -> None:
    report = run_newton(build_healthy_seed(name))
    claim_id, _, reasoning = report.key_finding.partition(": ")
    assert reasoning == {each.claim_id: each.reasoning for each in report.claims}[claim_id]


def test_newton_finds_a_violated_law_first() -> None:
    report = run_newton(change_properties(hammer__mass="110[kg]")(build_healthy_seed("cellar")))
    assert report.key_finding.startswith("hammer.mass: ")


def test_a_vote_on_the_design_does_not_colour_the_heatmap() -> None:
    dossier = build_finished_dossier()
    unsure = dossier.add_deliverable(Phase.REFINE, ATHENA, DesignVote(confidence=0.2))
    assert render_confidence_heatmap(unsure) == render_confidence_heatmap(dossier)
