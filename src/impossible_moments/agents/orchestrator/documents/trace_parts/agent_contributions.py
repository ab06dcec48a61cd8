"""Agent contributions: what each agent added to a scenario, in the lines of the specification's form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.metadata_record import list_contributing_agents
from impossible_moments.agents.orchestrator.documents.works_cited import format_short_citation
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES
from impossible_moments.scenarios import escape_inline, join_paragraphs

Lines = Iterator[tuple[str, str]]
_NO_CONTRIBUTION_ROW: Final = (("Contribution", "none handed in"),)


def render_agent_contributions(case: FinishedCase) -> str:
    """Render a section for each agent: the five roles in the specification's order, then the others."""
    sections = [
        _render_agent_section(f"{agent} ({word})", lines(case)) for agent, (word, lines) in _FORMS.items()
    ]
    sections += [
        _render_agent_section(agent, _iterate_additional_agent_lines(case.dossier, agent))
        for agent in list_contributing_agents(case.dossier)
        if agent not in _FORMS
    ]
    return join_paragraphs(*sections)


def _render_agent_section(title: str, lines: Lines) -> str:
    found = [
        f"- {name}: {escape_inline(value) or 'nothing was stated'}"
        for name, value in (tuple(lines) or _NO_CONTRIBUTION_ROW)
    ]
    return join_paragraphs(f"### {title}", "\n".join(found))


def _iterate_athena_lines(case: FinishedCase) -> Lines:
    seed = case.seed
    revisions = sum(isinstance(entry.deliverable, SeedDocument) for entry in case.dossier.entries) - 1
    yield "Concept origin", seed.concept_summary.concept
    yield "Insights designed", "; ".join(each.text for each in seed.insight_chain)
    yield "Solution confidence", f"{seed.confidence:g}"
    yield "Revision count", str(revisions)


def _iterate_newton_lines(case: FinishedCase) -> Lines:
    report = case.dossier.find_latest_deliverable(PhysicsReport)
    if report is None:
        return
    valid = sum(each.verdict == "VALID" for each in report.claims)
    vetoed = sum(each.raised_by == NEWTON for each in case.dossier.vetoes)
    revised = len(
        _collect_claims_once_invalid(case.dossier)
        - {each.claim_id for each in report.claims if each.verdict == "INVALID"}
    )
    yield "Claims validated", f"{len(report.claims)} (valid: {valid}, revised: {revised}, vetoed: {vetoed})"
    yield "Physics confidence", f"{report.confidence:g}"
    stated = (report.key_finding, *report.concerns, *(each.reasoning for each in report.claims))
    yield "Key physics finding", next((text for text in stated if text.strip()), "")


def _collect_claims_once_invalid(dossier: Dossier) -> set[str]:
    """Return the claims that any physics report called INVALID."""
    reports = (entry.deliverable for entry in dossier.entries if isinstance(entry.deliverable, PhysicsReport))
    return {claim.claim_id for report in reports for claim in report.claims if claim.verdict == "INVALID"}


def _iterate_euler_lines(case: FinishedCase) -> Lines:
    report = case.dossier.find_latest_deliverable(MathematicsReport)
    if report is None:
        return
    yield "Calculations performed", str(len(report.calculations) + len(report.claims))
    yield "Timing margin", _format_timing_margin(case, report)
    yield "Fragility assessment", _describe_fragility(case, report)
    yield "Math confidence", f"{report.confidence:g}"


def _describe_fragility(case: FinishedCase, report: MathematicsReport) -> str:
    """Describe which quantities break the plan when they are 20 % off."""
    wording = case.wording
    breaking = [
        each.quantity if wording is None else wording.name_quantity(each.quantity)
        for each in report.sensitivity
        if each.breaks
    ]
    word = "fragile" if report.fragile else "not fragile within the ranges of the assumed values"
    if not report.sensitivity:
        return f"{word}; no quantity was varied, because {_explain_missing_plan(case)}"
    count = len(report.sensitivity)
    if not breaking:
        varied = "the one varied quantity" if count == 1 else f"each of {count} quantities"
        return f"{word}; every plan works with {varied} 20 % lower or higher"
    varied = (
        "the one quantity that was varied by 20 % breaks a plan"
        if count == 1
        else (
            f"of {count} quantities varied by 20 %, {len(breaking)} break{'s' if len(breaking) == 1 else ''} a plan"
        )
    )
    return f"{word}; {varied}: {'; '.join(breaking)}"


def _format_timing_margin(case: FinishedCase, report: MathematicsReport) -> str:
    if report.margin is None or report.deadline_seconds is None:
        is_timed = report.deadline_seconds is not None or case.seed.mechanics.get("deadline")
        return f"none: {_explain_missing_plan(case) if is_timed else 'no deadline is stated'}"
    seconds = report.margin * report.deadline_seconds
    shown = f"{seconds:,.0f}" if abs(seconds) >= _WHOLE_SECONDS else f"{seconds:.3g}"
    return f"{shown} seconds ({report.margin:.0%} of deadline)"


_WHOLE_SECONDS: Final = 100
"""From this margin on decimals of a second do not matter."""


def _explain_missing_plan(case: FinishedCase) -> str:
    if case.status in {"PX", "OF"}:
        return "no plan reaches the goal"
    return "the report times no plan"


def _iterate_galileo_lines(case: FinishedCase) -> Lines:
    report = case.dossier.find_latest_deliverable(GroundingReport)
    if report is None:
        return
    predicted = report.predicted
    yield (
        "Cognitive constructs mapped",
        "; ".join(dict.fromkeys(each.construct_tested for each in report.constructs)),
    )
    cited = ", ".join(map(format_short_citation, report.cited_keys))
    yield "Citations provided", f"{len(report.cited_keys)} ({cited})" if cited else "0"
    scores = (
        f"direct answer {predicted.direct_answer:g}, chain of thought {predicted.chain_of_thought:g}, "
        f"extended reasoning {predicted.extended_reasoning:g}, agentic {predicted.agentic:g} of 100"
    )
    yield "AI difficulty prediction", scores
    yield "Scientific merit", report.merit


def _iterate_socrates_lines(case: FinishedCase) -> Lines:
    blind, informed = (
        case.dossier.find_latest_deliverable(ClassificationReport),
        case.dossier.find_latest_deliverable(InformedClassification),
    )
    if blind is None:
        return
    yield "Blind classification", f"{blind.status} (confidence: {blind.blind_confidence:g})"
    if informed is not None:
        yield "Informed classification", f"{informed.status} (confidence: {informed.confidence:g})"
        yield "Classification delta", informed.delta
    yield "Ethical review", blind.ethics.status
    tests = (blind.epistemology.surface_test, blind.epistemology.deep_test)
    yield "Epistemological analysis", " ".join(f"{each.rstrip('. ')}." for each in tests if each.strip())


def _iterate_additional_agent_lines(dossier: Dossier, agent: str) -> Lines:
    kinds = [
        f"{type(entry.deliverable).__name__} in {entry.phase}"
        for entry in dossier.entries
        if entry.author == agent
    ]
    yield "Handed in", ", ".join(kinds)


# fmt: off
_FORMS: Final[Mapping[str, tuple[str, Callable[[FinishedCase], Lines]]]] = {
    # 6.1, tier 3
    ATHENA:   ("Reasoning",   _iterate_athena_lines),
    NEWTON:   ("Physics",     _iterate_newton_lines),
    EULER:    ("Mathematics", _iterate_euler_lines),
    GALILEO:  ("Scientific",  _iterate_galileo_lines),
    SOCRATES: ("Philosophy",  _iterate_socrates_lines),
}
# fmt: on
