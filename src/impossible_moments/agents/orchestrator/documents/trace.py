"""Tier 3: the methodology trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.document_metadata import agents_of
from impossible_moments.agents.orchestrator.documents.archive import trace_archive
from impossible_moments.agents.orchestrator.documents.breakthroughs import breakthrough_log
from impossible_moments.agents.orchestrator.documents.case import Case
from impossible_moments.agents.orchestrator.documents.contributions import contributions
from impossible_moments.agents.orchestrator.documents.outline import outline
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.difficulty import median_profile
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.further import FurtherClassification, FurtherGrounding, FurtherValidation
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.refinement import CalibrationVote, DistractorReview, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.tracing import AgentTrace
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ROLES, Dimension, Phase
from impossible_moments.scenarios.markdown import NOTHING, bullets, joined, table
from impossible_moments.scenarios.template import filled

_SCORED: Final = tuple(phase for phase in Phase if phase is not Phase.DOCUMENT)
_ELSEWHERE: Final = frozenset({"mechanics"})
"""Fields left out of the outline: the mechanics have their own file."""


def trace_document(case: Case) -> str:
    """Render the account of how the scenario was created."""
    dossier = case.dossier
    return filled(
        "trace",
        {
            "scenario_id": case.metadata.scenario_id,
            "metadata": creation_metadata(case),
            "contributions": contributions(case),
            "disagreements": table(
                ("Disagreement", "Agents Involved", "Resolution Method", "Outcome"),
                (
                    (each.topic, ", ".join(each.agents), each.method, each.outcome)
                    for each in dossier.disagreements
                ),
            ),
            "confidences": confidence_heatmap(dossier),
            "votes": calibration_votes(dossier),
            "human_reviews": table(
                ("Phase", "Why", "Discipline", "Decision", "Justification", "Reviewer"),
                (
                    (
                        each.phase,
                        each.reason,
                        each.discipline,
                        each.decision.option,
                        each.decision.justification,
                        each.decision.reviewer,
                    )
                    for each in dossier.reviews
                ),
            ),
            "breakthroughs": breakthrough_log(dossier),
            "seed": _deliverables(dossier, SeedDocument),
            "validation": _deliverables(
                dossier, PhysicsReport, MathematicsReport, JointAssessment, FurtherValidation
            ),
            "grounding": _deliverables(dossier, GroundingReport, FurtherGrounding),
            "classification": _deliverables(
                dossier, ClassificationReport, InformedClassification, FurtherClassification
            ),
            "reviews": _deliverables(dossier, ReviewMemo, DistractorReview, ReadinessVote),
            "traces": trace_archive(case),
            "canary": case.metadata.canary,
        },
    )


def creation_metadata(case: Case) -> str:
    """Render the specification's metadata lines, the library and the agents' versions."""
    metadata, stamps = case.metadata, case.metadata.stamps
    loops = ", ".join(f"Phase {at}: {metadata.revision_loops[phase]}" for at, phase in enumerate(_SCORED, 1))
    challenges, vetoes = metadata.challenges, metadata.vetoes
    versions = (
        (agent, each.model or "not recorded", each.prompt or "not recorded")
        for agent, each in metadata.agent_versions.items()
    )
    return joined(
        bullets(
            [
                f"Created: {stamps.created or 'not recorded'}",
                f"Pipeline duration: {_amount(stamps.pipeline_minutes, 'minutes')}",
                f"Total compute time: {_amount(stamps.compute_seconds, 'seconds')}",
                f"Revision loops: {loops}",
                f"Redesigns: {metadata.redesigns}",
                f"Challenges issued: {challenges.issued} (resolved: {challenges.resolved}, escalated: {challenges.escalated})",
                f"Vetoes issued: {vetoes.issued} (lifted: {vetoes.lifted}, led to revision: {vetoes.led_to_revision})",
                f"Human review triggered: {'YES' if metadata.human_review else 'NO'}",
                f"Library: {metadata.library}",
                "Agent versions:",
            ]
        ),
        table(("Agent", "Model", "Prompt version"), versions),
    )


def _amount(value: float | None, unit: str) -> str:
    return "not recorded" if value is None else f"{value:.1f} {unit}"


def confidence_heatmap(dossier: Dossier) -> str:
    """Render each agent's last confidence in each phase, and its overall confidence."""
    agents = (*ROLES, *(agent for agent in agents_of(dossier) if agent not in ROLES))
    heads = ("Agent", *(f"Phase {at}" for at, _ in enumerate(_SCORED, 1)), "Overall")
    return table(heads, ((agent, *_confidences(dossier, agent)) for agent in agents))


def _confidences(dossier: Dossier, agent: str) -> Iterator[str]:
    own = [entry for entry in dossier.entries if entry.author == agent]
    for phase in _SCORED:
        said = (getattr(entry.deliverable, "confidence", None) for entry in own if entry.phase is phase)
        given = [each for each in said if each is not None]
        yield f"{given[-1]:.2f}" if given else NOTHING
    trace = dossier.latest(AgentTrace, agent)
    yield f"{trace.overall_confidence:.2f}" if trace is not None else NOTHING


def calibration_votes(dossier: Dossier) -> str:
    """Render every agent's six difficulty scores beside the median."""
    votes = dossier.by_author(CalibrationVote)
    agents = (*ROLES, *sorted(set(votes) - set(ROLES)))
    median = median_profile(vote.profile for vote in votes.values()) if votes else None
    rows = (
        (
            f"{dimension.value} ({dimension.name})",
            *(votes[agent].profile.scores[at] if agent in votes else NOTHING for agent in agents),
            median.scores[at] if median is not None else NOTHING,
        )
        for at, dimension in enumerate(Dimension)
    )
    return table(("Dimension", *agents, "Median"), rows)


def _deliverables(dossier: Dossier, *kinds: type[Labelled]) -> str:
    """Render the last deliverable of each kind from each author, in full."""
    last = {(entry.author, type(entry.deliverable)): entry for entry in dossier.entries}
    found = [
        joined(f"### {entry.author}: {kind.__name__}", outline(entry.deliverable, without=_ELSEWHERE))
        for kind in kinds
        for (_, each), entry in last.items()
        if each is kind
    ]
    return joined(*found) or "None was handed in."
