"""Departures from a design: what somebody changed in a document is restored, and the design stays as it is."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.demand_subjects import DemandTarget
from impossible_moments.agents.builtin.athena.departures import find_departures
from support.planted_faults import (
    Edit,
    build_healthy_seed,
    change_properties,
    keep_wrong_answers,
    replace_insights,
    replace_words,
)


@pytest.mark.parametrize(
    ("edit", "parts", "paths"),
    [
        (change_properties(step__mass="26[g]"), {"mechanics"}, {"step", "step.mass"}),
        (keep_wrong_answers(1), {"wrong_answers"}, set()),
        (replace_insights(), {"insight_chain"}, set()),
        (replace_words("26 kg", "27 kg"), {"scenario"}, set()),
    ],
)
def test_only_what_was_changed_departs_from_the_design(edit: Edit, parts: set[str], paths: set[str]) -> None:
    healthy = build_healthy_seed("loft")
    found = find_departures(edit(healthy), healthy)
    assert (set(found.parts), set(found.paths)) == (parts, paths)


def test_a_document_as_built_departs_nowhere() -> None:
    found = find_departures(build_healthy_seed("loft"), build_healthy_seed("loft"))
    assert not found.parts
    assert not found.find_restored_part(RevisionDemand("Two insights say the same."), DemandTarget())


def test_a_demand_is_answered_by_what_it_is_about_and_not_by_other_departures() -> None:
    healthy = build_healthy_seed("loft")
    found = find_departures(change_properties(step__mass="26[g]")(healthy), healthy)
    assert found.find_restored_part(RevisionDemand("It is too light."), DemandTarget(paths=("step.mass",)))
    assert not found.find_restored_part(
        RevisionDemand("State a second wrong answer."), DemandTarget(paths=("stool.mass",))
    )
