"""Dossiers at the end of a pipeline, built from golden records, as input of the document builder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from impossible_moments.domain.agent_trace import AgentTrace, Decision
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import (
    ClassificationReport,
    EpistemologicalAnalysis,
    EthicalAnswer,
    EthicalReview,
    InformedClassification,
)
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Challenge, Evidence
from impossible_moments.domain.dossier import ChallengeCase, DisagreementLogEntry, Dossier
from impossible_moments.domain.grounding import (
    BenchmarkComparison,
    Construct,
    GroundingReport,
    PredictedPerformance,
)
from impossible_moments.domain.refinement import CalibrationVote, DistractorReview, ReadinessVote, ReviewMemo
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
from impossible_moments.domain.validation import (
    ClaimCalculation,
    ClaimVerdict,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
    Sensitivity,
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
from impossible_moments.mechanics.prose import render_prose
from support.golden_records import check_golden_record, load_golden_document

PROMPTS: Final = {agent: f"You are {agent}." for agent in ROLES}
_CONSTRUCT: Final = "functional fixedness"


def build_finished_dossier(name: str = "blast_room", **seed: Any) -> Dossier:
    """Build a dossier whose six phases are complete; `seed` changes fields of its seed document."""
    made = build_seed(name).model_copy(update=seed)
    report = check_golden_record(name)
    assert report.record is not None
    brief = GenerationBrief(
        category=report.record.category,
        difficulty_tier="FRACTURE",
        solution_status=report.record.status.claim,  # type: ignore[arg-type]  # the subtype is dropped by the brief
        scenario_id="IM-0007",
    )
    dossier = Dossier.create_for_brief(brief).add_deliverable(Phase.SEED, ATHENA, made)
    for phase, author, deliverable in (
        *_list_validation_deliverables(made),
        *_list_judging_deliverables(brief.solution_status),
        *_list_refinement_deliverables(),
    ):
        dossier = dossier.add_deliverable(phase, author, deliverable)
    return _add_disputes(replace(dossier, loops={Phase.SEED: 1, Phase.REFINE: 2}))


def build_seed(name: str) -> SeedDocument:
    """Build the seed document of a golden record."""
    report = check_golden_record(name)
    assert report.record is not None
    assert report.tie is not None
    prose = render_prose(report.record.prose, report.tie)
    approaches = report.record.approaches
    things = [thing for thing in report.record.things if thing.kind == "object" and thing.name != "you"]
    insights = [line.partition("=")[2].strip() for line in report.record.insights]
    calls = (
        [
            step.call
            for outcome in report.analysis.outcomes.values()
            if outcome.reaches_goal
            for step in outcome.steps
        ]
        if report.analysis
        else []
    )
    return SeedDocument(
        concept_summary=ConceptSummary(
            concept="A room that nobody leaves by its door.",
            category=report.record.category,
            difficulty_tier="FRACTURE",
            why_it_matters="Things are seen as what they are made for.",
        ),
        impossibility_mirage=ImpossibilityMirage(
            looks_impossible="Every opening is shut, and the clock runs.",
            excluded_by_model="that a thing is more than its name",
        ),
        insight_chain=tuple(Insight(text=text, fixedness_type=_CONSTRUCT) for text in insights),
        solution_sketch=SolutionSketch(
            steps=tuple(SketchStep(action=f"Do step {at}", call=call) for at, call in enumerate(calls, 1)),
            claims=(PhysicalClaim(claim_id="c1", text="The sill is within reach."),),
            confidence=0.8,
        ),
        distractor_inventory=(
            Distractor(
                name="banana",
                canonical_affordance="it is eaten",
                why_it_misleads="it is the odd one out",
                why_irrelevant="nothing needs it",
                strength="weak",
            ),
        ),
        scenario=ScenarioNarrative(
            name=report.record.title,
            narrative=prose["narrative"],
            environment=(
                EnvironmentRow(feature="Surroundings", specification=prose.get("environment") or "as told"),
            ),
            threat=prose.get("threat") or "As told above.",
            position=prose.get("position") or "Where the account leaves you.",
            objects=tuple(
                ObjectRow(name=thing.label, mass="as told", dimensions="as told", material="as told")
                for thing in things
            ),
            capabilities=(CapabilityRow(parameter="Body", value=prose.get("capabilities") or "an adult's"),),
        ),
        mechanics=load_golden_document(name),
        wrong_answers=tuple(
            WrongAnswer(answer=each.name.replace("_", " "), why_wrong=f"it ends {each.ends}")
            for each in approaches
            if each.ends != "goal"
        ),
        correct_outcome="ESCAPE",
        category_match="It fits.",
    )


def _list_validation_deliverables(seed: SeedDocument) -> tuple[tuple[Phase, str, Any], ...]:
    claims = seed.solution_sketch.claims
    physics = PhysicsReport(
        claims=tuple(
            ClaimVerdict(claim_id=each.claim_id, verdict="VALID", reasoning="reach and height add up")
            for each in claims
        ),
        force_and_motion=("the blow exceeds what the pane withstands",),
        feasibility="VALID",
        confidence=0.85,
    )
    mathematics = MathematicsReport(
        claims=tuple(
            ClaimCalculation(claim_id=each.claim_id, verdict="VALID", calculation="2.1 + 0.75 = 2.85")
            for each in claims
        ),
        deadline_seconds=18.0,
        margin=0.25,
        calculations=("2 + 2 = 4",),
        dimensional_analysis="CONSISTENT",
        sensitivity=(Sensitivity(quantity="window.sill", breaks=True, how="20 % higher"),),
        confidence=0.9,
    )
    return (
        (Phase.VALIDATE, NEWTON, physics),
        (Phase.VALIDATE, EULER, mathematics),
        (Phase.VALIDATE, ORCHESTRATOR, JointAssessment(status="VALIDATED")),
    )


def _list_judging_deliverables(status: Any) -> tuple[tuple[Phase, str, Any], ...]:
    grounding = GroundingReport(
        constructs=(
            Construct(
                insight=1, construct_tested=_CONSTRUCT, citations=("duncker1945",), prediction="it holds"
            ),
        ),
        benchmarks=(BenchmarkComparison(benchmark="ARC", tests="patterns", difference="no clock"),),
        novelty_claim="It is new.",
        compositional_chain="Two insights hang together.",
        counter_intuitive_demand="Furniture is broken.",
        contamination_resistance="The figures are its own.",
        predicted=PredictedPerformance(
            direct_answer=20, chain_of_thought=35, extended_reasoning=50, agentic=55
        ),
        construct_validity="It tests what it says.",
        merit="HIGH",
        confidence=0.75,
    )
    profile = Profile(I=3, D=2, C=2, B=2, T=3, X=2)
    blind = ClassificationReport(
        status="OF",
        justification="No way is seen.",
        blind_confidence=0.6,
        impossibility_type="I",
        type_justification="It only looks so.",
        ethics=EthicalReview(checklist=(EthicalAnswer(question="Violence?", concern=False),), status="PASS"),
        epistemology=EpistemologicalAnalysis(
            surface_test="Leaving a room.",
            deep_test="Seeing things anew.",
            metacognitive_demand="HIGH",
            transferability="wide",
        ),
        profile=profile,
        preliminary_tier="FRACTURE",
        confidence=0.6,
    )
    informed = InformedClassification(
        status=status,
        justification="A way is there.",
        impossibility_type="I",
        profile=profile,
        delta="From open to known: the mirage is strong.",
        confidence=0.9,
    )
    return (
        (Phase.GROUND, GALILEO, grounding),
        (Phase.CLASSIFY, SOCRATES, blind),
        (Phase.REFINE, SOCRATES, informed),
    )


def _list_refinement_deliverables() -> tuple[tuple[Phase, str, Any], ...]:
    profile = Profile(I=3, D=2, C=2, B=2, T=3, X=2)
    found: list[tuple[Phase, str, Any]] = []
    for agent in ROLES:
        found += [
            (Phase.REFINE, agent, ReviewMemo(text=f"{agent} has read it all.", confidence=0.8)),
            (Phase.REFINE, agent, CalibrationVote(profile=profile, confidence=0.8)),
            (Phase.REFINE, agent, DistractorReview(findings=(), confidence=0.8)),
            (Phase.REFINE, agent, ReadinessVote(vote="APPROVE", confidence=0.9)),
            (Phase.DOCUMENT, agent, _build_trace()),
        ]
    return tuple(found)


def _build_trace() -> AgentTrace:
    return AgentTrace(
        found="It holds.",
        decisions=(Decision(description="kept the clock", confidence=0.8),),
        resolution_confidence=0.8,
        overall_confidence=0.85,
        least_confident="Trap Depth",
        would_increase="a second reader",
    )


def _add_disputes(dossier: Dossier) -> Dossier:
    challenge = Challenge(
        challenged=ATHENA,
        claim="the chair weighs 4 kg",
        evidence=(Evidence(kind="calculation", text="steel is heavier"),),
        confidence=0.7,
    )
    case = ChallengeCase(Phase.VALIDATE, NEWTON, challenge, "ACCEPTED", "response")
    line = DisagreementLogEntry("weight of the chair", (NEWTON, ATHENA), "response", "ACCEPTED", "challenge")
    return replace(dossier, challenges=(case,), disagreements=(line,))
