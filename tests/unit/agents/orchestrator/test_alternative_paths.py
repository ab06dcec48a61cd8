"""What validators name in any field of their reports: other ways, corrections of part 4, and open points."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.orchestrator.alternative_paths import find_undeclared_paths
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import (
    Correction,
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from support.dossiers import make_full_dossier
from support.scripted_runs import (
    ScenarioRun,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)

PATH = "Unscrew the hinges with a coin."
CHANGE = Correction(subject="S2", problem="The time is too short.", evidence="3 s < 5 s")


def _run_once_with(agent: str, kind: type[LabelledModel], **fields: Any) -> ScenarioRun:
    return run_scenario(
        change_fields(revise_every_time(make_obliging_player()), agent, kind, times=1, **fields)
    )


def _list_first_demands(story: ScenarioRun) -> list[dict[str, str]]:
    revisions = story.list_asks_to(ATHENA, SeedDocument)[1:]
    return revisions[0].assignment.context["demands"] if revisions else []


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        (NEWTON, PhysicsReport),
        (EULER, MathematicsReport),
        (NEWTON, FeasibilityCheck),
        (EULER, FeasibilityCheck),
    ],
)
def test_another_way_becomes_a_demand_whatever_report_names_it(agent: str, kind: type[LabelledModel]) -> None:
    (demand,) = _list_first_demands(_run_once_with(agent, kind, alternative_paths=(PATH,)))
    assert (demand["demanded_by"], demand["subject"]) == (agent, "alternative path")
    assert PATH in demand["demand"]


def test_a_way_that_two_validators_name_is_demanded_once() -> None:
    dossier = make_full_dossier(Phase.VALIDATE)
    for agent in (NEWTON, EULER):
        check = FeasibilityCheck(alternative_paths=(PATH,), mirage_convincing="Yes.", confidence=0.8)
        dossier = dossier.add_deliverable(Phase.VALIDATE, agent, check)
    assert find_undeclared_paths(dossier) == {PATH: (NEWTON, EULER)}


def test_a_declared_way_is_not_demanded() -> None:
    declared = "smash(chair, window) then shove(table) then climb_from(table, window)"
    story = _run_once_with(EULER, MathematicsReport, alternative_paths=(declared,))
    assert _list_first_demands(story) == []


def test_no_part_4_is_asked_for_a_scenario_that_must_change() -> None:
    story = _run_once_with(NEWTON, PhysicsReport, alternative_paths=(PATH,))
    revision = story.keys.index("VALIDATE/ATHENA/seed/2")
    assert [key for key in story.keys[:revision] if "feasibility" in key] == []


def test_a_correction_of_part_4_becomes_a_demand_word_for_word() -> None:
    (demand,) = _list_first_demands(_run_once_with(EULER, FeasibilityCheck, corrections_needed=(CHANGE,)))
    assert (demand["demand"], demand["evidence"], demand["demanded_by"]) == (
        "The time is too short.",
        "3 s < 5 s",
        EULER,
    )


def test_concerns_and_disagreements_are_listed_as_open_and_reach_athena_in_refine() -> None:
    player = change_fields(make_obliging_player(), NEWTON, PhysicsReport, concerns=("Ice may be wet.",))
    player = change_fields(player, EULER, FeasibilityCheck, disagreements=("C1: 5 N against 6 N.",))
    story = run_scenario(player)
    joint = story.end.dossier.find_latest_deliverable(JointAssessment)
    assert joint is not None
    assert joint.open_points == ("NEWTON: Ice may be wet.", "EULER: C1: 5 N against 6 N.")
    (memo,) = story.list_asks_to(ATHENA, ReviewMemo)
    shown = [each for each in memo.assignment.context["sections"] if each["document"] == "JointAssessment"]
    assert shown[-1]["fields"]["open_points"] == list(joint.open_points)
    assert "`open_points`" in memo.assignment.task
