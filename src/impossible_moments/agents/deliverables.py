"""The deliverables by name, and their published JSON Schemas with a version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from pydantic import BaseModel, ConfigDict

from impossible_moments.domain.additional_agent_reports import FURTHER_REPORTS, FurtherReport
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Ballot,
    Breakthrough,
    BreakthroughReview,
    Challenge,
    ChallengeResponse,
    HumanDecision,
    Veto,
    VetoReview,
)
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.message import Message
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    RefinementBallot,
    RefinementRevote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.seed_revision import SeedProposal, SeedRevision
from impossible_moments.domain.validation import (
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)

VERSION: Final = "1.0"
"""Specification 8.5: a breaking change increments the major version; earlier versions are kept."""
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_PACKAGED: Final = "agents/schemas"


class ValidationReport(BaseModel):
    """The joint report of phase 2: NEWTON's part, EULER's part, and what follows from both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    physics: PhysicsReport
    mathematics: MathematicsReport
    joint: JointAssessment


# fmt: off
PUBLISHED: Final[Mapping[str, type[BaseModel]]] = {
    # specification 8.1
    "message":                 Message,
    "seed_document":           SeedDocument,
    "seed_proposal":           SeedProposal,
    "seed_revision":           SeedRevision,
    "validation_report":       ValidationReport,
    "grounding_report":        GroundingReport,
    "classification_report":   ClassificationReport,
    "agent_trace":             AgentTrace,
    # other deliverables and briefs
    "generation_brief":        GenerationBrief,
    "informed_classification": InformedClassification,
    "review_memo":             ReviewMemo,
    "refinement_ballot":       RefinementBallot,
    "refinement_revote":       RefinementRevote,
    "feasibility_check":       FeasibilityCheck,
    "further_report":          FurtherReport,
    # specification, section 4
    "challenge":               Challenge,
    "challenge_response":      ChallengeResponse,
    "ballot":                  Ballot,
    "veto":                    Veto,
    "veto_review":             VetoReview,
    "breakthrough":            Breakthrough,
    "breakthrough_review":     BreakthroughReview,
    "human_decision":          HumanDecision,
}
# fmt: on

_PARTS: Final[tuple[type[BaseModel], ...]] = (
    PhysicsReport,
    MathematicsReport,
    JointAssessment,
    CalibrationVote,
    DistractorReview,
    StatusVote,
    DesignVote,
    ReadinessVote,
    *FURTHER_REPORTS.values(),
)
DELIVERABLES: Final[Mapping[str, type[LabelledModel]]] = {
    model.__name__: model
    for model in (*_PARTS, *PUBLISHED.values())
    if issubclass(model, LabelledModel) and model not in {GenerationBrief, SeedProposal, SeedRevision}
}
"""Deliverables by class name: the `document` of a section and the `returns` of an assignment.

A model hands in a proposal or a revision of a seed document, and both become a seed document.
"""


def render_schemas() -> dict[str, str]:
    """Return the current schemas as JSON text, by the path under which each is published."""
    return {
        f"v{VERSION}/{name}.schema.json": _render_schema(f"v{VERSION}/{name}.schema.json", model)
        for name, model in PUBLISHED.items()
    }


def load_earlier_schemas() -> dict[str, str]:
    """Load the published schemas of earlier versions, by path."""
    folder = files("impossible_moments").joinpath(_PACKAGED)
    versions = sorted((each for each in folder.iterdir() if each.is_dir()), key=lambda each: each.name)
    return {
        f"{version.name}/{schema.name}": schema.read_text(encoding="utf-8")
        for version in versions
        if version.name != f"v{VERSION}"
        for schema in sorted(version.iterdir(), key=lambda each: each.name)
        if schema.name.endswith(".schema.json")
    }


def _render_schema(path: str, model: type[BaseModel]) -> str:
    schema = {"$schema": DIALECT, "$id": path, **model.model_json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
