"""Answers to open questions whose figures pass the automatic filter, made from the record's own envelope; and what follows."""

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
    filter_by_frontier,
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
from impossible_moments.mechanics.proofs import Witness, decide_conditions
from impossible_moments.mechanics.proofs.frontier import build_frontier_box
from impossible_moments.mechanics.records.quantities import Quantity
from support.scored_scenarios import published_keys, scenarios

OPEN = "IM-0007"
"""The open scenario of the published folder."""
SOMETHING_NEW = "Grow a film of tame bacteria that mends itself overnight."
POINTS = "Plausibility: 8; Novelty: 9; Completeness: 9.5"


def passing_claims(key: AnswerKey) -> dict[str, str]:
    """Figures that meet every condition of the record, as an answer would write them."""
    frontier, world = build_frontier(key), key.analysis.world
    envelope = {name: world.expand_derived_quantities(tree) for name, tree in frontier.envelope.items()}
    found = decide_conditions(envelope, build_frontier_box(frontier, world, ranges=False))
    assert isinstance(found, Witness)
    return {name: figure(float(found.point[name]), quantity) for name, quantity in frontier.claims.items()}


def failing_claims(key: AnswerKey) -> dict[str, str]:
    """The same with one figure at an end of what may be claimed where the conditions are not met."""
    passing = passing_claims(key)
    for name, quantity in build_frontier(key).claims.items():
        for end in (quantity.low, quantity.high):
            claims = {**passing, name: figure(end or 0.0, quantity)}
            found = filter_by_frontier(ParsedAnswer(claims=claims), key)
            if not found.passes and not found.unstated:
                return claims
    raise AssertionError("the conditions are met at every end")


def figure(value: float, quantity: Quantity) -> str:
    """A figure as an answer would write it."""
    if quantity.display_unit is None:
        return f"{value:.12g}"
    return f"{quantity.display_unit.from_si(value):.12g} {quantity.display_unit.text}"


def open_answer(*because: str, key: AnswerKey | None = None, before: str = "", **fields: Any) -> str:
    """An answer to an open question; to the published one, with figures that pass, unless told otherwise."""
    claims = passing_claims(key or published_keys()[OPEN])
    said = {"verdict": "open", "claims": claims, "because": list(because or (SOMETHING_NEW,)), **fields}
    return before + json.dumps(said, ensure_ascii=False)


def judged_run(text: str, number: int = 1, *flags: str, note: str = POINTS) -> EvaluationRun:
    """A run that judges settled; a candidate unless other flags are given."""
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


def unjudged_run(text: str, number: int = 1) -> EvaluationRun:
    """A run as it is without judges."""
    return EvaluationRun(
        number=number,
        state=RunState.UNSCORED,
        note="an open question is for judges",
        flags=("for judges",),
        answer=text,
    )


def results_with(
    *runs: EvaluationRun, model: str = "maker:model", scenario: str = OPEN, status: str = "OF"
) -> Results:
    """An evaluation of one scenario with these runs."""
    shown = next((each for each in scenarios() if each.scenario_id == scenario), scenarios()[0])
    one = ScenarioResult(
        scenario_id=scenario,
        title=shown.title,
        category=shown.category,
        tier=shown.tier,
        status=status,
        runs=runs,
    )
    return Results(model=model, scenarios=(one,), judges=("one:judge", "other:judge"))


def collected(text: str = "", **fields: Any) -> CandidateCollected:
    """The event of an answer; about a made-up scenario unless it is told otherwise."""
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


def vote(expert: str, *no: str, candidate: str, reason: str = "I looked.") -> ExpertVote:
    """A vote that says yes to all but what is named."""
    four = {each: each not in no for each in ("novel", "valid", "complete", "testable")}
    return ExpertVote(candidate=candidate, expert=expert, reason=reason, **four)  # type: ignore[arg-type]


def verified(
    candidate: str, tier: VerificationTier = VerificationTier.B, experts: Sequence[str] = ("fourth expert",)
) -> CandidateVerified:
    return CandidateVerified(
        candidate=candidate, tier=tier, evidence="A simulation, repeated.", experts=tuple(experts)
    )


def confirmed(event: CandidateCollected) -> BreakthroughCandidate:
    """A candidate that two experts confirmed."""
    candidate = BreakthroughCandidate(event, event.judging)
    for expert in ("first expert", "second expert"):
        candidate = candidate.apply_event(vote(expert, candidate=candidate.name))
    return candidate


FLAGGED = JudgingSummary(judges=("one:judge", "other:judge"), points=POINTS, flagged=True)
