"""Revisions after the reveal: the demanded changes are made, and everything that rested on the old version is repeated."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context.status_policies import BLIND_TASK
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.dispute_resolution import resolve_disputes
from impossible_moments.agents.orchestrator.phases.ground_phase import request_grounding_report
from impossible_moments.agents.orchestrator.phases.validate_phase import request_revision, run_validation
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.agents.orchestrator.seed_changes import is_expired
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase


def answer_demands(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Let every agent that has a note revise its work, then repeat what rests on a changed seed document.

    ATHENA revises the seed, the validators and GALILEO their reports. SOCRATES classifies again.
    """
    addressees = frozenset(note.addressee for note in dossier.notes if note.demand is not None or note.owed)
    if ATHENA in addressees:
        dossier = yield from request_revision(rules, dossier, Phase.REFINE)
    if addressees & {NEWTON, EULER} or _needs_validation(dossier):
        dossier = yield from run_validation(rules, dossier, Phase.REFINE)
    dossier = yield from _repeat_grounding(rules, dossier, is_demanded=GALILEO in addressees)
    return (yield from _repeat_blind_classification(rules, dossier))


def _needs_validation(dossier: Dossier) -> bool:
    return is_expired(dossier, PhysicsReport) or is_expired(dossier, MathematicsReport)


def _repeat_grounding(rules: ScenarioRules, dossier: Dossier, *, is_demanded: bool) -> Flow[Dossier]:
    """Ask GALILEO again if the scenario changed, with what GROUND shows, or if its report was criticised."""
    expired = is_expired(dossier, GroundingReport)
    if not expired and not is_demanded:
        return dossier
    phase = Phase.GROUND if expired else Phase.REFINE
    report = yield from request_grounding_report(rules, dossier, phase)
    dossier = dossier.add_deliverable(phase, GALILEO, report).clear_owed_revisions(GALILEO)
    return (yield from resolve_disputes(rules, dossier, Phase.REFINE, {GALILEO: report}))


def _repeat_blind_classification(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Ask SOCRATES again if the text changed: class, difficulty and ethics of the text that will be published.

    The ask has the context of CLASSIFY, so SOCRATES reads neither the solution nor its own informed work.
    """
    if not is_expired(dossier, ClassificationReport):
        return dossier
    report = yield from rules.desk.ask_agent(
        dossier, SOCRATES, Phase.CLASSIFY, "classification", BLIND_TASK, ClassificationReport
    )
    return dossier.add_deliverable(Phase.CLASSIFY, SOCRATES, report)
