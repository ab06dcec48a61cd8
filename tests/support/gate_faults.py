"""For every row of every gate, a dossier that fails only this row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import REJECTED, ConsensusDecision
from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import GateResources
from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Challenge, Evidence, Veto
from impossible_moments.domain.dossier import Dossier, VoteRecord
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import CapabilityRow, PhysicalClaim, SeedDocument
from impossible_moments.domain.validation import (
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, ROLES, Phase
from impossible_moments.library.bibliography import load_research_works
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.similarity.corpus import Corpus
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from impossible_moments.scenarios.similarity.scenario_similarity import ComparedScenario
from support.dossiers import (
    BRIEF,
    PROFILE,
    build_accepted_seed,
    change_deliverables,
    make_full_dossier,
    make_mathematics_report,
    remove_deliverables,
)
from support.golden_records import load_golden_document

Spoil = Callable[[Dossier], Dossier]


@cache
def build_resources() -> GateResources:
    """Build the resources with which gates judge the example."""
    return GateResources(
        SeedComputationCache(load_everyday_library()), TfidfEmbedder(), load_research_works()
    )


def add_corpus(resources: GateResources, *scenarios: ComparedScenario) -> GateResources:
    """Return the resources with scenarios that exist already."""
    return replace(resources, corpus=Corpus.from_scenarios(scenarios, resources.embedder))


@cache
def build_example_documents() -> ScenarioDocuments:
    """Build the documents of the example."""
    return build_documents(
        make_full_dossier(Phase.DOCUMENT), load_everyday_library(), prompts=dict.fromkeys(ROLES, "a prompt")
    )


@dataclass(frozen=True)
class GateFault:
    """A row, and the change that makes it fail."""

    phase: Phase
    criterion: str
    spoil: Spoil = lambda dossier: dossier
    spoil_resources: Callable[[GateResources], GateResources] = lambda bench: bench
    spoil_documents: Callable[[ScenarioDocuments], ScenarioDocuments] = lambda documents: documents

    @property
    def dossier(self) -> Dossier:
        """The changed dossier."""
        return self.spoil(make_full_dossier(self.phase))

    @property
    def resources(self) -> GateResources:
        """The resources with which it is judged."""
        return self.spoil_resources(build_resources())

    @property
    def documents(self) -> ScenarioDocuments | None:
        """The documents it is judged with."""
        return self.spoil_documents(build_example_documents()) if self.phase is Phase.DOCUMENT else None


def _change_seed(**changes: object) -> Spoil:
    return _change_deliverables(SeedDocument, **changes)


def _change_scenario(**changes: object) -> Spoil:
    def spoil(dossier: Dossier) -> Dossier:
        return _change_seed(scenario=build_accepted_seed().scenario.model_copy(update=changes))(dossier)

    return spoil


def _change_sketch(**changes: object) -> Spoil:
    def spoil(dossier: Dossier) -> Dossier:
        return _change_seed(solution_sketch=build_accepted_seed().solution_sketch.model_copy(update=changes))(
            dossier
        )

    return spoil


def _change_record(**changes: object) -> Spoil:
    def spoil(dossier: Dossier) -> Dossier:
        return _change_seed(mechanics={**load_golden_document("blast_room"), **changes})(dossier)

    return spoil


def _change_deliverables(kind: type[LabelledModel], author: str = "", /, **changes: object) -> Spoil:
    return lambda dossier: change_deliverables(dossier, kind, author, **changes)


def _remove_object_notes(dossier: Dossier) -> Dossier:
    rows = build_accepted_seed().scenario.objects
    return _change_scenario(objects=(rows[0].model_copy(update={"notes": " "}), *rows[1:]))(dossier)


def _add_unknown_capability(dossier: Dossier) -> Dossier:
    rows = build_accepted_seed().scenario.capabilities
    return _change_scenario(capabilities=(*rows, CapabilityRow(parameter="Grip", value="?")))(dossier)


def _add_false_claim(dossier: Dossier) -> Dossier:
    false = PhysicalClaim(
        claim_id="C3", text="One can jump.", expression="you.reach + you.jump >= window.sill"
    )
    return _change_sketch(claims=(*build_accepted_seed().solution_sketch.claims[:2], false))(dossier)


OTHER_WAY = "Open the door with the wire."
INVALID_REASON = "The window lies 3.9 m up and 3.35 m is the highest reach."


def _invalidate_claim(dossier: Dossier) -> Dossier:
    report = dossier.find_latest_deliverable(PhysicsReport)
    assert report is not None
    first, *others = report.claims
    return change_deliverables(
        dossier,
        PhysicsReport,
        claims=(first.model_copy(update={"verdict": "INVALID", "reasoning": INVALID_REASON}), *others),
    )


def _slow_down_plan(dossier: Dossier) -> Dossier:
    rows = make_mathematics_report().timing_budget
    slower = rows[0].model_copy(update={"seconds": 12.0})
    return change_deliverables(dossier, MathematicsReport, timing_budget=(slower, *rows[1:]))


def _add_veto(dossier: Dossier) -> Dossier:
    proof = Evidence(kind="derivation", text="The pane holds.")
    veto = Veto(claim="The chair breaks the pane.", law="conservation of energy", proof=(proof,))
    return change_deliverables(dossier, PhysicsReport, vetoes=(veto,))


def _add_challenge(dossier: Dossier) -> Dossier:
    challenge = Challenge(challenged=GALILEO, claim="It is novel.", confidence=0.8)
    return change_deliverables(dossier, ReviewMemo, NEWTON, challenges=(challenge,))


def _keep_one_edge_case(dossier: Dossier) -> Dossier:
    dossier = change_deliverables(dossier, PhysicsReport, edge_cases=())
    return change_deliverables(
        remove_deliverables(dossier, JointAssessment), MathematicsReport, edge_cases=("A stronger pane.",) * 2
    )


def _hide_weakness(dossier: Dossier) -> Dossier:
    rows = [row for row in make_mathematics_report().sensitivity if row.quantity != "window.sill"]
    return change_deliverables(dossier, MathematicsReport, sensitivity=tuple(rows))


def _register_duplicate(bench: GateResources) -> GateResources:
    return add_corpus(bench, extract_seed_essence(build_accepted_seed(), "IM-0002"))


def _split_scores(dossier: Dossier) -> Dossier:
    return change_deliverables(dossier, CalibrationVote, EULER, profile=PROFILE.model_copy(update={"B": 5}))


def _refuse_twice(dossier: Dossier) -> Dossier:
    dossier = change_deliverables(
        dossier, ReadinessVote, NEWTON, vote="REVISE", changes=("A heavier chair.",)
    )
    return change_deliverables(dossier, ReadinessVote, EULER, vote="DISCARD", notes="Too easy.")


def _add_vote(dossier: Dossier, decision: ConsensusDecision, winner: str, *unsure: str) -> Dossier:
    positions = dict.fromkeys(ROLES, winner)
    record = VoteRecord(str(decision), "", "", positions, dict.fromkeys(ROLES, 0.8), 4, winner, unsure)
    return replace(dossier, votes=(*dossier.votes, record))


def _reject_name(dossier: Dossier) -> Dossier:
    return _add_vote(dossier, ConsensusDecision.SCENARIO_NAME, REJECTED)


def _decide_by_unsure_votes(dossier: Dossier) -> Dossier:
    return _add_vote(dossier, ConsensusDecision.TIER, "SPARK", NEWTON, EULER)


def _name_other_way(dossier: Dossier) -> Dossier:
    check = FeasibilityCheck(alternative_paths=(OTHER_WAY,), mirage_convincing="It is.", confidence=0.8)
    return dossier.add_deliverable(Phase.VALIDATE, EULER, check)


def _fail_ethics(dossier: Dossier) -> Dossier:
    report = dossier.find_latest_deliverable(ClassificationReport)
    assert report is not None
    return change_deliverables(
        dossier, ClassificationReport, ethics=report.ethics.model_copy(update={"status": "FAIL"})
    )


def _answer_half(dossier: Dossier) -> Dossier:
    report = dossier.find_latest_deliverable(ClassificationReport)
    assert report is not None
    ethics = report.ethics.model_copy(update={"checklist": report.ethics.checklist[:3]})
    return change_deliverables(dossier, ClassificationReport, ethics=ethics)


def _keep_two_constructs(dossier: Dossier) -> Dossier:
    report = dossier.find_latest_deliverable(GroundingReport)
    assert report is not None
    more = ("luchins1942mechanization", "adamson1952functional")
    return change_deliverables(
        dossier, GroundingReport, constructs=report.constructs[:2], further_citations=more
    )


def _keep_two_benchmarks(dossier: Dossier) -> Dossier:
    report = dossier.find_latest_deliverable(GroundingReport)
    assert report is not None
    return change_deliverables(dossier, GroundingReport, benchmarks=report.benchmarks[:2])


def _change_public_document(old: str, new: str) -> Callable[[ScenarioDocuments], ScenarioDocuments]:
    return lambda documents: replace(documents, public=documents.public.replace(old, new))


def _change_evaluation_document(old: str, new: str) -> Callable[[ScenarioDocuments], ScenarioDocuments]:
    return lambda documents: replace(documents, evaluation=documents.evaluation.replace(old, new))


def _change_metadata(**changes: object) -> Callable[[ScenarioDocuments], ScenarioDocuments]:
    return lambda documents: replace(documents, metadata=documents.metadata.model_copy(update=changes))


# fmt: off
FAULTS: Final = (
    GateFault(Phase.SEED, "Scenario narrative complete", _change_scenario(threat="TBD")),
    GateFault(Phase.SEED, "Object table complete", _remove_object_notes),
    GateFault(Phase.SEED, "Capability table complete", _add_unknown_capability),
    GateFault(Phase.SEED, "At least one insight identified", _change_seed(insight_chain=())),
    GateFault(Phase.SEED, "Solution sketch present", _change_sketch(steps=())),
    GateFault(Phase.SEED, "At least one distractor designed", _change_seed(distractor_inventory=())),
    GateFault(Phase.SEED, "Physical claims flagged", _change_sketch(claims=())),
    GateFault(Phase.SEED, "No duplicate scenario", spoil_resources=_register_duplicate),
    GateFault(Phase.SEED, "Category match", _change_seed(category_match="")),
    GateFault(Phase.SEED, "Record readable", _change_record(goal="you.at = = 'out'")),
    GateFault(Phase.SEED, "Wording complete", _change_record(wording=None)),
    GateFault(Phase.SEED, "Candidates considered", _change_seed(candidates=())),
    GateFault(Phase.SEED, "ATHENA confidence >= 0.5", _change_sketch(confidence=0.4)),
    GateFault(Phase.VALIDATE, "All physical claims validated", _change_deliverables(PhysicsReport, claims=())),
    GateFault(Phase.VALIDATE, "No INVALID claims without revision", _invalidate_claim),
    GateFault(Phase.VALIDATE, "Timing budget validated", _slow_down_plan),
    GateFault(Phase.VALIDATE, "No active vetoes", _add_veto),
    GateFault(Phase.VALIDATE, "NEWTON confidence >= 0.7", _change_deliverables(PhysicsReport, confidence=0.69)),
    GateFault(Phase.VALIDATE, "EULER confidence >= 0.7", _change_deliverables(MathematicsReport, confidence=0.69)),
    GateFault(Phase.VALIDATE, "Edge cases documented", _keep_one_edge_case),
    GateFault(Phase.VALIDATE, "Sensitivity analysis complete", _hide_weakness),
    GateFault(Phase.VALIDATE, "Alternative paths answered", _name_other_way),
    GateFault(Phase.VALIDATE, "Mechanics accepted", _change_record(goal="you.at == 'in'")),
    GateFault(Phase.VALIDATE, "Computed status", lambda dossier: replace(dossier, brief=BRIEF.model_copy(update={"solution_status": "CT"}))),
    GateFault(Phase.VALIDATE, "Prose follows the record", _change_scenario(threat="A bomb that goes off in 17 s.")),
    GateFault(Phase.VALIDATE, "Claims computed", _add_false_claim),
    GateFault(Phase.VALIDATE, "Margin computed", _change_deliverables(MathematicsReport, margin=0.6)),
    GateFault(Phase.GROUND, "At least 3 cognitive constructs mapped", _keep_two_constructs),
    GateFault(Phase.GROUND, "At least 5 citations provided", _change_deliverables(GroundingReport, further_citations=())),
    GateFault(Phase.GROUND, "AI difficulty prediction present", _change_deliverables(GroundingReport, compositional_chain="")),
    GateFault(Phase.GROUND, "Benchmark positioning complete", _keep_two_benchmarks),
    GateFault(Phase.GROUND, "GALILEO confidence >= 0.6", _change_deliverables(GroundingReport, confidence=0.55)),
    GateFault(Phase.GROUND, "No construct validity concerns", _change_deliverables(GroundingReport, validity_concerns=("Reading skill may decide.",))),
    GateFault(Phase.CLASSIFY, "Solution status classified", lambda dossier: remove_deliverables(dossier, ClassificationReport)),
    GateFault(Phase.CLASSIFY, "Justification provided", _change_deliverables(ClassificationReport, justification="word " * 100)),
    GateFault(Phase.CLASSIFY, "Impossibility type assessed", _change_deliverables(ClassificationReport, type_justification="")),
    GateFault(Phase.CLASSIFY, "Ethical review completed", _answer_half),
    GateFault(Phase.CLASSIFY, "Ethical review PASS or PASS-WITH-NOTES", _fail_ethics),
    GateFault(Phase.CLASSIFY, "Blind difficulty calibration complete", lambda dossier: remove_deliverables(dossier, ClassificationReport)),
    GateFault(Phase.CLASSIFY, "SOCRATES confidence >= 0.6", _change_deliverables(ClassificationReport, confidence=0.55)),
    GateFault(Phase.REFINE, "All agents have reviewed", lambda dossier: remove_deliverables(dossier, ReviewMemo, NEWTON)),
    GateFault(Phase.REFINE, "Difficulty calibration vote complete", lambda dossier: remove_deliverables(dossier, CalibrationVote, NEWTON)),
    GateFault(Phase.REFINE, "No dimension with range > 2 unresolved", _split_scores),
    GateFault(Phase.REFINE, "Final consensus vote: APPROVE or APPROVE-WITH-NOTES", _refuse_twice),
    GateFault(Phase.REFINE, "Final solution status: unanimous", _change_deliverables(StatusVote, EULER, status="CT")),
    GateFault(Phase.REFINE, "Tier, distractors and design voted on", _reject_name),
    GateFault(Phase.REFINE, "No decision rests on unsure votes", _decide_by_unsure_votes),
    GateFault(Phase.REFINE, "No critical deliverable below 0.5", _change_deliverables(ReviewMemo, NEWTON, confidence=0.4)),
    GateFault(Phase.REFINE, "SOCRATES blind vs. informed delta documented", _change_deliverables(InformedClassification, delta="")),
    GateFault(Phase.REFINE, "Distractor review complete", _change_deliverables(DistractorReview, NEWTON, findings=())),
    GateFault(Phase.REFINE, "No unresolved challenges or vetoes", _add_challenge),
    GateFault(Phase.REFINE, "Mechanics accepted", _change_record(goal="you.at == 'in'")),
    GateFault(Phase.REFINE, "Computed status", lambda dossier: replace(dossier, brief=BRIEF.model_copy(update={"solution_status": "CT"}))),
    GateFault(Phase.REFINE, "Prose follows the record", _change_scenario(threat="A bomb that goes off in 17 s.")),
    GateFault(Phase.REFINE, "Claims computed", _add_false_claim),
    GateFault(Phase.DOCUMENT, "Public document complete", spoil_documents=_change_public_document("### Threat / Challenge", "### Threat")),
    GateFault(Phase.DOCUMENT, "Evaluation document complete", spoil_documents=_change_evaluation_document("Scoring Rubric", "Scores")),
    GateFault(Phase.DOCUMENT, "All 5 agent traces present", lambda dossier: remove_deliverables(dossier, AgentTrace, GALILEO)),
    GateFault(Phase.DOCUMENT, "Metadata record complete", spoil_documents=_change_metadata(canary="")),
    GateFault(Phase.DOCUMENT, "Spell check / formatting", spoil_documents=_change_public_document("a bare concrete", "a a bare concrete")),
    GateFault(Phase.DOCUMENT, "Final scenario ID assigned", spoil_resources=lambda bench: replace(bench, taken_ids=frozenset({"IM-0001"}))),
    GateFault(Phase.DOCUMENT, "Open points settled", _change_deliverables(GroundingReport, recommendations=("State a second wrong answer.",))),
    GateFault(Phase.DOCUMENT, "Public text suffices", spoil_resources=lambda bench: replace(bench, reader=lambda _text, _report: "The height of the window is not told.")),
)
# fmt: on
