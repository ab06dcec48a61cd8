"""A language model that answers with the deliverables of an earlier run.

It reads the prompt as a model does and hands in the recorded deliverable for that phase, role and kind. A whole
scenario can therefore be run through any protocol.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from impossible_moments.agents.adapters.builtin_adapter import BuiltinAdapter
from impossible_moments.agents.adapters.performer import PerformedAsk
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.difficulty_tiers import BOUNDS
from impossible_moments.domain.refinement import RefinementRevote
from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.llm.token_estimates import estimate_text_tokens
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.publishing.generation_results import GenerationResult

SCENE = re.compile(r"^PHASE: (\w+)\nSCENARIO_ID: (\S+)", re.MULTILINE)
ROLE = re.compile(r"^# (\w+) System Prompt", re.MULTILINE)
TIER = re.compile(r'"difficulty_tier":\s?"(\w+)"')
KIND = re.compile(r"fields of the deliverable: (\w+)\.")


SEED_KINDS = frozenset({"SeedDocument", "SeedProposal", "SeedRevision"})
"""Deliverables that become a seed document."""
RECORDED_KINDS = {"RefinementRevote": "RefinementBallot"}
"""Deliverables that are recorded as what they become."""


class RecordedModel:
    """The deliverables of recorded scenarios."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
        self._said: dict[tuple[str, ...], int] = defaultdict(int)

    def record(self, ask: Ask, performed: PerformedAsk) -> None:
        """Record the answer to an ask."""
        given = ask.assignment
        key = (given.scenario_id, str(given.phase), ask.agent, ask.returns.__name__)
        self._lines[key].append(performed.reply.model_dump(mode="json"))

    def find_recorded_answer(self, system: str, user: str) -> dict[str, Any]:
        """Return the recorded deliverable for a prompt; after the last one, the last one again."""
        phase, scenario = SCENE.search(user).groups()  # type: ignore[union-attr]
        kind = KIND.search(user)[1]  # type: ignore[index]
        recorded = "SeedDocument" if kind in SEED_KINDS else RECORDED_KINDS.get(kind, kind)
        key = (scenario, phase, ROLE.search(system)[1], recorded)  # type: ignore[index]
        lines = self._lines[key]
        self._said[key] += 1
        line = lines[min(self._said[key], len(lines)) - 1]
        match kind:
            case "SeedProposal":
                return {**line, **propose_difficulty(user)}
            case "SeedRevision":
                return write_revision(line)
            case "RefinementRevote":
                return {name: line[name] for name in RefinementRevote.model_fields}
            case _:
                return line


def propose_difficulty(user: str) -> dict[str, Any]:
    """Return a profile in the tier that the brief in a prompt asks for."""
    found = TIER.search(user)
    wanted = found[1] if found else "SPARK"
    bounds = next((each for tier, each in BOUNDS.items() if tier == wanted), ((5, 5),) * 6)
    profile = {letter: low for letter, (low, _) in zip("IDCBTX", bounds, strict=True)}
    return {"profile": profile, "profile_reasons": dict.fromkeys(profile, "as the brief asks")}


def write_revision(seed: dict[str, Any]) -> dict[str, Any]:
    """Return the revision that replaces every part of the last seed document by the one of another."""
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in seed.items()]
    return {"operations": operations, "confidence": seed["solution_sketch"]["confidence"]}


class RecordingPerformer(BuiltinAdapter):
    """The built-in cast, whose answers are recorded."""

    def __init__(self, understudy: RecordedModel) -> None:
        super().__init__()
        self._understudy = understudy

    async def perform(self, ask: Ask) -> PerformedAsk:
        performed = await super().perform(ask)
        self._understudy.record(ask, performed)
        return performed


def record_scenarios(
    briefs: Sequence[GenerationBrief], folder: Path
) -> tuple[RecordedModel, tuple[GenerationResult, ...]]:
    """Record a run of these briefs; return the recorded model and the results."""
    understudy = RecordedModel()
    played = Pipeline(output=folder, performer=RecordingPerformer(understudy)).generate_all(briefs)
    return understudy, played


def build_function_model(understudy: RecordedModel) -> FunctionModel:
    """Return the recorded answers as a model in this process."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        request = messages[0]
        user = str(request.parts[0].content)  # type: ignore[union-attr]
        line = understudy.find_recorded_answer(str(info.instructions), user)
        usage = RequestUsage(input_tokens=estimate_text_tokens(user), output_tokens=500)
        return ModelResponse(parts=[ToolCallPart(HAND_IN, line)], usage=usage)

    return FunctionModel(answer)
