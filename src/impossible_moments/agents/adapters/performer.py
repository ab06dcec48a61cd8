"""The port through which the driver asks agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.gates.gate_case import Reader
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel


@dataclass(frozen=True)
class PerformedAsk:
    """A reply with its usage, model and prompt version."""

    reply: LabelledModel
    usage: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    prompt_hash: str = ""


class Performer(Protocol):
    """Answers asks: the built-in cast, language models, a script or a mixture.

    An ask reaches its agent in at most three hops:

    1. The driver calls `perform` of its performer.
    2. A `RolePerformer` calls `perform` of the adapter that plays the agent. An adapter is itself a performer, so a
       cast with one adapter saves this hop.
    3. The adapter asks the agent: `BuiltinAdapter` the program, `LanguageModelAdapter` the model, and
       `ScriptedPerformer` the script or the recording.
    """

    @property
    def reader(self) -> Reader | None:
        """The reader that tries to solve public documents of this cast, or None if the cast has none."""
        ...

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise `UnreachableBrief` if this cast is known to be unable to meet the brief."""
        ...

    async def perform(self, ask: Ask) -> PerformedAsk:
        """Answer an ask to an agent."""
        ...

    async def close(self) -> None:
        """Close what was opened for the asks of this run. A later ask opens it again."""
        ...
