"""The vetoes of the built-in validators name a law and show a computation, so none is downgraded."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.agents.orchestrator.protocols.veto_validity import RaisedVeto, find_veto_defect
from impossible_moments.domain.vocabulary import EULER, NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.planted_faults import (
    Edit,
    build_healthy_seed,
    change_action,
    change_properties,
    change_quantities,
    remove_step,
    run_euler,
    run_newton,
)

# fmt: off
VETOED: dict[str, tuple[str, Edit]] = {
    "a thing without mass":    (NEWTON, change_properties(hammer__mass="0[kg]")),
    "a thing too dense":       (NEWTON, change_properties(hammer__mass="900[kg]")),
    "a thing too fast":        (NEWTON, change_quantities(shove_speed="40[m/s]")),
    "a blow too strong":       (NEWTON, change_properties(hammer__blow="5000[J]")),
    "a person too tall":       (NEWTON, change_properties(you__reach="6[m]", opening__sill="6.2[m]")),
    "a missed deadline":       (EULER,  change_quantities(clock="17[s]")),
    "a condition not met":     (EULER,  change_properties(step__bears="60[kg]")),
    "a step left out":         (EULER,  remove_step("shove_under(step)")),
    "another status":          (EULER,  change_properties(tapper__blow="90[J]")),
    "dimensions do not agree": (EULER,  change_action("swing_at", when=["breaks = h.blow >= w.sill"])),
}
# fmt: on


@pytest.mark.parametrize(("agent", "edit"), VETOED.values(), ids=VETOED.keys())
def test_a_veto_of_the_built_in_cast_is_valid(agent: str, edit: Edit) -> None:
    seed = edit(build_healthy_seed("cellar"))
    vetoes = run_newton(seed).vetoes if agent == NEWTON else run_euler(seed).vetoes
    evaluator = EvidenceEvaluator(seed, load_everyday_library())
    defects = [
        find_veto_defect(RaisedVeto(Phase.VALIDATE, agent, veto), evaluator, frozenset({NEWTON, EULER}))
        for veto in vetoes
    ]
    assert defects == [None]
