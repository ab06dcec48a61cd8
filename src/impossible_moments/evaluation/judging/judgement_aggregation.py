"""Aggregation of the opinions of several judges into one score, or into the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict, ParsedAnswer, parse_answer
from impossible_moments.evaluation.breakthroughs.frontier_filter import FilterResult, filter_by_frontier
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer
from impossible_moments.evaluation.judging.judge_verdicts import (
    ASKED,
    BESIDE_EXECUTION,
    SOLUTION,
    CountedVerdict,
    JudgeQuestion,
)
from impossible_moments.evaluation.results import EvaluationRun, RunState, ScoreComponents
from impossible_moments.evaluation.rubrics.known_solution import LEAST_SIMPLE, SIMPLICITY
from impossible_moments.evaluation.scoring import ScoredAnswer, score_parsed_answer
from impossible_moments.llm import estimate_text_tokens

TOLERANCE: Final = 0.25
"""Difference between two judges, as a share of the maximum, above which a third judge is asked."""
ENOUGH: Final = 2
"""Number of opinions that a score needs."""
UNPAID: Final = "the spending limit was reached before judges could score it; raise the limit and run again, stored verdicts are reused"
"""Note of an answer that is unscored because of the spending limit."""
CANDIDATE: Final = "breakthrough candidate"
ABOVE: Final = 7.0
"""Open frontier: points that each rubric line must exceed for experts to be asked."""
_SETTLED: Final = ("physical", "insight")
"""Shares on which judges must agree too."""
_AWARE: Final = 20.0
_UNNAMED: Final = 40.0
_FALSE_SOLUTION: Final = 20.0


@dataclass(frozen=True)
class JudgeOpinion:
    """The counted verdict of one judge, or the reason why it cannot be used."""

    judge: str
    counted: CountedVerdict | None = None
    failure: str = ""
    unpaid: bool = False
    """Whether the judge was not asked because of the spending limit."""


@dataclass(frozen=True)
class Judgement:
    """The combined judgement of an answer by all judges."""

    scored: ScoredAnswer
    points: Mapping[str, float] = field(default_factory=dict)
    """The combined points of each line of the rubric, including the computed part."""
    opinions: tuple[JudgeOpinion, ...] = ()
    filtered: FilterResult | None = None

    @property
    def struck_points(self) -> tuple[str, ...]:
        """Points that were not counted for lack of a valid quote, by judge."""
        return tuple(
            f"{each.judge}: {struck}"
            for each in self.opinions
            if each.counted is not None
            for struck in each.counted.struck_points
        )


def build_judge_question(key: AnswerKey, text: str, plan: ParsedAnswer | None = None) -> JudgeQuestion:
    """Return what judges are asked about an answer: the whole, or only what execution cannot decide (CT).

    `plan` is the translated plan of an answer in free text, if there is one.
    """
    answer = QuotableAnswer(text)
    if key.status == "CT" and (plan or parse_answer(text)) is not None:
        return JudgeQuestion(BESIDE_EXECUTION, answer, whole=False)
    return JudgeQuestion(
        ASKED[key.status],
        answer,
        insights=len(key.insights),
        needed=key.needed_insights,
        distractors=len(key.idle_tools),
    )


def needs_judges(found: ScoredAnswer | EvaluationRun) -> bool:
    """Check whether only judges can decide a score: contested or open, free text, unknown verb."""
    if found.state is RunState.REVIEW:
        return True
    return found.state is RunState.UNSCORED and (found.components is not None or "for judges" in found.flags)


def collect_counted_verdicts(opinions: Sequence[JudgeOpinion]) -> tuple[CountedVerdict, ...]:
    """Return the counted verdicts of all usable opinions."""
    return tuple(each.counted for each in opinions if each.counted is not None)


def describe_dispute(question: JudgeQuestion, opinions: Sequence[JudgeOpinion]) -> str:
    """Return the point on which exactly two judges differ beyond the tolerance; empty if there is none."""
    found = collect_counted_verdicts(opinions)
    if len(found) != ENOUGH:
        return ""
    one, other = found
    for asked in question.asked:
        given = one.points[asked.name], other.points[asked.name]
        if abs(given[0] - given[1]) > TOLERANCE * asked.most:
            return f"{asked.name!r} ({given[0]:g} and {given[1]:g} of {asked.most:g})"
    for name in _SETTLED if question.whole else ():
        if abs(one.shares[name] - other.shares[name]) > TOLERANCE * 100:
            return f"{name} ({one.shares[name]:.0f} % and {other.shares[name]:.0f} %)"
    return ""


def combine_opinions(
    question: JudgeQuestion,
    key: AnswerKey,
    opinions: Sequence[JudgeOpinion],
    plan: ParsedAnswer | None = None,
) -> Judgement:
    """Combine opinions into one judgement: medians if there are enough, else unscored with the reason."""
    flags = ("speaks to the judge",) if question.answer.addresses_judge else ()
    if reason := explain_unsettled_opinions(question, opinions):
        return Judgement(ScoredAnswer(RunState.UNSCORED, None, reason, (), flags), opinions=tuple(opinions))
    found = collect_counted_verdicts(opinions)
    points = {each.name: median(one.points[each.name] for one in found) for each in question.asked}
    shares = {name: median(one.shares[name] for one in found) for name in found[0].shares}
    if not question.whole:
        scored = _score_executed_contested_answer(question, key, sum(points.values()), plan)
        return Judgement(replace(scored, flags=("judged", *flags)), points, tuple(opinions))
    filtered = _apply_frontier_filter(question, key, found) if key.status == "OF" else None
    if filtered is not None:
        points = _average_with_computed_points(points, filtered)
        if filtered.passes and all(each > ABOVE for each in points.values()):
            flags = (*flags, CANDIDATE)
    if points.get(SOLUTION):
        flags = (*flags, "false solution")
    components = build_score_components(compute_rubric_outcome(points, key.status, question), shares, points)
    note = "; ".join(f"{name}: {each:g}" for name, each in points.items())
    scored = ScoredAnswer(RunState.SCORED, components, note, (), ("judged", *flags))
    return Judgement(scored, points, tuple(opinions), filtered)


def make_silent_judgement() -> Judgement:
    """Return the judgement of an empty answer, which scores 0 without judges."""
    nothing = ScoreComponents(outcome=0, physical=0, insight=0, distractors=0, efficiency=0)
    return Judgement(ScoredAnswer(RunState.SCORED, nothing, "nothing was answered", (), ("silent",)))


def explain_unsettled_opinions(question: JudgeQuestion, opinions: Sequence[JudgeOpinion]) -> str:
    """Return why opinions cannot be combined into a score; empty if they can."""
    failures = "; ".join(
        each.failure.rstrip(".") if each.judge in each.failure else f"{each.judge}: {each.failure}"
        for each in opinions
        if each.failure
    )
    few, differs = len(collect_counted_verdicts(opinions)) < ENOUGH, describe_dispute(question, opinions)
    if (few or differs) and any(each.unpaid for each in opinions):
        return UNPAID
    if few:
        return f"judges failed: {failures}; fewer than {ENOUGH} verdicts can be used"
    if differs:
        why = f"the third gave no verdict ({failures})" if failures else "there is no third"
        return f"two judges differ on {differs}, and {why}"
    return ""


def _score_executed_contested_answer(
    question: JudgeQuestion, key: AnswerKey, judged: float, plan: ParsedAnswer | None
) -> ScoredAnswer:
    """Score a contested answer: the plan by execution, plus the judged points."""
    answer = plan or parse_answer(question.answer.text)
    assert answer is not None  # else the whole answer is judged
    # with this verdict and no crux the words earn exactly `_AWARE`, so the remainder is what the plan earned
    found = score_parsed_answer(replace(answer, verdict=AnswerVerdict.CONTESTED, crux=""), key)
    assert found.components is not None
    executed = found.components.outcome - _AWARE
    outcome = executed + judged
    kept = {} if outcome else {"distractors": 0.0, "efficiency": 0.0}
    components = found.components.model_copy(update={"outcome": outcome, **kept})
    note = (
        f"its plan: {executed:g} of 40; judged: {judged:g} of {sum(each.most for each in question.asked):g}"
    )
    return replace(found, state=RunState.SCORED, components=components, note=note)


def _apply_frontier_filter(
    question: JudgeQuestion, key: AnswerKey, found: Sequence[CountedVerdict]
) -> FilterResult:
    """Apply the frontier filter to the figures that the answer states and those that judges read alike."""
    read = Counter((name, value) for each in found for name, value in each.figures.items())
    alike = {name: value for (name, value), judges in read.items() if judges >= ENOUGH}
    return filter_by_frontier(parse_answer(question.answer.text) or ParsedAnswer(), key, alike)


def _average_with_computed_points(points: Mapping[str, float], filtered: FilterResult) -> dict[str, float]:
    """Return the points with novelty and completeness averaged with their computed values."""
    computed = {"Novelty": filtered.novelty, "Completeness": filtered.completeness}
    return {name: (each + computed.get(name, each)) / 2 for name, each in points.items()}


def compute_rubric_outcome(points: Mapping[str, float], status: Status, question: JudgeQuestion) -> float:
    """Return the outcome, 0 to 100, for the combined points of a rubric."""
    whole = sum(points.values())
    match status:
        case "OF":
            return 100.0 * whole / sum(each.most for each in question.asked)
        case "PX":
            return 0.0 if points[SOLUTION] else whole
        case "MT":
            return whole if points[ASKED["MT"][0].name] else min(whole, _UNNAMED)
        case "DG":
            length = estimate_text_tokens(question.answer.text)
            return whole * next((share for most, share in SIMPLICITY if length < most), LEAST_SIMPLE)
        case _:
            return whole


def build_score_components(
    outcome: float, shares: Mapping[str, float], points: Mapping[str, float]
) -> ScoreComponents:
    """Return the score components for an outcome and the combined shares."""
    physical = shares["physical"] - (_FALSE_SOLUTION if points.get(SOLUTION) else 0.0)
    return ScoreComponents(
        outcome=outcome,
        physical=max(physical, 0.0),
        insight=shares["insight"],
        # as for executed answers: giving up earns nothing for avoided distractors
        distractors=shares["distractors"] if outcome else 0.0,
        efficiency=shares["efficiency"] if outcome else 0.0,
    )
