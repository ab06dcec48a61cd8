"""For every row of every gate a dossier that meets all the others and not this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import GateResources
from impossible_moments.agents.orchestrator.seed_computation import SeedComputationCache
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Challenge, Evidence, Veto
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote, DistractorReview, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import CapabilityRow, PhysicalClaim, SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import EULER, GALILEO, NEWTON, ROLES, Phase
from impossible_moments.library.bibliography import load_research_works
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.embedding import TfidfEmbedder
from support.dossiers import BRIEF, PROFILE, accepted_seed, changed, full_dossier, mathematics_report, without
from support.golden_records import document

Spoil = Callable[[Dossier], Dossier]


@cache
def bench() -> GateResources:
    """What gates judge the example with."""
    return GateResources(
        SeedComputationCache(load_everyday_library()), TfidfEmbedder(), load_research_works()
    )


@cache
def documents() -> ScenarioDocuments:
    """The example's documents."""
    return build_documents(
        full_dossier(Phase.DOCUMENT), load_everyday_library(), prompts=dict.fromkeys(ROLES, "a prompt")
    )


@dataclass(frozen=True)
class Fault:
    """A row and what must be spoilt for it to fail."""

    phase: Phase
    criterion: str
    spoil: Spoil = lambda dossier: dossier
    spoil_bench: Callable[[GateResources], GateResources] = lambda bench: bench
    spoil_documents: Callable[[ScenarioDocuments], ScenarioDocuments] = lambda documents: documents

    @property
    def dossier(self) -> Dossier:
        """The spoilt dossier."""
        return self.spoil(full_dossier(self.phase))

    @property
    def bench(self) -> GateResources:
        """The bench it is judged on."""
        return self.spoil_bench(bench())

    @property
    def documents(self) -> ScenarioDocuments | None:
        """The documents it is judged with."""
        return self.spoil_documents(documents()) if self.phase is Phase.DOCUMENT else None


def _seed(**changes: object) -> Spoil:
    return _of(SeedDocument, **changes)


def _scenario(**changes: object) -> Spoil:
    return _seed(scenario=accepted_seed().scenario.model_copy(update=changes))


def _sketch(**changes: object) -> Spoil:
    return _seed(solution_sketch=accepted_seed().solution_sketch.model_copy(update=changes))


def _record(**changes: object) -> Spoil:
    return _seed(mechanics={**document("blast_room"), **changes})


def _of(kind: type[LabelledModel], author: str = "", /, **changes: object) -> Spoil:
    return lambda dossier: changed(dossier, kind, author, **changes)


def _objects_without_notes() -> Spoil:
    rows = accepted_seed().scenario.objects
    return _scenario(objects=(rows[0].model_copy(update={"notes": " "}), *rows[1:]))


def _false_claim() -> Spoil:
    false = PhysicalClaim(
        claim_id="C3", text="One can jump.", expression="you.reach + you.jump >= window.sill"
    )
    return _sketch(claims=(*accepted_seed().solution_sketch.claims[:2], false))


def _invalid_claim(dossier: Dossier) -> Dossier:
    report = dossier.find_latest(PhysicsReport)
    assert report is not None
    first, *others = report.claims
    return changed(dossier, PhysicsReport, claims=(first.model_copy(update={"verdict": "INVALID"}), *others))


def _slow(dossier: Dossier) -> Dossier:
    rows = mathematics_report().timing_budget
    slower = rows[0].model_copy(update={"seconds": 12.0})
    return changed(dossier, MathematicsReport, timing_budget=(slower, *rows[1:]))


def _vetoed(dossier: Dossier) -> Dossier:
    proof = Evidence(kind="derivation", text="The pane holds.")
    veto = Veto(claim="The chair breaks the pane.", law="conservation of energy", proof=(proof,))
    return changed(dossier, PhysicsReport, vetoes=(veto,))


def _challenged(dossier: Dossier) -> Dossier:
    challenge = Challenge(challenged=GALILEO, claim="It is novel.", domain="grounding", confidence=0.8)
    return changed(dossier, ReviewMemo, NEWTON, challenges=(challenge,))


def _one_edge_case(dossier: Dossier) -> Dossier:
    dossier = changed(dossier, PhysicsReport, edge_cases=())
    return changed(without(dossier, JointAssessment), MathematicsReport, edge_cases=("A stronger pane.",) * 2)


def _unseen_weakness(dossier: Dossier) -> Dossier:
    rows = [row for row in mathematics_report().sensitivity if row.quantity != "window.sill"]
    return changed(dossier, MathematicsReport, sensitivity=tuple(rows))


def _registered(bench: GateResources) -> GateResources:
    return replace(bench, registry=(extract_seed_essence(accepted_seed(), "IM-0002"),))


def _split(dossier: Dossier) -> Dossier:
    return changed(dossier, CalibrationVote, EULER, profile=PROFILE.model_copy(update={"B": 5}))


def _two_refuse(dossier: Dossier) -> Dossier:
    dossier = changed(dossier, ReadinessVote, NEWTON, vote="REVISE", changes=("A heavier chair.",))
    return changed(dossier, ReadinessVote, EULER, vote="DISCARD", notes="Too easy.")


def _failing(dossier: Dossier) -> Dossier:
    report = dossier.find_latest(ClassificationReport)
    assert report is not None
    return changed(dossier, ClassificationReport, ethics=report.ethics.model_copy(update={"status": "FAIL"}))


def _half_answered(dossier: Dossier) -> Dossier:
    report = dossier.find_latest(ClassificationReport)
    assert report is not None
    ethics = report.ethics.model_copy(update={"checklist": report.ethics.checklist[:3]})
    return changed(dossier, ClassificationReport, ethics=ethics)


def _two_constructs(dossier: Dossier) -> Dossier:
    report = dossier.find_latest(GroundingReport)
    assert report is not None
    more = ("luchins1942mechanization", "adamson1952functional")
    return changed(dossier, GroundingReport, constructs=report.constructs[:2], further_citations=more)


def _two_benchmarks(dossier: Dossier) -> Dossier:
    report = dossier.find_latest(GroundingReport)
    assert report is not None
    return changed(dossier, GroundingReport, benchmarks=report.benchmarks[:2])


def _public(old: str, new: str) -> Callable[[ScenarioDocuments], ScenarioDocuments]:
    return lambda documents: replace(documents, public=documents.public.replace(old, new))


def _evaluation(old: str, new: str) -> Callable[[ScenarioDocuments], ScenarioDocuments]:
    return lambda documents: replace(documents, evaluation=documents.evaluation.replace(old, new))


def _metadata(**changes: object) -> Callable[[ScenarioDocuments], ScenarioDocuments]:
    return lambda documents: replace(documents, metadata=documents.metadata.model_copy(update=changes))


# fmt: off
FAULTS: Final = (
    Fault(Phase.SEED, "Scenario narrative complete", _scenario(threat="TBD")),
    Fault(Phase.SEED, "Object table complete", _objects_without_notes()),
    Fault(Phase.SEED, "Capability table complete", _scenario(capabilities=(*accepted_seed().scenario.capabilities, CapabilityRow(parameter="Grip", value="?")))),
    Fault(Phase.SEED, "At least one insight identified", _seed(insight_chain=())),
    Fault(Phase.SEED, "Solution sketch present", _sketch(steps=())),
    Fault(Phase.SEED, "At least one distractor designed", _seed(distractor_inventory=())),
    Fault(Phase.SEED, "Physical claims flagged", _sketch(claims=())),
    Fault(Phase.SEED, "No duplicate scenario", spoil_bench=_registered),
    Fault(Phase.SEED, "Category match", _seed(category_match="")),
    Fault(Phase.SEED, "Mechanics accepted", _record(goal="you.at == 'in'")),
    Fault(Phase.SEED, "Computed status", lambda dossier: replace(dossier, brief=BRIEF.model_copy(update={"solution_status": "CT"}))),
    Fault(Phase.SEED, "Prose follows the record", _scenario(threat="A bomb that goes off in 17 s.")),
    Fault(Phase.SEED, "Claims computed", _false_claim()),
    Fault(Phase.SEED, "ATHENA confidence >= 0.5", _sketch(confidence=0.4)),
    Fault(Phase.VALIDATE, "All physical claims validated", _of(PhysicsReport, claims=())),
    Fault(Phase.VALIDATE, "No INVALID claims without revision", _invalid_claim),
    Fault(Phase.VALIDATE, "Timing budget validated", _slow),
    Fault(Phase.VALIDATE, "No active vetoes", _vetoed),
    Fault(Phase.VALIDATE, "NEWTON confidence >= 0.7", _of(PhysicsReport, confidence=0.69)),
    Fault(Phase.VALIDATE, "EULER confidence >= 0.7", _of(MathematicsReport, confidence=0.69)),
    Fault(Phase.VALIDATE, "Edge cases documented", _one_edge_case),
    Fault(Phase.VALIDATE, "Sensitivity analysis complete", _unseen_weakness),
    Fault(Phase.VALIDATE, "Mechanics accepted", _record(goal="you.at == 'in'")),
    Fault(Phase.VALIDATE, "Computed status", lambda dossier: replace(dossier, brief=BRIEF.model_copy(update={"solution_status": "CT"}))),
    Fault(Phase.VALIDATE, "Prose follows the record", _scenario(threat="A bomb that goes off in 17 s.")),
    Fault(Phase.VALIDATE, "Claims computed", _false_claim()),
    Fault(Phase.VALIDATE, "Margin computed", _of(MathematicsReport, margin=0.6)),
    Fault(Phase.GROUND, "At least 3 cognitive constructs mapped", _two_constructs),
    Fault(Phase.GROUND, "At least 5 citations provided", _of(GroundingReport, further_citations=())),
    Fault(Phase.GROUND, "AI difficulty prediction present", _of(GroundingReport, compositional_chain="")),
    Fault(Phase.GROUND, "Benchmark positioning complete", _two_benchmarks),
    Fault(Phase.GROUND, "GALILEO confidence >= 0.6", _of(GroundingReport, confidence=0.55)),
    Fault(Phase.GROUND, "No construct validity concerns", _of(GroundingReport, validity_concerns=("Reading skill may decide.",))),
    Fault(Phase.CLASSIFY, "Solution status classified", lambda dossier: without(dossier, ClassificationReport)),
    Fault(Phase.CLASSIFY, "Justification provided", _of(ClassificationReport, justification="word " * 100)),
    Fault(Phase.CLASSIFY, "Impossibility type assessed", _of(ClassificationReport, type_justification="")),
    Fault(Phase.CLASSIFY, "Ethical review completed", _half_answered),
    Fault(Phase.CLASSIFY, "Ethical review PASS or PASS-WITH-NOTES", _failing),
    Fault(Phase.CLASSIFY, "Blind difficulty calibration complete", lambda dossier: without(dossier, ClassificationReport)),
    Fault(Phase.CLASSIFY, "SOCRATES confidence >= 0.6", _of(ClassificationReport, confidence=0.55)),
    Fault(Phase.REFINE, "All agents have reviewed", lambda dossier: without(dossier, ReviewMemo, NEWTON)),
    Fault(Phase.REFINE, "Difficulty calibration vote complete", lambda dossier: without(dossier, CalibrationVote, NEWTON)),
    Fault(Phase.REFINE, "No dimension with range > 2 unresolved", _split),
    Fault(Phase.REFINE, "Final consensus vote: APPROVE or APPROVE-WITH-NOTES", _two_refuse),
    Fault(Phase.REFINE, "SOCRATES blind vs. informed delta documented", _of(InformedClassification, delta="")),
    Fault(Phase.REFINE, "Distractor review complete", _of(DistractorReview, NEWTON, findings=())),
    Fault(Phase.REFINE, "No unresolved challenges or vetoes", _challenged),
    Fault(Phase.REFINE, "Mechanics accepted", _record(goal="you.at == 'in'")),
    Fault(Phase.REFINE, "Computed status", lambda dossier: replace(dossier, brief=BRIEF.model_copy(update={"solution_status": "CT"}))),
    Fault(Phase.REFINE, "Prose follows the record", _scenario(threat="A bomb that goes off in 17 s.")),
    Fault(Phase.REFINE, "Claims computed", _false_claim()),
    Fault(Phase.DOCUMENT, "Public document complete", spoil_documents=_public("### Threat / Challenge", "### Threat")),
    Fault(Phase.DOCUMENT, "Evaluation document complete", spoil_documents=_evaluation("Scoring Rubric", "Scores")),
    Fault(Phase.DOCUMENT, "All 5 agent traces present", lambda dossier: without(dossier, AgentTrace, GALILEO)),
    Fault(Phase.DOCUMENT, "Metadata record complete", spoil_documents=_metadata(canary="")),
    Fault(Phase.DOCUMENT, "Spell check / formatting", spoil_documents=_public("a bare concrete", "a a bare concrete")),
    Fault(Phase.DOCUMENT, "Final scenario ID assigned", spoil_bench=lambda bench: replace(bench, taken=frozenset({"IM-0001"}))),
    Fault(Phase.DOCUMENT, "Public text suffices", spoil_bench=lambda bench: replace(bench, reader=lambda _text, _report: "The height of the window is not told.")),
)
# fmt: on
