"""Phase 2: NEWTON and EULER judge independently, and the joint assessment is computed."""

from __future__ import annotations

from dataclasses import replace

from impossible_moments.agents.orchestrator.context.status_policies import get_status_policy
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.joint_assessment import build_joint_assessment
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    collect_additional_agent_reports,
)
from impossible_moments.agents.orchestrator.phases.dispute_resolution import Report, resolve_disputes
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, ORCHESTRATOR, Phase

REVISE = "Revise your seed document so that it meets the requirements in your notes."


FEASIBILITY = (
    "You now see both validation reports. Name every way to the goal that the record does not declare, say whether the "
    "impossibility is convincing given the physics, where the two reports contradict each other, and what must change."
)


def run_validate_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Request a revision if one is pending, then the judgement of both validators."""
    if dossier.list_notes_for(ATHENA):
        dossier = yield from request_revision(rules, dossier, Phase.VALIDATE)
    dossier = yield from run_validation(rules, dossier, Phase.VALIDATE)
    # Additional agents come last, so that they judge the newest seed.
    return (yield from collect_additional_agent_reports(rules, dossier, Phase.VALIDATE))


def request_revision(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Ask ATHENA to revise the seed document according to its notes."""
    seed = yield from rules.desk.ask_agent(dossier, ATHENA, phase, "seed", REVISE, SeedDocument)
    return dossier.add_deliverable(phase, ATHENA, seed).clear_owed_revisions(ATHENA)


def run_validation(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Collect both reports, resolve every dispute, and file the joint assessment of the resulting seed."""
    while True:
        dossier = yield from _collect_reports(rules, dossier, phase)
        reports: dict[str, Report] = {
            **dossier.find_latest_deliverable_by_author(PhysicsReport),
            **dossier.find_latest_deliverable_by_author(MathematicsReport),
        }
        seeds = count_seed_documents(dossier)
        dossier = yield from resolve_disputes(rules, dossier, phase, reports)
        if count_seed_documents(dossier) == seeds:
            return (yield from _assess_jointly(rules, dossier, phase))
        # A revision lifted a veto. Only the vetoing agent has seen it, so both validators judge it, and may dispute
        # it too. The loop ends because vetoes are limited.


def _collect_reports(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """Ask both validators for their reports. Neither sees the other's."""
    tasks = get_status_policy(dossier.brief.solution_status).tasks
    questions = (
        rules.desk.build_ask(dossier, NEWTON, phase, "physics", tasks[NEWTON], PhysicsReport),
        rules.desk.build_ask(dossier, EULER, phase, "mathematics", tasks[EULER], MathematicsReport),
    )
    physics, mathematics = yield questions
    return (
        dossier.add_deliverable(phase, NEWTON, physics)
        .add_deliverable(phase, EULER, mathematics)
        .clear_owed_revisions(NEWTON, EULER)
    )


def _assess_jointly(rules: ScenarioRules, dossier: Dossier, phase: Phase) -> Flow[Dossier]:
    """File the joint assessment. If nothing must change, both validators first read both reports (2.3, part 4).

    In REFINE every agent reads both reports for its memo, so the validators are not asked for part 4 again.
    """
    computations = rules.gate_resources.computations
    joint = build_joint_assessment(dossier, computations)
    if joint.status == "VALIDATED" and phase is Phase.VALIDATE:
        desk = replace(rules.desk, policy=rules.desk.policy.open_for_joint_assessment())
        tasks = dict.fromkeys((NEWTON, EULER), FEASIBILITY)
        checks = yield from desk.ask_agents(
            dossier, (NEWTON, EULER), phase, "feasibility", tasks, FeasibilityCheck
        )
        for agent, check in checks.items():
            dossier = dossier.add_deliverable(phase, agent, check)
        joint = build_joint_assessment(dossier, computations)
    return dossier.add_deliverable(phase, ORCHESTRATOR, joint)


def count_seed_documents(dossier: Dossier) -> int:
    """Return how many seed documents were handed in."""
    return sum(1 for entry in dossier.entries if isinstance(entry.deliverable, SeedDocument))


VALIDATE = PhaseSpec(Phase.VALIDATE, run_validate_phase)
