"""A whole dossier, phase by phase, about the example record: The Blast Room with plausible work of all five agents.

Computable content is taken from the mechanics check; the rest is written as a careful agent would write it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from impossible_moments.domain.agent_trace import AgentTrace, Decision
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import (
    ClassificationReport,
    EpistemologicalAnalysis,
    EthicalAnswer,
    EthicalReview,
    InformedClassification,
    Rejected,
)
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import (
    BenchmarkComparison,
    Construct,
    GroundingReport,
    PredictedPerformance,
)
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorFinding,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.validation import (
    ClaimCalculation,
    ClaimVerdict,
    JointAssessment,
    MaterialCheck,
    MathematicsReport,
    PhysicsReport,
    Sensitivity,
    TimingRow,
)
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    NEWTON,
    ORCHESTRATOR,
    ROLES,
    SOCRATES,
    Phase,
)
from impossible_moments.mechanics.checks.sensitivity import compute_sensitivity_profile
from support.example_seed import RECORD, build_accepted_seed, run_solution
from support.golden_records import check_golden_record

__all__ = [
    "BRIEF",
    "PROFILE",
    "build_accepted_seed",
    "change_deliverables",
    "make_agent_trace",
    "make_classification_report",
    "make_distractor_review",
    "make_full_dossier",
    "make_grounding_report",
    "make_informed_classification",
    "make_joint_assessment",
    "make_mathematics_report",
    "make_physics_report",
    "remove_deliverables",
    "run_solution",
]

BRIEF: Final = GenerationBrief(
    category="The Locked Room",
    difficulty_tier="FRACTURE",
    solution_status="KS",
    scenario_id="IM-0001",
    seed=7,
)
PROFILE: Final = Profile(I=3, D=2, C=2, B=2, T=3, X=2)
QUESTIONS: Final = (
    "Does the scenario normalize or glorify violence?",
    "Does the scenario trivialize real-world disasters or suffering?",
    "Does the scenario contain cultural, racial, or gender stereotypes?",
    "Could the scenario provide instructions for real-world harm?",
    "Does the scenario involve children in peril beyond what is appropriate for a benchmark?",
    "Does the scenario create unfair difficulty for test-takers from specific cultural backgrounds?",
    "Does the scenario's distractor design exploit cognitive biases in a way that could be harmful if internalized?",
)


@cache
def make_physics_report() -> PhysicsReport:
    """Return NEWTON's part."""
    return PhysicsReport(
        claims=tuple(
            ClaimVerdict(claim_id=claim.claim_id, verdict="VALID", reasoning="Energy and reach suffice.")
            for claim in build_accepted_seed().solution_sketch.claims
        ),
        material_properties=(
            MaterialCheck(thing="an oak table", holds=True, remark="Mass and size go together."),
        ),
        force_and_motion=("Pushing the table overcomes friction.",),
        feasibility="VALID",
        edge_cases=("A solver who reaches less than the sill demands cannot climb out.",),
        mirage_convincing="The window looks out of reach until the table is seen as a step.",
        confidence=0.9,
    )


@cache
def make_mathematics_report() -> MathematicsReport:
    """Return EULER's part: the timing of the plan and its sensitivity to changes of 20 %."""
    report = check_golden_record(RECORD)
    assert report.analysis is not None
    executor, plan = report.analysis.executor, report.analysis.plans["table_and_chair"]
    return MathematicsReport(
        claims=tuple(
            ClaimCalculation(
                claim_id=claim.claim_id, verdict="VALID", calculation=claim.expression or "by hand"
            )
            for claim in build_accepted_seed().solution_sketch.claims
        ),
        timing_budget=tuple(
            TimingRow(step=step.call, seconds=step.took, basis="distance over speed")
            for step in run_solution().steps
        ),
        deadline_seconds=run_solution().deadline,
        margin=run_solution().time_margin,
        calculations=("2.1 + 0.75 = 2.85, which exceeds 2.7",),
        dimensional_analysis="CONSISTENT",
        sensitivity=tuple(
            Sensitivity(quantity=each.quantity, breaks=each.breaks, how=f"{each.lower} / {each.higher}")
            for each in compute_sensitivity_profile(executor, plan)
        ),
        edge_cases=("A pane a fifth stronger withstands the chair.",),
        confidence=0.92,
    )


def make_joint_assessment() -> JointAssessment:
    """Return parts 3 and 4."""
    return JointAssessment(
        status="VALIDATED",
        edge_cases=(*make_physics_report().edge_cases, *make_mathematics_report().edge_cases),
        unique="KS-Singular",
        mirage_convincing=("convincing",),
        computed_status="KS-Singular",
    )


def make_grounding_report() -> GroundingReport:
    """Return GALILEO's report."""
    return GroundingReport(
        constructs=(
            Construct(
                insight=1,
                construct_tested="functional fixedness",
                citations=("duncker1945problem", "mccaffrey2012innovation"),
                prediction="Models keep to the canonical use.",
            ),
            Construct(
                insight=2,
                construct_tested="constraint relaxation",
                citations=("knoblich1999constraint",),
                prediction="Models try the door first.",
            ),
            Construct(
                insight=2,
                construct_tested="mental set",
                citations=("luchins1942mechanization",),
                prediction="Models repeat what shelters usually do.",
            ),
        ),
        further_citations=("ohlsson1992information",),
        benchmarks=tuple(
            BenchmarkComparison(
                benchmark=name, tests="related skills", difference="no mechanics that a program checks"
            )
            for name in ("MacGyver", "EscapeBench", "BRAINTEASER")
        ),
        novelty_claim="Physical reasoning and re-seeing with a computed solution.",
        compositional_chain="Two insights must be chained.",
        counter_intuitive_demand="One must stand on what one would hide behind.",
        contamination_resistance="The numbers are the record's own.",
        predicted=PredictedPerformance(
            direct_answer=30, chain_of_thought=45, extended_reasoning=60, agentic=65
        ),
        construct_validity="The constructs are tested by the solution and by nothing else.",
        merit="HIGH",
        confidence=0.8,
    )


def make_classification_report() -> ClassificationReport:
    """Return SOCRATES's blind report."""
    return ClassificationReport(
        status="KS",
        justification=" ".join(["The room offers height, a hammer and a window that can be broken."] * 10),
        alternatives=(Rejected(status="PX", reason="No proof suggests itself."),),
        approaches_seen=("Break the window and climb.",),
        blind_confidence=0.7,
        impossibility_type="I",
        type_justification="It looks impossible and a way can be imagined.",
        ethics=EthicalReview(
            checklist=tuple(EthicalAnswer(question=question, concern=False) for question in QUESTIONS),
            status="PASS",
        ),
        epistemology=EpistemologicalAnalysis(
            surface_test="spatial reasoning",
            deep_test="seeing furniture by its properties",
            metacognitive_demand="MEDIUM",
            transferability="fair",
        ),
        profile=PROFILE,
        preliminary_tier="FRACTURE",
        confidence=0.75,
    )


def make_informed_classification() -> InformedClassification:
    """Return SOCRATES's classification after the reveal."""
    return InformedClassification(
        status="KS",
        justification="The way is the one imagined.",
        impossibility_type="I",
        profile=PROFILE,
        delta="None: the mirage is of medium strength.",
        confidence=0.9,
    )


def make_distractor_review() -> DistractorReview:
    """Return an agent's review of the inventory."""
    return DistractorReview(
        findings=tuple(
            DistractorFinding(name=each.name, verdict="right", strength="weak")
            for each in build_accepted_seed().distractor_inventory
        ),
        confidence=0.8,
    )


def make_agent_trace() -> AgentTrace:
    """Return an agent's account of what it did."""
    return AgentTrace(
        asked_to="Do my part.",
        found="The scenario holds.",
        decisions=(Decision(description="Approved it.", confidence=0.9),),
        overall_confidence=0.85,
        least_confident="Temporal pressure.",
        would_increase="A trial with people.",
    )


def make_full_dossier(upto: Phase) -> Dossier:
    """Return a dossier in which every phase up to this one was completed well."""
    dossier = Dossier.create_for_brief(BRIEF)
    for phase in Phase:
        for author, deliverable in _list_phase_deliverables(phase):
            dossier = dossier.add_deliverable(phase, author, deliverable)
        if phase is upto:
            return dossier
    raise AssertionError(upto)


def change_deliverables(
    dossier: Dossier, kind: type[LabelledModel], author: str = "", /, **changes: object
) -> Dossier:
    """Return the dossier with fields of all deliverables of a kind changed, optionally of one author only."""
    return replace(
        dossier,
        entries=tuple(
            replace(entry, deliverable=entry.deliverable.model_copy(update=changes))
            if isinstance(entry.deliverable, kind) and author in {"", entry.author}
            else entry
            for entry in dossier.entries
        ),
    )


def remove_deliverables(dossier: Dossier, kind: type[LabelledModel], author: str = "") -> Dossier:
    """Return the dossier without the deliverables of a kind, optionally of one author only."""
    kept = tuple(
        entry
        for entry in dossier.entries
        if not (isinstance(entry.deliverable, kind) and author in {"", entry.author})
    )
    return replace(dossier, entries=kept)


def _list_phase_deliverables(phase: Phase) -> list[tuple[str, LabelledModel]]:
    """Return the deliverables of a phase with their authors."""
    match phase:
        case Phase.SEED:
            return [(ATHENA, build_accepted_seed())]
        case Phase.VALIDATE:
            return [
                (NEWTON, make_physics_report()),
                (EULER, make_mathematics_report()),
                (ORCHESTRATOR, make_joint_assessment()),
            ]
        case Phase.GROUND:
            return [(GALILEO, make_grounding_report())]
        case Phase.CLASSIFY:
            return [(SOCRATES, make_classification_report())]
        case Phase.REFINE:
            return _list_refinement_deliverables()
        case Phase.DOCUMENT:
            return [(role, make_agent_trace()) for role in ROLES]


def _list_refinement_deliverables() -> list[tuple[str, LabelledModel]]:
    memo = ReviewMemo(text="The scenario holds together.", confidence=0.85)
    return [
        *((role, memo) for role in ROLES),
        (SOCRATES, make_informed_classification()),
        *((role, CalibrationVote(profile=PROFILE, confidence=0.8)) for role in ROLES),
        *((role, make_distractor_review()) for role in ROLES),
        *((role, StatusVote(status="KS", reason="One plan works.", confidence=0.9)) for role in ROLES),
        *((role, DesignVote(confidence=0.8)) for role in ROLES),
        *((role, ReadinessVote(vote="APPROVE", confidence=0.9)) for role in ROLES),
    ]
