"""Phase 1: ATHENA designs the scenario."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.context_status import policy_for
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase

TASK = (
    "Think of three to five situations that fit the brief, choose one, and hand in its seed document: concept, mirage, "
    "insight chain, solution sketch with the claims to be validated, distractors, narrative with its tables, open "
    "questions, and the mechanics record that every number comes from."
)
AGAIN = "Revise your seed document so that it meets the notes you were given, and hand it in whole."


def design(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Ask for a seed document, or for a revised one if there is one already."""
    task = f"{TASK} {policy_for(dossier.brief.solution_status).tasks[ATHENA]}"
    if dossier.latest(SeedDocument) is not None:
        task = AGAIN
    seed = yield from rules.desk.ask(dossier, ATHENA, Phase.SEED, "seed", task, SeedDocument)
    return dossier.file(Phase.SEED, ATHENA, seed)


SEED = PhaseSpec(Phase.SEED, design)
