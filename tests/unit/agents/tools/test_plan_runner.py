"""A plan is carried out as the mechanics carry it out, and its first failure is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.domain.vocabulary import EULER, NEWTON
from support.golden_records import NAMES, check_golden_record, load_golden_record

Box = Callable[..., Mapping[str, Call]]
WAY = ["smash(chair, window)", "shove(table)", "climb_from(table, window)"]


@pytest.fixture
def execute(box: Box) -> Call:
    return box(NEWTON, load_golden_record("blast_room"))["execute"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "ice_at_noon"])
def test_every_approach_ends_as_the_record_says(box: Box, name: str) -> None:
    analysis = check_golden_record(name).analysis
    assert analysis is not None
    run = box(EULER, load_golden_record(name))["execute"]
    for approach in load_golden_record(name)["approaches"]:
        found: Any = run(calls=approach["plan"])
        outcome = analysis.outcomes[approach["name"]]
        assert (found["end"], found["reaches_goal"]) == (outcome.end, outcome.reaches_goal)
        assert ("first_failure" in found) is not outcome.reaches_goal
        if outcome.end.startswith(("blocked", "never")):
            assert found["first_failure"]["call"] in approach["plan"]


def test_each_step_has_its_time_and_margins(execute: Call) -> None:
    found: Any = execute(calls=WAY)
    assert [step["call"] for step in found["steps"]] == WAY
    assert found["steps"][1]["started_s"] == found["steps"][0]["took_s"]
    assert found["steps"][0]["margins"]["smash.breaks"] == pytest.approx(1 / 6, rel=1e-4)
    assert found["time_s"] == pytest.approx(8.7619)


def test_the_first_condition_that_fails_is_named_as_it_is_written(execute: Call) -> None:
    found: Any = execute(calls=[WAY[0], WAY[2]])
    failure = found["first_failure"]
    assert failure["call"] == WAY[2]
    assert failure["what"] == "A condition does not hold: climb_from.placed."
    assert "table" in failure["condition"]
    assert len(found["steps"]) == 1


@pytest.mark.slow
def test_a_danger_is_told_with_the_call_in_which_it_comes(box: Box) -> None:
    seen = 0
    for name in NAMES:
        for approach in load_golden_record(name)["approaches"]:
            if approach["ends"].startswith("never ") and name != "ice_at_noon":
                found: Any = box(EULER, load_golden_record(name))["execute"](calls=approach["plan"])
                assert found["first_failure"]["what"].startswith("A danger occurs")
                assert found["first_failure"]["condition"]
                seen += 1
    assert seen > 1


def test_a_plan_that_stops_short_or_comes_late_says_so(execute: Call) -> None:
    assert execute(calls=["wait(1[s])"])["end"] == "short"
    late: Any = execute(calls=["wait(30[s])", *WAY])
    assert late["end"] == "late"
    assert late["first_failure"]["margin"] < 0


def test_a_plan_in_one_text_is_read_call_by_call(execute: Call) -> None:
    assert execute(calls="; ".join(WAY))["reaches_goal"] is True
    assert execute(calls=["; ".join(WAY)])["reaches_goal"] is True


def test_a_call_that_is_no_move_says_which_and_what_is(execute: Call) -> None:
    with pytest.raises(
        ToolRefusal, match=r"call 2.*`char` is not a thing \(did you mean `chair`\?\).*smash\(c: chair"
    ):
        execute(calls=["wait(1[s])", "smash(char, window)"])
    with pytest.raises(ToolRefusal, match="`smahs` is not an action"):
        execute(calls=["smahs(chair, window)"])


@pytest.mark.parametrize(
    "calls", [[], ["wait(1[s])"] * 13, "wait(1[s]);" * 13, 3, None, {"a": 1}, [3], [None], [""], ["x" * 301]]
)
def test_what_is_no_plan_is_refused(execute: Call, calls: object) -> None:
    with pytest.raises(ToolRefusal):
        execute(calls=calls)
