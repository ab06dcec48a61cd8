"""Every tool of every agent with every strange argument, and with every hostile expression."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from hostile.expressions import EXPRESSIONS
from hostile.tool_calls import STRANGE, answered
from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.agents.tools.toolbox import TOOL_GRANTS, build_agent_tools
from impossible_moments.domain.vocabulary import NEWTON, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.golden_records import load_golden_record

Box = Callable[..., Mapping[str, Call]]
ALL = [(agent, name) for agent, grant in TOOL_GRANTS.items() for name in grant.tools]


@cache
def tools_of(agent: str) -> Mapping[str, Call]:
    made = build_agent_tools(agent, Phase.VALIDATE, load_golden_record("blast_room"), load_everyday_library())
    return {tool.name: tool.call for tool in made}


@pytest.mark.parametrize("strange", list(STRANGE.values()), ids=list(STRANGE))
@pytest.mark.parametrize(("agent", "name"), ALL)
def test_strange_arguments_are_answered_or_refused(agent: str, name: str, strange: object) -> None:
    call = tools_of(agent)[name]
    good = {
        "kind": "material",
        "name": "steel",
        "topic": "insight",
        "expression": "1 + 1",
        "calls": ["wait(1[s])"],
    }
    schema = inspect.unwrap(call).__annotations__
    arguments = [each for each in schema if each != "return"]
    for argument in arguments:
        others = {each: good[each] for each in arguments if each != argument and each in good}
        answered(call, **{**others, argument: strange})
    answered(call, unknown=strange)


@pytest.mark.parametrize("expression", list(EXPRESSIONS.values()), ids=list(EXPRESSIONS))
def test_hostile_expressions_never_run(box: Box, expression: str) -> None:
    tools = box(NEWTON, load_golden_record("clear_sky"))
    answered(tools["evaluate"], expression=expression)
    answered(tools["dimensions"], expression=expression)
    answered(tools["evaluate"], expression="h + 1", values={"h": expression})
    answered(tools["evaluate"], expression="1", values={expression: "1 m"})
    answered(tools["execute"], calls=[f"wait({expression})", f'wait_until("{expression}")'])
