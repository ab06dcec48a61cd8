"""Every row of every gate is met by good work, and is missed by work that lacks what it asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from impossible_moments.agents.orchestrator.quality_gates import (
    GateDecision,
    GateOutcome,
    build_specified_gates,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Phase
from support.dossiers import make_full_dossier
from support.gate_faults import FAULTS, GateFault, build_example_documents, build_resources

GATES = build_specified_gates()
# Rows that fall with others: without a report none of its rows can be met, and a record that is refused, or whose
# numbers moved, no longer agrees with what was built on it.
FALL_TOGETHER = frozenset(
    {
        "Solution status classified",
        "Blind difficulty calibration complete",
        "Mechanics accepted",
        "Timing budget validated",
        "Claims computed",
    }
)


def decided(fault: GateFault) -> GateDecision:
    return GATES[fault.phase].decide(fault.dossier, 1, resources=fault.resources, documents=fault.documents)


@pytest.mark.parametrize("phase", list(Phase))
def test_good_work_advances(phase: Phase) -> None:
    written = build_example_documents() if phase is Phase.DOCUMENT else None

    decision = GATES[phase].decide(
        make_full_dossier(phase), 1, resources=build_resources(), documents=written
    )

    assert decision.deficiencies == ()
    assert decision.outcome is GateOutcome.ADVANCE


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.phase}: {fault.criterion}")
def test_a_row_that_is_not_met_is_named(fault: GateFault) -> None:
    assert fault.criterion in {each.criterion for each in decided(fault).deficiencies}


@pytest.mark.parametrize(
    "fault",
    [fault for fault in FAULTS if fault.criterion not in FALL_TOGETHER],
    ids=lambda fault: f"{fault.phase}: {fault.criterion}",
)
def test_no_other_row_is_named(fault: GateFault) -> None:
    assert {each.criterion for each in decided(fault).deficiencies} == {fault.criterion}


@pytest.mark.parametrize("phase", list(Phase))
def test_every_row_has_its_fault(phase: Phase) -> None:
    spoilt = {fault.criterion for fault in FAULTS if fault.phase is phase}

    assert spoilt == {row.name for row in GATES[phase].criteria if row.binding}


def test_what_readers_would_notice_is_a_remark_and_closes_no_gate() -> None:
    dossier = make_full_dossier(Phase.SEED)
    (entry,) = [each for each in dossier.entries if isinstance(each.deliverable, SeedDocument)]
    seed = dossier.find_latest_deliverable(SeedDocument)
    assert seed is not None
    scenario = seed.scenario
    sequel = scenario.model_copy(update={"narrative": f"{scenario.narrative} It is as before."})
    changed = replace(entry, deliverable=seed.model_copy(update={"scenario": sequel}))

    decision = GATES[Phase.SEED].decide(replace(dossier, entries=(changed,)), 1, resources=build_resources())

    assert decision.outcome is GateOutcome.ADVANCE
    assert any("text.sequel" in remark.text for remark in decision.remarks)
