"""Recorded runs: answers from a file, for demonstrations and for regression tests of prompts.

A recording is JSON: `{"brief": {...}, "answers": {"SEED/ATHENA/seed/1": {"returns": "SeedDocument", "reply":
{...}}}}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision
from impossible_moments.errors import ConfigurationError

LARGEST_FILE = 20_000_000


class RunRecording:
    """A brief and the recorded answers to its asks."""

    def __init__(self, name: str, brief: GenerationBrief, answers: Mapping[str, Mapping[str, Any]]) -> None:
        self.name = name
        self.brief = brief
        self._answers = answers

    @classmethod
    def load(cls, path: Path) -> RunRecording:
        """Load the recording of a file. Raise `ConfigurationError` if it cannot be read."""
        try:
            text = path.read_text(encoding="utf-8")[:LARGEST_FILE]
            data = json.loads(text)
            brief = GenerationBrief.model_validate(data["brief"])
            answers = dict(data["answers"])
        except OSError as problem:
            raise ConfigurationError(
                f"Cannot read the recording {path}: {(problem.strerror or '').lower()}."
            ) from None
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise ConfigurationError(
                f"{path.name} is not the recording of a run: {_describe_read_error(problem)}."
            ) from None
        return cls(path.name, brief, answers)

    def answer(self, ask: Ask) -> LabelledModel:
        """Return the recorded answer to an ask. Raise `ConfigurationError` if the recording has none."""
        found = self._answers.get(ask.key)
        if found is None:
            raise ConfigurationError(
                f"The recording {self.name} has no answer to the ask {ask.key}: it is the recording of another run."
            )
        try:
            return ask.returns.model_validate(found["reply"])
        except (ValidationError, KeyError, TypeError) as problem:
            raise ConfigurationError(
                f"The recording {self.name} has no readable answer to the ask {ask.key}: {_describe_read_error(problem)}."
            ) from None

    def get_human_decision(self, key: str) -> HumanDecision | None:
        """Return the recorded human decision on an ask, or None if the recording has none."""
        found = self._answers.get(key)
        try:
            return None if found is None else HumanDecision.model_validate(found["reply"])
        except (ValidationError, KeyError, TypeError) as problem:
            raise ConfigurationError(
                f"The recording {self.name} has no readable human decision on {key}: {_describe_read_error(problem)}."
            ) from None


def format_recording(brief: GenerationBrief, answers: Mapping[str, LabelledModel]) -> str:
    """Format a recording as JSON text. The same answers give the same bytes."""
    data = {
        "brief": brief.model_dump(mode="json"),
        "answers": {
            key: {"returns": type(reply).__name__, "reply": reply.model_dump(mode="json")}
            for key, reply in answers.items()
        },
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _describe_read_error(problem: Exception) -> str:
    if isinstance(problem, ValidationError):
        first = problem.errors()[0]
        reason = first["msg"].removeprefix("Value error, ")
        return f"at {'/'.join(map(str, first['loc']))}, {reason[:1].lower()}{reason[1:]}"
    return f"`{problem.args[0]}` is missing" if isinstance(problem, KeyError) else str(problem).rstrip(".")
