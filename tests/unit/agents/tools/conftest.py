"""A toolbox for a test: the tools of an agent by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools.call_guard import Call
from impossible_moments.agents.tools.toolbox import build_agent_tools
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.library.everyday_library import load_everyday_library


@pytest.fixture
def box() -> Callable[..., Mapping[str, Call]]:
    def tools(
        agent: str, record: dict[str, Any] | None = None, phase: Phase = Phase.VALIDATE
    ) -> Mapping[str, Call]:
        return {
            tool.name: tool.call for tool in build_agent_tools(agent, phase, record, load_everyday_library())
        }

    return tools
