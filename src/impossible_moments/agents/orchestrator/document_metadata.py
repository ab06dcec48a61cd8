"""The metadata record of a dossier, counted and computed without judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.difficulty import Profile, median_profile
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ROLES, ImpossibilityType, Phase, main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.check import Report
from impossible_moments.mechanics.library import Library
from impossible_moments.scenarios.markdown import inline
from impossible_moments.scenarios.metadata import (
    AgentVersion,
    ChallengeCounts,
    Metadata,
    Stamps,
    VetoCounts,
    canary_of,
    prompt_hash,
)
from impossible_moments.scenarios.tiers import tier_of

_UNRESOLVED: Final = frozenset({"LOGGED", "ESCALATED"})


class Undocumented(ImpossibleMomentsError):
    """A dossier lacks something that its documents need."""


def metadata_of(
    dossier: Dossier,
    report: Report,
    library: Library,
    *,
    prompts: Mapping[str, str],
    versions: Mapping[str, AgentVersion],
    stamps: Stamps,
) -> Metadata:
    """Build the metadata record.

    `prompts` holds the agents' system prompts. `versions` and `stamps` hold what only the runtime knows.
    Raises `IncompleteDossierError` if the seed document or the scenario id is missing.
    """
    seed = dossier.latest(SeedDocument)
    if seed is None or not dossier.brief.scenario_id:
        lacks = "seed document" if seed is None else "scenario id"
        raise Undocumented(f"the dossier has no {lacks}; documents are built at the end of a pipeline.")
    status, profile = status_of(dossier, report), profile_of(dossier)
    tier, exact = tier_of(profile.scores, main_status(status))
    reviews = dossier.reviews
    return Metadata(
        scenario_id=dossier.brief.scenario_id,
        name=inline(seed.scenario.name),
        category=dossier.brief.category,
        status=status,
        tier=tier,
        tier_match="exact" if exact else "nearest",
        profile=str(profile),
        correct_outcome=inline(seed.correct_outcome),
        impossibility_type=_impossibility_type(dossier),
        agent_versions=_versions(dossier, prompts, versions),
        revision_loops={phase: dossier.loops.get(phase, 0) for phase in Phase},
        redesigns=dossier.redesigns,
        challenges=_challenges(dossier),
        vetoes=_vetoes(dossier),
        escalations=len(reviews),
        human_review=bool(reviews),
        human_review_outcome="; ".join(f"{each.phase}: {each.decision.option}" for each in reviews),
        breakthrough_candidate=any(each.survived for each in dossier.breakthroughs),
        predicted=_predicted(dossier),
        library=str(library),
        canary=canary_of(dossier.brief.scenario_id, str(library)),
        seed=dossier.brief.seed,
        twin=None if dossier.brief.twin is None else dossier.brief.twin.of,
        stamps=stamps,
    )


def status_of(dossier: Dossier, report: Report) -> str:
    """Return the computed status as the public document states it.

    If nothing was computed, the status of the classification or of the brief is returned.
    """
    computed = report.verdict.status if report.verdict is not None else None
    if computed is not None:
        return "KS" if computed == "KS-Singular" else computed
    informed = dossier.latest(InformedClassification) or dossier.latest(ClassificationReport)
    return informed.status if informed is not None else dossier.brief.solution_status


def profile_of(dossier: Dossier) -> Profile:
    """Return the median of all difficulty votes, or SOCRATES's own profile if there are no votes."""
    votes = dossier.by_author(CalibrationVote)
    if votes:
        return median_profile(vote.profile for vote in votes.values())
    report = dossier.latest(InformedClassification) or dossier.latest(ClassificationReport)
    if report is None:
        raise Undocumented(
            "the dossier has no difficulty vote; documents are built at the end of a pipeline."
        )
    return report.profile


def _impossibility_type(dossier: Dossier) -> ImpossibilityType | None:
    report = dossier.latest(InformedClassification) or dossier.latest(ClassificationReport)
    return report.impossibility_type if report is not None else None


def _versions(
    dossier: Dossier, prompts: Mapping[str, str], versions: Mapping[str, AgentVersion]
) -> dict[str, AgentVersion]:
    others = sorted({*prompts, *versions, *agents_of(dossier)} - set(ROLES))
    return {
        agent: versions.get(agent, AgentVersion()).model_copy(
            update={"prompt": prompt_hash(prompts[agent])} if agent in prompts else {}
        )
        for agent in (*ROLES, *others)
    }


def agents_of(dossier: Dossier) -> tuple[str, ...]:
    """Return all agents that handed something in, the five roles first."""
    authors = {entry.author for entry in dossier.entries} - {"HUMAN", "ORCHESTRATOR"}
    return (*(role for role in ROLES if role in authors), *sorted(authors - set(ROLES)))


def _challenges(dossier: Dossier) -> ChallengeCounts:
    outcomes = [case.outcome for case in dossier.challenges]
    return ChallengeCounts(
        issued=len(outcomes),
        resolved=sum(each not in _UNRESOLVED for each in outcomes),
        escalated=outcomes.count("ESCALATED"),
    )


def _vetoes(dossier: Dossier) -> VetoCounts:
    outcomes = [case.outcome for case in dossier.vetoes]
    return VetoCounts(
        issued=len(outcomes), lifted=outcomes.count("LIFTED"), led_to_revision=outcomes.count("RETURNED")
    )


def _predicted(dossier: Dossier) -> dict[str, float]:
    report = dossier.latest(GroundingReport)
    return {} if report is None else report.predicted.model_dump()
