"""Requests to a hostile model, parsed from prompt and tools as a model would."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters

from support.model_double import KIND, ROLE, SCENE, SEED_KINDS

CONTEXT: Final = "CONTEXT (per context isolation policy for this phase):"
HEADINGS: Final = (
    "PHASE:",
    "SCENARIO_ID:",
    "YOUR ROLE:",
    CONTEXT,
    "YOUR TASK:",
    "OUTPUT FORMAT:",
    "CONSTRAINTS:",
)
_FENCED: Final = re.compile(r"^(?P<fence>`{3,})json\n(?P<data>.*?)\n(?P=fence)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Question:
    """One request to a model."""

    system: str
    user: str
    scenario: str
    phase: str
    role: str
    kind: str
    """Name of the wanted deliverable."""
    turn: int
    """Number of earlier answers in this dialogue."""
    schema: dict[str, Any]
    tools: Mapping[str, dict[str, Any]]
    """The schemas of the available tools, by name."""

    @property
    def asks_for_seed(self) -> bool:
        """Whether the deliverable becomes a seed document."""
        return self.kind in SEED_KINDS

    def create_random(self, seed: str) -> Random:
        """Return random numbers for this request alone, independent of parallel requests."""
        return Random(f"{seed}/{self.scenario}/{self.phase}/{self.role}/{self.kind}/{self.turn}")  # noqa: S311 - dice, not keys


def parse_question(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> Question:
    """Return the question of a request."""
    opening = messages[0]
    system, user = str(getattr(opening, "instructions", "")), str(getattr(opening.parts[0], "content", ""))
    scene, role, kind = SCENE.search(user), ROLE.search(system), KIND.search(user)
    assert scene is not None
    assert role is not None
    assert kind is not None
    return Question(
        system,
        user,
        scenario=scene[2],
        phase=scene[1],
        role=role[1],
        kind=kind[1],
        turn=sum(isinstance(each, ModelResponse) for each in messages),
        schema=parameters.output_tools[0].parameters_json_schema,
        tools={each.name: each.parameters_json_schema for each in parameters.function_tools},
    )


def split_prompt(user: str) -> tuple[str, str]:
    """Return the data of a prompt and the rest of it. A prompt has exactly one fence."""
    found = list(_FENCED.finditer(user))
    assert len(found) == 1, f"{len(found)} fences stand in a prompt that has one"
    return found[0]["data"], user[: found[0].start()] + user[found[0].end() :]
