"""Changes of a draw: what feeds a quantity, which values its range allows, and replaced lines."""

from __future__ import annotations

import pytest

from impossible_moments.blueprints.draw_changes import (
    NO_CHANGES,
    DrawChanges,
    iterate_stated_lines,
    replace_stated_values,
)
from impossible_moments.blueprints.instances import BlueprintInstance, draw_instance
from impossible_moments.library.everyday_library import load_everyday_library
from support.small_blueprints import find_room_offer


def drawn(changes: DrawChanges = NO_CHANGES) -> BlueprintInstance:
    return draw_instance(find_room_offer(), load_everyday_library(), 0, 0, 0, turn=0, changes=changes)


def lines(instance: BlueprintInstance) -> dict[str, str]:
    return dict(iterate_stated_lines(instance.record))


def test_the_sources_of_a_computed_draw_are_the_draws_it_is_computed_from() -> None:
    origin = drawn().origin
    assert origin.find_source_draws("hammer.blow") == {"withstands"}
    assert origin.find_source_draws("step.height") == {"sill", "reach"}
    assert origin.find_source_draws("step.mass") == frozenset()


def test_a_redraw_leaves_every_other_draw_as_it_is() -> None:
    values = [drawn(DrawChanges(redraws={"light_blow": times})) for times in range(6)]
    assert len({lines(each)["tapper.blow"] for each in values}) > 1
    others = [{path: line for path, line in lines(each).items() if path != "tapper.blow"} for each in values]
    assert all(each == others[0] for each in others)


def test_no_change_gives_the_first_draw() -> None:
    unchanged = draw_instance(find_room_offer(), load_everyday_library(), 0, 0, 0, turn=0)
    assert drawn().record == unchanged.record


def test_a_set_value_is_written_and_what_is_computed_from_it_follows() -> None:
    found = lines(drawn(DrawChanges(values={"withstands": "60"})))
    assert found["opening.withstands"].startswith("60[J]")
    assert found["hammer.blow"].startswith("80[J]")


@pytest.mark.parametrize(
    ("value", "fitted"), [(23.2, "24"), (18.0, "18"), (26.0, "26"), (30.0, None), (1.0, None)]
)
def test_a_value_is_fitted_to_the_grid_of_its_draw(value: float, fitted: str | None) -> None:
    found = drawn().origin.fit_stated_value("tapper.blow", value)
    assert found == (None if fitted is None else ("light_blow", fitted))


def test_a_replaced_line_keeps_its_range_and_source() -> None:
    record = {"quantities": "swings = 6[s] (3..8) assumed @ estimate: two", "things": []}
    changed = replace_stated_values(record, {"swings": "7[s]"})
    assert changed["quantities"] == ["swings = 7[s] (3..8) assumed @ estimate: two"]


def test_a_property_that_a_thing_does_not_have_is_added() -> None:
    record = {"things": [{"name": "rope", "props": "length = 3[m]"}]}
    changed = replace_stated_values(record, {"rope.mass": "2[kg]"})
    assert changed["things"][0]["props"] == ["length = 3[m]", "mass = 2[kg]"]
