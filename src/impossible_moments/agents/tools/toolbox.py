"""The tools that an agent may call in a phase. A tool knows only the visible record and the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Final

from impossible_moments.agents.tools.call_guard import Call, guard_tool_call
from impossible_moments.agents.tools.expression_calculator import ExpressionCalculator
from impossible_moments.agents.tools.impossibility_prover import ImpossibilityProver
from impossible_moments.agents.tools.library_reference import LibraryReference
from impossible_moments.agents.tools.literature_search import find_benchmarks, find_works
from impossible_moments.agents.tools.plan_runner import PlanRunner
from impossible_moments.agents.tools.record_judge import RecordJudge
from impossible_moments.agents.tools.record_workbench import RecordWorkbench
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, Phase
from impossible_moments.mechanics.records import Library


@dataclass(frozen=True)
class AgentTool:
    """A function that a model may call with keyword arguments.

    It returns plain data or raises `ToolRefusal`.
    """

    name: str
    description: str
    call: Call


@dataclass(frozen=True)
class ToolGrant:
    """The tools of an agent, and the phases in which it may call them."""

    tools: tuple[str, ...]
    phases: frozenset[Phase]


# in CLASSIFY agents work from the text alone, without tools
_OPEN_PHASES: Final = frozenset(Phase) - {Phase.CLASSIFY}
_SEED_IS_WRITTEN: Final = frozenset({Phase.SEED, Phase.VALIDATE, Phase.REFINE})

# fmt: off
TOOL_GRANTS: Final[Mapping[str, ToolGrant]] = {
    NEWTON:  ToolGrant(("evaluate", "dimensions", "look_up", "execute", "search_world"), _OPEN_PHASES),
    EULER:   ToolGrant(("evaluate", "dimensions", "execute", "search_world", "prove"),   _OPEN_PHASES),
    GALILEO: ToolGrant(("find_works", "find_benchmarks"),                                _OPEN_PHASES),
    ATHENA:  ToolGrant(("look_up", "evaluate", "check_record"),                          _SEED_IS_WRITTEN),
}
# fmt: on
NEED_A_RECORD: Final = frozenset({"execute", "search_world", "prove"})


def build_agent_tools(
    agent: str, phase: Phase, record: Mapping[str, object] | None, library: Library
) -> tuple[AgentTool, ...]:
    """Build the tools of an agent in a phase.

    `record` is the record in the view of the agent, or None if the agent may not see it.
    """
    grant = TOOL_GRANTS.get(agent)
    if grant is None or phase not in grant.phases:
        return ()
    # ATHENA computes with values that it passes, because the record does not exist yet
    workbench = RecordWorkbench(None if agent == ATHENA else record, library)
    makers: Mapping[str, Callable[[], Call]] = {
        "evaluate": lambda: ExpressionCalculator(workbench).evaluate,
        "dimensions": lambda: ExpressionCalculator(workbench).describe_dimension,
        "look_up": lambda: LibraryReference(library).look_up,
        "execute": lambda: PlanRunner(workbench).execute,
        "search_world": lambda: RecordJudge(workbench).search_world,
        "check_record": lambda: RecordJudge(workbench).check_record,
        "prove": lambda: ImpossibilityProver(workbench).prove,
        "find_works": lambda: find_works,
        "find_benchmarks": lambda: find_benchmarks,
    }
    return tuple(
        _build_tool(name, makers[name]())
        for name in grant.tools
        if record is not None or name not in NEED_A_RECORD
    )


def _build_tool(name: str, answer: Call) -> AgentTool:
    return AgentTool(name, getdoc(answer) or name, guard_tool_call(name, answer))
