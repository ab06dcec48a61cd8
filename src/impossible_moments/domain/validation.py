"""Phase 2: the physics report, the mathematics report and the joint assessment."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.disputes import Breakthrough, Challenge, Veto

Physics = Annotated[str, ContentLabel.PHYSICS]
Mathematics = Annotated[str, ContentLabel.MATHEMATICS]
PhysicsList = Annotated[tuple[str, ...], ContentLabel.PHYSICS]
MathematicsList = Annotated[tuple[str, ...], ContentLabel.MATHEMATICS]
Joint = Annotated[str, ContentLabel.PHYSICS, ContentLabel.MATHEMATICS]
JointList = Annotated[tuple[str, ...], ContentLabel.PHYSICS, ContentLabel.MATHEMATICS]
Verdict: TypeAlias = Literal["VALID", "INVALID"]
Feasibility: TypeAlias = Literal["VALID", "VALID-WITH-CONCERNS", "INVALID"]
JointStatus: TypeAlias = Literal["VALIDATED", "NEEDS-REVISION", "VETOED"]


class ClaimVerdict(LabelledModel):
    """NEWTON's verdict on a flagged claim."""

    claim_id: Physics
    verdict: Annotated[Verdict, ContentLabel.PHYSICS]
    reasoning: Physics


class MaterialCheck(LabelledModel):
    """A comparison of the properties of one object with the real world."""

    thing: Physics
    holds: Annotated[bool, ContentLabel.PHYSICS]
    remark: Physics


class Correction(LabelledModel):
    """A change that an agent demands. It reaches the author of the criticised work word for word."""

    subject: Annotated[str, ContentLabel.REVISION] = ""
    """What must change: a name from `subjects` in the context (C1 a claim, S1 a step, I1 an insight, a distractor, a thing,
    a field), or a quantity such as `plank.mass`. One subject for each correction."""
    problem: Annotated[str, ContentLabel.REVISION]
    evidence: Annotated[str, ContentLabel.REVISION] = ""
    """The numbers compared, with their source."""
    proposal: Annotated[str, ContentLabel.REVISION] = ""
    """A change that would suffice, with its value where one can be computed."""

    def __str__(self) -> str:
        where = f"{self.subject}: " if self.subject else ""
        return " ".join(filter(None, (f"{where}{self.problem}", self.evidence, self.proposal)))


class PhysicsReport(LabelledModel):
    """Part 1 of the validation report: physics."""

    claims: tuple[ClaimVerdict, ...]
    material_properties: tuple[MaterialCheck, ...] = ()
    force_and_motion: PhysicsList = ()
    environment: PhysicsList = ()
    threat_model: PhysicsList = ()
    feasibility: Annotated[Feasibility, ContentLabel.PHYSICS]
    key_finding: Physics = ""
    """The physical fact on which the feasibility turns, with its numbers."""
    concerns: PhysicsList = ()
    corrections_needed: Annotated[tuple[Correction, ...], ContentLabel.PHYSICS] = ()
    edge_cases: PhysicsList = ()
    alternative_paths: PhysicsList = ()
    mirage_convincing: Physics = ""
    challenges: tuple[Challenge, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    breakthrough: Breakthrough | None = None
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.VALIDATOR_CONFIDENCE]


class TimingRow(LabelledModel):
    """A step with its time and the basis of that time."""

    step: Mathematics
    seconds: Annotated[float, ContentLabel.MATHEMATICS]
    basis: Mathematics


class Sensitivity(LabelledModel):
    """The effect of changing one quantity."""

    quantity: Mathematics
    breaks: Annotated[bool, ContentLabel.MATHEMATICS]
    how: Mathematics


class MathematicsReport(LabelledModel):
    """Part 2 of the validation report: mathematics."""

    claims: tuple[ClaimCalculation, ...] = ()
    timing_budget: tuple[TimingRow, ...] = ()
    deadline_seconds: Annotated[float | None, ContentLabel.MATHEMATICS] = None
    margin: Annotated[float | None, ContentLabel.MATHEMATICS] = None
    """Remaining time as a share of the deadline."""
    calculations: MathematicsList = ()
    dimensional_analysis: Annotated[Literal["CONSISTENT", "ERRORS-FOUND"], ContentLabel.MATHEMATICS]
    sensitivity: tuple[Sensitivity, ...] = ()
    fragile: Annotated[bool, ContentLabel.MATHEMATICS] = False
    optimization: Mathematics = ""
    impossibility_proof: Mathematics = ""
    edge_cases: MathematicsList = ()
    corrections_needed: Annotated[tuple[Correction, ...], ContentLabel.MATHEMATICS] = ()
    parameter_adjustments: MathematicsList = ()
    alternative_paths: MathematicsList = ()
    mirage_convincing: Mathematics = ""
    challenges: tuple[Challenge, ...] = ()
    vetoes: tuple[Veto, ...] = ()
    breakthrough: Breakthrough | None = None
    escalation: Annotated[str | None, ContentLabel.REVISION] = None
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.VALIDATOR_CONFIDENCE]


class ClaimCalculation(LabelledModel):
    """EULER's calculation for a flagged claim."""

    claim_id: Mathematics
    verdict: Annotated[Verdict, ContentLabel.MATHEMATICS]
    calculation: Mathematics


class FeasibilityCheck(LabelledModel):
    """A validator's answers to part 4, given when it has read both reports."""

    alternative_paths: JointList = ()
    """Ways to the goal that the record does not declare. ATHENA must add each to the record or close it by a fact."""
    mirage_convincing: Joint
    disagreements: JointList = ()
    """Where the two reports contradict each other. The joint assessment lists them as open; they change nothing."""
    corrections_needed: Annotated[tuple[Correction, ...], ContentLabel.PHYSICS, ContentLabel.MATHEMATICS] = ()
    """Changes that follow from both reports together. Each returns the scenario to ATHENA word for word as a demand."""
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.VALIDATOR_CONFIDENCE]


class JointAssessment(LabelledModel):
    """Parts 3 and 4: computed by fixed rules from both reports, the mechanics and the vetoes.

    It contains text of both reports, so it has both labels.
    """

    status: Annotated[JointStatus, ContentLabel.PHYSICS, ContentLabel.MATHEMATICS]
    changes_required: JointList = ()
    violated: JointList = ()
    edge_cases: JointList = ()
    parameter_adjustments: JointList = ()
    unique: Joint = ""
    alternative_paths: JointList = ()
    mirage_convincing: JointList = ()
    open_points: JointList = ()
    """Concerns and disagreements of the validators that no demand covers. ATHENA answers them in its memo."""
    computed_status: Joint = ""
    computed_reason: Joint = ""
    """What was found when the record was executed and searched, from which the computed status follows."""
    computed_findings: JointList = ()


MathematicsReport.model_rebuild()
