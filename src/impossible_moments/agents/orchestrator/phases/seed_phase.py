"""Phase 1: ATHENA designs the scenario."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context.status_policies import get_status_policy
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase

TASK = (
    "Think of three to five situations that fit the brief, choose one, and hand in its seed document: concept, mirage, "
    "insight chain, solution sketch with the claims to be validated, distractors, narrative with its tables, open "
    "questions, and the mechanics record that every number comes from."
)
REVISION_TASK = "Revise your seed document so that it meets the notes in your context."


def run_seed_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for a seed document, or for a revised one if there is one already."""
    task = f"{TASK} {get_status_policy(dossier.brief.solution_status).tasks[ATHENA]}"
    if dossier.find_latest_deliverable(SeedDocument) is not None:
        task = REVISION_TASK
    seed = yield from rules.desk.ask_agent(dossier, ATHENA, Phase.SEED, "seed", task, SeedDocument)
    return dossier.add_deliverable(Phase.SEED, ATHENA, seed)


SEED = PhaseSpec(Phase.SEED, run_seed_phase)
