"""The honest lines that hostile models twist: what the built-in cast handed in for the same briefs."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.usage import RequestUsage

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.llm.consultations import HAND_IN
from impossible_moments.pipeline.pipeline import Pipeline
from support.model_double import Rehearsal, Understudy
from support.nonsense.instances import instance_of
from support.nonsense.questions import Question

BRIEFS: Final = tuple(
    GenerationBrief.model_validate(
        {
            "category": category,
            "solution_status": status,
            "difficulty_tier": "FRACTURE",
            "scenario_id": f"IM-000{at}",
        }
    )
    for at, (category, status) in enumerate(
        (
            ("The Locked Room", "KS"),
            ("The Invisible Wall", "CT"),
            ("The Locked Room", "PX"),
            ("The Misdirection", "DG"),
        ),
        1,
    )
)
"""What is played: four stories of four statuses, each under its own number."""


class Prompter(Understudy):
    """An understudy that also has something to say where the rehearsal was never asked."""

    def honest(self, question: Question) -> dict[str, Any]:
        """The honest line; nonsense of the right form where there is none. It may be changed."""
        phases = (question.phase, *map(str, Phase))
        keys = ((question.scenario, phase, question.role, question.kind) for phase in phases)
        lines = next((found for key in keys if (found := self._lines.get(key))), None)
        if lines is None:
            made: dict[str, Any] = instance_of(question.schema, question.stream("unrehearsed"))
            return made
        return deepcopy(lines[-1])


def prompter(folder: Path, briefs: Sequence[GenerationBrief] = BRIEFS) -> Prompter:
    """A prompter that has heard the briefs played by the built-in cast."""
    heard = Prompter()
    Pipeline(output=folder, performer=Rehearsal(heard)).generate_all(briefs)
    return heard


def handing_in(deliverable: object) -> ModelResponse:
    """The response that hands something in, at a modest price."""
    usage = RequestUsage(input_tokens=1_000, output_tokens=300)
    return ModelResponse(parts=[ToolCallPart(HAND_IN, deliverable)], usage=usage)  # type: ignore[arg-type]
