"""Aggregation of the opinions of several judges into one score, or into the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from impossible_moments.domain.evaluation_protocol import CANDIDATE_POINTS
from impossible_moments.domain.scoring_rubrics import (
    FALSE_SOLUTION_DEDUCTION,
    LEAST_SIMPLE,
    SIMPLICITY,
    UNNAMED_ASSUMPTION_LIMIT,
)
from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer, parse_answer
from impossible_moments.evaluation.breakthroughs.frontier_filter import (
    FilterResult,
    check_figures_against_envelope,
)
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer
from impossible_moments.evaluation.judging.judge_verdicts import (
    ASKED,
    SOLUTION,
    CountedVerdict,
    JudgeQuestion,
)
from impossible_moments.evaluation.results import EvaluationRun, RunState, ScoreComponents
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.llm import estimate_text_tokens

TOLERANCE: Final = 0.25
"""Difference between two judges, as a share of the maximum, above which a third judge is asked."""
NEEDED_OPINIONS: Final = 2
"""Number of opinions that a score needs."""
UNPAID: Final = "the spending limit was reached before judges could score it; raise the limit and run again, stored verdicts are reused"
"""Note of an answer that is unscored because of the spending limit."""
CANDIDATE: Final = "breakthrough candidate"
_AGREED_SHARES: Final = ("physical", "insight")
"""Shares on which judges must agree too."""


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


def build_judge_question(key: AnswerKey, text: str) -> JudgeQuestion:
    """Return what judges are asked about an answer."""
    return JudgeQuestion(
        ASKED[key.status],
        QuotableAnswer(text),
        insights=len(key.insights),
        needed=key.needed_insights,
        distractors=len(key.idle_tools),
    )


def needs_judges(result: ScoredAnswer | EvaluationRun) -> bool:
    """Check whether only judges can decide a score: an open question, free text, or words that were not read."""
    if result.state is RunState.REVIEW:
        return True
    return result.state is RunState.UNSCORED and (
        result.components is not None or "for judges" in result.flags
    )


def collect_counted_verdicts(opinions: Sequence[JudgeOpinion]) -> tuple[CountedVerdict, ...]:
    """Return the counted verdicts of all usable opinions."""
    return tuple(each.counted for each in opinions if each.counted is not None)


def describe_dispute(question: JudgeQuestion, opinions: Sequence[JudgeOpinion]) -> str:
    """Return the point on which exactly two judges differ beyond the tolerance; empty if there is none."""
    found = collect_counted_verdicts(opinions)
    if len(found) != NEEDED_OPINIONS:
        return ""
    first, second = found
    for rubric_line in question.asked:
        points = first.points[rubric_line.name], second.points[rubric_line.name]
        if abs(points[0] - points[1]) > TOLERANCE * rubric_line.most:
            return f"{rubric_line.name!r} ({points[0]:g} and {points[1]:g} of {rubric_line.most:g})"
    for name in _AGREED_SHARES:
        if abs(first.shares[name] - second.shares[name]) > TOLERANCE * 100:
            return f"{name} ({first.shares[name]:.0f} % and {second.shares[name]:.0f} %)"
    return ""


def combine_opinions(
    question: JudgeQuestion,
    key: AnswerKey,
    opinions: Sequence[JudgeOpinion],
    design: ParsedAnswer | None = None,
) -> Judgement:
    """Combine opinions into one judgement: medians if there are enough, else unscored with the reason.

    `design` holds the figures that a translator read in an answer to an open question, if there is one.
    """
    flags = ("speaks to the judge",) if question.answer.addresses_judge else ()
    if reason := explain_unsettled_opinions(question, opinions):
        return Judgement(ScoredAnswer(RunState.UNSCORED, None, reason, (), flags), opinions=tuple(opinions))
    found = collect_counted_verdicts(opinions)
    points = {each.name: median(one.points[each.name] for one in found) for each in question.asked}
    shares = {name: median(one.shares[name] for one in found) for name in found[0].shares}
    filter_result = _apply_frontier_filter(question, key, found, design) if key.status == "OF" else None
    if filter_result is not None:
        points = _average_with_computed_points(points, filter_result)
        if filter_result.passes and all(each > CANDIDATE_POINTS for each in points.values()):
            flags = (*flags, CANDIDATE)
    if points.get(SOLUTION):
        flags = (*flags, "false solution")
    components = build_score_components(compute_rubric_outcome(points, key.status, question), shares, points)
    note = "; ".join(f"{name}: {each:g}" for name, each in points.items())
    scored = ScoredAnswer(RunState.SCORED, components, note, (), ("judged", *flags))
    return Judgement(scored, points, tuple(opinions), filter_result)


def make_judgement_of_empty_answer() -> Judgement:
    """Return the judgement of an empty answer, which scores 0 without judges."""
    no_components = ScoreComponents(outcome=0, physical=0, insight=0, distractors=0, efficiency=0)
    return Judgement(ScoredAnswer(RunState.SCORED, no_components, "nothing was answered", (), ("silent",)))


def explain_unsettled_opinions(question: JudgeQuestion, opinions: Sequence[JudgeOpinion]) -> str:
    """Return why opinions cannot be combined into a score; empty if they can."""
    failures = "; ".join(
        each.failure.rstrip(".") if each.judge in each.failure else f"{each.judge}: {each.failure}"
        for each in opinions
        if each.failure
    )
    is_too_few, differs = (
        len(collect_counted_verdicts(opinions)) < NEEDED_OPINIONS,
        describe_dispute(question, opinions),
    )
    if (is_too_few or differs) and any(each.unpaid for each in opinions):
        return UNPAID
    if is_too_few:
        return f"judges failed: {failures}; fewer than {NEEDED_OPINIONS} verdicts can be used"
    if differs:
        reason = f"the third gave no verdict ({failures})" if failures else "there is no third"
        return f"two judges differ on {differs}, and {reason}"
    return ""


def _apply_frontier_filter(
    question: JudgeQuestion, key: AnswerKey, verdicts: Sequence[CountedVerdict], design: ParsedAnswer | None
) -> FilterResult:
    """Apply the frontier filter to the figures that the answer states and those that judges read alike."""
    figure_counts = Counter((name, value) for each in verdicts for name, value in each.figures.items())
    agreed_figures = {
        name: value for (name, value), judges in figure_counts.items() if judges >= NEEDED_OPINIONS
    }
    return check_figures_against_envelope(
        design or parse_answer(question.answer.text) or ParsedAnswer(), key, agreed_figures
    )


def _average_with_computed_points(
    points: Mapping[str, float], filter_result: FilterResult
) -> dict[str, float]:
    """Return the points with novelty and completeness averaged with their computed values."""
    computed_points = {"Novelty": filter_result.novelty, "Completeness": filter_result.completeness}
    return {name: (each + computed_points.get(name, each)) / 2 for name, each in points.items()}


def compute_rubric_outcome(points: Mapping[str, float], status: Status, question: JudgeQuestion) -> float:
    """Return the outcome, 0 to 100, for the combined points of a rubric."""
    total = sum(points.values())
    match status:
        case "OF":
            return 100.0 * total / sum(each.most for each in question.asked)
        case "PX":
            return 0.0 if points[SOLUTION] else total
        case "MT":
            return total if points[ASKED["MT"][0].name] else min(total, UNNAMED_ASSUMPTION_LIMIT)
        case "DG":
            length = estimate_text_tokens(question.answer.text)
            return total * next((share for most, share in SIMPLICITY if length < most), LEAST_SIMPLE)
        case _:
            return total


def build_score_components(
    outcome: float, shares: Mapping[str, float], points: Mapping[str, float]
) -> ScoreComponents:
    """Return the score components for an outcome and the combined shares."""
    physical = shares["physical"] - (FALSE_SOLUTION_DEDUCTION if points.get(SOLUTION) else 0.0)
    return ScoreComponents(
        outcome=outcome,
        physical=max(physical, 0.0),
        insight=shares["insight"],
        # as for executed answers: giving up earns nothing for avoided distractors
        distractors=shares["distractors"] if outcome else 0.0,
        efficiency=shares["efficiency"] if outcome else 0.0,
    )
