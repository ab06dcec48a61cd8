"""Resolution of what reports raise besides findings: vetoes, challenges, breakthroughs and escalations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.conflict_detector import conflicts
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.phase import carried_on
from impossible_moments.agents.orchestrator.protocols.breakthrough import Proposed, breakthrough
from impossible_moments.agents.orchestrator.protocols.challenge import Outcome as ChallengeOutcome
from impossible_moments.agents.orchestrator.protocols.challenge import challenge
from impossible_moments.agents.orchestrator.protocols.challenge_validity import Submission
from impossible_moments.agents.orchestrator.protocols.escalation import Point, Trigger, escalate
from impossible_moments.agents.orchestrator.protocols.veto import State as VetoState
from impossible_moments.agents.orchestrator.protocols.veto import veto
from impossible_moments.agents.orchestrator.protocols.veto_validity import Raised
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.agents.orchestrator.stops import Discarded, Reclassified, Redesigned, SplitUp
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.disputes import Challenge, Veto
from impossible_moments.domain.dossier import Dossier, Note
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, Phase

Report: TypeAlias = PhysicsReport | MathematicsReport | GroundingReport | ClassificationReport | ReviewMemo

_TURNS: Final = {
    VetoState.RETURNED: Redesigned,
    VetoState.RECLASSIFIED: Reclassified,
    VetoState.DISCARDED: Discarded,
    VetoState.ESCALATED: SplitUp,
}
"""The stop that follows from a veto which ends the phase."""

REVISING: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.SEED: (),
    Phase.VALIDATE: (ATHENA, NEWTON, EULER),
    Phase.GROUND: (ATHENA, NEWTON, EULER, GALILEO),
    Phase.CLASSIFY: (),
    Phase.REFINE: ROLES,
    Phase.DOCUMENT: (),
}
"""The agents that can revise their work in a phase after they lost a challenge."""


def heard(rules: Rules, dossier: Dossier, phase: Phase, reports: dict[str, Report]) -> Flow[Dossier]:
    """Resolve every dispute that reports raise, and every contradiction between deliverables."""
    notes: list[Note] = []
    for author, report in reports.items():
        for raised in _vetoes(report):
            dossier, new_notes = yield from _vetoed(
                rules, dossier, Raised(phase, author, raised, report.confidence)
            )
            notes += new_notes
    for author, report in reports.items():
        for disputed in _challenges(report):
            dossier, new_notes = yield from _challenged(rules, dossier, Submission(phase, author, disputed))
            notes += new_notes
    for conflict in conflicts(dossier, rules.library):
        dossier, new_notes = yield from _challenged(rules, dossier, conflict.submission(phase))
        notes += new_notes
    for author, report in reports.items():
        proposal = getattr(report, "breakthrough", None)
        if proposal is not None:
            dossier, seen = yield from breakthrough(rules.desk, dossier, Proposed(phase, author, proposal))
            if seen.decision is not None:
                dossier = carried_on(dossier, phase, seen.decision)
        if report.escalation:
            dossier = yield from called_for(rules, dossier, phase, author, report.escalation)
    return dossier.noting((*dossier.notes, *notes))


def _vetoes(report: Report) -> tuple[Veto, ...]:
    return getattr(report, "vetoes", ())


def _challenges(report: Report) -> tuple[Challenge, ...]:
    return report.challenges


def _vetoed(rules: Rules, dossier: Dossier, raised: Raised) -> Flow[tuple[Dossier, tuple[Note, ...]]]:
    dossier, outcome = yield from veto(rules.desk, dossier, raised, bench=rules.disputing)
    if not outcome.goes_on:
        raise _TURNS.get(outcome.state, Discarded)(dossier, raised.phase, outcome.reason or raised.veto.claim)
    if outcome.challenge is None:
        return dossier, ()
    # The veto was invalid and was treated as a challenge.
    if outcome.challenge.decision is not None:
        dossier = carried_on(dossier, raised.phase, outcome.challenge.decision)
    return dossier, _owed(outcome.challenge, raised.phase)


def _challenged(
    rules: Rules, dossier: Dossier, submission: Submission
) -> Flow[tuple[Dossier, tuple[Note, ...]]]:
    dossier, outcome = yield from challenge(rules.desk, dossier, submission, bench=rules.disputing)
    if outcome.decision is not None:
        dossier = carried_on(dossier, submission.phase, outcome.decision)
    return dossier, _owed(outcome, submission.phase)


def _owed(outcome: ChallengeOutcome, phase: Phase) -> tuple[Note, ...]:
    """Return the notes to the parties of a challenge.

    The note to the losing agent is marked as owed if that agent can revise its work in this phase.
    """
    loser = outcome.case.challenge.challenged if outcome.needs_revision else None
    return tuple(
        replace(note, owed=True) if note.addressee == loser and loser in REVISING[phase] else note
        for note in outcome.notes
    )


def called_for(rules: Rules, dossier: Dossier, phase: Phase, author: str, reason: str) -> Flow[Dossier]:
    """Ask a human at the request of an agent, and apply the decision."""
    point = Point(phase, Trigger.INVOKED, reason, f"{author} asks for a human")
    dossier, human = yield from escalate(rules.desk, dossier, point)
    return carried_on(dossier, phase, human)
