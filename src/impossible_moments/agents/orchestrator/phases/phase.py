"""A phase: work, then the gate. It loops with the gate's notes; after the last attempt a human decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.gate_checks.case import Remedy
from impossible_moments.agents.orchestrator.protocols.escalation import Point, Trigger, escalate
from impossible_moments.agents.orchestrator.quality_gates import GateDecision, Outcome
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.agents.orchestrator.stops import Discarded, Redesigned, SplitUp
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.dossier import Disagreement, Dossier
from impossible_moments.domain.vocabulary import Phase
from impossible_moments.scenarios.documents import Documents

Work: TypeAlias = Callable[[Rules, Dossier], Flow[Dossier]]
Assembly: TypeAlias = Callable[[Rules, Dossier], Documents]

COMPUTED = "Computed from mechanics"


@dataclass(frozen=True)
class PhaseSpec:
    """One of the six: what it does, and what its gate looks at besides the dossier."""

    phase: Phase
    work: Work
    assemble: Assembly | None = None


def run_phase(spec: PhaseSpec, rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Work until the gate opens, or until a human has decided."""
    gate = rules.gates[spec.phase]
    attempt = 0
    while True:
        attempt += 1
        dossier = yield from spec.work(rules, dossier)
        documents = spec.assemble(rules, dossier) if spec.assemble is not None else None
        decision = gate.decide(dossier, attempt, bench=rules.judging, documents=documents)
        if decision.advances:
            return dossier.noting(())
        dossier = _discussed(dossier.looped(spec.phase), decision).noting(decision.notes)
        if decision.outcome is Outcome.ESCALATE:
            return (yield from _decided_by_a_human(rules, dossier, decision))


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
    return carried_on(rules, dossier, decision.phase, human, decision)


def _trigger(decision: GateDecision) -> Trigger:
    human = [each for each in decision.deficiencies if each.remedy is Remedy.HUMAN]
    if any("thic" in each.criterion for each in human):
        return Trigger.ETHICS
    return Trigger.CONFIDENCE if human else Trigger.LOOPS


def carried_on(
    rules: Rules, dossier: Dossier, phase: Phase, human: HumanDecision, decision: GateDecision | None = None
) -> Dossier:
    """What a human's decision means for the run. No authority overrides a failed computation."""
    match human.option:
        case Option.RESOLVE:
            rows = {row.name: row.method for row in rules.gates[phase].criteria}
            failed = [
                each
                for each in (decision.deficiencies if decision else ())
                if rows.get(each.criterion) == COMPUTED
            ]
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
