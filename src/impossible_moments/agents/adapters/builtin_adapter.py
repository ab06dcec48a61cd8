"""The built-in cast as an adapter: asks in, deliverables out."""

from __future__ import annotations

from importlib.metadata import version

from impossible_moments.agents.builtin.cast import Cast, builtin_cast
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.labels import Labelled

NAME = "builtin"


class BuiltinAdapter:
    """Programs in the five roles."""

    def __init__(self, cast: Cast | None = None) -> None:
        self.cast = cast or builtin_cast()
        self.model = f"{NAME}-{version('impossible-moments')}"

    def answer(self, ask: Ask) -> Labelled:
        """What the role hands in."""
        return self.cast.answer(ask)

    def admit(self, brief: GenerationBrief) -> None:
        """Raise where no blueprint can meet a brief."""
        self.cast.admit(brief)
