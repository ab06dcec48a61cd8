"""A recorded cast: answers from a file, for demonstrations and for the regression of prompts.

A recording is JSON: `{"brief": {...}, "answers": {"SEED/ATHENA/seed/1": {"returns": "SeedDocument", "reply": {...}}}}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.disputes import HumanDecision
from impossible_moments.domain.labels import Labelled
from impossible_moments.errors import ConfigurationError

LARGEST = 20_000_000


class Recording:
    """A brief and the answers that were given to its asks."""

    def __init__(self, name: str, brief: GenerationBrief, answers: Mapping[str, Mapping[str, Any]]) -> None:
        self.name = name
        self.brief = brief
        self._answers = answers

    @classmethod
    def read(cls, path: Path) -> Recording:
        """The recording of a file, or a `ConfigurationError`."""
        try:
            text = path.read_text(encoding="utf-8")[:LARGEST]
            data = json.loads(text)
            brief = GenerationBrief.model_validate(data["brief"])
            answers = dict(data["answers"])
        except OSError as problem:
            raise ConfigurationError(f"{path} cannot be read: {(problem.strerror or '').lower()}.") from None
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise ConfigurationError(f"{path.name} is no recording of a run: {_said(problem)}.") from None
        return cls(path.name, brief, answers)

    def answer(self, ask: Ask) -> Labelled:
        """What was answered to an ask; a recording of another run has no answer and says so."""
        found = self._answers.get(ask.key)
        if found is None:
            raise ConfigurationError(f"{self.name} has no answer to {ask.key}: it records another run.")
        try:
            return ask.returns.model_validate(found["reply"])
        except (ValidationError, KeyError, TypeError) as problem:
            raise ConfigurationError(
                f"{self.name}: the answer to {ask.key} cannot be read: {_said(problem)}."
            ) from None

    def decision(self, key: str) -> HumanDecision | None:
        """What a human decided when an ask was put to one; None where the recording has none."""
        found = self._answers.get(key)
        try:
            return None if found is None else HumanDecision.model_validate(found["reply"])
        except (ValidationError, KeyError, TypeError) as problem:
            raise ConfigurationError(
                f"{self.name}: the decision on {key} cannot be read: {_said(problem)}."
            ) from None


def recorded(brief: GenerationBrief, answers: Mapping[str, Labelled]) -> str:
    """A recording as text: the same answers give the same bytes."""
    data = {
        "brief": brief.model_dump(mode="json"),
        "answers": {
            key: {"returns": type(reply).__name__, "reply": reply.model_dump(mode="json")}
            for key, reply in answers.items()
        },
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _said(problem: Exception) -> str:
    if isinstance(problem, ValidationError):
        first = problem.errors()[0]
        return f"at {'/'.join(map(str, first['loc']))}, {first['msg'].lower()}"
    return f"`{problem.args[0]}` is missing" if isinstance(problem, KeyError) else str(problem).rstrip(".")
