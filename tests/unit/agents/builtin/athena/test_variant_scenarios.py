"""Variants of a published scenario: one quantity differs, and the status is computed anew."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.additional_agents.record_mutations import find_mutations, read_quantity
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.builtin.athena.twin_scenarios import PublishedSibling
from impossible_moments.agents.builtin.athena.variant_scenarios import draw_variant_scenario
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.mechanics.checks import verify_record

SEED = 3


@pytest.fixture(scope="module")
def parent() -> PublishedSibling:
    cast = load_builtin_cast()
    brief = GenerationBrief(
        category="The Locked Room", solution_status="KS", difficulty_tier="FRACTURE", seed=SEED
    )
    record = DesignDesk(cast.catalogue, cast.library).propose(brief).draft.instance.record
    return PublishedSibling("IM-0001", record, SEED)


def draw_variant(brief: GenerationBrief, returned: int = 0) -> ProposedDraw:
    """Draw a variant that was returned for revision a number of times."""
    cast = load_builtin_cast()
    desk = DesignDesk(cast.catalogue, cast.library)
    drawn = draw_variant_scenario(desk, brief, None)
    for _ in range(returned):
        drawn = draw_variant_scenario(desk, brief, build_seed_document(drawn))
    return drawn


@pytest.fixture(scope="module")
def briefs(parent: PublishedSibling) -> tuple[GenerationBrief, ...]:
    cast = load_builtin_cast()
    return cast.build_variant_briefs(parent, find_mutations(parent.record, cast.library), most=2)


def test_a_variant_differs_from_its_parent_in_one_quantity_and_the_title(
    parent: PublishedSibling, briefs: tuple[GenerationBrief, ...]
) -> None:
    first = briefs[0].variant
    assert first is not None
    record, change = draw_variant(briefs[0]).draft.instance.record, first.changes[0]
    assert read_quantity(record, change.quantity) == change.value
    assert read_quantity(parent.record, change.quantity) != change.value
    changed = {name for name in record if record[name] != parent.record[name]}
    assert changed <= {"title", "things", "quantities", "status"}
    assert record["title"] != parent.record["title"]
    verdict = verify_record(record, load_builtin_cast().library).verdict
    assert verdict is not None
    assert verdict.status == record["status"]["claim"]


def test_each_variant_changes_another_quantity(briefs: tuple[GenerationBrief, ...]) -> None:
    first, second = (brief.variant.changes[0].quantity for brief in briefs if brief.variant is not None)
    assert first != second


def test_a_variant_that_is_returned_takes_its_next_change_until_none_is_left(
    briefs: tuple[GenerationBrief, ...],
) -> None:
    wanted = briefs[0].variant
    assert wanted is not None
    change = wanted.changes[1]
    assert (
        read_quantity(draw_variant(briefs[0], returned=1).draft.instance.record, change.quantity)
        == change.value
    )
    with pytest.raises(UnreachableBrief, match="no further change"):
        draw_variant(briefs[0], returned=len(wanted.changes))


def test_a_scenario_that_is_not_from_the_catalogue_has_no_variants(parent: PublishedSibling) -> None:
    cast = load_builtin_cast()
    mutations = find_mutations(parent.record, cast.library)
    foreign = PublishedSibling("IM-0001", parent.record, SEED + 1000)
    assert cast.build_variant_briefs(foreign, mutations, most=1) == ()
