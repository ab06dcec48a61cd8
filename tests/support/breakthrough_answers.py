"""Answers to open questions with figures that pass the automatic filter, and the events that follow from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.breakthroughs.candidates import (
    BreakthroughCandidate,
    compute_candidate_name,
)
from impossible_moments.evaluation.breakthroughs.events import (
    CandidateCollected,
    CandidateVerified,
    ExpertVote,
    JudgingSummary,
    VerificationTier,
)
from impossible_moments.evaluation.breakthroughs.frontier_filter import (
    FilterResult,
    build_frontier,
    check_figures_against_envelope,
)
from impossible_moments.evaluation.breakthroughs.novelty import NoveltyFinding, NoveltyReport
from impossible_moments.evaluation.judging.judgement_aggregation import CANDIDATE
from impossible_moments.evaluation.results import (
    EvaluationRun,
    Results,
    RunState,
    ScenarioResult,
    ScoreComponents,
)
from impossible_moments.mechanics.proofs import Witness, decide_joint_satisfiability
from impossible_moments.mechanics.proofs.frontier import build_frontier_box
from impossible_moments.mechanics.records.quantities import Quantity
from support.scored_scenarios import load_published_keys, load_scenarios

OPEN = "IM-0007"
"""The open scenario of the published folder."""
SOMETHING_NEW = "Grow a film of tame bacteria that mends itself overnight."
POINTS = "Plausibility: 8; Novelty: 9; Completeness: 9.5"


def build_passing_claims(key: AnswerKey) -> dict[str, str]:
    """Return figures that meet every condition of the record, in the form of an answer."""
    frontier, world = build_frontier(key), key.analysis.world
    envelope = {name: world.expand_derived_quantities(tree) for name, tree in frontier.envelope.items()}
    found = decide_joint_satisfiability(envelope, build_frontier_box(frontier, world, ranges=False))
    assert isinstance(found, Witness)
    return {
        name: format_figure(float(found.point[name]), quantity) for name, quantity in frontier.claims.items()
    }


def build_failing_claims(key: AnswerKey) -> dict[str, str]:
    """Return the passing figures with one changed so that the conditions are not met."""
    passing = build_passing_claims(key)
    for name, quantity in build_frontier(key).claims.items():
        for end in (quantity.low, quantity.high):
            claims = {**passing, name: format_figure(end or 0.0, quantity)}
            found = check_figures_against_envelope(ParsedAnswer(claims=claims), key)
            if not found.passes and not found.unstated:
                return claims
    raise AssertionError("the conditions are met at every end")


def format_figure(value: float, quantity: Quantity) -> str:
    """Format a figure as in an answer."""
    if quantity.display_unit is None:
        return f"{value:.12g}"
    return f"{quantity.display_unit.from_si(value):.12g} {quantity.display_unit.text}"


def build_open_answer(*because: str, key: AnswerKey | None = None, before: str = "", **fields: Any) -> str:
    """Build an answer to an open question, by default to the published one with figures that pass."""
    claims = build_passing_claims(key or load_published_keys()[OPEN])
    said = {"verdict": "open", "claims": claims, "because": list(because or (SOMETHING_NEW,)), **fields}
    return before + json.dumps(said, ensure_ascii=False)


def build_judged_run(text: str, number: int = 1, *flags: str, note: str = POINTS) -> EvaluationRun:
    """Build a run that judges scored, by default flagged as a candidate."""
    components = ScoreComponents(outcome=88, physical=50, insight=50, distractors=100, efficiency=100)
    return EvaluationRun(
        number=number,
        state=RunState.SCORED,
        score=80,
        components=components,
        note=note,
        flags=flags or ("judged", CANDIDATE),
        answer=text,
    )


def build_unjudged_run(text: str, number: int = 1) -> EvaluationRun:
    """Build a run that no judge has scored."""
    return EvaluationRun(
        number=number,
        state=RunState.UNSCORED,
        note="an open question is for judges",
        flags=("for judges",),
        answer=text,
    )


def build_results(
    *runs: EvaluationRun, model: str = "maker:model", scenario: str = OPEN, status: str = "OF"
) -> Results:
    """Build an evaluation of one scenario with the given runs."""
    shown = next((each for each in load_scenarios() if each.scenario_id == scenario), load_scenarios()[0])
    one = ScenarioResult(
        scenario_id=scenario,
        title=shown.title,
        category=shown.category,
        tier=shown.tier,
        status=status,
        runs=runs,
    )
    return Results(model=model, scenarios=(one,), judges=("one:judge", "other:judge"))


def build_collected_event(text: str = "", **fields: Any) -> CandidateCollected:
    """Build the event of a collected answer, by default about an invented scenario."""
    usual = {
        "candidate": compute_candidate_name("IM-0001", text),
        "scenario_id": "IM-0001",
        "title": "Ice at Noon",
        "category": "The Horizon Problem",
        "tier": "IMPOSSIBLE",
        "answer": text,
        "filtered": FilterResult(met=("freezes",), beyond=("shown_white",), missing=()),
        "novelty": NoveltyReport(NoveltyFinding.BEYOND, "Its figures exceed `shown_white`."),
    }
    return CandidateCollected(**{**usual, **fields})


def build_vote(expert: str, *no: str, candidate: str, reason: str = "I looked.") -> ExpertVote:
    """Build a vote that says yes to every criterion except the named ones."""
    four = {each: each not in no for each in ("novel", "valid", "complete", "testable")}
    return ExpertVote(candidate=candidate, expert=expert, reason=reason, **four)  # type: ignore[arg-type]


def build_verified_event(
    candidate: str, tier: VerificationTier = VerificationTier.B, experts: Sequence[str] = ("fourth expert",)
) -> CandidateVerified:
    return CandidateVerified(
        candidate=candidate, tier=tier, evidence="A simulation, repeated.", experts=tuple(experts)
    )


def build_confirmed_candidate(event: CandidateCollected) -> BreakthroughCandidate:
    """Return a candidate that two experts confirmed."""
    candidate = BreakthroughCandidate(event, event.judging)
    for expert in ("first expert", "second expert"):
        candidate = candidate.apply_event(build_vote(expert, candidate=candidate.name))
    return candidate


FLAGGED = JudgingSummary(judges=("one:judge", "other:judge"), points=POINTS, flagged=True)
