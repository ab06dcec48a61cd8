"""Planted faults: the role that a fault is meant for catches it, and nobody cries out over what is healthy."""

from __future__ import annotations

from typing import Any, Final

import pytest

from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, SOCRATES
from support.planted_faults import (
    FAULTS,
    HEALTHY,
    JUDGES,
    Edit,
    PlantedFault,
    add_sentence,
    build_healthy_seed,
    change_properties,
    change_quantities,
    change_step_time,
    collect_complaints,
    collect_healthy_complaints,
    collect_new_complaints,
    combine_edits,
    is_named,
    iterate_table_lines,
    list_catches,
    run_euler,
    run_newton,
)

# fmt: off
HARMLESS: Final[tuple[tuple[str, str, Edit], ...]] = (
    ("a lead forme a little heavier",         "cellar", change_properties(hammer__mass="11.5[kg]")),
    ("a taller reader",                       "cellar", change_properties(you__reach="2.2[m]")),
    ("a second more for a step, told so",     "cellar", combine_edits(change_quantities(swings="7[s] (3..8) assumed @ estimate: a few swings"),
        change_step_time("swing_at(hammer, opening)", 7.0))),
    ("a wet floor's friction in a wet place", "cellar", change_properties(step__mu="0.3")),
    ("a dry floor's friction in a dry place", "loft",   change_properties(step__mu="0.6")),
    ("a child who is told of and is safe",    "loft",   add_sentence("A child waves from the organ bench below and goes home to supper.")),
    ("a gun that hangs on a wall",            "glue",   add_sentence("An old gun hangs over the mirror, a prop of last season.")),
)
# fmt: on


def _marked(fault: PlantedFault) -> Any:
    marks = [pytest.mark.xfail(strict=True, reason=fault.missed)] if fault.missed else []
    return pytest.param(fault, id=f"{fault.meant_for}: {fault.name}", marks=marks)


@pytest.mark.parametrize("fault", [_marked(fault) for fault in FAULTS])
def test_the_role_that_a_fault_is_meant_for_catches_it_and_names_it(fault: PlantedFault) -> None:
    complaints = list_catches(fault)[fault.meant_for]
    if complaints is None:
        complaints = collect_new_complaints(fault.meant_for, fault)  # raises what the role broke down with
    assert complaints, f"{fault.meant_for} has nothing to say"
    assert is_named(fault, complaints), f"no complaint names `{fault.names}`: {sorted(complaints)}"


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.name) for fault in FAULTS])
def test_a_planted_fault_changes_the_document(fault: PlantedFault) -> None:
    assert fault.faulty_seed != build_healthy_seed(fault.seed)


# a role that raises ends the run as failed instead of sending the seed back
@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.name) for fault in FAULTS])
def test_no_role_breaks_down_on_a_faulty_document(fault: PlantedFault) -> None:
    assert [role for role, complaints in list_catches(fault).items() if complaints is None] == []


def test_there_are_as_many_faults_as_were_asked_for() -> None:
    counts = {role: sum(fault.meant_for == role for fault in FAULTS) for role in JUDGES}
    assert counts == {NEWTON: 33, EULER: 34, GALILEO: 11, SOCRATES: 12}
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("name", HEALTHY)
def test_the_validators_dispute_nothing_in_a_healthy_document(name: str) -> None:
    seed = build_healthy_seed(name)
    for report in (run_newton(seed), run_euler(seed)):
        assert (report.challenges, report.vetoes) == ((), ())
        assert {each.verdict for each in report.claims} <= {"VALID"}


@pytest.mark.parametrize(("name", "seed", "edit"), HARMLESS, ids=[row[0] for row in HARMLESS])
@pytest.mark.parametrize("role", JUDGES)
def test_nobody_complains_of_what_is_harmless(role: str, name: str, seed: str, edit: Edit) -> None:
    changed = edit(build_healthy_seed(seed))
    assert changed != build_healthy_seed(seed), name
    assert collect_complaints(role, changed) - collect_healthy_complaints(role, seed) == frozenset()


def test_every_role_catches_something_that_nobody_else_does() -> None:
    alone = dict.fromkeys(JUDGES, 0)
    for fault in FAULTS:
        who = [role for role, complaints in list_catches(fault).items() if complaints]
        if len(who) == 1:
            alone[who[0]] += 1
    assert min(alone.values()) > 0, alone


def test_the_table_of_who_caught_what_has_a_row_for_each_fault(capsys: pytest.CaptureFixture[str]) -> None:
    lines = list(iterate_table_lines())
    with capsys.disabled():
        print("", *lines[-len(JUDGES) :], sep="\n")  # noqa: T201 - the counts are what one runs this for
    assert [line for line in lines if line.startswith(JUDGES) and " of " not in line[60:]]
    assert len(lines) == 1 + len(FAULTS) + 1 + len(JUDGES)
