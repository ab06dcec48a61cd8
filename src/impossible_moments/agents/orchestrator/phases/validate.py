"""Phase 2: NEWTON and EULER judge, each alone; the joint assessment is computed from both and from the mechanics."""

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
    """A revision where one is asked for, and the judgement of both validators."""
    if dossier.notes_for(ATHENA):
        dossier = yield from revised(rules, dossier, Phase.VALIDATE)
    dossier = yield from validated(rules, dossier, Phase.VALIDATE)
    # last, so that they judge the seed as it stands
    return (yield from further_reports(rules, dossier, Phase.VALIDATE))


def revised(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """ATHENA's seed document, revised to its notes."""
    seed = yield from rules.desk.ask(dossier, ATHENA, phase, "seed", REVISE, SeedDocument)
    return dossier.file(phase, ATHENA, seed).answered_by(ATHENA)


def validated(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Both reports, every dispute to its end, and the joint assessment of the seed as it then stands."""
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
        # A veto was lifted by a revision, which the vetoing agent alone has seen: both judge it, and may dispute it
        # too. It ends, for vetoes are counted.


def _reported(rules: Rules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Both validators' reports; neither sees the other's."""
    tasks = policy_for(dossier.brief.solution_status).tasks
    questions = (
        rules.desk.question(dossier, NEWTON, phase, "physics", tasks[NEWTON], PhysicsReport),
        rules.desk.question(dossier, EULER, phase, "mathematics", tasks[EULER], MathematicsReport),
    )
    physics, mathematics = yield questions
    return dossier.file(phase, NEWTON, physics).file(phase, EULER, mathematics).answered_by(NEWTON, EULER)


def seeds_in(dossier: Dossier) -> int:
    """How many seed documents were handed in."""
    return sum(1 for entry in dossier.entries if isinstance(entry.deliverable, SeedDocument))


VALIDATE = PhaseSpec(Phase.VALIDATE, validate)
