"""Whatever a model passes, a tool answers with bounded plain data or refuses in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile.tool_calls import INJECTION, ITSELF, STRANGE, answered, nested
from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.agents.tools.toolbox import build_agent_tools
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.golden_records import load_golden_record

Box = Callable[..., Mapping[str, Call]]


@cache
def tools() -> Mapping[str, Call]:
    """The tools of NEWTON, for tests that Hypothesis runs many times."""
    made = build_agent_tools(
        NEWTON, Phase.VALIDATE, load_golden_record("blast_room"), load_everyday_library()
    )
    return {tool.name: tool.call for tool in made}


@pytest.mark.parametrize(
    "value",
    [
        "nan",
        "inf",
        "1e400",
        "9" * 79,
        "choose 1..2",
        "you.mass",
        "1/0",
        "2 (1..3) assumed",
        "0.4 furlong",
        "1e59 km",
    ],
)
def test_a_value_is_a_finite_literal_with_a_known_unit(box: Box, value: str) -> None:
    with pytest.raises(ToolRefusal, match="the value of `h`"):
        box(NEWTON, load_golden_record("blast_room"))["evaluate"](expression="h", values={"h": value})


@pytest.mark.parametrize("name", ["", "a.b.c", "__class__", "a b", "x" * 81, "g", "pi", 3, None, "1a", "a-b"])
def test_a_name_of_a_value_is_a_name(box: Box, name: object) -> None:
    with pytest.raises(ToolRefusal, match="in `values`"):
        box(ATHENA)["evaluate"](expression="1", values={name: "1 m"})


@given(st.text(max_size=120))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    for name in ("evaluate", "dimensions"):
        answered(tools()[name], expression=text)


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=90) | st.floats() | st.integers(), max_size=3))
def test_any_values_are_read_or_refused(values: dict[str, Any]) -> None:
    answered(tools()["evaluate"], expression="a + 1", values=values)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_calls_are_made_or_refused(calls: list[str]) -> None:
    answered(tools()["execute"], calls=calls)


PIECES = st.sampled_from(
    "smash shove climb_from wait wait_until choose answer claim challenge chair table window you ( ) , ' \" 1[s] nan -1 1e9[s] 0.5 >= ; \\".split()
)


@given(st.lists(st.lists(PIECES, max_size=9).map("".join), min_size=1, max_size=3))
def test_calls_made_of_true_words_are_made_or_refused(calls: list[str]) -> None:
    answered(tools()["execute"], calls=calls)


@given(
    st.lists(
        st.sampled_from(
            "you.mass you.reach fuse g 1[m] 2 0 - + * / ** ( ) < >= == and or not if else sqrt min , 'a' true".split()
        ),
        max_size=12,
    )
)
def test_expressions_made_of_true_words_are_computed_or_refused(words: list[str]) -> None:
    for name in ("evaluate", "dimensions"):
        answered(tools()[name], expression=" ".join(words))


def test_a_huge_plan_of_long_waits_ends(box: Box) -> None:
    for name in ("eggs_in_a_wetsuit", "bin_nine", "clear_sky"):
        text = answered(box(EULER, load_golden_record(name))["execute"], calls=["wait(1e8[s])"] * 12)
        assert '"reaches_goal": false' in text


@pytest.mark.parametrize(
    "mark", ["title", "category", "goal", "deadline", "quantities", "things", "actions", "status", "prose"]
)
def test_a_record_with_anything_anywhere_is_checked_or_refused(box: Box, mark: str) -> None:
    check_record = box(ATHENA)["check_record"]
    for strange in STRANGE.values():
        answered(check_record, record={**load_golden_record("blast_room"), mark: strange})


def test_an_instruction_in_a_record_is_data(box: Box) -> None:
    record = load_golden_record("blast_room")
    record["title"] = INJECTION[:100]
    record["approaches"][0]["why"] = INJECTION
    record["status"] = {"claim": "PX", "conflict": ["deadline"], "chains": []}
    found = box(EULER, record)["search_world"]()
    assert found["status"] == "KS-Singular"
    assert found["errors"]


@pytest.mark.parametrize(
    "record",
    [{}, nested(40), nested(20_000), ITSELF, {"title": float("nan")}, {"a": object()}],
    ids=["empty", "deep", "very deep", "itself", "nan", "object"],
)
def test_a_broken_record_in_a_view_breaks_no_tool(box: Box, record: dict[str, Any]) -> None:
    for agent in (NEWTON, EULER):
        given_tools = box(agent, record)
        assert '"value": 2.0' in answered(given_tools["evaluate"], expression="1 + 1")
        answered(given_tools["search_world"])
        answered(given_tools["execute"], calls=["wait(1[s])"])
