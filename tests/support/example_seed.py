"""The example record as a seed document: prose and tables rendered by the mechanics, the rest as ATHENA would write it."""

from __future__ import annotations

from functools import cache
from typing import Final

from impossible_moments.domain.seed import (
    Candidate,
    CapabilityRow,
    ConceptSummary,
    ConstraintSet,
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
from support.golden_records import check_golden_record, load_golden_document

RECORD: Final = "blast_room"
STEPS: Final = (
    "Break the window with the chair.",
    "Shove the table under the window.",
    "Climb from the table through the window and run.",
)


def render_values(template: str) -> str:
    """Return a text with the record's values filled in by the mechanics."""
    tie = check_golden_record(RECORD).tie
    assert tie is not None
    return "".join(render_piece(piece, tie) for piece in parse_template(template))


@cache
def build_accepted_seed() -> SeedDocument:
    """Return a seed document that the SEED gate accepts."""
    report = check_golden_record(RECORD)
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
        solution_sketch=_build_sketch(),
        distractor_inventory=(
            Distractor(
                name="a banana",
                canonical_affordance="eating",
                why_it_misleads="It is the only soft thing in the room and lies on the table.",
                why_irrelevant="It is too light to strike with and too low to stand on.",
                strength="weak",
            ),
        ),
        scenario=_build_scenario(render_prose(report.record.prose, report.tie)["narrative"]),
        open_questions=("Does the chair's blow break the pane?",),
        candidates=tuple(
            Candidate(
                situation=situation,
                constraints=ConstraintSet(
                    looks_impossible="Nothing in sight leads out.", reconceived=thing, pruned_by="The clock."
                ),
            )
            for situation, thing in (
                ("A bomb in a bare room.", "The chair is a weight."),
                ("A flooding lift shaft.", "The car antenna is a lever."),
                ("A freezer that will not open.", "The foil is a mirror."),
            )
        ),
        mechanics=load_golden_document(RECORD),
        wrong_answers=(
            WrongAnswer(
                answer="Jump for the broken window.",
                why_wrong="Reach and jump together stay below its lower edge.",
            ),
            WrongAnswer(
                answer="Crouch behind the table.", why_wrong="The pressure kills behind a table as well."
            ),
        ),
        correct_outcome="ESCAPE",
        category_match="An enclosed space, a running clock and things to be seen anew.",
    )


def _build_scenario(narrative: str) -> ScenarioNarrative:
    # fmt: off
    return ScenarioNarrative(
        name="The Blast Room",
        narrative=narrative,
        environment=(
            EnvironmentRow(feature="Room", specification=render_values("{side|m} square, bare concrete")),
            EnvironmentRow(feature="Window", specification=render_values("lower edge {window.sill|m} up, {window.clear|m} square, withstands {window.withstands|J}")),
        ),
        threat=render_values("A bomb with {fuse|s} on its display; {overpressure|kPa} at zero."),
        position=render_values("The south-east corner, {diagonal|m} from the window."),
        objects=(
            ObjectRow(name="an oak table", mass=render_values("{table.mass|kg}"), dimensions=render_values("{table.height|m} high"), material="oak",
                      notes=render_values("bears {table.bears|kg}")),
            ObjectRow(name="a steel folding chair", mass=render_values("{chair.mass|kg}"), dimensions=render_values("{chair.height|m} high"), material="steel",
                      notes="folds under any load"),
            ObjectRow(name="a banana", mass=render_values("{banana.mass|kg}"), dimensions=render_values("{banana.height|m} thick"), material="fruit", notes="ripe"),
        ),
        capabilities=(
            CapabilityRow(parameter="Mass", value=render_values("{you.mass|kg}")),
            CapabilityRow(parameter="Standing reach", value=render_values("{you.reach|m}")),
            CapabilityRow(parameter="Jump", value=render_values("{you.jump|m}")),
            CapabilityRow(parameter="Running speed", value=render_values("{you.run|m/s}")),
            CapabilityRow(parameter="Width across the shoulders", value=render_values("{you.width|m}")),
        ),
    )
    # fmt: on


def _build_sketch() -> SolutionSketch:
    # fmt: off
    return SolutionSketch(
        steps=tuple(
            SketchStep(action=action, seconds=step.took, call=step.call)
            for action, step in zip(STEPS, run_solution().steps, strict=True)
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
def run_solution() -> PlanOutcome:
    """Return the outcome of the record's only solution."""
    report = check_golden_record(RECORD)
    assert report.analysis is not None
    return report.analysis.outcomes["table_and_chair"]
