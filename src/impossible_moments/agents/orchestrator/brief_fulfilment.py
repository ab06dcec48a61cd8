"""Judgement of how far a finished scenario keeps its brief."""

from __future__ import annotations

from impossible_moments.agents.orchestrator.brief_constraints import BriefConstraint, judge_inspiration
from impossible_moments.agents.orchestrator.scenario_content import collect_scenario_content
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.scenarios import BriefDeviation, BriefFulfilment, ScenarioMetadata


def judge_brief_fulfilment(
    brief: GenerationBrief, dossier: Dossier, metadata: ScenarioMetadata
) -> BriefFulfilment | None:
    """Judge status, tier, constraints and inspiration of a brief. Return None if there is nothing to report."""
    seed = dossier.find_latest_deliverable(SeedDocument)
    deviations = tuple(
        deviation
        for deviation in (
            BriefDeviation(
                field="solution_status",
                wanted=brief.status_subtype or brief.solution_status,
                found=_name_subtype(metadata.status)
                if brief.status_subtype
                else parse_main_status(metadata.status),
            ),
            BriefDeviation(field="difficulty_tier", wanted=brief.difficulty_tier, found=metadata.tier),
        )
        if deviation.wanted != deviation.found
    )
    if seed is None or not (deviations or brief.constraints or brief.inspiration_seed):
        return None
    content = collect_scenario_content(seed)
    return BriefFulfilment(
        wanted_status=brief.status_subtype or brief.solution_status,
        wanted_tier=brief.difficulty_tier,
        deviations=deviations,
        constraints=tuple(BriefConstraint(text).judge(content) for text in brief.constraints),
        inspiration=judge_inspiration(brief.inspiration_seed, content) if brief.inspiration_seed else None,
    )


def _name_subtype(status: str) -> str:
    """Return the status with its subtype. Documents write KS for KS-Singular."""
    return "KS-Singular" if status == "KS" else status
