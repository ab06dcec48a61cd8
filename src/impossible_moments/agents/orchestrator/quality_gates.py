"""The quality gates: every row of specification 5.1 to 5.6, and the decisions that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Final

from impossible_moments.agents.orchestrator.gate_applicability import check_for
from impossible_moments.agents.orchestrator.gate_checks import (
    classify,
    document,
    floor,
    ground,
    refine,
    seed,
    validate,
)
from impossible_moments.agents.orchestrator.gate_checks.case import Bench, Case, Remedy
from impossible_moments.agents.orchestrator.gate_checks.limits import ATTEMPTS
from impossible_moments.agents.orchestrator.gate_criteria import Criteria, Criterion
from impossible_moments.domain.dossier import Dossier, Note
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.scenarios.documents import Documents

COMPUTED: Final = "Computed from mechanics"


class Outcome(StrEnum):
    """The possible decisions of a gate."""

    ADVANCE = "ADVANCE"
    LOOP = "LOOP"
    ESCALATE = "ESCALATE"


@dataclass(frozen=True, slots=True)
class Deficiency:
    """A criterion that is not met, as a note to the agent that must act."""

    criterion: str
    text: str
    addressee: str
    remedy: Remedy = Remedy.REVISION
    method: str = ""
    """How the criterion is checked."""


@dataclass(frozen=True, slots=True)
class GateDecision:
    """The decision of a gate, with its reasons."""

    phase: Phase
    outcome: Outcome
    deficiencies: tuple[Deficiency, ...] = ()
    remarks: tuple[Deficiency, ...] = ()
    """Unmet criteria that are not required and do not block the phase."""

    @property
    def advances(self) -> bool:
        """Whether the next phase may begin."""
        return self.outcome is Outcome.ADVANCE

    @property
    def needs_discussion(self) -> tuple[Deficiency, ...]:
        """The doubts that a structured discussion must address."""
        return tuple(each for each in self.deficiencies if each.remedy is Remedy.DISCUSSION)

    @property
    def failed_computations(self) -> tuple[Deficiency, ...]:
        """The deficiencies computed from the record, which no vote or reviewer can override."""
        return tuple(each for each in self.deficiencies if each.method == COMPUTED)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The deficiencies as notes, each for its addressee alone."""
        return tuple(
            Note(each.addressee, f"{each.criterion}: {each.text}", self.phase) for each in self.deficiencies
        )


@dataclass(frozen=True)
class QualityGate:
    """A gate whose criteria must all be met.

    After the last attempt, or if a criterion demands it, a human decides.
    """

    phase: Phase
    criteria: Criteria
    attempts: int = ATTEMPTS

    def decide(
        self, dossier: Dossier, attempt: int, *, bench: Bench, documents: Documents | None = None
    ) -> GateDecision:
        """Judge the dossier after the given attempt, counted from 1."""
        case = Case(dossier, bench, documents)
        missing: list[Deficiency] = []
        remarks: list[Deficiency] = []
        for row in self.criteria:
            check = check_for(self.phase, row.name, case, row.check)
            lacks = () if check is None else check(case)
            found = (
                Deficiency(row.name, lack.text, lack.addressee, lack.remedy, row.method) for lack in lacks
            )
            (missing if row.binding else remarks).extend(found)
        attempts = min(self.attempts, bench.limits.attempts.get(self.phase, self.attempts))
        outcome = _outcome(missing, is_last=attempt >= attempts)
        return GateDecision(self.phase, outcome, tuple(missing), tuple(remarks))

    def __getitem__(self, name: str) -> Criteria:
        """Return the criteria for `gate["criteria"]`, to which an extension appends (specification 8.3)."""
        if name != "criteria":
            raise KeyError(f"a gate has no item `{name}`; its only item is `criteria`")
        return self.criteria


def _outcome(missing: list[Deficiency], *, is_last: bool) -> Outcome:
    if not missing:
        return Outcome.ADVANCE
    at_once = any(each.remedy is Remedy.HUMAN for each in missing)
    return Outcome.ESCALATE if at_once or is_last else Outcome.LOOP


structural = partial(Criterion, "Orchestrator structural check")
completeness = partial(Criterion, "Orchestrator completeness check")
similarity = partial(Criterion, "Orchestrator similarity check (embedding distance > threshold)")
workflow = partial(Criterion, "Orchestrator workflow check")
veto_log = partial(Criterion, "Orchestrator veto log check")
challenge_log = partial(Criterion, "Orchestrator challenge log check")
vote_tally = partial(Criterion, "Orchestrator vote tally")
automated = partial(Criterion, "Orchestrator automated check")
registry = partial(Criterion, "Orchestrator registry check")
orchestrator = partial(Criterion, "Orchestrator check")
calculation = partial(Criterion, "EULER calculation")
computation = partial(Criterion, COMPUTED)
invariant = partial(Criterion, "System invariant")
self_assessment = partial(Criterion, "ATHENA self-assessment")


def _self_report(agent: str) -> partial[Criterion]:
    return partial(Criterion, f"{agent} self-report")


def _deliverable(agent: str) -> partial[Criterion]:
    return partial(Criterion, f"{agent} deliverable check")


# fmt: off
_FLOOR: Final = (
    computation("Mechanics accepted",       "No finding refuses the record",                                            floor.record_is_accepted),
    computation("Computed status",          "The status computed from the record is the brief's",                       floor.status_is_the_briefs),
    computation("Prose follows the record", "Every number of the public text belongs to the record, and none is left out", floor.prose_follows_the_record),
    computation("Claims computed",          "No claim that can be computed comes out false",                            floor.no_claim_is_false),
)
"""Our additions to the specification's rows: a failed computation cannot be outvoted."""


def specified_gates() -> Mapping[str, QualityGate]:
    """Build the six gates as specified, by phase, without extensions."""
    tables = {
        Phase.SEED: (
            structural("Scenario narrative complete",      "All template sections present",                      seed.narrative_is_complete),
            structural("Object table complete",            "Every object has mass, dimensions, material, notes", seed.object_table_is_complete),
            structural("Capability table complete",        "All relevant human parameters specified",            seed.capability_table_is_complete),
            structural("At least one insight identified",  "Insight chain has >= 1 entry",                       seed.an_insight_is_named),
            structural("Solution sketch present",          "Step-by-step sequence exists",                       seed.sketch_is_present),
            structural("At least one distractor designed", "Distractor inventory has >= 1 entry",                seed.a_distractor_is_designed),
            structural("Physical claims flagged",          "ATHENA has identified which claims need validation", seed.claims_are_flagged),
            similarity("No duplicate scenario", "Concept does not match any existing scenario in the registry", seed.nothing_like_it_exists),
            self_assessment("Category match", "Scenario fits the target category's definition and primary cognitive skill", seed.category_is_the_briefs),
            *_FLOOR,
            invariant("ATHENA confidence >= 0.5", "No critical deliverable is handed in with less (1.7)", seed.athena_is_confident),
        ),
        Phase.VALIDATE: (
            completeness("All physical claims validated",  "Every flagged claim has VALID or INVALID status", validate.every_claim_has_a_verdict),
            workflow("No INVALID claims without revision", "If any claim is INVALID, ATHENA has revised and the revision has been re-validated", validate.no_claim_stays_invalid),
            calculation("Timing budget validated",         "EULER's timing sum <= stated deadline with >= 10% margin", validate.timing_leaves_a_margin),
            veto_log("No active vetoes",                   "All vetoes resolved (lifted, revised, or escalated)", validate.no_active_vetoes),
            _self_report("NEWTON")("NEWTON confidence >= 0.7", "NEWTON's overall physics assessment is at least 0.7", validate.newton_is_confident),
            _self_report("EULER")("EULER confidence >= 0.7",   "EULER's overall math assessment is at least 0.7", validate.euler_is_confident),
            structural("Edge cases documented",            "At least 2 edge cases identified", validate.edge_cases_are_documented),
            _deliverable("EULER")("Sensitivity analysis complete", "Fragility profile documented for all key parameters", validate.sensitivity_is_complete),
            *_FLOOR,
            computation("Margin computed", "The margin EULER reports is the computed one within rounding", floor.margin_is_the_computed_one),
        ),
        Phase.GROUND: (
            structural("At least 3 cognitive constructs mapped", "Each insight maps to a cited construct", ground.constructs_are_mapped),
            structural("At least 5 citations provided",          "References are specific (author, year, title)", ground.citations_are_specific),
            structural("AI difficulty prediction present",       "Predicted performance by architecture type is provided", ground.prediction_is_present),
            structural("Benchmark positioning complete",         "Comparison to at least 3 existing benchmarks", ground.benchmarks_are_compared),
            _self_report("GALILEO")("GALILEO confidence >= 0.6", "Overall scientific merit assessment", ground.galileo_is_confident),
            _deliverable("GALILEO")("No construct validity concerns", "GALILEO has not flagged any construct validity issues", ground.no_validity_concern),
        ),
        Phase.CLASSIFY: (
            structural("Solution status classified",  "One of KS/CT/OF/PX/MT/DG assigned", classify.status_is_classified),
            structural("Justification provided",      "Reasoning for classification is present and substantive (>100 words)", classify.justification_is_substantive),
            structural("Impossibility type assessed", "Type I/II/III assigned", classify.type_is_assessed),
            structural("Ethical review completed",    "PASS/PASS-WITH-NOTES/FAIL assigned", classify.ethics_are_reviewed),
            orchestrator("Ethical review PASS or PASS-WITH-NOTES", "If FAIL, pipeline halts for human review", classify.ethics_are_passed),
            structural("Blind difficulty calibration complete", "I.D.C.B.T.X scores assigned", classify.calibration_is_complete),
            _self_report("SOCRATES")("SOCRATES confidence >= 0.6", "Overall classification confidence", classify.socrates_is_confident),
        ),
        Phase.REFINE: (
            completeness("All agents have reviewed",              "5 review memos received", refine.all_have_reviewed),
            completeness("Difficulty calibration vote complete",  "All 5 agents have voted on I.D.C.B.T.X", refine.all_have_calibrated),
            orchestrator("No dimension with range > 2 unresolved", "Any dimension where agents disagree by >2 has been discussed and re-voted", refine.divisions_were_discussed),
            vote_tally("Final consensus vote: APPROVE or APPROVE-WITH-NOTES", "Supermajority (4/5)", refine.vote_approves),
            structural("SOCRATES blind vs. informed delta documented", "Delta between blind and informed classification recorded", refine.delta_is_documented),
            completeness("Distractor review complete",            "All agents have reviewed distractor inventory", refine.distractors_are_reviewed),
            challenge_log("No unresolved challenges or vetoes",   "All Phase 5 challenges resolved", refine.nothing_is_disputed),
            *_FLOOR,
        ),
        Phase.DOCUMENT: (
            structural("Public document complete",      "All template sections present", document.public_document_is_complete),
            structural("Evaluation document complete",  "Solution/criteria + scoring rubric present", document.evaluation_document_is_complete),
            completeness("All 5 agent traces present",  "Each agent has submitted a trace document", document.all_traces_are_present),
            structural("Metadata record complete",      "All fields populated", document.metadata_are_complete),
            automated("Spell check / formatting",       "Document follows the style conventions", document.document_follows_the_style),
            registry("Final scenario ID assigned",      "Unique ID in the IM-XXXX format", document.identifier_is_unique),
            computation("Public text suffices", "Who has the public document alone comes to what the record computes", floor.public_text_suffices),
        ),
    }
    return MappingProxyType({phase: QualityGate(phase, Criteria(phase, rows)) for phase, rows in tables.items()})
# fmt: on


PHASE_GATES: Final = specified_gates()
"""The gates in force. An extension can append criteria, but not remove any."""
