"""The search finds what the library allows, within bounds that it admits to."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.checks.status import compute_status
from impossible_moments.mechanics.checks.variants.counterfactual_variants import find_counterfactual_variants
from impossible_moments.mechanics.execution.search_limits import SearchBounds, SearchSituation
from impossible_moments.mechanics.records.library import (
    EMPTY,
    Library,
    LibraryAction,
    LibraryForm,
    LibraryRow,
)
from support.small_worlds import analyse_record, build_action, build_record, build_thing

ROOM = build_record(
    quantities=["work = 5[s]", "sill = 3[m]", "left = 60[s]"],
    things=[
        build_thing("you", "reach = 2[m]", "jump = 0.3[m]", kind="person"),
        build_thing("crate", "height = 0.8[m]"),
        build_thing("ladder", "height = 2.5[m]", "leans = true"),
    ],
    actions=[
        build_action(
            "climb(c: crate)", "you.at = 'out'", when=("high = you.reach + you.jump + c.height >= sill",)
        )
    ],
    goal="you.at == 'out'",
    deadline="left",
)

LEANING = Library(
    LibraryForm(
        name="leaning", version="1", always=["you"],
        things=[LibraryRow(name="you", label="you", kind="person", props=["at = 'start'"])],
        actions=[LibraryAction(do="lean(l: object)", when=["leans = l.leans"], then=["you.at = 'out'"], takes="4[s]")],
    )
)  # fmt: skip


def test_what_the_library_knows_of_a_thing_is_a_way_nobody_intended() -> None:
    alone = analyse_record(ROOM, EMPTY).minimal_plans
    known = analyse_record(ROOM, LEANING).minimal_plans

    assert [way.calls for way in alone.ways] == [("climb(crate)",)]
    assert {way.calls for way in known.ways} == {("climb(crate)",), ("lean(ladder)",)}


def test_a_search_that_runs_out_of_nodes_says_so() -> None:
    analysis = analyse_record(ROOM)
    bounds = SearchBounds(nodes=0)

    assert analysis.searcher.find_plan(bounds) is None
    assert not bounds.exhausted


def test_a_plan_found_has_no_idle_calls() -> None:
    data = {
        **ROOM,
        "things": [*ROOM["things"], build_thing("lamp", "lit = false")],
        "actions": [*ROOM["actions"], build_action("light(l: lamp)", "l.lit = true")],
    }
    analysis = analyse_record(data)
    plan = analysis.searcher.find_plan(SearchBounds())

    assert plan is not None
    assert [move.text for move in plan] == ["climb(crate)"]


@pytest.mark.parametrize("wanted", ["124[cm]", "280[cm]", "7[knot]"])
def test_a_decision_may_fall_on_any_of_its_options_in_any_unit(wanted: str) -> None:
    options = "{7[knot], 10[knot]}" if "knot" in wanted else "{124[cm], 280[cm]}"
    data = build_record(
        quantities=[f"setting = choose {options}", f"wanted = {wanted}", "work = 5[s]"],
        things=[build_thing("lock", "open = false")],
        actions=[build_action("turn(l: lock)", "l.open = true", when=("right = setting == wanted",))],
        goal="lock.open",
    )
    (way,) = analyse_record(data).minimal_plans.ways

    assert way.calls[0].startswith("choose(setting=")
    assert way.calls[1] == "turn(lock)"


def test_a_decision_is_one_though_it_falls_on_the_value_that_stood_there() -> None:
    data = build_record(
        quantities=["n = choose {1, 2, 3}", "wanted = 1", "work = 5[s]"],
        things=[build_thing("lock", "open = false")],
        actions=[build_action("turn(l: lock)", "l.open = true", when=("right = n == wanted",))],
        goal="lock.open",
    )

    assert [way.calls for way in analyse_record(data).minimal_plans.ways] == [("choose(n=1)", "turn(lock)")]


def test_variants_come_nearest_first_and_one_by_one() -> None:
    analysis = analyse_record(ROOM)
    found = list(find_counterfactual_variants(analysis, compute_status(analysis, (), None)))
    sizes = [max(each.factor, 1 / each.factor) for each in found]

    assert len(found) > 1
    assert sizes == sorted(sizes)


def test_things_can_be_taken_away() -> None:
    analysis = analyse_record(ROOM)

    assert (
        analysis.searcher.find_plan(SearchBounds(), SearchSituation(without_things=frozenset({"crate"})))
        is None
    )


def test_variants_name_the_nearest_change_that_flips_the_outcome() -> None:
    analysis = analyse_record(ROOM)
    verdict = compute_status(analysis, (), None)
    nearest = next(find_counterfactual_variants(analysis, verdict))

    assert nearest.becomes == "impossible"
    assert nearest.quantity in {"sill", "you.reach"}
    assert abs(nearest.factor - 1) < 0.06


def test_equal_things_make_one_way() -> None:
    twins = {
        **ROOM,
        "things": [
            ROOM["things"][0],
            build_thing("crate_a", "height = 0.8[m]"),
            build_thing("crate_b", "height = 0.8[m]"),
        ],
        "actions": [
            build_action(
                "climb(c: object)", "you.at = 'out'", when=("high = you.reach + you.jump + c.height >= sill",)
            )
        ],
    }

    assert len(analyse_record(twins, EMPTY).minimal_plans.ways) == 1


def test_a_search_that_is_told_to_stop_says_that_it_is_not_exhausted() -> None:
    analysis = analyse_record(ROOM)
    bounds = SearchBounds(stop=lambda: True)

    assert analysis.searcher.find_plan(bounds) is None
    assert not bounds.exhausted
