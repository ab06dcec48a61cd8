"""Each agent has the tools it is granted, and a tool knows no more than the view it was given."""

from __future__ import annotations

import inspect
import json
import pickle
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import TypeAdapter

from impossible_moments.agents.tools import record_workbench
from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.agents.tools.toolbox import TOOL_GRANTS, build_agent_tools
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.records.library import Library
from support.golden_records import load_golden_record

Box = Callable[..., Mapping[str, Call]]


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        (NEWTON, ["evaluate", "dimensions", "look_up", "execute", "search_world"]),
        (EULER, ["evaluate", "dimensions", "execute", "search_world", "prove"]),
        (GALILEO, ["find_works", "find_benchmarks"]),
        (ATHENA, ["look_up", "evaluate", "check_record"]),
        (SOCRATES, []),
        ("DARWIN", []),
    ],
)
def test_an_agent_has_the_tools_of_its_role(box: Box, agent: str, names: list[str]) -> None:
    assert list(box(agent, load_golden_record("blast_room"))) == names


@pytest.mark.parametrize("agent", [*ROLES, "DARWIN"])
def test_whoever_classifies_has_no_tool(box: Box, agent: str) -> None:
    assert box(agent, load_golden_record("blast_room"), Phase.CLASSIFY) == {}


@pytest.mark.parametrize("phase", list(Phase))
def test_athena_has_tools_only_where_a_seed_is_written(box: Box, phase: Phase) -> None:
    assert bool(box(ATHENA, load_golden_record("blast_room"), phase)) == (
        phase in {Phase.SEED, Phase.VALIDATE, Phase.REFINE}
    )


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_without_a_record_no_tool_asks_for_one(box: Box, agent: str) -> None:
    assert not {"execute", "search_world", "prove"} & set(box(agent, None))


def test_athena_computes_with_what_it_gives_and_not_with_the_record(box: Box) -> None:
    assert box(NEWTON, load_golden_record("blast_room"))["evaluate"](expression="fuse")["dimension"] == "time"
    with pytest.raises(ToolRefusal, match="no such name: `fuse`"):
        box(ATHENA, load_golden_record("blast_room"))["evaluate"](expression="fuse")


def test_what_becomes_of_the_record_later_is_not_seen(box: Box) -> None:
    record = load_golden_record("blast_room")
    tools = box(NEWTON, record)
    record.clear()
    assert tools["search_world"]()["status"] == "KS-Singular"


def test_a_record_that_cannot_be_changed_is_read_like_any_other(box: Box) -> None:
    assert (
        box(NEWTON, MappingProxyType(load_golden_record("blast_room")))["search_world"]()["status"]
        == "KS-Singular"
    )


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every record that is really checked, in order."""
    made: list[object] = []

    def counted(record: object, library: Library) -> CheckReport:
        made.append(record)
        return verify_record(record, library)

    monkeypatch.setattr(record_workbench, "verify_record", counted)
    return made


def test_a_record_is_checked_once_for_all_tools_of_a_toolbox(box: Box, checked: list[object]) -> None:
    tools = box(EULER, load_golden_record("clear_sky"))
    for _ in range(2):
        tools["search_world"]()
        tools["prove"]()
        tools["execute"](calls=["wait(1[s])"])
    assert len(checked) == 1
    box(EULER, load_golden_record("clear_sky"))["prove"]()
    assert len(checked) == 2


def test_a_record_that_is_tried_again_is_not_checked_again(box: Box, checked: list[object]) -> None:
    check_record = box(ATHENA)["check_record"]
    assert check_record(record=load_golden_record("five_pulls")) == check_record(
        record=load_golden_record("five_pulls")
    )
    assert len(checked) == 1


def test_every_tool_has_a_description_and_plain_documented_parameters() -> None:
    for agent in TOOL_GRANTS:
        for tool in build_agent_tools(
            agent, Phase.VALIDATE, load_golden_record("blast_room"), load_everyday_library()
        ):
            call: Any = tool.call
            schema = TypeAdapter(call).json_schema()
            assert tool.description.endswith(".")
            assert len(tool.description) > 40
            assert "$defs" not in schema, tool.name
            assert all(each.get("description") for each in schema["properties"].values()), tool.name
            parameters = inspect.signature(tool.call).parameters.values()
            assert all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in parameters), tool.name


def test_a_call_without_or_with_wrong_parameters_says_how_to_call(box: Box) -> None:
    evaluate = box(NEWTON)["evaluate"]
    with pytest.raises(ToolRefusal, match="without `expression`; call it as evaluate"):
        evaluate()
    with pytest.raises(ToolRefusal, match="did you mean `expression`"):
        evaluate(expresion="1")
    with pytest.raises(ToolRefusal, match="keyword arguments only"):
        evaluate("1")


def test_the_same_calls_give_the_same_answers(box: Box) -> None:
    def answers() -> str:
        tools = box(EULER, load_golden_record("varga_and_adeyemi"))
        found = [
            tools["search_world"](limit=12),
            tools["prove"](),
            tools["evaluate"](expression="you.mass*g"),
        ]
        return json.dumps(found)

    assert answers() == answers()


def test_calls_made_at_once_answer_as_calls_made_in_turn(box: Box) -> None:
    tools = box(EULER, load_golden_record("clear_sky"))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda name: tools[name](), ["search_world", "prove"] * 8))
    assert (
        answers
        == [box(EULER, load_golden_record("clear_sky"))[name]() for name in ("search_world", "prove")] * 8
    )


def test_a_refusal_can_be_stored() -> None:
    refusal = pickle.loads(pickle.dumps(ToolRefusal("no.")))  # noqa: S301 - made one line above
    assert isinstance(refusal, ToolRefusal)
    assert str(refusal) == "no."
