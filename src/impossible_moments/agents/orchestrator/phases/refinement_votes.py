"""The votes of REFINE: each agent votes on everything in one reply, and each decision is counted by its own level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
from impossible_moments.agents.orchestrator.difficulty_figures import compute_difficulty_figures
from impossible_moments.agents.orchestrator.flow import Flow, add_computed_figures, request_answers
from impossible_moments.agents.orchestrator.rules import ScenarioRules
from impossible_moments.domain.difficulty import find_divided_dimensions
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.dossier import AgentNote, DisagreementLogEntry, Dossier, VoteRecord
from impossible_moments.domain.refinement import RefinementBallot
from impossible_moments.domain.thresholds import RANGE_TO_DISCUSS
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
    "the tier; `difficulty_evidence` states what executing the record shows. `distractors`: {distractors} "
    "Judge every one. `status`: the final solution status. `design`: name, style "
    "and objects, null to abstain. `readiness`: APPROVE, APPROVE-WITH-NOTES, REVISE (say what and by whom) or DISCARD (say why)."
)
POINTS: Final = " Answer each entry of `open_points` in `readiness.answers`."


def describe_ballot_task(agent: str) -> str:
    """Return what an agent is asked to vote on, with its own question about the distractors."""
    task = BALLOT.format(distractors=DISTRACTORS.get(agent, DEFAULT_QUESTION))
    return task + POINTS if agent == ATHENA else task


DIVIDED_PARTS: Final = "divided_parts"
"""The entry of a context that names the parts of the ballot which are voted on again."""


@dataclass(frozen=True, slots=True)
class VoteDivision:
    """A decision on which the agents are divided."""

    topic: str
    part: str
    """The part of the ballot that decides it."""
    positions: str
    """The position of each agent with its reason."""
    needed: str
    """What would settle it."""


def collect_votes(rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...]) -> Flow[Dossier]:
    """Collect all votes. If a decision is divided, all agents see all positions and vote once more."""
    ballots = yield from _collect_ballots(rules, dossier, agents)
    dossier = _file_ballots(dossier, ballots)
    divisions = tuple(_iterate_divisions(dossier, ballots))
    if not divisions:
        return _record_votes(dossier, ballots, discussed=False)
    notes = (AgentNote(agent, _describe_divisions(divisions), Phase.REFINE) for agent in agents)
    divided = tuple(dict.fromkeys(each.part for each in divisions))
    ballots = yield from _collect_ballots(
        rules, dossier.replace_notes((*dossier.notes, *notes)), agents, divided
    )
    dossier = _record_votes(_file_ballots(dossier, ballots), ballots, discussed=True)
    left = {each.topic for each in _iterate_divisions(dossier, ballots)}
    entries = tuple(
        DisagreementLogEntry(
            each.topic,
            agents,
            "structured debate",
            _describe_unsettled_vote(each.topic) if each.topic in left else "settled by the second vote",
            "calibration" if each.topic.startswith(_CALIBRATION) else "vote",
            phase=Phase.REFINE,
            evidence=(each.positions,),
        )
        for each in divisions
    )
    return replace(dossier, disagreements=(*dossier.disagreements, *entries))


_CALIBRATION: Final = "calibration: "
_STATUS: Final = "solution status"
_TIER: Final = "difficulty tier"
_STRENGTH: Final = "strength of the distractor "


def _describe_divisions(divisions: tuple[VoteDivision, ...]) -> str:
    lines = [
        "The agents are divided. Read the positions and vote once more; keep your vote if nothing convinces you."
    ]
    for each in divisions:
        lines.append(f"{each.topic}: {each.positions}")
        lines.append(f"Needed: {each.needed}. If not reached, it is {_describe_unsettled_vote(each.topic)}.")
    return "\n".join(lines)


def _describe_unsettled_vote(topic: str) -> str:
    if topic == _STATUS:
        return "not unanimous: a human decides"
    if topic.startswith(_STRENGTH):
        return "still divided; ATHENA's classification counts, as the authority on the design"
    return "still divided; the median profile counts"


def _collect_ballots(
    rules: ScenarioRules, dossier: Dossier, agents: tuple[str, ...], divided: tuple[str, ...] = ()
) -> Flow[dict[str, RefinementBallot]]:
    questions = tuple(
        rules.desk.build_ask(
            dossier, agent, Phase.REFINE, "votes", describe_ballot_task(agent), RefinementBallot
        )
        for agent in agents
    )
    figures = compute_difficulty_figures(dossier, rules.gate_resources.computations)
    if divided:
        figures[DIVIDED_PARTS] = list(divided)
    if figures:
        questions = tuple(add_computed_figures(each, figures) for each in questions)
    ballots = yield from request_answers(questions, RefinementBallot)
    return dict(zip(agents, ballots, strict=True))


def _file_ballots(dossier: Dossier, ballots: Mapping[str, RefinementBallot]) -> Dossier:
    for agent, ballot in ballots.items():
        for part in ballot.parts:
            dossier = dossier.add_deliverable(Phase.REFINE, agent, part)
    return dossier


def _iterate_divisions(dossier: Dossier, ballots: Mapping[str, RefinementBallot]) -> Iterator[VoteDivision]:
    """Yield each decision on which the agents are divided, with all positions and their reasons."""
    for dimension in find_divided_dimensions(ballot.calibration.profile for ballot in ballots.values()):
        scores = (
            f"{agent} {getattr(ballot.calibration.profile, dimension.name)}"
            f" ({ballot.calibration.rationale.get(dimension.value, 'no reason')})"
            for agent, ballot in ballots.items()
        )
        yield VoteDivision(
            f"{_CALIBRATION}{dimension}",
            "calibration",
            "; ".join(scores),
            f"scores that differ by at most {RANGE_TO_DISCUSS}",
        )
    for record in build_vote_records(dossier, ballots, discussed=False):
        if record.winner is None and record.decision in _DEBATED:
            decision = ConsensusDecision(record.decision)
            positions = (
                f"{agent}: {choice}{_quote_reason(ballots[agent], decision, record.subject)}"
                for agent, choice in record.positions.items()
            )
            yield VoteDivision(
                _DEBATED[decision] + record.subject,
                _DECIDING_PARTS[decision],
                "; ".join(positions),
                f"{record.needed} of {len(record.positions)} votes for one choice ({record.level})",
            )


_DEBATED: Final[Mapping[ConsensusDecision, str]] = {
    ConsensusDecision.CLASSIFICATION: _STATUS,
    ConsensusDecision.TIER: _TIER,
    ConsensusDecision.DISTRACTOR: _STRENGTH,
}
"""The decisions that are discussed and voted on again if the required level is missed."""


_DECIDING_PARTS: Final[Mapping[ConsensusDecision, str]] = {
    ConsensusDecision.CLASSIFICATION: "status",
    ConsensusDecision.TIER: "calibration",
    ConsensusDecision.DISTRACTOR: "distractors",
}


def _quote_reason(ballot: RefinementBallot, decision: ConsensusDecision, subject: str) -> str:
    """Return the reason that a ballot gives for a vote, in parentheses, or an empty text."""
    match decision:
        case ConsensusDecision.CLASSIFICATION:
            reason = ballot.status.reason
        case ConsensusDecision.TIER:
            reason = f"profile {ballot.calibration.profile}"
        case _:
            findings = (each for each in ballot.distractors.findings if each.name == subject)
            reason = "; ".join(each.remark or each.verdict for each in findings)
    return f" ({reason})" if reason else ""


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
