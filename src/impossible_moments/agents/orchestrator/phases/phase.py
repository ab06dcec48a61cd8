"""A phase: work, then the gate. It loops with the gate's notes; after the last attempt a human decides.

Where a phase revises what an earlier gate passed, the criteria of that gate are held to it again.
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
    """One of the six: what it does, and what its gate looks at besides the dossier."""

    phase: Phase
    work: Work
    assemble: Assembly | None = None


def run_phase(spec: PhaseSpec, rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Work until the gate opens, or until a human has decided."""
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
    """The last deliverable of a kind from each author in a phase, since an earlier phase was last at work."""
    order = tuple(Phase)
    found: dict[str, D] = {}
    for entry in dossier.entries:
        if order.index(entry.phase) < order.index(phase):
            found = {}  # about a scenario that was redesigned since
        elif entry.phase is phase and isinstance(entry.deliverable, kind):
            found[entry.author] = entry.deliverable
    return found


def _judged(spec: PhaseSpec, rules: Rules, before: Dossier, dossier: Dossier, attempt: int) -> GateDecision:
    """What the gate says, with the gates of earlier phases that were reopened, and what lost disputes oblige to."""
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
"""What a gate has judged, and later phases may revise."""
_SPECIFIED: Final = specified_gates()
"""Without the rows of extensions: a further agent hands in its report once."""


def _reopened(before: Dossier, dossier: Dossier, phase: Phase) -> tuple[QualityGate, ...]:
    """The gates of earlier phases whose deliverables this one has revised."""
    new = dossier.entries[len(before.entries) :]
    earlier = tuple(Phase)[: tuple(Phase).index(phase)]
    return tuple(
        _SPECIFIED[each]
        for each, kinds in _JUDGED.items()
        if each in earlier and any(isinstance(entry.deliverable, kinds) for entry in new)
    )


def _owed(rules: Rules, dossier: Dossier, phase: Phase, attempt: int) -> GateDecision:
    """The revisions that lost disputes oblige to, as a gate would say it."""
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
    """Doubts under a gate's threshold are logged: the next attempt must address their source."""
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
    """What a human's decision means for the run. No authority overrides a failed computation."""
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
