"""Tier 3: the methodology trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.documents.agent_contributions import render_agent_contributions
from impossible_moments.agents.orchestrator.documents.breakthrough_log import render_breakthrough_log
from impossible_moments.agents.orchestrator.documents.deliverable_outline import render_deliverable_outline
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.metadata_record import list_contributing_agents
from impossible_moments.agents.orchestrator.documents.trace_archive import render_trace_archive
from impossible_moments.domain.additional_agent_reports import (
    FurtherClassification,
    FurtherGrounding,
    FurtherValidation,
)
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import compute_median_profile
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote, DistractorReview, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ROLES, DifficultyDimension, Phase
from impossible_moments.scenarios import (
    NOTHING,
    fill_document_template,
    join_paragraphs,
    render_bullet_list,
    render_table,
)

_SCORED: Final = tuple(phase for phase in Phase if phase is not Phase.DOCUMENT)
_FIELDS_SHOWN_ELSEWHERE: Final = frozenset({"mechanics"})
"""Fields left out of the outline: the mechanics have their own file."""


def render_trace_document(case: FinishedCase) -> str:
    """Render the account of how the scenario was created."""
    dossier = case.dossier
    return fill_document_template(
        "trace",
        {
            "scenario_id": case.metadata.scenario_id,
            "metadata": render_creation_metadata(case),
            "contributions": render_agent_contributions(case),
            "disagreements": render_table(
                ("Disagreement", "Agents Involved", "Resolution Method", "Outcome"),
                (
                    (each.topic, ", ".join(each.agents), each.method, each.outcome)
                    for each in dossier.disagreements
                ),
            ),
            "confidences": render_confidence_heatmap(dossier),
            "votes": render_calibration_votes(dossier),
            "human_reviews": render_table(
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
            "breakthroughs": render_breakthrough_log(dossier),
            "seed": _render_newest_deliverables(dossier, SeedDocument),
            "validation": _render_newest_deliverables(
                dossier, PhysicsReport, MathematicsReport, JointAssessment, FurtherValidation
            ),
            "grounding": _render_newest_deliverables(dossier, GroundingReport, FurtherGrounding),
            "classification": _render_newest_deliverables(
                dossier, ClassificationReport, InformedClassification, FurtherClassification
            ),
            "reviews": _render_newest_deliverables(dossier, ReviewMemo, DistractorReview, ReadinessVote),
            "traces": render_trace_archive(case),
            "canary": case.metadata.canary,
        },
    )


def render_creation_metadata(case: FinishedCase) -> str:
    """Render the specification's metadata lines, the library and the agents' versions."""
    metadata, stamps = case.metadata, case.metadata.stamps
    loops = ", ".join(f"Phase {at}: {metadata.revision_loops[phase]}" for at, phase in enumerate(_SCORED, 1))
    challenges, vetoes = metadata.challenges, metadata.vetoes
    versions = (
        (agent, each.model or "not recorded", each.prompt or "not recorded")
        for agent, each in metadata.agent_versions.items()
    )
    return join_paragraphs(
        render_bullet_list(
            [
                f"Created: {stamps.created or 'not recorded'}",
                f"Pipeline duration: {_format_amount_with_unit(stamps.pipeline_minutes, 'minutes')}",
                f"Total compute time: {_format_amount_with_unit(stamps.compute_seconds, 'seconds')}",
                f"Revision loops: {loops}",
                f"Redesigns: {metadata.redesigns}",
                f"Challenges issued: {challenges.issued} (resolved: {challenges.resolved}, escalated: {challenges.escalated})",
                f"Vetoes issued: {vetoes.issued} (lifted: {vetoes.lifted}, led to revision: {vetoes.led_to_revision})",
                f"Human review triggered: {'YES' if metadata.human_review else 'NO'}",
                f"Library: {metadata.library}",
                "Agent versions:",
            ]
        ),
        render_table(("Agent", "Model", "Prompt version"), versions),
    )


def _format_amount_with_unit(value: float | None, unit: str) -> str:
    return "not recorded" if value is None else f"{value:.1f} {unit}"


def render_confidence_heatmap(dossier: Dossier) -> str:
    """Render each agent's last confidence in each phase, and its overall confidence."""
    agents = (*ROLES, *(agent for agent in list_contributing_agents(dossier) if agent not in ROLES))
    heads = ("Agent", *(f"Phase {at}" for at, _ in enumerate(_SCORED, 1)), "Overall")
    return render_table(heads, ((agent, *_iterate_confidences(dossier, agent)) for agent in agents))


def _iterate_confidences(dossier: Dossier, agent: str) -> Iterator[str]:
    own_entries = [entry for entry in dossier.entries if entry.author == agent]
    for phase in _SCORED:
        stated = (
            getattr(entry.deliverable, "confidence", None) for entry in own_entries if entry.phase is phase
        )
        confidences = [each for each in stated if each is not None]
        yield f"{confidences[-1]:.2f}" if confidences else NOTHING
    trace = dossier.find_latest_deliverable(AgentTrace, agent)
    yield f"{trace.overall_confidence:.2f}" if trace is not None else NOTHING


def render_calibration_votes(dossier: Dossier) -> str:
    """Render every agent's six difficulty scores beside the median."""
    votes = dossier.find_latest_deliverable_by_author(CalibrationVote)
    agents = (*ROLES, *sorted(set(votes) - set(ROLES)))
    median = compute_median_profile(vote.profile for vote in votes.values()) if votes else None
    rows = (
        (
            f"{dimension.value} ({dimension.name})",
            *(votes[agent].profile.scores[at] if agent in votes else NOTHING for agent in agents),
            median.scores[at] if median is not None else NOTHING,
        )
        for at, dimension in enumerate(DifficultyDimension)
    )
    return render_table(("Dimension", *agents, "Median"), rows)


def _render_newest_deliverables(dossier: Dossier, *kinds: type[LabelledModel]) -> str:
    """Render the last deliverable of each kind from each author, in full."""
    last = {(entry.author, type(entry.deliverable)): entry for entry in dossier.entries}
    found = [
        join_paragraphs(
            f"### {entry.author}: {kind.__name__}",
            render_deliverable_outline(entry.deliverable, omitted_fields=_FIELDS_SHOWN_ELSEWHERE),
        )
        for kind in kinds
        for (_, each), entry in last.items()
        if each is kind
    ]
    return join_paragraphs(*found) or "None was handed in."
