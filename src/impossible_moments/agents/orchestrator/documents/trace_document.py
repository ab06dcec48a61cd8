"""Tier 3: the methodology trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.orchestrator.design_reviews import describe_design_review
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.metadata_record import list_contributing_agents
from impossible_moments.agents.orchestrator.documents.trace_parts.agent_contributions import (
    render_agent_contributions,
)
from impossible_moments.agents.orchestrator.documents.trace_parts.breakthrough_log import (
    render_breakthrough_log,
)
from impossible_moments.agents.orchestrator.documents.trace_parts.deliverable_outline import (
    render_deliverable_outline,
)
from impossible_moments.agents.orchestrator.documents.trace_parts.point_table import render_open_points
from impossible_moments.agents.orchestrator.documents.trace_parts.trace_archive import render_trace_archive
from impossible_moments.agents.orchestrator.documents.trace_parts.trace_logs import (
    render_blind_findings,
    render_disagreement_log,
    render_revision_log,
    render_veto_log,
    render_vote_log,
)
from impossible_moments.agents.orchestrator.documents.works_cited import render_works_cited
from impossible_moments.domain.additional_agent_reports import (
    FurtherClassification,
    FurtherGrounding,
    FurtherValidation,
)
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import compute_median_profile
from impossible_moments.domain.disputes import Ballot
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import (
    CalibrationVote,
    DesignVote,
    DistractorReview,
    ReadinessVote,
    ReviewMemo,
    StatusVote,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import (
    FeasibilityCheck,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
)
from impossible_moments.domain.vocabulary import ROLES, DifficultyDimension, Phase
from impossible_moments.scenarios import (
    NOTHING,
    AgentVersion,
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
    grounding = dossier.find_latest_deliverable(GroundingReport)
    return fill_document_template(
        "trace",
        {
            "scenario_id": case.metadata.scenario_id,
            "metadata": render_creation_metadata(case),
            "contributions": render_agent_contributions(case),
            "disagreements": render_disagreement_log(dossier),
            "confidences": render_confidence_heatmap(dossier),
            "votes": render_calibration_votes(dossier),
            "decisions": render_vote_log(dossier),
            "vetoes": render_veto_log(dossier),
            "blind_findings": render_blind_findings(dossier),
            "open_points": render_open_points(dossier),
            "revisions": render_revision_log(dossier),
            "human_reviews": _render_human_reviews(dossier),
            "breakthroughs": render_breakthrough_log(dossier),
            "seed": _render_newest_deliverables(dossier, SeedDocument),
            "validation": _render_newest_deliverables(
                dossier,
                PhysicsReport,
                MathematicsReport,
                FeasibilityCheck,
                JointAssessment,
                FurtherValidation,
            ),
            "grounding": join_paragraphs(
                _render_newest_deliverables(dossier, GroundingReport, FurtherGrounding),
                render_works_cited(grounding.cited_keys if grounding is not None else ()),
            ),
            "classification": _render_newest_deliverables(
                dossier, ClassificationReport, InformedClassification, FurtherClassification
            ),
            "reviews": _render_newest_deliverables(
                dossier, ReviewMemo, DistractorReview, StatusVote, DesignVote, ReadinessVote
            ),
            "traces": render_trace_archive(case),
            "canary": case.metadata.canary,
        },
    )


def render_creation_metadata(case: FinishedCase) -> str:
    """Render the specification's metadata lines, the library and the agents' versions."""
    metadata, stamps = case.metadata, case.metadata.stamps
    loops = ", ".join(f"Phase {at}: {metadata.revision_loops[phase]}" for at, phase in enumerate(_SCORED, 1))
    challenges, vetoes = metadata.challenges, metadata.vetoes
    return join_paragraphs(
        render_bullet_list(
            [
                f"Created: {stamps.created or _explain_missing(stamps.missing)}",
                f"Pipeline duration: {_format_amount(stamps.pipeline_minutes, 'minutes', stamps.missing)}",
                f"Total compute time: {_format_amount(stamps.compute_seconds, 'seconds', stamps.missing)}",
                f"Revision loops: {loops}",
                f"Redesigns: {metadata.redesigns}",
                f"Challenges issued: {challenges.issued} (resolved: {challenges.resolved}, escalated: {challenges.escalated})",
                f"Vetoes issued: {vetoes.issued} (lifted: {vetoes.lifted}, led to revision: {vetoes.led_to_revision})",
                f"Human review triggered: {'YES' if metadata.human_review else 'NO'}",
                f"Library: {metadata.library}",
                *([f"Blueprints: {metadata.blueprints}"] if metadata.blueprints else []),
                "Agent versions:",
            ]
        ),
        render_table(
            ("Agent", "Model", "Prompt version", "Calls", "Tokens", "Cost (USD)", "Peak context"),
            (_list_version_cells(agent, each) for agent, each in metadata.agent_versions.items()),
        ),
    )


def _list_version_cells(agent: str, version: AgentVersion) -> tuple[object, ...]:
    unknown = "not recorded"
    return (
        agent,
        version.model or unknown,
        version.prompt or ("none: a program" if version.is_program else unknown),
        unknown if version.calls is None else version.calls,
        unknown if version.tokens is None else version.tokens,
        unknown if version.cost is None else f"{version.cost:.4f}",
        unknown if version.peak_context is None else f"{version.peak_context:.0%}",
    )


def _format_amount(value: float | None, unit: str, why_missing: str) -> str:
    return _explain_missing(why_missing) if value is None else f"{value:.1f} {unit}"


def _explain_missing(reason: str) -> str:
    return f"not recorded ({reason})"


def _render_human_reviews(dossier: Dossier) -> str:
    rows = [
        (
            each.phase,
            each.reason,
            each.discipline,
            each.decision.option,
            each.decision.justification,
            each.decision.reviewer,
            next(
                (
                    describe_design_review(dossier, review)
                    for review in dossier.design_reviews
                    if each.decision.structural_flaw and review.question == each.question
                ),
                "no structural flaw",
            ),
        )
        for each in dossier.reviews
    ]
    heads = ("Phase", "Why", "Discipline", "Decision", "Justification", "Reviewer", "Design review")
    return render_table(heads, rows) if rows else "No human was asked."


def render_confidence_heatmap(dossier: Dossier) -> str:
    """Render each agent's lowest confidence in each phase, and its overall confidence.

    A later deliverable replaces an earlier one of its kind. Votes on disputes of others do not count, nor do votes
    on name, style and objects, which are matters of taste.
    """
    agents = (*ROLES, *(agent for agent in list_contributing_agents(dossier) if agent not in ROLES))
    heads = ("Agent", *(f"Phase {at}" for at, _ in enumerate(_SCORED, 1)), "Overall")
    return join_paragraphs(
        render_table(heads, ((agent, *_iterate_confidences(dossier, agent)) for agent in agents)),
        "A cell is the lowest confidence among an agent's last deliverables of each kind in a phase, without votes on "
        "disputes of others and on the design. "
        f"{NOTHING}: the agent handed in nothing there.",
    )


def _iterate_confidences(dossier: Dossier, agent: str) -> Iterator[str]:
    for phase in _SCORED:
        stated: dict[str, float] = {}
        for entry in dossier.entries:
            confidence = getattr(entry.deliverable, "confidence", None)
            counts = (
                entry.author == agent
                and entry.phase is phase
                and not isinstance(entry.deliverable, Ballot | DesignVote)
            )
            if counts and confidence is not None:
                stated[type(entry.deliverable).__name__] = confidence
        yield f"{min(stated.values()):.2f}" if stated else NOTHING
    trace = dossier.find_latest_deliverable(AgentTrace, agent)
    yield f"{trace.overall_confidence:.2f}" if trace is not None else NOTHING


def render_calibration_votes(dossier: Dossier) -> str:
    """Render every agent's six difficulty scores beside the median, and its confidence in them."""
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
    confidences = ", ".join(f"{agent} {votes[agent].confidence:g}" for agent in agents if agent in votes)
    return join_paragraphs(
        render_table(("Dimension", *agents, "Median"), rows),
        f"Confidence in these votes: {confidences}." if confidences else "",
    )


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
