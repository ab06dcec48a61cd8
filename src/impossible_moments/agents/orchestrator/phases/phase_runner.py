"""The phase runner: work, then the gate, repeated with the gate's notes until a human must decide.

If a phase revises something that an earlier gate passed, that gate's criteria are checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.consensus_engine import APPROVED, REJECTED
from impossible_moments.agents.orchestrator.demand_merging import merge_equal_demands
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.gates.advancement_votes import count_votes_to_advance
from impossible_moments.agents.orchestrator.gates.gate_case import Remedy
from impossible_moments.agents.orchestrator.phases.human_decisions import (
    apply_human_decision,
    give_decided_demands,
    remove_decided_deficiencies,
)
from impossible_moments.agents.orchestrator.protocols.escalation_protocol import (
    EscalationRequest,
    EscalationTrigger,
    escalate_to_human,
)
from impossible_moments.agents.orchestrator.quality_gates import (
    STATUS_VOTE,
    GateDecision,
    GateDeficiency,
    GateOutcome,
    QualityGate,
    build_specified_gates,
)
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import AgentNote, DisagreementLogEntry, Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.thresholds import ATTEMPTS
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.scenarios import ScenarioDocuments

Work: TypeAlias = Callable[[ScenarioRules, Dossier], Flow[Dossier]]
Assembly: TypeAlias = Callable[[ScenarioRules, Dossier], ScenarioDocuments]


@dataclass(frozen=True)
class PhaseSpec:
    """One of the six phases: its work, and the documents that its gate examines."""

    phase: Phase
    work: Work
    assemble: Assembly | None = None


ATTEMPTS_AFTER_DECISION: Final = 2
"""The revision that a human's decision asks for, and one repair of it, before a human is asked again."""


RESTARTS: Final = 1
"""How often the attempts of a phase are counted anew because ATHENA has handed in another situation."""


def run_phase(spec: PhaseSpec, rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Repeat a phase's work until its gate opens or a human lets the scenario go on as it is.

    If a human settles a gate failure and changes are open, ATHENA makes them, and the gate judges the result. If
    ATHENA answers demands with another situation, its attempts are counted anew, once in a phase.
    """
    before, attempt, restarts = dossier, 0, 0
    decided: tuple[GateDecision, ...] = ()
    last: GateDecision | None = None
    while True:
        attempt += 1
        earlier = dossier
        dossier = yield from spec.work(rules, dossier)
        if restarts < RESTARTS and has_new_situation(earlier, dossier):
            attempt, restarts = 1, restarts + 1
        decisions = _evaluate_gates(spec, rules, before, dossier, attempt)
        dossier = _record_remarks(dossier, decisions)
        decision = _combine_decisions(decisions)
        dossier, decision = _count_votes_to_advance(dossier, decision)
        decision = remove_decided_deficiencies(decision, decided)
        if decision.advances:
            return dossier.replace_notes(())
        decision, last = _end_repeated_discussion(decision, last), decision
        notes = merge_equal_demands(decision.notes, dossier.find_latest_deliverable(SeedDocument))
        dossier = _log_low_confidences(dossier.increment_loop_count(spec.phase), decision).replace_notes(
            (*notes, *_build_discussion_notes(dossier, decision))
        )
        if decision.outcome is GateOutcome.ESCALATE:
            dossier = yield from _escalate_gate_decision(rules, dossier, decision)
            decided, attempt = (*decided, decision), attempt - ATTEMPTS_AFTER_DECISION
            if not _is_revision_owed(dossier) or len(decided) >= ATTEMPTS:
                return dossier.replace_notes(())


def has_new_situation(earlier: Dossier, dossier: Dossier) -> bool:
    """Return whether the newest seed document has no object in common with the one before."""
    before, after = (each.find_latest_deliverable(SeedDocument) for each in (earlier, dossier))
    if before is None or after is None or before is after or not before.scenario.objects:
        return False
    names = [{row.name.casefold() for row in each.scenario.objects} for each in (before, after)]
    return names[0].isdisjoint(names[1])


def _end_repeated_discussion(decision: GateDecision, last: GateDecision | None) -> GateDecision:
    """Return the decision to ask a human if a doubt was discussed and is still the same.

    An agent that has read its doubt again and keeps it rests on the same facts, so a third question settles nothing.
    """
    doubts = decision.needs_discussion
    if last is None or not doubts or not set(doubts) <= set(last.needs_discussion):
        return decision
    return replace(decision, outcome=GateOutcome.ESCALATE)


def _is_revision_owed(dossier: Dossier) -> bool:
    return any(note.owed and note.addressee == ATHENA for note in dossier.notes)


def _evaluate_gates(
    spec: PhaseSpec, rules: ScenarioRules, before: Dossier, dossier: Dossier, attempt: int
) -> tuple[GateDecision, ...]:
    """Evaluate this phase's gate, reopened earlier gates, and revisions owed after lost disputes."""
    documents = spec.assemble(rules, dossier) if spec.assemble is not None else None
    gates = (rules.gates[spec.phase], *_find_reopened_gates(before, dossier, spec.phase))
    decisions = [
        gate.decide(dossier, attempt, resources=rules.gate_resources, documents=documents) for gate in gates
    ]
    return (*decisions, _build_gate_decision_on_owed_revisions(rules, dossier, spec.phase, attempt))


def _record_remarks(dossier: Dossier, decisions: tuple[GateDecision, ...]) -> Dossier:
    """Record what the gates remark about ATHENA's work. Each remark is an open point, which ATHENA answers.

    The gate of DOCUMENT is the last one, so that no agent could answer its remarks.
    """
    *decided, _ = decisions  # the last one is about owed revisions
    for decision in decided:
        if decision.phase is not Phase.DOCUMENT:
            texts = [each.text for each in decision.remarks if each.addressee == ATHENA]
            dossier = dossier.add_gate_remarks(decision.phase, texts)
    return dossier


def _combine_decisions(decisions: tuple[GateDecision, ...]) -> GateDecision:
    """Return the decision of the first gate with the worst outcome and the deficiencies of all."""
    outcomes = {decision.outcome for decision in decisions}
    worst = next(
        each for each in (GateOutcome.ESCALATE, GateOutcome.LOOP, GateOutcome.ADVANCE) if each in outcomes
    )
    deficiencies = dict.fromkeys(each for decision in decisions for each in decision.deficiencies)
    return replace(decisions[0], outcome=worst, deficiencies=tuple(deficiencies))


_JUDGED_DELIVERABLES: Final[Mapping[Phase, tuple[type[LabelledModel], ...]]] = {
    Phase.SEED: (SeedDocument,),
    Phase.VALIDATE: (SeedDocument, PhysicsReport, MathematicsReport),
    Phase.GROUND: (GroundingReport,),
    Phase.CLASSIFY: (ClassificationReport,),
    Phase.REFINE: (ReviewMemo, ReadinessVote),
}
"""The deliverables that a gate has judged and later phases may revise."""
OWED: Final = "A demanded revision is made"
_SPECIFIED_GATES: Final = build_specified_gates()
"""Gates without the rows of extensions, because an additional agent hands in its report only once."""


def _find_reopened_gates(before: Dossier, dossier: Dossier, phase: Phase) -> tuple[QualityGate, ...]:
    """Return the gates of earlier phases whose deliverables this phase has revised."""
    new_entries = dossier.entries[len(before.entries) :]
    earlier = tuple(Phase)[: tuple(Phase).index(phase)]
    return tuple(
        _SPECIFIED_GATES[each]
        for each, kinds in _JUDGED_DELIVERABLES.items()
        if each in earlier and any(isinstance(entry.deliverable, kinds) for entry in new_entries)
    )


def _build_gate_decision_on_owed_revisions(
    rules: ScenarioRules, dossier: Dossier, phase: Phase, attempt: int
) -> GateDecision:
    """Return the revisions owed after lost disputes, in the form of a gate decision."""
    missing_revisions = tuple(
        GateDeficiency(OWED, note.text, note.addressee, demand=note.demand)
        for note in dossier.notes
        if note.owed
    )
    attempts = rules.gates[phase].attempts
    is_last = attempt >= min(attempts, rules.gate_resources.limits.attempts.get(phase, attempts))
    outcome = GateOutcome.ESCALATE if is_last else GateOutcome.LOOP
    return GateDecision(phase, outcome if missing_revisions else GateOutcome.ADVANCE, missing_revisions)


def _count_votes_to_advance(dossier: Dossier, decision: GateDecision) -> tuple[Dossier, GateDecision]:
    """Count the votes of the phase's agents. No gate opens against them, whatever its criteria say."""
    record = count_votes_to_advance(dossier, decision.phase)
    if record is None:
        return dossier, decision
    dossier = replace(dossier, votes=(*dossier.votes, record))
    if record.winner == APPROVED or not decision.advances:
        return dossier, decision
    against = ", ".join(agent for agent, choice in record.positions.items() if choice == REJECTED)
    objection = GateDeficiency("Votes to advance", f"{against} votes against advancing.", ATHENA)
    return dossier, replace(decision, outcome=GateOutcome.LOOP, deficiencies=(objection,))


def _log_low_confidences(dossier: Dossier, decision: GateDecision) -> Dossier:
    """Log confidences below a gate's threshold. The next attempt must address their cause."""
    doubts = tuple(
        DisagreementLogEntry(
            each.criterion, (each.addressee,), "structured discussion", each.text, "confidence"
        )
        for each in decision.needs_discussion
    )
    return replace(dossier, disagreements=(*dossier.disagreements, *doubts))


def _build_discussion_notes(dossier: Dossier, decision: GateDecision) -> tuple[AgentNote, ...]:
    """Return what the other agents of a phase are asked to say about a colleague's doubts.

    The doubts are the concerns of its report. Its confidence stays hidden.
    """
    notes = []
    for doubt in decision.needs_discussion:
        concerns = " ".join(_find_latest_concerns(dossier, doubt.addressee)) or "it names no concern."
        notes += [
            AgentNote(
                agent,
                f"{doubt.addressee} is unsure: {concerns} Say what your own work shows about it.",
                decision.phase,
            )
            for agent in _DISCUSSING[decision.phase]
            if agent != doubt.addressee
        ]
    return tuple(notes)


def _find_latest_concerns(dossier: Dossier, agent: str) -> tuple[str, ...]:
    """Return what a validator's newest report doubts: its concerns, else its edge cases."""
    physics = dossier.find_latest_deliverable(PhysicsReport, agent)
    if physics is not None:
        return physics.concerns or physics.edge_cases
    mathematics = dossier.find_latest_deliverable(MathematicsReport, agent)
    return () if mathematics is None else mathematics.edge_cases


_DISCUSSING: Final[Mapping[Phase, tuple[str, ...]]] = {
    phase: (NEWTON, EULER) if phase is Phase.VALIDATE else () for phase in Phase
}
"""The agents that work in a phase together and may read each other's concerns as notes."""


def _escalate_gate_decision(rules: ScenarioRules, dossier: Dossier, decision: GateDecision) -> Flow[Dossier]:
    texts = "; ".join(f"{each.criterion}: {each.text}" for each in decision.deficiencies)
    request = EscalationRequest(
        decision.phase,
        _select_escalation_trigger(decision),
        f"{decision.phase} does not pass its gate: {texts}",
        "the agents had all the attempts a gate allows, a doubt was discussed and stayed the same, or a criterion demands a human at once",
    )
    dossier, human = yield from escalate_to_human(rules.desk, dossier, request)
    dossier = apply_human_decision(dossier, decision.phase, human, decision)
    return give_decided_demands(dossier, human, decision)


def _select_escalation_trigger(decision: GateDecision) -> EscalationTrigger:
    human = [each for each in decision.deficiencies if each.remedy is Remedy.HUMAN]
    if any("thic" in each.criterion for each in human):
        return EscalationTrigger.ETHICS
    if any(each.criterion == STATUS_VOTE for each in human):
        return EscalationTrigger.CONSENSUS
    return EscalationTrigger.CONFIDENCE if human else EscalationTrigger.LOOPS
