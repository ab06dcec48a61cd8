"""The example record as a seed document: its prose and tables printed by the mechanics, the rest as ATHENA would write it."""

from __future__ import annotations

from functools import cache
from typing import Final

from impossible_moments.domain.seed import (
    CapabilityRow,
    ConceptSummary,
    Distractor,
    EnvironmentRow,
    ImpossibilityMirage,
    Insight,
    ObjectRow,
    PhysicalClaim,
    ScenarioNarrative,
    SeedDocument,
    SketchStep,
    SolutionSketch,
    WrongAnswer,
)
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from impossible_moments.mechanics.prose import render_prose
from impossible_moments.mechanics.prose.placeholders import render_piece
from impossible_moments.mechanics.prose.template import parse_template
from support.golden_records import document, golden_report

RECORD: Final = "blast_room"
STEPS: Final = (
    "Break the pane with the chair.",
    "Shove the table under the window.",
    "Climb from the table through the window and run.",
)


def shown(template: str) -> str:
    """A text with the record's values printed in it, by the mechanics' own printing."""
    tie = golden_report(RECORD).tie
    assert tie is not None
    return "".join(render_piece(piece, tie) for piece in parse_template(template))


@cache
def accepted_seed() -> SeedDocument:
    """A seed document that the SEED gate accepts."""
    report = golden_report(RECORD)
    assert report.record is not None
    assert report.tie is not None
    return SeedDocument(
        concept_summary=ConceptSummary(
            concept="A bomb, a high window, and furniture that is not what it looks like.",
            category="The Locked Room",
            difficulty_tier="FRACTURE",
            why_it_matters="It asks for objects to be seen by their properties while a clock runs.",
        ),
        impossibility_mirage=ImpossibilityMirage(
            looks_impossible="The door is bolted, the walls are concrete, and the window is above any jump.",
            excluded_by_model="A table is seen as a shield and not as height.",
        ),
        insight_chain=(
            Insight(text="A table is not a shield but height.", fixedness_type="functional fixedness"),
            Insight(
                text="A chair is a hammer with handles.",
                fixedness_type="functional fixedness",
                depends_on=(1,),
            ),
        ),
        solution_sketch=_sketch(),
        distractor_inventory=(
            Distractor(
                name="a banana",
                canonical_affordance="eating",
                why_it_misleads="It is the only soft thing in the room and lies on the table.",
                why_irrelevant="It is too light to strike with and too low to stand on.",
                strength="weak",
            ),
        ),
        scenario=_scenario(render_prose(report.record.prose, report.tie)["narrative"]),
        open_questions=("Does the chair's blow break the pane?",),
        candidates=("A bomb in a bare room.", "A flooding lift shaft.", "A freezer that will not open."),
        mechanics=document(RECORD),
        wrong_answers=(
            WrongAnswer(
                answer="Jump for the broken window.", why_wrong="Reach and jump together stay below the sill."
            ),
            WrongAnswer(
                answer="Crouch behind the table.", why_wrong="The pressure kills behind a table as well."
            ),
        ),
        correct_outcome="ESCAPE",
        category_match="An enclosed space, a running clock and things to be seen anew.",
    )


def _scenario(narrative: str) -> ScenarioNarrative:
    # fmt: off
    return ScenarioNarrative(
        name="The Blast Room",
        narrative=narrative,
        environment=(
            EnvironmentRow(feature="Room", specification=shown("{side|m} square, bare concrete")),
            EnvironmentRow(feature="Window", specification=shown("lower edge {window.sill|m} up, {window.clear|m} square, withstands {window.withstands|J}")),
        ),
        threat=shown("A bomb with {fuse|s} on its display; {overpressure|kPa} at zero."),
        position=shown("The south-east corner, {diagonal|m} from the window."),
        objects=(
            ObjectRow(name="an oak table", mass=shown("{table.mass|kg}"), dimensions=shown("{table.height|m} high"), material="oak", notes=shown("bears {table.bears|kg}")),
            ObjectRow(name="a steel folding chair", mass=shown("{chair.mass|kg}"), dimensions=shown("{chair.height|m} high"), material="steel", notes="folds under any load"),
            ObjectRow(name="a banana", mass=shown("{banana.mass|kg}"), dimensions=shown("{banana.height|m} thick"), material="fruit", notes="ripe"),
        ),
        capabilities=(
            CapabilityRow(parameter="Mass", value=shown("{you.mass|kg}")),
            CapabilityRow(parameter="Standing reach", value=shown("{you.reach|m}")),
            CapabilityRow(parameter="Jump", value=shown("{you.jump|m}")),
            CapabilityRow(parameter="Running speed", value=shown("{you.run|m/s}")),
            CapabilityRow(parameter="Width across the shoulders", value=shown("{you.width|m}")),
        ),
    )
    # fmt: on


def _sketch() -> SolutionSketch:
    # fmt: off
    return SolutionSketch(
        steps=tuple(
            SketchStep(action=action, seconds=step.took, call=step.call)
            for action, step in zip(STEPS, outcome().steps, strict=True)
        ),
        claims=(
            PhysicalClaim(claim_id="C1", text="The chair breaks the pane.", expression="chair.blow >= window.withstands"),
            PhysicalClaim(claim_id="C2", text="From the table the sill is in reach.", expression="you.reach + table.height >= window.sill"),
            PhysicalClaim(claim_id="C3", text="A person can pull themself over the ledge."),
        ),
        confidence=0.85,
    )
    # fmt: on


@cache
def outcome() -> PlanOutcome:
    """How the record's one way goes."""
    report = golden_report(RECORD)
    assert report.analysis is not None
    return report.analysis.outcomes["table_and_chair"]
