"""The votes of REFINE: each agent votes on everything in one reply, and each decision is counted by its own level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from impossible_moments.agents.orchestrator.consensus_engine import (
    ABSTAIN,
    APPROVED,
    REJECTED,
    REQUIRED,
    ConsensusDecision,
    VoteTally,
    tally_readiness_votes,
    tally_votes,
)
from impossible_moments.agents.orchestrator.flow import Flow
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.difficulty import find_divided_dimensions
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.dossier import AgentNote, DisagreementLogEntry, Dossier, VoteRecord
from impossible_moments.domain.refinement import RefinementBallot
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase

# fmt: off
DISTRACTORS: Final = {
    ATHENA:   "Is each distractor at the right strength for the tier?",
    GALILEO:  "Do the distractors test the intended constructs?",
    EULER:    "Do any distractor's quantities open an unintended path?",
    NEWTON:   "Does any distractor enable a valid alternative solution?",
    SOCRATES: "Are the distractors ethically appropriate and fair?",
}
# fmt: on
DEFAULT_QUESTION: Final = "Does each distractor do what it is meant to do?"
BALLOT: Final = (
    "Vote on the scenario as it stands. `calibration`: the six dimensions I.D.C.B.T.X, each from 1 to 5 with a reason, and "
    "the tier. `distractors`: {distractors} Judge every one. `status`: the final solution status. `design`: name, style "
    "and objects, null to abstain. `readiness`: APPROVE, APPROVE-WITH-NOTES, REVISE (say what and by whom) or DISCARD (say why)."
)


def describe_ballot_task(agent: str) -> str:
    """Return what an agent is asked to vote on, with its own question about the distractors."""
    return BALLOT.format(distractors=DISTRACTORS.get(agent, DEFAULT_QUESTION))


def collect_votes(rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect all votes. If a decision is divided, all agents see all positions and vote once more."""
    ballots = yield from _collect_ballots(rules, dossier, agents)
    dossier = _file_ballots(dossier, ballots)
    divisions = tuple(_iterate_divisions(dossier, ballots))
    if not divisions:
        return _record_votes(dossier, ballots, discussed=False)
    positions = "\n".join(
        [
            "The agents are divided. Read the positions and vote once more; keep your vote if nothing convinces you."
        ]
        + [f"{topic}: {text}" for topic, text in divisions]
    )
    notes = (AgentNote(agent, positions, Phase.REFINE) for agent in agents)
    ballots = yield from _collect_ballots(rules, dossier.replace_notes((*dossier.notes, *notes)), agents)
    dossier = _record_votes(_file_ballots(dossier, ballots), ballots, discussed=True)
    left = {topic for topic, _ in _iterate_divisions(dossier, ballots)}
    entries = tuple(
        DisagreementLogEntry(
            topic,
            agents,
            "structured debate",
            _describe_unsettled_vote(topic) if topic in left else "settled by the second vote",
            "calibration" if topic.startswith(_CALIBRATION) else "vote",
            phase=Phase.REFINE,
            evidence=(first_positions,),
        )
        for topic, first_positions in divisions
    )
    return replace(dossier, disagreements=(*dossier.disagreements, *entries))


_CALIBRATION: Final = "calibration: "
_STATUS: Final = "solution status"
_TIER: Final = "difficulty tier"
_STRENGTH: Final = "strength of the distractor "


def _describe_unsettled_vote(topic: str) -> str:
    if topic == _STATUS:
        return "not unanimous: a human decides"
    if topic.startswith(_STRENGTH):
        return "still divided; ATHENA's classification counts, as the authority on the design"
    return "still divided; the median profile counts"


def _collect_ballots(
    rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]
) -> Flow[dict[str, RefinementBallot]]:
    tasks = {agent: describe_ballot_task(agent) for agent in agents}
    return (yield from rules.desk.ask_agents(dossier, agents, Phase.REFINE, "votes", tasks, RefinementBallot))


def _file_ballots(dossier: Dossier, ballots: Mapping[str, RefinementBallot]) -> Dossier:
    for agent, ballot in ballots.items():
        for part in ballot.parts:
            dossier = dossier.add_deliverable(Phase.REFINE, agent, part)
    return dossier


def _iterate_divisions(
    dossier: Dossier, ballots: Mapping[str, RefinementBallot]
) -> Iterator[tuple[str, str]]:
    """Yield each decision on which the agents are divided, with all positions."""
    for dimension in find_divided_dimensions(ballot.calibration.profile for ballot in ballots.values()):
        scores = (
            f"{agent} {getattr(ballot.calibration.profile, dimension.name)}"
            f" ({ballot.calibration.rationale.get(dimension.value, 'no reason')})"
            for agent, ballot in ballots.items()
        )
        yield f"{_CALIBRATION}{dimension}", "; ".join(scores)
    for record in build_vote_records(dossier, ballots, discussed=False):
        if record.winner is None and record.decision in _DEBATED:
            topic = _DEBATED[ConsensusDecision(record.decision)] + record.subject
            yield topic, "; ".join(f"{agent}: {choice}" for agent, choice in record.positions.items())


_DEBATED: Final[Mapping[ConsensusDecision, str]] = {
    ConsensusDecision.CLASSIFICATION: _STATUS,
    ConsensusDecision.TIER: _TIER,
    ConsensusDecision.DISTRACTOR: _STRENGTH,
}
"""The decisions that are discussed and voted on again if the required level is missed."""


def _record_votes(dossier: Dossier, ballots: Mapping[str, RefinementBallot], *, discussed: bool) -> Dossier:
    records = tuple(build_vote_records(dossier, ballots, discussed=discussed))
    return replace(dossier, votes=(*dossier.votes, *records))


def build_vote_records(
    dossier: Dossier, ballots: Mapping[str, RefinementBallot], *, discussed: bool
) -> Iterator[VoteRecord]:
    """Yield the counted votes of every decision in the ballots."""
    status = dossier.brief.solution_status

    def count(
        decision: ConsensusDecision,
        subject: str,
        choices: Mapping[str, str],
        confidences: Mapping[str, float],
    ) -> VoteRecord:
        tally = tally_votes(choices, REQUIRED[decision], confidences=confidences)
        return _build_record(decision, subject, choices, confidences, tally, discussed=discussed)

    statuses = {agent: ballot.status for agent, ballot in ballots.items()}
    yield count(
        ConsensusDecision.CLASSIFICATION,
        "",
        {agent: vote.status for agent, vote in statuses.items()},
        {agent: vote.confidence for agent, vote in statuses.items()},
    )
    calibrations = {agent: ballot.calibration for agent, ballot in ballots.items()}
    yield count(
        ConsensusDecision.TIER,
        "",
        {
            agent: vote.tier or choose_difficulty_tier(vote.profile.scores, status)[0]
            for agent, vote in calibrations.items()
        },
        {agent: vote.confidence for agent, vote in calibrations.items()},
    )
    reviews = {agent: ballot.distractors for agent, ballot in ballots.items()}
    names = dict.fromkeys(finding.name for review in reviews.values() for finding in review.findings)
    for name in names:
        strengths = {
            agent: finding.strength
            for agent, review in reviews.items()
            for finding in review.findings
            if finding.name == name
        }
        sure = {agent: review.confidence for agent, review in reviews.items()}
        yield count(ConsensusDecision.DISTRACTOR, name, strengths, sure)
    designs = {agent: ballot.design for agent, ballot in ballots.items()}
    sure = {agent: vote.confidence for agent, vote in designs.items()}
    for decision, field in _DESIGN_FIELDS.items():
        choices = {agent: _APPROVAL[getattr(vote, field)] for agent, vote in designs.items()}
        yield count(decision, "", choices, sure)
    readiness = {agent: ballot.readiness for agent, ballot in ballots.items()}
    sure = {agent: vote.confidence for agent, vote in readiness.items()}
    yield _build_record(
        ConsensusDecision.READINESS,
        "",
        {agent: vote.vote for agent, vote in readiness.items()},
        sure,
        tally_readiness_votes({agent: vote.vote for agent, vote in readiness.items()}, confidences=sure),
        discussed=discussed,
    )


_DESIGN_FIELDS: Final[Mapping[ConsensusDecision, str]] = {
    ConsensusDecision.SCENARIO_NAME: "approves_name",
    ConsensusDecision.NARRATIVE_STYLE: "approves_style",
    ConsensusDecision.OBJECT_SELECTION: "approves_objects",
}
_APPROVAL: Final = {True: APPROVED, False: REJECTED, None: ABSTAIN}


def _build_record(
    decision: ConsensusDecision,
    subject: str,
    positions: Mapping[str, str],
    confidences: Mapping[str, float],
    tally: VoteTally,
    *,
    discussed: bool,
) -> VoteRecord:
    return VoteRecord(
        decision=str(decision),
        subject=subject,
        level=str(tally.level),
        positions=dict(positions),
        confidences=dict(confidences),
        needed=tally.needed,
        winner=tally.winner,
        unsure=tally.unsure if tally.is_decided_by_unsure_votes else (),
        discussed=discussed,
    )
