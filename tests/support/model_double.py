"""A stand-in for a language model that knows its lines: it answers with what was handed in in an earlier run.

It reads the prompt as a model does, from the words alone, and hands in the recorded deliverable for that phase, role
and kind; so a whole scenario can be played through any protocol.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.llm.consultations import HAND_IN
from impossible_moments.llm.token_estimates import estimate_text_tokens
from impossible_moments.pipeline.ask_rounds import PerformedAsk
from impossible_moments.pipeline.performers import BuiltinPerformer
from impossible_moments.pipeline.pipeline import GenerationResult, Pipeline

SCENE = re.compile(r"^PHASE: (\w+)\nSCENARIO_ID: (\S+)", re.MULTILINE)
ROLE = re.compile(r"^# (\w+) System Prompt", re.MULTILINE)
KIND = re.compile(r"the deliverable, a (\w+)\.")


class Understudy:
    """The lines of recorded scenarios."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
        self._said: dict[tuple[str, ...], int] = defaultdict(int)

    def learn(self, ask: Ask, performed: PerformedAsk) -> None:
        """Take a line in."""
        given = ask.assignment
        key = (given.scenario_id, str(given.phase), ask.agent, ask.returns.__name__)
        self._lines[key].append(performed.reply.model_dump(mode="json"))

    def line_for(self, system: str, user: str) -> dict[str, Any]:
        """What is handed in for a prompt; the last line again where there are no more."""
        phase, scenario = SCENE.search(user).groups()  # type: ignore[union-attr]
        key = (scenario, phase, ROLE.search(system)[1], KIND.search(user)[1])  # type: ignore[index]
        lines = self._lines[key]
        self._said[key] += 1
        return lines[min(self._said[key], len(lines)) - 1]


class Rehearsal:
    """The built-in cast, with an understudy listening."""

    def __init__(self, understudy: Understudy) -> None:
        self._cast = BuiltinPerformer()
        self.reader = self._cast.reader
        self._understudy = understudy

    async def perform(self, ask: Ask) -> PerformedAsk:
        performed = await self._cast.perform(ask)
        self._understudy.learn(ask, performed)
        return performed


def rehearsed(
    briefs: Sequence[GenerationBrief], folder: Path
) -> tuple[Understudy, tuple[GenerationResult, ...]]:
    """An understudy that has heard these briefs played, and what came of them."""
    understudy = Understudy()
    played = Pipeline(output=folder, performer=Rehearsal(understudy)).generate_all(briefs)
    return understudy, played


def model_of(understudy: Understudy) -> FunctionModel:
    """The understudy as a model in this process."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        request = messages[0]
        user = str(request.parts[0].content)  # type: ignore[union-attr]
        line = understudy.line_for(str(info.instructions), user)
        usage = RequestUsage(input_tokens=estimate_text_tokens(user), output_tokens=500)
        return ModelResponse(parts=[ToolCallPart(HAND_IN, line)], usage=usage)

    return FunctionModel(answer)
