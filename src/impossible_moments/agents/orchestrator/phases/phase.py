"""The phase runner: work, then the gate, repeated with the gate's notes until a human must decide.

If a phase revises something that an earlier gate passed, that gate's criteria are checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.gate_checks.case import Remedy
from impossible_moments.agents.orchestrator.protocols.escalation import Point, Trigger, escalate
from impossible_moments.agents.orchestrator.quality_gates import (
    Deficiency,
    GateDecision,
    Outcome,
    QualityGate,
    specified_gates,
)
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.agents.orchestrator.stops import Discarded, Redesigned, SplitUp
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.dossier import Disagreement, Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.scenarios.documents import Documents

D = TypeVar("D", bound=Labelled)
Work: TypeAlias = Callable[[Rules, Dossier], Flow[Dossier]]
Assembly: TypeAlias = Callable[[Rules, Dossier], Documents]


@dataclass(frozen=True)
class PhaseSpec:
    """One of the six phases: its work, and the documents that its gate examines."""

    phase: Phase
    work: Work
    assemble: Assembly | None = None


def run_phase(spec: PhaseSpec, rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Repeat a phase's work until its gate opens or a human has decided."""
    before, attempt = dossier, 0
    while True:
        attempt += 1
        dossier = yield from spec.work(rules, dossier)
        decision = _judged(spec, rules, before, dossier, attempt)
        if decision.advances:
            return dossier.noting(())
        dossier = _discussed(dossier.looped(spec.phase), decision).noting(decision.notes)
        if decision.outcome is Outcome.ESCALATE:
            return (yield from _decided_by_a_human(rules, dossier, decision))


def done_in(dossier: Dossier, kind: type[D], phase: Phase) -> dict[str, D]:
    """Return each author's last deliverable of a kind in a phase.

    Deliverables from before a return to an earlier phase are left out.
    """
    order = tuple(Phase)
    found: dict[str, D] = {}
    for entry in dossier.entries:
        if order.index(entry.phase) < order.index(phase):
            found = {}  # about a version that was redesigned since
        elif entry.phase is phase and isinstance(entry.deliverable, kind):
            found[entry.author] = entry.deliverable
    return found


def _judged(spec: PhaseSpec, rules: Rules, before: Dossier, dossier: Dossier, attempt: int) -> GateDecision:
    """Evaluate this phase's gate, reopened earlier gates, and revisions owed after lost disputes."""
    documents = spec.assemble(rules, dossier) if spec.assemble is not None else None
    gates = (rules.gates[spec.phase], *_reopened(before, dossier, spec.phase))
    decisions = [gate.decide(dossier, attempt, bench=rules.judging, documents=documents) for gate in gates]
    decisions.append(_owed(rules, dossier, spec.phase, attempt))
    outcomes = {decision.outcome for decision in decisions}
    worst = next(each for each in (Outcome.ESCALATE, Outcome.LOOP, Outcome.ADVANCE) if each in outcomes)
    lacks = dict.fromkeys(each for decision in decisions for each in decision.deficiencies)
    return replace(decisions[0], outcome=worst, deficiencies=tuple(lacks))


_JUDGED: Final[Mapping[Phase, tuple[type[Labelled], ...]]] = {
    Phase.SEED: (SeedDocument,),
    Phase.VALIDATE: (SeedDocument, PhysicsReport, MathematicsReport),
    Phase.GROUND: (GroundingReport,),
}
"""The deliverables that a gate has judged and later phases may revise."""
_SPECIFIED: Final = specified_gates()
"""Gates without the rows of extensions, because an additional agent hands in its report only once."""


def _reopened(before: Dossier, dossier: Dossier, phase: Phase) -> tuple[QualityGate, ...]:
    """Return the gates of earlier phases whose deliverables this phase has revised."""
    new = dossier.entries[len(before.entries) :]
    earlier = tuple(Phase)[: tuple(Phase).index(phase)]
    return tuple(
        _SPECIFIED[each]
        for each, kinds in _JUDGED.items()
        if each in earlier and any(isinstance(entry.deliverable, kinds) for entry in new)
    )


def _owed(rules: Rules, dossier: Dossier, phase: Phase, attempt: int) -> GateDecision:
    """Return the revisions owed after lost disputes, in the form of a gate decision."""
    owed = tuple(
        Deficiency("A lost challenge is answered by a revision", note.text, note.addressee)
        for note in dossier.notes
        if note.owed
    )
    attempts = rules.gates[phase].attempts
    is_last = attempt >= min(attempts, rules.judging.limits.attempts.get(phase, attempts))
    outcome = Outcome.ESCALATE if is_last else Outcome.LOOP
    return GateDecision(phase, outcome if owed else Outcome.ADVANCE, owed)


def _discussed(dossier: Dossier, decision: GateDecision) -> Dossier:
    """Log confidences below a gate's threshold. The next attempt must address their cause."""
    doubts = tuple(
        Disagreement(each.criterion, (each.addressee,), "structured discussion", each.text, "confidence")
        for each in decision.needs_discussion
    )
    return replace(dossier, disagreements=(*dossier.disagreements, *doubts))


def _decided_by_a_human(rules: Rules, dossier: Dossier, decision: GateDecision) -> Flow[Dossier]:
    texts = "; ".join(f"{each.criterion}: {each.text}" for each in decision.deficiencies)
    point = Point(
        decision.phase,
        _trigger(decision),
        f"{decision.phase} does not pass its gate: {texts}",
        "the agents had all the attempts a gate allows, or a criterion demands a human at once",
    )
    dossier, human = yield from escalate(rules.desk, dossier, point)
    return carried_on(dossier, decision.phase, human, decision)


def _trigger(decision: GateDecision) -> Trigger:
    human = [each for each in decision.deficiencies if each.remedy is Remedy.HUMAN]
    if any("thic" in each.criterion for each in human):
        return Trigger.ETHICS
    return Trigger.CONFIDENCE if human else Trigger.LOOPS


def carried_on(
    dossier: Dossier, phase: Phase, human: HumanDecision, decision: GateDecision | None = None
) -> Dossier:
    """Apply a human's decision to the run: continue, or raise the stop that it means.

    No decision overrides a failed computation.
    """
    match human.option:
        case Option.RESOLVE:
            failed = decision.failed_computations if decision is not None else ()
            if failed:
                raise Discarded(
                    dossier, phase, f"no decision overrides a failed computation: {failed[0].text}"
                )
            return dossier.noting(())
        case Option.REDESIGN:
            raise Redesigned(dossier, phase, human.justification)
        case Option.SPLIT:
            raise SplitUp(dossier, phase, human.justification)
        case _:
            raise Discarded(dossier, phase, human.justification)
