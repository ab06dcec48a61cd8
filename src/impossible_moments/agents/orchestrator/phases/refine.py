"""Phase 5: the reveal to all agents, then memos, calibration, distractor review and the readiness vote."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from impossible_moments.agents.orchestrator.context_status import policy_for
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.phases.disputing import heard
from impossible_moments.agents.orchestrator.phases.phase import PhaseSpec, done_in
from impossible_moments.agents.orchestrator.phases.validate import revised, seeds_in, validated
from impossible_moments.agents.orchestrator.rules import Rules
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.difficulty import divided
from impossible_moments.domain.dossier import Disagreement, Dossier, Note
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import CalibrationVote, DistractorReview, ReadinessVote, ReviewMemo
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    NEWTON,
    SOCRATES,
    Dimension,
    Phase,
)

REVEAL = (
    "Everything is now visible to you. Classify the scenario again with that knowledge, and say what changed against your "
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
OTHERS = "Review the scenario from your own perspective."
CALIBRATE = "Vote on the six dimensions I.D.C.B.T.X, each from 1 to 5, with a reason for each."
READY = "Vote on readiness: APPROVE, APPROVE-WITH-NOTES, REVISE (say what and by whom) or DISCARD (say why)."
AMISS: Final = frozenset({"too weak", "too strong", "enables a solution", "unfair"})


def refine(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Run the reveal, the memos, the calibration, the distractor review and the readiness vote.

    Pending revisions are made first.
    """
    agents = rules.agents_in(Phase.REFINE)
    dossier = yield from _mended(rules, dossier, frozenset(note.addressee for note in dossier.notes))
    if not done_in(dossier, InformedClassification, Phase.REFINE):
        dossier = yield from _reveal(rules, dossier)
    if not done_in(dossier, ReviewMemo, Phase.REFINE):
        dossier = yield from _reviewed(rules, dossier, agents)
    dossier = yield from _calibrated(rules, dossier, agents)
    dossier = yield from _distractors(rules, dossier, agents)
    votes = yield from rules.desk.ask_all(
        dossier, agents, Phase.REFINE, "readiness", dict.fromkeys(agents, READY), ReadinessVote
    )
    for agent, vote in votes.items():
        dossier = dossier.file(Phase.REFINE, agent, vote)
    return dossier


def _mended(rules: Rules, dossier: Dossier, agents: frozenset[str]) -> Flow[Dossier]:
    """Ask the notified agents to revise.

    ATHENA revises the seed, the validators and GALILEO their reports, and SOCRATES its classification.
    """
    if ATHENA in agents:
        dossier = yield from revised(rules, dossier, Phase.REFINE)
    if agents & {ATHENA, NEWTON, EULER}:
        dossier = yield from validated(rules, dossier, Phase.REFINE)
    if GALILEO in agents:
        dossier = yield from _grounded(rules, dossier)
    if SOCRATES in agents:
        dossier = yield from _informed(rules, dossier)
    return dossier


def _grounded(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    task = policy_for(dossier.brief.solution_status).tasks[GALILEO]
    report = yield from rules.desk.ask(dossier, GALILEO, Phase.REFINE, "grounding", task, GroundingReport)
    dossier = dossier.file(Phase.REFINE, GALILEO, report).answered_by(GALILEO)
    return (yield from heard(rules, dossier, Phase.REFINE, {GALILEO: report}))


def _informed(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    word = yield from rules.desk.ask(
        dossier, SOCRATES, Phase.REFINE, "reveal", REVEAL, InformedClassification
    )
    return dossier.file(Phase.REFINE, SOCRATES, word).answered_by(SOCRATES)


def _reveal(rules: Rules, dossier: Dossier) -> Flow[Dossier]:
    """Ask SOCRATES to classify with full knowledge, and note for ATHENA what the blind report showed."""
    dossier = yield from _informed(rules, dossier)
    blind = dossier.latest(ClassificationReport)
    finding = policy_for(dossier.brief.solution_status).blind_finding(blind) if blind is not None else None
    if finding is None:
        return dossier
    note = Note(ATHENA, f"{finding.name}: {finding.value}", Phase.REFINE)
    return dossier.noting((*dossier.notes, note))


def _reviewed(rules: Rules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    tasks = {agent: MEMOS.get(agent, OTHERS) for agent in agents}
    memos = yield from rules.desk.ask_all(dossier, agents, Phase.REFINE, "memo", tasks, ReviewMemo)
    for agent, memo in memos.items():
        dossier = dossier.file(Phase.REFINE, agent, memo)
    blind = dossier.latest(ClassificationReport)
    # Challenges from SOCRATES's blind report are resolved now.
    if blind is not None and blind.challenges:
        waiting = blind.model_copy(update={"escalation": None})  # a human was already asked in CLASSIFY
        dossier = yield from heard(rules, dossier, Phase.REFINE, {SOCRATES: waiting})
    seeds = seeds_in(dossier)
    dossier = yield from heard(rules, dossier, Phase.REFINE, dict(memos))
    if seeds_in(dossier) > seeds:
        # A revision lifted a veto. Only the vetoing agent has seen it, so both validators judge it now.
        dossier = yield from validated(rules, dossier, Phase.REFINE)
    owing = frozenset(note.addressee for note in dossier.notes if note.owed)
    return (yield from _mended(rules, dossier, owing))


def _calibrated(rules: Rules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect the votes of all agents. If votes differ by more than two, all see them and vote once more."""
    votes = yield from _voted(rules, dossier, agents)
    apart = divided(vote.profile for vote in votes.values())
    for agent, vote in votes.items():
        dossier = dossier.file(Phase.REFINE, agent, vote)
    if not apart:
        return dossier
    positions = _positions(votes, apart)
    discussed = dossier.noting((*dossier.notes, *(Note(agent, positions, Phase.REFINE) for agent in agents)))
    votes = yield from _voted(rules, discussed, agents)
    for agent, vote in votes.items():
        dossier = dossier.file(Phase.REFINE, agent, vote)
    still = divided(vote.profile for vote in votes.values())
    outcome = "still divided; the median counts" if still else "settled"
    topic = f"calibration: {', '.join(apart)}"
    line = Disagreement(topic, agents, "structured debate", outcome, "calibration")
    return replace(dossier, disagreements=(*dossier.disagreements, line))


def _voted(rules: Rules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[dict[str, CalibrationVote]]:
    tasks = dict.fromkeys(agents, CALIBRATE)
    return (
        yield from rules.desk.ask_all(dossier, agents, Phase.REFINE, "calibration", tasks, CalibrationVote)
    )


def _positions(votes: dict[str, CalibrationVote], apart: tuple[Dimension, ...]) -> str:
    lines = [
        f"{dimension}: "
        + ", ".join(f"{agent} {getattr(vote.profile, dimension.name)}" for agent, vote in votes.items())
        for dimension in apart
    ]
    return f"Opinions lie more than two apart, so discuss and vote again. {'; '.join(lines)}"


def _distractors(rules: Rules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect all reviews of the distractors.

    ATHENA revises the rejected ones, and the validators judge again.
    """
    tasks = {agent: DISTRACTORS.get(agent, OTHERS) for agent in agents}
    reviews = yield from rules.desk.ask_all(
        dossier, agents, Phase.REFINE, "distractors", tasks, DistractorReview
    )
    amiss: list[str] = []
    for agent, review in reviews.items():
        dossier = dossier.file(Phase.REFINE, agent, review)
        amiss += [
            f"{each.name} is {each.verdict} ({agent}): {each.remark}"
            for each in review.findings
            if each.verdict in AMISS
        ]
    if not amiss:
        return dossier
    note = Note(ATHENA, f"Revise these distractors: {'; '.join(amiss)}", Phase.REFINE)
    return (yield from _mended(rules, dossier.noting((*dossier.notes, note)), frozenset({ATHENA})))


REFINE = PhaseSpec(Phase.REFINE, refine)
