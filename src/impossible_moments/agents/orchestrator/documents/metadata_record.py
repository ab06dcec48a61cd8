"""The metadata record of a dossier, counted and computed without judgement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from impossible_moments.agents.orchestrator.documents.outcome_tokens import derive_outcome_token
from impossible_moments.agents.orchestrator.documents.trace_parts.agent_requests import count_agent_requests
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.difficulty import Profile, compute_median_profile
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ROLES, ImpossibilityType, Phase, parse_main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios import (
    AgentVersion,
    ChallengeCounts,
    ClockReadings,
    ScenarioMetadata,
    VetoCounts,
    compute_canary,
    compute_prompt_hash,
    escape_inline,
)

_UNRESOLVED_OUTCOMES: Final = frozenset({"LOGGED", "ESCALATED"})


class IncompleteDossierError(ImpossibleMomentsError):
    """A dossier lacks something that its documents need."""


def build_metadata(
    dossier: Dossier,
    report: CheckReport,
    library: Library,
    *,
    prompts: Mapping[str, str],
    versions: Mapping[str, AgentVersion],
    stamps: ClockReadings,
) -> ScenarioMetadata:
    """Build the metadata record.

    `prompts` holds the agents' system prompts. `versions` and `stamps` hold what only the runtime knows.
    Raises `IncompleteDossierError` if the seed document or the scenario id is missing.
    """
    seed = dossier.find_latest_deliverable(SeedDocument)
    if seed is None or not dossier.brief.scenario_id:
        missing = "seed document" if seed is None else "scenario id"
        raise IncompleteDossierError(
            f"the dossier has no {missing}; documents are built at the end of a pipeline."
        )
    status, profile = derive_published_status(dossier, report), compute_difficulty_profile(dossier)
    tier, exact = choose_difficulty_tier(profile.scores, parse_main_status(status))
    reviews = dossier.reviews
    return ScenarioMetadata(
        scenario_id=dossier.brief.scenario_id,
        name=escape_inline(seed.scenario.name),
        category=dossier.brief.category,
        status=status,
        tier=tier,
        tier_match="exact" if exact else "nearest",
        profile=str(profile),
        correct_outcome=derive_outcome_token(report, parse_main_status(status), dossier.brief.category),
        impossibility_type=_get_impossibility_type(dossier),
        agent_versions=_build_agent_versions(dossier, prompts, versions),
        revision_loops={phase: dossier.loops.get(phase, 0) for phase in Phase},
        redesigns=dossier.redesigns,
        challenges=_count_challenges(dossier),
        vetoes=_count_vetoes(dossier),
        escalations=len(reviews),
        human_review=bool(reviews),
        human_review_outcome="; ".join(f"{each.phase}: {each.decision.option}" for each in reviews),
        breakthrough_candidate=any(each.survived for each in dossier.breakthroughs),
        predicted=_get_predicted_scores(dossier),
        library=str(library),
        canary=compute_canary(
            dossier.brief.scenario_id, str(library), json.dumps(seed.model_dump(mode="json"))
        ),
        seed=dossier.brief.seed,
        twin=None if dossier.brief.twin is None else dossier.brief.twin.of,
        parent=None if dossier.brief.variant is None else dossier.brief.variant.of,
        blueprints=dossier.brief.blueprints,
        level=None if dossier.brief.composed is None else dossier.brief.composed.level,
        place=None if dossier.brief.composed is None else dossier.brief.composed.place,
        absent=_explain_absent_fields(dossier),
        stamps=stamps,
    )


def _explain_absent_fields(dossier: Dossier) -> dict[str, str]:
    """Return why fields are empty that a dossier need not fill."""
    reasons = {
        "twin": "" if dossier.brief.twin is not None else "the brief asks for no twin",
        "human_review_outcome": "" if dossier.reviews else "no human was asked",
        "parent": "" if dossier.brief.variant is not None else "the brief asks for no variant",
        "blueprints": "" if dossier.brief.blueprints else "only the shipped blueprints were used",
        "level": "" if dossier.brief.composed is not None else "the scenario is not composed",
        "place": "" if dossier.brief.composed is not None else "the scenario is not composed",
        "brief": "it is compared with the scenario at publication",
    }
    return {name: reason for name, reason in reasons.items() if reason}


def derive_published_status(dossier: Dossier, report: CheckReport) -> str:
    """Return the computed status as the public document states it.

    If nothing was computed, the status of the classification or of the brief is returned.
    """
    computed_status = report.verdict.status if report.verdict is not None else None
    if computed_status is not None:
        return "KS" if computed_status == "KS-Singular" else computed_status
    informed = dossier.find_latest_deliverable(InformedClassification) or dossier.find_latest_deliverable(
        ClassificationReport
    )
    return informed.status if informed is not None else dossier.brief.solution_status


def compute_difficulty_profile(dossier: Dossier) -> Profile:
    """Return the median of all difficulty votes, or SOCRATES's own profile if there are no votes."""
    votes = dossier.find_latest_deliverable_by_author(CalibrationVote)
    if votes:
        return compute_median_profile(vote.profile for vote in votes.values())
    report = dossier.find_latest_deliverable(InformedClassification) or dossier.find_latest_deliverable(
        ClassificationReport
    )
    if report is None:
        raise IncompleteDossierError(
            "the dossier has no difficulty vote; documents are built at the end of a pipeline."
        )
    return report.profile


def _get_impossibility_type(dossier: Dossier) -> ImpossibilityType | None:
    report = dossier.find_latest_deliverable(InformedClassification) or dossier.find_latest_deliverable(
        ClassificationReport
    )
    return report.impossibility_type if report is not None else None


def _build_agent_versions(
    dossier: Dossier, prompts: Mapping[str, str], versions: Mapping[str, AgentVersion]
) -> dict[str, AgentVersion]:
    others = sorted({*prompts, *versions, *list_contributing_agents(dossier)} - set(ROLES))
    found = {
        agent: versions.get(agent, AgentVersion()).model_copy(
            update={"calls": count_agent_requests(dossier, agent)}
        )
        for agent in (*ROLES, *others)
    }
    return {
        agent: version
        if version.is_program or agent not in prompts
        else version.model_copy(update={"prompt": compute_prompt_hash(prompts[agent])})
        for agent, version in found.items()
    }


def list_contributing_agents(dossier: Dossier) -> tuple[str, ...]:
    """Return all agents that handed something in, the five roles first."""
    authors = {entry.author for entry in dossier.entries} - {"HUMAN", "ORCHESTRATOR"}
    return (*(role for role in ROLES if role in authors), *sorted(authors - set(ROLES)))


def _count_challenges(dossier: Dossier) -> ChallengeCounts:
    outcomes = [case.outcome for case in dossier.challenges]
    return ChallengeCounts(
        issued=len(outcomes),
        resolved=sum(each not in _UNRESOLVED_OUTCOMES for each in outcomes),
        escalated=outcomes.count("ESCALATED"),
    )


def _count_vetoes(dossier: Dossier) -> VetoCounts:
    outcomes = [case.outcome for case in dossier.vetoes]
    return VetoCounts(
        issued=len(outcomes), lifted=outcomes.count("LIFTED"), led_to_revision=outcomes.count("RETURNED")
    )


def _get_predicted_scores(dossier: Dossier) -> dict[str, float]:
    report = dossier.find_latest_deliverable(GroundingReport)
    return {} if report is None else report.predicted.model_dump()
