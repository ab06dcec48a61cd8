"""Phase 5: the reveal to all agents, then memos, calibration, distractor review and the readiness vote."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.agents.orchestrator.context.status_policies import get_status_policy
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    add_required_changes_to_notes,
)
from impossible_moments.agents.orchestrator.phases.dispute_resolution import resolve_disputes
from impossible_moments.agents.orchestrator.phases.phase_runner import PhaseSpec
from impossible_moments.agents.orchestrator.phases.validate_phase import (
    count_seed_documents,
    request_revision,
    run_validation,
)
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.difficulty import find_divided_dimensions
from impossible_moments.domain.dossier import AgentNote, DisagreementLogEntry, Dossier
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote, DistractorReview, ReadinessVote, ReviewMemo
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    NEWTON,
    SOCRATES,
    DifficultyDimension,
    Phase,
)

REVEAL = (
    "Everything is now visible to you. Classify the scenario again with that knowledge, and say what changed since your "
    "blind report and why."
)
# fmt: off
MEMOS: Final = {
    ATHENA:   "Does the validated solution match your intent? Has validation weakened the insight chain or the distractors?",
    GALILEO:  "Does the grounding hold for the validated solution? Are there further constructs? Does the prediction need revision?",
    EULER:    "Are there mathematical concerns left? Should the scenario be KS-Fragile? Are the timing margins adequate?",
    NEWTON:   "Are there physical concerns left? Did the grounding reveal effects that were not considered?",
    SOCRATES: "What is the distance between your blind and your informed judgement? Does difficulty or ethics change?",
}
DISTRACTORS: Final = {
    ATHENA:   "Is each distractor at the right strength for the tier?",
    GALILEO:  "Do the distractors test the intended constructs?",
    EULER:    "Do any distractor's quantities open an unintended path?",
    NEWTON:   "Does any distractor enable a valid alternative solution?",
    SOCRATES: "Are the distractors ethically appropriate and fair?",
}
# fmt: on
DEFAULT_REVIEW_QUESTION = "Review the scenario from your own perspective."
CALIBRATE = "Vote on the six dimensions I.D.C.B.T.X, each from 1 to 5, with a reason for each."
READY = "Vote on readiness: APPROVE, APPROVE-WITH-NOTES, REVISE (say what and by whom) or DISCARD (say why)."
AMISS: Final = frozenset({"too weak", "too strong", "enables a solution", "unfair"})


def run_refine_phase(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Run the reveal, the memos, the calibration, the distractor review and the readiness vote.

    Pending revisions are made first.
    """
    agents = rules.list_agents_in_phase(Phase.REFINE)
    dossier = add_required_changes_to_notes(dossier)
    dossier = yield from _request_revisions(
        rules, dossier, frozenset(note.addressee for note in dossier.notes)
    )
    if not dossier.find_deliverable_of_phase_by_author(InformedClassification, Phase.REFINE):
        dossier = yield from _reveal_to_socrates(rules, dossier)
    if not dossier.find_deliverable_of_phase_by_author(ReviewMemo, Phase.REFINE):
        dossier = yield from _collect_review_memos(rules, dossier, agents)
    dossier = yield from _calibrate_difficulty(rules, dossier, agents)
    dossier = yield from _review_distractors(rules, dossier, agents)
    votes = yield from rules.desk.ask_agents(
        dossier, agents, Phase.REFINE, "readiness", dict.fromkeys(agents, READY), ReadinessVote
    )
    for agent, vote in votes.items():
        dossier = dossier.add_deliverable(Phase.REFINE, agent, vote)
    return dossier


def _request_revisions(rules: ScenarioRules, dossier: Dossier, agents: frozenset[str]) -> Flow[Dossier]:
    """Ask the notified agents to revise.

    ATHENA revises the seed, the validators and GALILEO their reports, and SOCRATES its classification.
    """
    if ATHENA in agents:
        dossier = yield from request_revision(rules, dossier, Phase.REFINE)
    if agents & {ATHENA, NEWTON, EULER}:
        dossier = yield from run_validation(rules, dossier, Phase.REFINE)
    if GALILEO in agents:
        dossier = yield from _revise_grounding(rules, dossier)
    if SOCRATES in agents:
        dossier = yield from _request_informed_classification(rules, dossier)
    return dossier


def _revise_grounding(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    task = get_status_policy(dossier.brief.solution_status).tasks[GALILEO]
    report = yield from rules.desk.ask_agent(
        dossier, GALILEO, Phase.REFINE, "grounding", task, GroundingReport
    )
    dossier = dossier.add_deliverable(Phase.REFINE, GALILEO, report).clear_owed_revisions(GALILEO)
    return (yield from resolve_disputes(rules, dossier, Phase.REFINE, {GALILEO: report}))


def _request_informed_classification(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    word = yield from rules.desk.ask_agent(
        dossier, SOCRATES, Phase.REFINE, "reveal", REVEAL, InformedClassification
    )
    return dossier.add_deliverable(Phase.REFINE, SOCRATES, word).clear_owed_revisions(SOCRATES)


def _reveal_to_socrates(rules: ScenarioRules, dossier: Dossier) -> Flow[Dossier]:
    """Ask SOCRATES to classify with full knowledge, and note for ATHENA what the blind report showed."""
    dossier = yield from _request_informed_classification(rules, dossier)
    blind = dossier.find_latest_deliverable(ClassificationReport)
    finding = (
        get_status_policy(dossier.brief.solution_status).derive_blind_finding(blind)
        if blind is not None
        else None
    )
    if finding is None:
        return dossier
    note = AgentNote(ATHENA, f"{finding.name}: {finding.value}", Phase.REFINE)
    return dossier.replace_notes((*dossier.notes, note))


def _collect_review_memos(rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    tasks = {agent: MEMOS.get(agent, DEFAULT_REVIEW_QUESTION) for agent in agents}
    memos = yield from rules.desk.ask_agents(dossier, agents, Phase.REFINE, "memo", tasks, ReviewMemo)
    for agent, memo in memos.items():
        dossier = dossier.add_deliverable(Phase.REFINE, agent, memo)
    blind = dossier.find_latest_deliverable(ClassificationReport)
    # Challenges from SOCRATES's blind report are resolved now.
    if blind is not None and blind.challenges:
        without_escalation = blind.model_copy(
            update={"escalation": None}
        )  # a human was already asked in CLASSIFY
        dossier = yield from resolve_disputes(rules, dossier, Phase.REFINE, {SOCRATES: without_escalation})
    seeds = count_seed_documents(dossier)
    dossier = yield from resolve_disputes(rules, dossier, Phase.REFINE, dict(memos))
    if count_seed_documents(dossier) > seeds:
        # A revision lifted a veto. Only the vetoing agent has seen it, so both validators judge it now.
        dossier = yield from run_validation(rules, dossier, Phase.REFINE)
    indebted_agents = frozenset(note.addressee for note in dossier.notes if note.owed)
    return (yield from _request_revisions(rules, dossier, indebted_agents))


def _calibrate_difficulty(rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect the votes of all agents. If votes differ by more than two, all see them and vote once more."""
    votes = yield from _collect_calibration_votes(rules, dossier, agents)
    divided = find_divided_dimensions(vote.profile for vote in votes.values())
    for agent, vote in votes.items():
        dossier = dossier.add_deliverable(Phase.REFINE, agent, vote)
    if not divided:
        return dossier
    positions = _format_calibration_votes(votes, divided)
    discussed = dossier.replace_notes(
        (*dossier.notes, *(AgentNote(agent, positions, Phase.REFINE) for agent in agents))
    )
    votes = yield from _collect_calibration_votes(rules, discussed, agents)
    for agent, vote in votes.items():
        dossier = dossier.add_deliverable(Phase.REFINE, agent, vote)
    still_divided = find_divided_dimensions(vote.profile for vote in votes.values())
    outcome = "still divided; the median counts" if still_divided else "settled"
    topic = f"calibration: {', '.join(divided)}"
    line = DisagreementLogEntry(topic, agents, "structured debate", outcome, "calibration")
    return replace(dossier, disagreements=(*dossier.disagreements, line))


def _collect_calibration_votes(
    rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]
) -> Flow[dict[str, CalibrationVote]]:
    tasks = dict.fromkeys(agents, CALIBRATE)
    return (
        yield from rules.desk.ask_agents(dossier, agents, Phase.REFINE, "calibration", tasks, CalibrationVote)
    )


def _format_calibration_votes(
    votes: dict[str, CalibrationVote], dimensions: tuple[DifficultyDimension, ...]
) -> str:
    lines = [
        f"{dimension}: "
        + ", ".join(f"{agent} {getattr(vote.profile, dimension.name)}" for agent, vote in votes.items())
        for dimension in dimensions
    ]
    return f"Scores differ by more than two, so discuss and vote again. {'; '.join(lines)}"


def _review_distractors(rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect all reviews of the distractors.

    ATHENA revises the rejected ones, and the validators judge again.
    """
    tasks = {agent: DISTRACTORS.get(agent, DEFAULT_REVIEW_QUESTION) for agent in agents}
    reviews = yield from rules.desk.ask_agents(
        dossier, agents, Phase.REFINE, "distractors", tasks, DistractorReview
    )
    objections: list[str] = []
    for agent, review in reviews.items():
        dossier = dossier.add_deliverable(Phase.REFINE, agent, review)
        objections += [
            f"{each.name} is {each.verdict} ({agent}): {each.remark}"
            for each in review.findings
            if each.verdict in AMISS
        ]
    if not objections:
        return dossier
    note = AgentNote(ATHENA, f"Revise these distractors: {'; '.join(objections)}", Phase.REFINE)
    return (
        yield from _request_revisions(
            rules, dossier.replace_notes((*dossier.notes, note)), frozenset({ATHENA})
        )
    )


REFINE = PhaseSpec(Phase.REFINE, run_refine_phase)
