"""Phase 1: the seed document of ATHENA, with its seven parts and the mechanics record."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.vocabulary import Category, Strength, Tier

Narrative = Annotated[str, ContentLabel.NARRATIVE]
Appearance = Annotated[str, ContentLabel.APPEARANCE]
"""Public text that gives the answer away to a blind reader, so that SOCRATES does not read it in CLASSIFY."""
Solution = Annotated[str, ContentLabel.SOLUTION]
Confidence = Annotated[float, Field(ge=0.0, le=1.0)]


class ConceptSummary(LabelledModel):
    """Part 1: the concept."""

    concept: Solution
    category: Annotated[Category, ContentLabel.SOLUTION]
    difficulty_tier: Annotated[Tier, ContentLabel.SOLUTION]
    why_it_matters: Solution


class ImpossibilityMirage(LabelledModel):
    """Part 2: why the situation looks impossible, which is public, and what this picture excludes, which is not."""

    looks_impossible: Appearance
    excluded_by_model: Solution


class Insight(LabelledModel):
    """One insight of part 3, the insight chain."""

    text: Solution
    fixedness_type: Solution
    depends_on: Annotated[tuple[int, ...], ContentLabel.SOLUTION] = ()
    """Numbers of the insights it depends on, counted from 1."""
    domain: Solution = ""
    """Field of knowledge that the insight comes from."""


class SketchStep(LabelledModel):
    """One step of the unvalidated solution."""

    action: Solution
    seconds: Annotated[float | None, ContentLabel.SOLUTION] = None
    call: Solution = ""
    """The step as a call in the mechanics, if it is one."""


class PhysicalClaim(LabelledModel):
    """A claim that NEWTON and EULER must judge."""

    claim_id: Annotated[str, ContentLabel.SOLUTION] = Field(pattern=r"^[A-Za-z0-9_.-]{1,40}$")
    text: Solution
    expression: Solution = ""
    """The claim in the expression language of the mechanics, if it can be computed."""
    step: Annotated[int | None, ContentLabel.SOLUTION] = None
    """The step of the sketch, counted from 1, before which the claim is to hold. None: from the start."""


class SolutionSketch(LabelledModel):
    """Part 4: the solution sketch."""

    steps: tuple[SketchStep, ...] = ()
    claims: tuple[PhysicalClaim, ...] = ()
    impossibility_proof: Solution = ""
    evaluation_criteria: Annotated[tuple[str, ...], ContentLabel.SOLUTION] = ()
    confidence: Annotated[float, Field(ge=0.0, le=1.0), ContentLabel.ATHENA_CONFIDENCE]


class Distractor(LabelledModel):
    """One entry of part 5, the distractor inventory."""

    name: Solution
    canonical_affordance: Solution
    why_it_misleads: Solution
    why_irrelevant: Solution
    strength: Annotated[Strength, ContentLabel.SOLUTION]


class ObjectRow(LabelledModel):
    """A row of the object table."""

    name: Narrative
    mass: Narrative
    dimensions: Narrative
    material: Narrative
    notes: Narrative = ""


NO_BODILY_LIMIT: Final = ("Bodily limits", "none beyond what the tables above state")
"""The row of a scenario in which plans read no figure of the person beyond what other tables state."""


class CapabilityRow(LabelledModel):
    """A row of the capability table."""

    parameter: Narrative
    value: Narrative


class EnvironmentRow(LabelledModel):
    """A row of the environment table."""

    feature: Narrative
    specification: Narrative


class ScenarioNarrative(LabelledModel):
    """Part 6: the scenario as a solver reads it."""

    name: Appearance
    narrative: Narrative
    environment: tuple[EnvironmentRow, ...]
    threat: Narrative
    position: Narrative
    objects: tuple[ObjectRow, ...]
    capabilities: tuple[CapabilityRow, ...] = ()


class WrongAnswer(LabelledModel):
    """An answer that fails, and why."""

    answer: Solution
    why_wrong: Solution
    approach: Solution = ""
    """The approach of the record that the answer follows, or nothing."""


class ConstraintSet(LabelledModel):
    """Step 2 of the design: the constraints of a candidate situation."""

    looks_impossible: Solution
    """What makes it look impossible."""
    reconceived: Solution
    """The familiar thing that must be seen differently, or the rule that must."""
    pruned_by: Solution
    """The time or resource that removes the other approaches."""


class Candidate(LabelledModel):
    """A situation that was considered, in one sentence, with its constraints."""

    situation: Solution
    constraints: ConstraintSet


class SeedDocument(LabelledModel):
    """ATHENA's phase 1 output."""

    concept_summary: ConceptSummary
    impossibility_mirage: ImpossibilityMirage
    insight_chain: tuple[Insight, ...]
    solution_sketch: SolutionSketch
    distractor_inventory: tuple[Distractor, ...]
    scenario: ScenarioNarrative
    open_questions: Annotated[tuple[str, ...], ContentLabel.SOLUTION] = ()
    candidates: tuple[Candidate, ...] = ()
    """The three to five situations that were considered, the chosen one included."""
    mechanics: Annotated[dict[str, Any], ContentLabel.SOLUTION]
    """The mechanics record, from which everything else is computed."""
    wrong_answers: tuple[WrongAnswer, ...] = ()
    correct_outcome: Solution
    category_match: Solution
    """ATHENA's explanation of why the scenario fits its category."""
    revision_notes: Annotated[tuple[str, ...], ContentLabel.SOLUTION] = ()
    """Each demand of a revision, word for word, and what was changed to meet it."""
    drawn_as: Solution = ""
    """The catalogue entry and the draws behind a design of the built-in designer. Empty for other designs."""

    @property
    def confidence(self) -> float:
        """ATHENA's confidence in its solution sketch."""
        return self.solution_sketch.confidence
