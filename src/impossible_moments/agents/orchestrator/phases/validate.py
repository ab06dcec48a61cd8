"""Phase 2: NEWTON and EULER judge independently, and the joint assessment is computed."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context_status import policy_for
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.joint import joint_assessment
from impossible_moments.agents.orchestrator.phases.disputing import Report, heard
from impossible_moments.agents.orchestrator.phases.further import further_reports
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, ORCHESTRATOR, Phase

REVISE = "Revise your seed document so that it meets the requirements you were given, and hand it in whole."


def validate(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Request a revision if one is pending, then the judgement of both validators."""
    if dossier.notes_for(ATHENA):
        dossier = yield from revised(rules, dossier, Phase.VALIDATE)
    dossier = yield from validated(rules, dossier, Phase.VALIDATE)
    # Additional agents come last, so that they judge the newest seed.
    return (yield from further_reports(rules, dossier, Phase.VALIDATE))


def revised(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Ask ATHENA to revise the seed document according to its notes."""
    seed = yield from rules.desk.ask(dossier, ATHENA, phase, "seed", REVISE, SeedDocument)
    return dossier.file(phase, ATHENA, seed).answered_by(ATHENA)


def validated(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Collect both reports, resolve every dispute, and file the joint assessment of the resulting seed."""
    while True:
        dossier = yield from _reported(rules, dossier, phase)
        reports: dict[str, Report] = {
            **dossier.by_author(PhysicsReport),
            **dossier.by_author(MathematicsReport),
        }
        seeds = seeds_in(dossier)
        dossier = yield from heard(rules, dossier, phase, reports)
        if seeds_in(dossier) == seeds:
            return dossier.file(phase, ORCHESTRATOR, joint_assessment(dossier, rules.judging.computations))
        # A revision lifted a veto. Only the vetoing agent has seen it, so both validators judge it, and may dispute
        # it too. The loop ends because vetoes are limited.


def _reported(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Ask both validators for their reports. Neither sees the other's."""
    tasks = policy_for(dossier.brief.solution_status).tasks
    questions = (
        rules.desk.question(dossier, NEWTON, phase, "physics", tasks[NEWTON], PhysicsReport),
        rules.desk.question(dossier, EULER, phase, "mathematics", tasks[EULER], MathematicsReport),
    )
    physics, mathematics = yield questions
    return dossier.file(phase, NEWTON, physics).file(phase, EULER, mathematics).answered_by(NEWTON, EULER)


def seeds_in(dossier: Dossier) -> int:
    """Return how many seed documents were handed in."""
    return sum(1 for entry in dossier.entries if isinstance(entry.deliverable, SeedDocument))


VALIDATE = PhaseSpec(Phase.VALIDATE, validate)
