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
    Fault,
    all_of,
    catches,
    complaints_of,
    healthy,
    healthy_complaints,
    is_named,
    mathematics,
    new_complaints,
    physics,
    prop,
    quantity,
    said,
    seconds,
    table,
)

# fmt: off
HARMLESS: Final[tuple[tuple[str, str, Edit], ...]] = (
    ("a lead forme a little heavier",         "cellar", prop(hammer__mass="11.5[kg]")),
    ("a taller reader",                       "cellar", prop(you__reach="2.2[m]")),
    ("a second more for a step, told so",     "cellar", all_of(quantity(swings="7[s] (3..8) assumed @ estimate: a few swings"), seconds("swing_at(hammer, opening)", 7.0))),
    ("a wet floor's friction in a wet place", "cellar", prop(step__mu="0.3")),
    ("a dry floor's friction in a dry place", "loft",   prop(step__mu="0.6")),
    ("a child who is told of and is safe",    "loft",   said("A child waves from the organ bench below and goes home to supper.")),
    ("a gun that hangs on a wall",            "glue",   said("An old gun hangs over the mirror, a prop of last season.")),
)
# fmt: on


def _marked(fault: Fault) -> Any:
    marks = [pytest.mark.xfail(strict=True, reason=fault.missed)] if fault.missed else []
    return pytest.param(fault, id=f"{fault.meant_for}: {fault.name}", marks=marks)


@pytest.mark.parametrize("fault", [_marked(fault) for fault in FAULTS])
def test_the_role_that_a_fault_is_meant_for_catches_it_and_names_it(fault: Fault) -> None:
    complaints = catches(fault)[fault.meant_for]
    if complaints is None:
        complaints = new_complaints(fault.meant_for, fault)  # raises what the role broke down with
    assert complaints, f"{fault.meant_for} has nothing to say"
    assert is_named(fault, complaints), f"no complaint names `{fault.names}`: {sorted(complaints)}"


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.name) for fault in FAULTS])
def test_a_planted_fault_changes_the_document(fault: Fault) -> None:
    assert fault.faulty != healthy(fault.seed)


# a role that raises ends the run as failed instead of sending the seed back
@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.name) for fault in FAULTS])
def test_no_role_breaks_down_on_a_faulty_document(fault: Fault) -> None:
    assert [role for role, complaints in catches(fault).items() if complaints is None] == []


def test_there_are_as_many_faults_as_were_asked_for() -> None:
    counts = {role: sum(fault.meant_for == role for fault in FAULTS) for role in JUDGES}
    assert counts == {NEWTON: 30, EULER: 30, GALILEO: 10, SOCRATES: 10}
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("name", HEALTHY)
def test_the_validators_dispute_nothing_in_a_healthy_document(name: str) -> None:
    seed = healthy(name)
    for report in (physics(seed), mathematics(seed)):
        assert (report.challenges, report.vetoes) == ((), ())
        assert {each.verdict for each in report.claims} <= {"VALID"}


@pytest.mark.parametrize(("name", "seed", "edit"), HARMLESS, ids=[row[0] for row in HARMLESS])
@pytest.mark.parametrize("role", JUDGES)
def test_nobody_complains_of_what_is_harmless(role: str, name: str, seed: str, edit: Edit) -> None:
    changed = edit(healthy(seed))
    assert changed != healthy(seed), name
    assert complaints_of(role, changed) - healthy_complaints(role, seed) == frozenset()


def test_every_role_catches_something_that_nobody_else_does() -> None:
    alone = dict.fromkeys(JUDGES, 0)
    for fault in FAULTS:
        who = [role for role, complaints in catches(fault).items() if complaints]
        if len(who) == 1:
            alone[who[0]] += 1
    assert min(alone.values()) > 0, alone


def test_the_table_of_who_caught_what_has_a_row_for_each_fault(capsys: pytest.CaptureFixture[str]) -> None:
    lines = list(table())
    with capsys.disabled():
        print("", *lines[-len(JUDGES) :], sep="\n")  # noqa: T201 - the counts are what one runs this for
    assert [line for line in lines if line.startswith(JUDGES) and " of " not in line[60:]]
    assert len(lines) == 1 + len(FAULTS) + 1 + len(JUDGES)
