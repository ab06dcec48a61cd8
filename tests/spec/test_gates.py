"""Specification 5.1 to 5.6: the rows of the six quality gates; 8.3: how a gate is extended."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.gates.applicability import (
    DEPARTURES,
    GateDeparture,
    describe_applicability,
)
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES, build_specified_gates
from impossible_moments.domain.vocabulary import STATUSES, Phase, Status
from spec.transcribed import table

SPECIFIED = table("gates")
OURS = frozenset({"Computed from mechanics", "System invariant"})


@pytest.mark.parametrize("phase", list(Phase))
def test_a_gate_has_the_rows_of_its_table_in_order_and_ours_after_them(phase: Phase) -> None:
    expected = [
        (row["Criterion"], row["Required Value"], row["Check Method"])
        for row in SPECIFIED
        if row["Phase"] == phase
    ]

    found = [(row.name, row.required, row.method) for row in build_specified_gates()[phase].criteria]

    assert found[: len(expected)] == expected
    assert {method for _, _, method in found[len(expected) :]} <= OURS


@pytest.mark.parametrize("phase", list(Phase))
def test_a_gate_lets_a_phase_try_three_times(phase: Phase) -> None:
    assert PHASE_GATES[phase].attempts == 3


def test_the_extension_of_the_specification_works_word_for_word() -> None:
    PHASE_GATES = build_specified_gates()  # fresh ones: the gates in force stay as they are
    new_agent_name = "DARWIN"

    PHASE_GATES["VALIDATE"]["criteria"].append({
        "name": f"{new_agent_name}_assessment_complete",
        "check": lambda deliverables: new_agent_name in deliverables,
        "required": True
    })  # fmt: skip

    assert PHASE_GATES[Phase.VALIDATE].criteria[-1].name == "DARWIN_assessment_complete"


@pytest.mark.parametrize("each", DEPARTURES, ids=lambda each: f"{each.criterion}: {each.words}")
def test_every_departure_names_a_row(each: GateDeparture) -> None:
    rows = {(phase, row.name) for phase, gate in build_specified_gates().items() for row in gate.criteria}

    assert (each.phase, each.criterion) in rows


# fmt: off
SETTLED = [
    (Phase.SEED,     "Solution sketch present",                "PX", "replaced by the impossibility proof"),
    (Phase.SEED,     "Solution sketch present",                "OF", "replaced by the evaluation criteria"),
    (Phase.SEED,     "Object table complete",                  "KS", "The Babel Problem, The Invisible Wall, The Memory Palace: replaced by the rule table"),
    (Phase.SEED,     "At least one distractor designed",       "CT", "The Cascade: replaced by the coupling map"),
    (Phase.VALIDATE, "Timing budget validated",                "KS", "where no deadline is stated: not applicable"),
    (Phase.GROUND,   "At least 3 cognitive constructs mapped", "DG", "all constructs that the scenario tests count"),
]
# fmt: on


@pytest.mark.parametrize(("phase", "criterion", "status", "words"), SETTLED)
def test_rows_that_make_no_sense_for_a_scenario_are_settled(
    phase: Phase, criterion: str, status: Status, words: str
) -> None:
    assert words in describe_applicability(phase, criterion, status)


@pytest.mark.parametrize("status", STATUSES)
def test_a_row_without_departure_applies_to_every_status(status: Status) -> None:
    assert describe_applicability(Phase.SEED, "Category match", status) == "applies"
