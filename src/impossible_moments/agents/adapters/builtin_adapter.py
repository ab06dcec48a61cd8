"""The adapter that answers asks with the built-in cast."""

from __future__ import annotations

from importlib.metadata import version

from impossible_moments.agents.builtin.cast import BuiltinCast, load_builtin_cast
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel

NAME = "builtin"


class BuiltinAdapter:
    """Adapter that answers asks with the programs of the built-in cast."""

    def __init__(self, cast: BuiltinCast | None = None) -> None:
        self.cast = cast or load_builtin_cast()
        self.model = f"{NAME}-{version('impossible-moments')}"

    def answer(self, ask: Ask) -> LabelledModel:
        """Return the deliverable of the agent that is asked."""
        return self.cast.answer(ask)

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise `UnreachableBrief` if no blueprint can satisfy the brief."""
        self.cast.require_feasible_brief(brief)
