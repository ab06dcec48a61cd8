"""A dossier for every golden record, of every status and category, generated mechanically: seed and validation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from impossible_moments.agents.orchestrator.seed_computation import SeedComputation, SeedComputationCache
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import (
    CapabilityRow,
    EnvironmentRow,
    ObjectRow,
    PhysicalClaim,
    ScenarioNarrative,
    SeedDocument,
    SketchStep,
    SolutionSketch,
)
from impossible_moments.domain.validation import (
    ClaimCalculation,
    ClaimVerdict,
    MathematicsReport,
    PhysicsReport,
    Sensitivity,
    TimingRow,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase, parse_main_status
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport
from impossible_moments.mechanics.prose import render_prose
from impossible_moments.mechanics.prose.placeholders import render_piece, suggest_placeholder
from impossible_moments.mechanics.prose.template import parse_template
from support.dossiers import build_accepted_seed, make_mathematics_report, make_physics_report
from support.golden_records import check_golden_record, load_golden_document


@cache
def load_computations(name: str) -> SeedComputationCache:  # noqa: ARG001 - the key of the cache
    """Return the computations of one golden record, computed once for all tests."""
    return SeedComputationCache(load_everyday_library())


def build_brief(name: str) -> GenerationBrief:
    """Build the brief of a golden record."""
    record = check_golden_record(name).record
    assert record is not None
    return GenerationBrief(
        category=record.category,
        difficulty_tier="FRACTURE",
        solution_status=parse_main_status(record.status.claim),
    )


@cache
def build_seed(name: str) -> SeedDocument:
    """Build a seed document for a golden record."""
    report = check_golden_record(name)
    assert report.record is not None
    assert report.tie is not None
    prose = render_prose(report.record.prose, report.tie)
    status = parse_main_status(report.record.status.claim)
    calls = next((each.plan for each in report.record.approaches if each.ends == "goal"), ["look(again)"])
    return build_accepted_seed().model_copy(
        update={
            "concept_summary": build_accepted_seed().concept_summary.model_copy(
                update={"category": report.record.category}
            ),
            "solution_sketch": SolutionSketch(
                steps=tuple(SketchStep(action=f"Do {call}.", call=call) for call in calls)
                if status not in {"PX", "OF"}
                else (),
                claims=(PhysicalClaim(claim_id="C1", text="It works as told."),),
                impossibility_proof="The constraints conflict." if status == "PX" else "",
                evaluation_criteria=("It meets the envelope.",) if status == "OF" else (),
                confidence=0.3 if status == "OF" else 0.8,
            ),
            "scenario": ScenarioNarrative(
                name=report.record.title,
                narrative=prose["narrative"],
                environment=(
                    EnvironmentRow(feature="Place", specification=prose.get("environment", "as told")),
                ),
                threat=prose.get("threat", "As told."),
                position=prose.get("position", "As told."),
                objects=tuple(_iterate_object_rows(report)),
                capabilities=(
                    CapabilityRow(parameter="All", value=prose.get("capabilities", "as told")),
                    *_iterate_capability_rows(report),
                ),
            ),
            "mechanics": load_golden_document(name),
        }
    )


def _iterate_object_rows(report: CheckReport) -> Iterator[ObjectRow]:
    assert report.record is not None
    for thing in report.record.things:
        mass = _format_value(report, f"{thing.name}.mass") or "part of the place"
        yield ObjectRow(
            name=thing.label, mass=mass, dimensions="as told", material="as told", notes="as told"
        )


def _iterate_capability_rows(report: CheckReport) -> Iterator[CapabilityRow]:
    assert report.analysis is not None
    for path in sorted(report.analysis.world.own_paths):
        if path.startswith("you.") and (value := _format_value(report, path)):
            yield CapabilityRow(parameter=path.removeprefix("you."), value=value)


def _format_value(report: CheckReport, path: str) -> str:
    """Format a quantity as the record prints it."""
    assert report.tie is not None
    if path not in report.tie.printable:
        return ""
    return "".join(
        render_piece(piece, report.tie) for piece in parse_template(suggest_placeholder(path, report.tie))
    )


def build_validated_dossier(name: str) -> Dossier:
    """Build a dossier with the seed and the reports of both validators."""
    seed = build_seed(name)
    found = load_computations(name).get_computation(seed)
    dossier = Dossier.create_for_brief(build_brief(name)).add_deliverable(Phase.SEED, ATHENA, seed)
    dossier = dossier.add_deliverable(Phase.VALIDATE, NEWTON, _build_physics_report())
    return dossier.add_deliverable(Phase.VALIDATE, EULER, _build_mathematics_report(found))


def _build_physics_report() -> PhysicsReport:
    verdict = ClaimVerdict(claim_id="C1", verdict="VALID", reasoning="It does.")
    return make_physics_report().model_copy(update={"claims": (verdict,)})


def _build_mathematics_report(found: SeedComputation) -> MathematicsReport:
    margin = found.margins[0] if found.margins else None
    spent = None if margin is None or found.deadline is None else found.deadline * (1 - margin)
    return make_mathematics_report().model_copy(
        update={
            "claims": (ClaimCalculation(claim_id="C1", verdict="VALID", calculation="by hand"),),
            "timing_budget": ()
            if spent is None
            else (TimingRow(step="all", seconds=spent, basis="computed"),),
            "deadline_seconds": found.deadline,
            "margin": margin,
            "sensitivity": tuple(
                Sensitivity(quantity=each, breaks=each in found.breaking_quantities, how="by a fifth")
                for each in dict.fromkeys((*found.rests_on, *found.breaking_quantities))
            ),
            "fragile": found.is_fragile,
            "impossibility_proof": "A conflict over whole ranges." if found.status == "PX" else "",
            "optimization": "A gap to what is known." if found.status == "OF" else "",
        }
    )
