"""The quality gates: every row of specification 5.1 to 5.6, and the decisions that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final

from impossible_moments.agents.orchestrator.gates.applicability import select_check_of_gate_row
from impossible_moments.agents.orchestrator.gates.checks import (
    classification_checks,
    computation_checks,
    content_checks,
    document_checks,
    grounding_checks,
    refinement_checks,
    seed_checks,
    validation_checks,
)
from impossible_moments.agents.orchestrator.gates.criteria import GateCriteria, GateCriterion
from impossible_moments.agents.orchestrator.gates.gate_case import GateCase, GateResources, Remedy
from impossible_moments.domain.dossier import AgentNote, Dossier, RevisionDemand
from impossible_moments.domain.thresholds import ATTEMPTS
from impossible_moments.domain.vocabulary import ORCHESTRATOR, Phase
from impossible_moments.scenarios import ScenarioDocuments

COMPUTED: Final = "Computed from mechanics"
STATUS_VOTE: Final = "Final solution status: unanimous"


class GateOutcome(StrEnum):
    """The possible decisions of a gate."""

    ADVANCE = "ADVANCE"
    LOOP = "LOOP"
    ESCALATE = "ESCALATE"


@dataclass(frozen=True, slots=True)
class GateDeficiency:
    """A criterion that is not met, as a note to the agent that must act."""

    criterion: str
    text: str
    addressee: str
    remedy: Remedy = Remedy.REVISION
    method: str = ""
    """How the criterion is checked."""
    demand: RevisionDemand | None = None
    """The demanded change, if an agent or a finding demands one."""


@dataclass(frozen=True, slots=True)
class GateDecision:
    """The decision of a gate, with its reasons."""

    phase: Phase
    outcome: GateOutcome
    deficiencies: tuple[GateDeficiency, ...] = ()
    remarks: tuple[GateDeficiency, ...] = ()
    """Unmet criteria that are not required and do not block the phase."""

    @property
    def advances(self) -> bool:
        """Whether the next phase may begin."""
        return self.outcome is GateOutcome.ADVANCE

    @property
    def needs_discussion(self) -> tuple[GateDeficiency, ...]:
        """The doubts that a structured discussion must address."""
        return tuple(each for each in self.deficiencies if each.remedy is Remedy.DISCUSSION)

    @property
    def failed_computations(self) -> tuple[GateDeficiency, ...]:
        """The deficiencies computed from the record, which no vote or reviewer can override."""
        return tuple(each for each in self.deficiencies if each.method == COMPUTED)

    @property
    def notes(self) -> tuple[AgentNote, ...]:
        """The deficiencies that an agent can remedy by a change, as notes, each for its addressee alone."""
        return tuple(
            AgentNote(
                each.addressee,
                f"{each.criterion}: {each.text}",
                self.phase,
                demand=each.demand or RevisionDemand(ORCHESTRATOR, f"{each.criterion}: {each.text}"),
            )
            for each in self.deficiencies
            if each.remedy is not Remedy.SUBMISSION
        )


@dataclass(frozen=True)
class QualityGate:
    """A gate whose criteria must all be met.

    After the last attempt, or if a criterion demands it, a human decides.
    """

    phase: Phase
    criteria: GateCriteria
    attempts: int = ATTEMPTS

    def decide(
        self,
        dossier: Dossier,
        attempt: int,
        *,
        resources: GateResources,
        documents: ScenarioDocuments | None = None,
    ) -> GateDecision:
        """Judge the dossier after the given attempt, counted from 1."""
        case = GateCase(dossier, resources, documents)
        missing: list[GateDeficiency] = []
        remarks: list[GateDeficiency] = []
        for row in self.criteria:
            check = select_check_of_gate_row(self.phase, row.name, case, row.check)
            deficiencies = () if check is None else check(case)
            found = (
                GateDeficiency(row.name, lack.text, lack.addressee, lack.remedy, row.method, lack.demand)
                for lack in deficiencies
            )
            (missing if row.binding else remarks).extend(found)
        attempts = min(self.attempts, resources.limits.attempts.get(self.phase, self.attempts))
        outcome = _select_gate_outcome(missing, is_last=attempt >= attempts)
        return GateDecision(self.phase, outcome, tuple(missing), tuple(remarks))

    def __getitem__(self, name: str) -> GateCriteria:
        """Return the criteria for `gate["criteria"]`, to which an extension appends (specification 8.3)."""
        if name != "criteria":
            raise KeyError(f"a gate has no item `{name}`; its only item is `criteria`")
        return self.criteria


def _select_gate_outcome(missing: list[GateDeficiency], *, is_last: bool) -> GateOutcome:
    if not missing:
        return GateOutcome.ADVANCE
    needs_human = any(each.remedy is Remedy.HUMAN for each in missing)
    return GateOutcome.ESCALATE if needs_human or is_last else GateOutcome.LOOP


structural = partial(GateCriterion, "Orchestrator structural check")
completeness = partial(GateCriterion, "Orchestrator completeness check")
similarity = partial(GateCriterion, "Orchestrator similarity check (embedding distance > threshold)")
workflow = partial(GateCriterion, "Orchestrator workflow check")
veto_log = partial(GateCriterion, "Orchestrator veto log check")
challenge_log = partial(GateCriterion, "Orchestrator challenge log check")
vote_tally = partial(GateCriterion, "Orchestrator vote tally")
automated = partial(GateCriterion, "Orchestrator automated check")
registry = partial(GateCriterion, "Orchestrator registry check")
orchestrator = partial(GateCriterion, "Orchestrator check")
calculation = partial(GateCriterion, "EULER calculation")
computation = partial(GateCriterion, COMPUTED)
invariant = partial(GateCriterion, "System invariant")
self_assessment = partial(GateCriterion, "ATHENA self-assessment")


def _make_self_report_criterion(agent: str) -> partial[GateCriterion]:
    return partial(GateCriterion, f"{agent} self-report")


def _make_deliverable_criterion(agent: str) -> partial[GateCriterion]:
    return partial(GateCriterion, f"{agent} deliverable check")


# fmt: off
_FLOOR: Final = (
    computation("Mechanics accepted",       "No finding refuses the record",                                            computation_checks.check_record_accepted),
    computation("Computed status",          "The status computed from the record is the brief's",                       computation_checks.check_status_matches_brief),
    computation("Prose follows the record", "Every number of the public text belongs to the record, and none is left out", computation_checks.check_prose_matches_record),
    computation("Claims computed",          "No claim that can be computed comes out false",                            computation_checks.check_no_claim_false),
)
"""Our additions to the specification's rows: a failed computation cannot be outvoted."""


def build_specified_gates() -> Mapping[str, QualityGate]:
    """Build the six gates as specified, by phase, without extensions."""
    tables = {
        Phase.SEED: (
            structural("Scenario narrative complete",      "All template sections present",                      seed_checks.check_narrative_complete),
            structural("Object table complete",            "Every object has mass, dimensions, material, notes", seed_checks.check_object_table_complete),
            structural("Capability table complete",        "All relevant human parameters specified",            seed_checks.check_capability_table_complete),
            structural("At least one insight identified",  "Insight chain has >= 1 entry",                       seed_checks.check_insight_named),
            structural("Solution sketch present",          "Step-by-step sequence exists",                       seed_checks.check_sketch_present),
            structural("At least one distractor designed", "Distractor inventory has >= 1 entry",                seed_checks.check_distractor_designed),
            structural("Physical claims flagged",          "ATHENA has identified which claims need validation", seed_checks.check_claims_flagged),
            similarity("No duplicate scenario", "Concept does not match any existing scenario in the registry", seed_checks.check_no_duplicate_exists),
            self_assessment("Category match", "Scenario fits the target category's definition and primary cognitive skill", seed_checks.check_category_matches_brief),
            computation("Record readable", "The record can be read, and its names and dimensions agree", computation_checks.check_record_readable),
            computation("Wording complete", "The record states in words each action of a working plan, so that answers can be scored", seed_checks.check_wording_complete),
            invariant("Candidates considered", "3 to 5 situations, each with its constraint set (phase 1, steps 1 and 2)", seed_checks.check_candidates_considered),
            invariant("Text and key read well", "A first-time reader finds nothing without support; a remark, not a condition", content_checks.check_text_reads_well, binding=False),
            invariant("ATHENA confidence >= 0.5", "No critical deliverable is handed in with less (1.7)", seed_checks.check_athena_confidence),
        ),
        Phase.VALIDATE: (
            completeness("All physical claims validated",  "Every flagged claim has VALID or INVALID status", validation_checks.check_every_claim_judged),
            workflow("No INVALID claims without revision", "If any claim is INVALID, ATHENA has revised and the revision has been re-validated", validation_checks.check_no_claim_invalid),
            calculation("Timing budget validated",         "EULER's timing sum <= stated deadline with >= 10% margin", validation_checks.check_timing_margin),
            veto_log("No active vetoes",                   "All vetoes resolved (lifted, revised, or escalated)", validation_checks.check_no_active_vetoes),
            _make_self_report_criterion("NEWTON")("NEWTON confidence >= 0.7", "NEWTON's overall physics assessment is at least 0.7", validation_checks.check_newton_confidence),
            _make_self_report_criterion("EULER")("EULER confidence >= 0.7",   "EULER's overall math assessment is at least 0.7", validation_checks.check_euler_confidence),
            structural("Edge cases documented",            "At least 2 edge cases identified", validation_checks.check_edge_cases_documented),
            _make_deliverable_criterion("EULER")("Sensitivity analysis complete", "Fragility profile documented for all key parameters", validation_checks.check_sensitivity_complete),
            invariant("Alternative paths answered", "Every other way that a validator names is in the record or closed by a fact", validation_checks.check_alternative_paths_answered),
            *_FLOOR,
            computation("Margin computed", "The margin EULER reports is the computed one within rounding", computation_checks.check_margin_matches_computation),
        ),
        Phase.GROUND: (
            structural("At least 3 cognitive constructs mapped", "Each insight maps to a cited construct", grounding_checks.check_constructs_mapped),
            structural("At least 5 citations provided",          "References are specific (author, year, title)", grounding_checks.check_citations_specific),
            structural("AI difficulty prediction present",       "Predicted performance by architecture type is provided", grounding_checks.check_prediction_present),
            structural("Benchmark positioning complete",         "Comparison to at least 3 existing benchmarks", grounding_checks.check_benchmarks_compared),
            _make_self_report_criterion("GALILEO")("GALILEO confidence >= 0.6", "Overall scientific merit assessment", grounding_checks.check_galileo_confidence),
            _make_deliverable_criterion("GALILEO")("No construct validity concerns", "GALILEO has not flagged any construct validity issues", grounding_checks.check_no_validity_concern),
        ),
        Phase.CLASSIFY: (
            structural("Solution status classified",  "One of KS/CT/OF/PX/MT/DG assigned", classification_checks.check_status_classified),
            structural("Justification provided",      "Reasoning for classification is present and substantive (>100 words)", classification_checks.check_justification_substantive),
            structural("Impossibility type assessed", "Type I/II/III assigned", classification_checks.check_impossibility_type_assessed),
            structural("Ethical review completed",    "PASS/PASS-WITH-NOTES/FAIL assigned", classification_checks.check_ethics_reviewed),
            orchestrator("Ethical review PASS or PASS-WITH-NOTES", "If FAIL, pipeline halts for human review", classification_checks.check_ethics_passed),
            structural("Blind difficulty calibration complete", "I.D.C.B.T.X scores assigned", classification_checks.check_blind_calibration_complete),
            _make_self_report_criterion("SOCRATES")("SOCRATES confidence >= 0.6", "Overall classification confidence", classification_checks.check_socrates_confidence),
        ),
        Phase.REFINE: (
            completeness("All agents have reviewed",              "5 review memos received", refinement_checks.check_all_roles_reviewed),
            completeness("Difficulty calibration vote complete",  "All 5 agents have voted on I.D.C.B.T.X", refinement_checks.check_all_roles_calibrated),
            orchestrator("No dimension with range > 2 unresolved", "Any dimension where agents disagree by >2 has been discussed and re-voted", refinement_checks.check_divided_difficulty_votes_discussed),
            vote_tally("Final consensus vote: APPROVE or APPROVE-WITH-NOTES", "Supermajority (4/5)", refinement_checks.check_readiness_vote),
            structural("SOCRATES blind vs. informed delta documented", "Delta between blind and informed classification recorded", refinement_checks.check_classification_delta_documented),
            completeness("Distractor review complete",            "All agents have reviewed distractor inventory", refinement_checks.check_distractors_reviewed),
            challenge_log("No unresolved challenges or vetoes",   "All Phase 5 challenges resolved", refinement_checks.check_all_disputes_resolved),
            invariant(STATUS_VOTE,                               "All agents vote for the same status (1.4)", refinement_checks.check_status_vote),
            invariant("Tier, distractors and design voted on",   "Tier and distractors by supermajority, name, style and objects by simple majority; a missed level was discussed (1.4)", refinement_checks.check_design_votes),
            invariant("No decision rests on unsure votes",       "Without voters below 0.5 the same side wins (1.3, 1.7)", refinement_checks.check_votes_are_sure),
            invariant("No critical deliverable below 0.5",        "No memo, report or classification after the reveal is handed in with less (1.7)", refinement_checks.check_no_low_confidence),
            *_FLOOR,
        ),
        Phase.DOCUMENT: (
            structural("Public document complete",      "All template sections present", document_checks.check_public_document_complete),
            structural("Evaluation document complete",  "Solution/criteria + scoring rubric present", document_checks.check_evaluation_document_complete),
            completeness("All 5 agent traces present",  "Each agent has submitted a trace document", document_checks.check_traces_complete),
            structural("Metadata record complete",      "All fields populated", document_checks.check_metadata_complete),
            automated("Spell check / formatting",       "Document follows the style conventions", document_checks.check_document_style),
            registry("Final scenario ID assigned",      "Unique ID in the IM-XXXX format", document_checks.check_identifier_unique),
            invariant("Open points settled", "Everything that an agent asked of another is adopted, declined with a reason, superseded or decided by a human", document_checks.check_open_points_settled),
            computation("Public text suffices", "Who has the public document alone comes to what the record computes", computation_checks.check_public_text_sufficient),
        ),
    }
    return MappingProxyType({phase: QualityGate(phase, GateCriteria(phase, rows)) for phase, rows in tables.items()})
# fmt: on


PHASE_GATES: Final = build_specified_gates()
"""The gates in force. An extension can append criteria, but not remove any."""
