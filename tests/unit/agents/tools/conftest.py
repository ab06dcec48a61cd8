"""A toolbox for a test: the tools of an agent by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from impossible_moments.agents.tools.guard import Call
from impossible_moments.agents.tools.toolbox import tools_for
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.knowledge.everyday import everyday


@pytest.fixture
def box() -> Callable[..., Mapping[str, Call]]:
    def tools(
        agent: str, record: dict[str, Any] | None = None, phase: Phase = Phase.VALIDATE
    ) -> Mapping[str, Call]:
        return {tool.name: tool.call for tool in tools_for(agent, phase, record, everyday())}

    return tools
