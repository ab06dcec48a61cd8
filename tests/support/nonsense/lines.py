"""The honest answers that hostile models change: the deliverables of the built-in cast for the same briefs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.usage import RequestUsage

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.pipeline.pipeline import Pipeline
from support.model_double import (
    RecordedModel,
    RecordingPerformer,
    propose_difficulty,
    write_revision,
)
from support.nonsense.instances import draw_instance
from support.nonsense.questions import Question

_POINT: Final = re.compile(r'"point":\s?"([A-Z]\d+)"')
BRIEFS: Final = tuple(
    GenerationBrief.model_validate(
        {
            "category": category,
            "solution_status": status,
            "difficulty_tier": "SPARK" if status == "DG" else "FRACTURE",
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
"""The briefs: four scenarios of four statuses, each with its own number."""


class HonestModel(RecordedModel):
    """A recorded model that also answers asks which were not recorded."""

    def build_honest_answer(self, question: Question) -> dict[str, Any]:
        """Return the recorded answer, or a random valid one if there is none. It may be changed.

        If a seed is asked for, it is the whole seed document, see `phrase_seed`.
        """
        phases = (question.phase, *map(str, Phase))
        kind = "SeedDocument" if question.asks_for_seed else question.kind
        keys = ((question.scenario, phase, question.role, kind) for phase in phases)
        lines = next((found for key in keys if (found := self._lines.get(key))), None)
        if lines is None:
            made: dict[str, Any] = draw_instance(question.schema, question.create_random("unrehearsed"))
            return made
        return _answer_open_points(deepcopy(lines[-1]), question)


def _answer_open_points(line: dict[str, Any], question: Question) -> dict[str, Any]:
    """Return an answer that also answers the points which the recorded run did not have."""
    if "answers" not in line:
        return line
    known = {each["point"] for each in line["answers"]}
    added = [
        {"point": point, "answer": "declined", "reason": "The text stays as it is."}
        for point in dict.fromkeys(_POINT.findall(question.user))
        if point not in known
    ]
    return {**line, "answers": [*line["answers"], *added]}


def record_honest_model(folder: Path, briefs: Sequence[GenerationBrief] = BRIEFS) -> HonestModel:
    """Record the answers of the built-in cast to the briefs."""
    heard = HonestModel()
    Pipeline(output=folder, performer=RecordingPerformer(heard)).generate_all(briefs)
    return heard


def phrase_seed(seed: dict[str, Any], question: Question) -> dict[str, Any]:
    """Return a seed document in the form that is asked for, other deliverables as they are."""
    match question.kind:
        case "SeedProposal":
            return {**seed, **propose_difficulty(question.user)}
        case "SeedRevision":
            return write_revision(seed) if "mechanics" in seed else seed
        case _:
            return seed


def build_response(deliverable: object) -> ModelResponse:
    """Build a response that hands in a deliverable, with moderate usage."""
    usage = RequestUsage(input_tokens=4_000, output_tokens=300)
    return ModelResponse(parts=[ToolCallPart(HAND_IN, deliverable)], usage=usage)  # type: ignore[arg-type]
