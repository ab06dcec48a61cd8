"""Variants of a published scenario: one quantity differs, and the status is computed anew."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.additional_agents.record_mutations import find_mutations, read_quantity
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief
from impossible_moments.agents.builtin.athena.scenario_draws import draw_scenario
from impossible_moments.agents.builtin.athena.twin_scenarios import PublishedSibling
from impossible_moments.agents.builtin.athena.variant_scenarios import draw_variant_scenario
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.domain.brief import GenerationBrief

SEED = 3


@pytest.fixture(scope="module")
def parent() -> PublishedSibling:
    cast = load_builtin_cast()
    brief = GenerationBrief(
        category="The Locked Room", solution_status="KS", difficulty_tier="FRACTURE", seed=SEED
    )
    record = draw_scenario(cast.catalogue, cast.library, brief, 0).trial.instance.record
    return PublishedSibling("IM-0001", record, SEED)


@pytest.fixture(scope="module")
def briefs(parent: PublishedSibling) -> tuple[GenerationBrief, ...]:
    cast = load_builtin_cast()
    return cast.build_variant_briefs(parent, find_mutations(parent.record, cast.library), most=2)


def test_a_variant_differs_from_its_parent_in_one_quantity_and_the_title(
    parent: PublishedSibling, briefs: tuple[GenerationBrief, ...]
) -> None:
    cast = load_builtin_cast()
    first = briefs[0].variant
    assert first is not None
    drawn = draw_variant_scenario(
        cast.catalogue, cast.library, briefs[0], 0, find_further_refusal=lambda _: None
    )
    record, change = drawn.trial.instance.record, first.changes[0]
    assert read_quantity(record, change.quantity) == change.value
    assert read_quantity(parent.record, change.quantity) != change.value
    changed = {name for name in record if record[name] != parent.record[name]}
    assert changed <= {"title", "things", "quantities", "status"}
    assert record["title"] != parent.record["title"]
    assert drawn.trial.status == record["status"]["claim"]


def test_each_variant_changes_another_quantity(briefs: tuple[GenerationBrief, ...]) -> None:
    first, second = (brief.variant.changes[0].quantity for brief in briefs if brief.variant is not None)
    assert first != second


def test_a_variant_that_is_returned_takes_its_next_change_until_none_is_left(
    briefs: tuple[GenerationBrief, ...],
) -> None:
    cast, wanted = load_builtin_cast(), briefs[0].variant
    assert wanted is not None
    again = draw_variant_scenario(
        cast.catalogue, cast.library, briefs[0], 1, find_further_refusal=lambda _: None
    )
    change = wanted.changes[1]
    assert read_quantity(again.trial.instance.record, change.quantity) == change.value
    with pytest.raises(UnreachableBrief, match="no further change"):
        draw_variant_scenario(
            cast.catalogue,
            cast.library,
            briefs[0],
            len(wanted.changes),
            find_further_refusal=lambda _: None,
        )


def test_a_scenario_that_is_not_from_the_catalogue_has_no_variants(parent: PublishedSibling) -> None:
    cast = load_builtin_cast()
    mutations = find_mutations(parent.record, cast.library)
    foreign = PublishedSibling("IM-0001", parent.record, SEED + 1000)
    assert cast.build_variant_briefs(foreign, mutations, most=1) == ()
