"""What the library brings to a record: only what its things can take part in, and only what matters."""

from __future__ import annotations

from typing import Any, Final

import pytest

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import verify_record
from impossible_moments.mechanics.records.library import Library, LibraryForm
from impossible_moments.mechanics.records.plans import PlannedCall
from impossible_moments.mechanics.world.building.library_actions import build_library_action_catalogue
from support.small_worlds import analyse_record, build_action, build_approach, build_record, build_thing

WINDOW: Final = (
    "shut = false; locked = false; sill = 3[m]; clear = 0.6[m]; holds = 5[kN]; withstands = 100[J]"
)


def _room(*things: dict[str, Any], **more: Any) -> dict[str, Any]:
    window = build_thing("window", *WINDOW.split("; "), kind="boundary", label="the window")
    return build_record(
        things=[window, *things],
        goal="you.at == 'out'",
        approaches=[build_approach("out", "go_through(window)")],
        **more,
    )


def _row(name: str, like: str) -> dict[str, Any]:
    return build_thing(name, like=like, label=f"a {name}")


def test_a_ladder_in_the_room_is_leant_under_the_window_though_no_author_thought_of_it() -> None:
    plan = analyse_record(_room(_row("ladder", "wooden_ladder")), load_everyday_library()).searcher
    verbs = {move.verb for move in plan.moves}
    assert "lean_ladder" in verbs


def test_without_anything_to_stand_on_the_window_is_out_of_reach() -> None:
    analysis = analyse_record(_room(), load_everyday_library())
    assert analysis.searcher.find_plan(analysis.bounds) is None


@pytest.mark.parametrize("like", ["wooden_table", "stepladder", "wooden_ladder"])
def test_what_everybody_would_climb_on_leads_out(like: str) -> None:
    analysis = analyse_record(_room(_row("help", like)), load_everyday_library())
    assert analysis.searcher.find_plan(analysis.bounds) is not None


def test_an_operator_whose_slots_nothing_fills_does_not_enter_the_world() -> None:
    actions = analyse_record(_room(), load_everyday_library()).world.actions
    assert len(actions) < len(load_everyday_library().verbs) / 4
    assert "lean_ladder" not in actions


def test_an_operator_that_changes_nothing_anybody_reads_does_not_enter_the_world() -> None:
    candle = _row("candle", "candle")
    assert "light" not in {
        verb.partition("_")[0]
        for verb in analyse_record(_room(candle), load_everyday_library()).world.actions
    }


def test_a_plan_may_call_an_operator_that_the_search_leaves_out_and_hears_why_it_fails() -> None:
    analysis = analyse_record(_room(_row("banana", "banana")), load_everyday_library())
    move = analysis.executor.moves.get_move(PlannedCall("unlock_with", ("banana", "window")))
    assert any("has no" in note for note in move.notes)


def test_a_record_may_use_the_name_of_a_library_role_for_its_own() -> None:
    data = _room(
        build_thing("beam", "strength = 3"),
        roles=["ladder(o) = o.strength >= 2"],
        actions=[build_action("lean_on(l: ladder)", "you.at = 'out'", takes="5[s]")],
    )
    analysis = analyse_record(data, load_everyday_library())
    assert analysis.world.roles["ladder"].own
    assert analysis.searcher.find_plan(analysis.bounds) is not None


def test_a_record_may_use_a_further_property_for_another_measure_and_is_told() -> None:
    name = next(iter(load_everyday_library().further))
    data = _room(build_thing("gadget", f"{name} = 'blue'"))
    assert "property.other" in verify_record(data, load_everyday_library()).findings.codes


def test_a_property_name_that_the_library_uses_is_reported_with_its_dimension() -> None:
    findings = verify_record(_room(build_thing("boat", "draught = 2[m]")), load_everyday_library()).findings
    (text,) = [str(each) for each in findings if each.code == "property.type"]
    assert "`draught` is a property of the library with dimension speed" in text
    assert "choose another name for `boat.draught`" in text


def test_a_verb_of_the_library_is_not_taken_for_another() -> None:
    data = _room(actions=[build_action("lean_ladder(b: boundary)", "you.at = 'out'", takes="5[s]")])
    assert "name.reserved" in verify_record(data, load_everyday_library()).findings.codes


def test_a_broken_library_says_which_line_is_wrong() -> None:
    form = LibraryForm.model_validate(
        {
            "name": "broken",
            "version": "1",
            "actions": [{"do": "pull(x: nonsense)", "then": [], "takes": "1[s]"}],
        }
    )
    with pytest.raises(ValueError, match="nonsense"):
        build_library_action_catalogue(Library(form))
