"""Phase 5: the reveal to all agents, the review memos, the revisions they lead to, and the votes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.agents.orchestrator.context.status_policies import BlindFinding, get_status_policy
from impossible_moments.agents.orchestrator.design_reviews import add_design_review_notes
from impossible_moments.agents.orchestrator.difficulty_figures import compute_difficulty_figures
from impossible_moments.agents.orchestrator.flow import Flow, add_computed_figures, request_answer
from impossible_moments.agents.orchestrator.open_points import (
    build_adoption_notes,
    describe_contradicting_prediction,
)
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    add_required_changes_to_notes,
)
from impossible_moments.agents.orchestrator.phases.dispute_resolution import (
    resolve_contradictions,
    resolve_disputes,
)
from impossible_moments.agents.orchestrator.phases.memo_corrections import (
    build_majority_demands,
    build_minority_notes,
)
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.phases.refinement_votes import collect_votes
from impossible_moments.agents.orchestrator.phases.revision_rounds import answer_demands
from impossible_moments.agents.orchestrator.protocols.dispute_panel import add_private_notes
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.agents.orchestrator.seed_changes import collect_current_deliverables, is_expired
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.dossier import AgentNote, BlindFindingCase, Dossier, RevisionDemand
from impossible_moments.domain.refinement import ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase

REVEAL: Final = (
    "Everything is now visible to you. Classify the scenario again with that knowledge, and say what changed since your "
    "blind report and why."
)
# fmt: off
MEMOS: Final = {
    ATHENA:   "Does the validated solution match your intent? Has validation weakened the insight chain or the distractors? Answer each entry of `open_points` in `answers`.",
    GALILEO:  "Does the grounding hold for the validated solution? Are there further constructs? Does the prediction need revision?",
    EULER:    "Are there mathematical concerns left? Should the scenario be KS-Fragile? Are the timing margins adequate?",
    NEWTON:   "Are there physical concerns left? Did the grounding reveal effects that were not considered?",
    SOCRATES: "What is the distance between your blind and your informed judgement? Does difficulty or ethics change?",
}
# fmt: on
DEFAULT_REVIEW_QUESTION: Final = "Review the scenario from your own perspective."
CHANGE: Final = (
    " Put each change that you want into `corrections`, one for each subject, and take the subject from `subjects`. "
    "A change is made if a majority of the memos wants the same subject changed."
)
REVIEW_ROUNDS: Final = 2
"""How often memos may lead to a revision before the votes. After the last revision the memos are collected again."""


def run_refine_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Make the demanded revisions, review the whole scenario, and vote if no revision is pending."""
    agents = rules.list_agents_in_phase(Phase.REFINE)
    dossier = add_design_review_notes(add_required_changes_to_notes(dossier))
    dossier = yield from answer_demands(rules, dossier)
    dossier = yield from _act_on_blind_finding(rules, dossier)
    for _ in range(REVIEW_ROUNDS):
        dossier = add_design_review_notes((yield from _review_scenario(rules, dossier, agents)))
        if not _is_revision_pending(dossier) and not is_expired(dossier, ReviewMemo):
            break
        dossier = yield from answer_demands(rules, dossier)
    else:
        dossier = add_design_review_notes((yield from _review_scenario(rules, dossier, agents)))
    if _is_revision_pending(dossier) or is_expired(dossier, ReviewMemo):
        return dossier  # the gate repeats the phase: no agent votes on what is about to change
    minority_notes = build_minority_notes(
        collect_current_deliverables(dossier, ReviewMemo), dossier.find_latest_deliverable(SeedDocument)
    )
    dossier = yield from collect_votes(rules, dossier.replace_notes(minority_notes), agents)
    vote = collect_current_deliverables(dossier, ReadinessVote).get(ATHENA)
    dossier = dossier.replace_notes(
        build_adoption_notes(dossier, vote.answers if vote is not None else (), Phase.REFINE)
    )
    return add_design_review_notes((yield from resolve_contradictions(rules, dossier, Phase.REFINE)))


def _is_revision_pending(dossier: Dossier) -> bool:
    return any(note.owed for note in dossier.notes)


def _act_on_blind_finding(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Record what the blind reading showed. A design that is seen through at once is revised once."""
    report = dossier.find_latest_deliverable(ClassificationReport)
    finding = (
        get_status_policy(dossier.brief.solution_status).derive_blind_finding(report)
        if report is not None
        else None
    )
    if finding is None or len(dossier.blind_findings) >= len(dossier.list_deliverables(ClassificationReport)):
        return dossier
    was_demanded = any(case.consequence == DEMANDED for case in dossier.blind_findings)
    if finding not in SEEN_THROUGH:
        return _record_blind_finding(dossier, finding, "none is needed")
    if was_demanded:
        return _record_blind_finding(dossier, finding, "it stands after one revision, and the votes judge it")
    dossier = _record_blind_finding(dossier, finding, DEMANDED)
    demand = RevisionDemand(
        SOCRATES,
        str(finding),
        subject="text",
        evidence=report.premise_named or report.justification if report is not None else "",
        proposal="Disguise it better in the narrative, without hiding a fact that a solver needs.",
    )
    note = AgentNote(ATHENA, f"{finding.name}: {finding}", Phase.REFINE, demand=demand)
    return (yield from answer_demands(rules, dossier.replace_notes((*dossier.notes, note))))


SEEN_THROUGH: Final = frozenset({BlindFinding.TOO_OBVIOUS, BlindFinding.TOO_TRANSPARENT})
"""3.4: the findings that ask for a revision."""
DEMANDED: Final = "ATHENA is asked to revise the text"


def _record_blind_finding(dossier: Dossier, finding: BlindFinding, consequence: str) -> Dossier:
    case = BlindFindingCase(f"{finding.name}: {finding}", consequence)
    return replace(dossier, blind_findings=(*dossier.blind_findings, case))


def _review_scenario(rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect the informed classification and the memos that are missing or expired, and resolve their disputes."""
    dossier = dossier.replace_notes(note for note in dossier.notes if note.addressee != ATHENA or note.owed)
    if is_expired(dossier, InformedClassification) or dossier.list_notes_for(SOCRATES):
        question = rules.desk.build_ask(
            dossier, SOCRATES, Phase.REFINE, "reveal", REVEAL, InformedClassification
        )
        figures = compute_difficulty_figures(dossier, rules.gate_resources.computations)
        informed = yield from request_answer(add_computed_figures(question, figures), InformedClassification)
        dossier = dossier.add_deliverable(Phase.REFINE, SOCRATES, informed).clear_owed_revisions(SOCRATES)
    if not is_expired(dossier, ReviewMemo):
        return dossier
    tasks = {agent: MEMOS.get(agent, DEFAULT_REVIEW_QUESTION) + CHANGE for agent in agents}
    memos = yield from rules.desk.ask_agents(
        add_private_notes(dossier, *build_prediction_notes(dossier)),
        agents,
        Phase.REFINE,
        "memo",
        tasks,
        ReviewMemo,
    )
    for agent, memo in memos.items():
        dossier = dossier.add_deliverable(Phase.REFINE, agent, memo)
    dossier = yield from _resolve_blind_challenges(rules, dossier)
    dossier = yield from resolve_disputes(rules, dossier, Phase.REFINE, dict(memos))
    seed = dossier.find_latest_deliverable(SeedDocument)
    adopted = build_adoption_notes(dossier, memos[ATHENA].answers, Phase.REFINE)
    return dossier.replace_notes((*dossier.notes, *build_majority_demands(memos, seed), *adopted))


def build_prediction_notes(dossier: Dossier) -> tuple[AgentNote, ...]:
    """Return a note to ATHENA and SOCRATES if the predicted success of strong models contradicts the tier."""
    contradiction = describe_contradicting_prediction(dossier)
    if not contradiction:
        return ()
    text = (
        f"{contradiction} Say whether the design, the tier or the prediction is wrong, and put a change into "
        "`corrections`."
    )
    return tuple(AgentNote(agent, text, Phase.REFINE) for agent in (ATHENA, SOCRATES))


def _resolve_blind_challenges(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Resolve the challenges of SOCRATES's blind report, which waited for the reveal."""
    blind = dossier.find_latest_deliverable(ClassificationReport)
    if blind is None or not blind.challenges:
        return dossier
    # A human was already asked in CLASSIFY.
    without_escalation = blind.model_copy(update={"escalation": None})
    return (yield from resolve_disputes(rules, dossier, Phase.REFINE, {SOCRATES: without_escalation}))


REFINE = PhaseSpec(Phase.REFINE, run_refine_phase)
