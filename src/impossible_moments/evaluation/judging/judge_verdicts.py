"""Verdicts of judges: rubric lines, forms handed in, and what counts after checking quotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from impossible_moments.domain.scoring_rubrics import (
    DISTRACTOR_DEDUCTION,
    FULL_OUTCOME,
    OUTCOME,
    PARADOX_SOLUTION,
    RubricRow,
)
from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer, extract_numbers
from impossible_moments.llm import ReviewedDeliverable

MOST_ITEMS: Final = 40
"""Maximum entries of one list of a verdict."""
SOLUTION: Final = PARADOX_SOLUTION.response
"""Paradox: the rubric line that cancels all points."""
_Text = Annotated[str, Field(max_length=1_200)]


@dataclass(frozen=True, slots=True)
class AskedRubricLine:
    """A line of the rubric for which judges give points."""

    line: RubricRow
    most: float
    graded: bool = True
    """Whether points between 0 and the maximum can be given."""

    @property
    def name(self) -> str:
        """The name of the line in a verdict."""
        return self.line.response


def _list_asked_lines(status: Status) -> tuple[AskedRubricLine, ...]:
    """Return the rubric lines of a status with their points: `0-20` is graded, `100` is all or nothing."""
    found = []
    for line in OUTCOME[status]:
        if line.score.startswith("0-"):
            found.append(AskedRubricLine(line, line.points))
        elif line.points == FULL_OUTCOME or line is PARADOX_SOLUTION:
            # KS and DG have one decisive line; for PX the line asks whether a solution is proposed: 1 or 0
            found.append(AskedRubricLine(line, line.points or 1.0, graded=False))
    return tuple(found)


ASKED: Final[Mapping[Status, tuple[AskedRubricLine, ...]]] = {
    status: _list_asked_lines(status) for status in OUTCOME
}
"""Rubric lines that judges score, by status."""


class _JudgeForm(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Points(_JudgeForm):
    """The points of one line of the rubric, with the words of the answer that earn them."""

    line: Annotated[str, Field(max_length=200)]
    points: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
    quote: _Text
    why: _Text


class Statement(_JudgeForm):
    """A physical or factual claim of the answer, in its words, and whether it holds."""

    quote: _Text
    holds: bool
    why: _Text


class Found(_JudgeForm):
    """An entry of a numbered list that the answer shows, with the words that show it."""

    number: Annotated[int, Field(ge=1)]
    quote: _Text


class Step(_JudgeForm):
    """A step of the answer's plan, in its words, and whether the plan needs it."""

    quote: _Text
    needed: bool


class Figure(_JudgeForm):
    """A figure that the answer states, with its unit, under a name from the list."""

    name: Annotated[str, Field(max_length=80)]
    value: Annotated[str, Field(max_length=80)]
    quote: _Text


class Verdict(_JudgeForm):
    """The points of each line, and the statements, insights, distractors, steps and figures of the answer.

    Each of them needs an exact quote of the answer.
    """

    lines: Annotated[tuple[Points, ...], Field(max_length=MOST_ITEMS)]
    statements: Annotated[tuple[Statement, ...], Field(max_length=MOST_ITEMS)]
    insights: Annotated[tuple[Found, ...], Field(max_length=MOST_ITEMS)]
    distractors: Annotated[tuple[Found, ...], Field(max_length=MOST_ITEMS)]
    steps: Annotated[tuple[Step, ...], Field(max_length=MOST_ITEMS)]
    figures: Annotated[tuple[Figure, ...], Field(max_length=MOST_ITEMS)]


@dataclass(frozen=True)
class CountedVerdict:
    """The points, shares and figures of a verdict that count."""

    points: Mapping[str, float]
    """Points by line; lines that are missing or have invalid points are left out."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """Physical validity, insight, distractors and efficiency, 0 to 100."""
    figures: Mapping[str, str] = field(default_factory=dict)
    struck_points: tuple[str, ...] = ()
    """Points that were given but do not count, with the reason."""


@dataclass(frozen=True)
class JudgeQuestion:
    """The question to judges about one answer."""

    asked: tuple[AskedRubricLine, ...]
    answer: QuotableAnswer
    insights: int = 0
    """Number of listed insights."""
    needed: int = 1
    """Number of insights that an answer must show."""
    distractors: int = 0

    def review_verdict(self, verdict: Verdict) -> ReviewedDeliverable[Verdict]:
        """Return the verdict with its faults, which the judge may correct before it is accepted."""
        return ReviewedDeliverable(verdict, tuple(self._iterate_verdict_faults(verdict)))

    def count_quoted_points(self, verdict: Verdict) -> CountedVerdict:
        """Return what counts of a verdict: points without a valid quote are struck."""
        points_by_line = {each.line: each for each in reversed(verdict.lines)}
        points: dict[str, float] = {}
        struck_lines: list[str] = []
        for each in self.asked:
            found = points_by_line.get(each.name)
            if found is None or _has_points_outside_rubric_line(found, each):
                continue
            quoted = found.points == 0 or self.answer.contains_quote(found.quote)
            points[each.name] = found.points if quoted else 0.0
            if not quoted:
                struck_lines.append(f"{each.name}: {found.points:g} points without a valid quote")
        return CountedVerdict(
            points,
            self._compute_component_shares(verdict),
            self._collect_quoted_figures(verdict),
            tuple(struck_lines),
        )

    def _compute_component_shares(self, verdict: Verdict) -> dict[str, float]:
        holds = self.answer.contains_quote
        statement_results = [each.holds for each in verdict.statements if holds(each.quote)]
        steps = [each.needed for each in verdict.steps if holds(each.quote)]
        seen_insights = {
            each.number for each in verdict.insights if each.number <= self.insights and holds(each.quote)
        }
        used_distractors = {
            each.number
            for each in verdict.distractors
            if each.number <= self.distractors and holds(each.quote)
        }
        return {
            "physical": 100.0 * sum(statement_results) / len(statement_results) if statement_results else 0.0,
            "insight": 100.0 * min(len(seen_insights) / max(self.needed, 1), 1.0),
            "distractors": max(100.0 - DISTRACTOR_DEDUCTION * len(used_distractors), 0.0),
            "efficiency": 100.0 * sum(steps) / len(steps) if steps else 0.0,
        }

    def _collect_quoted_figures(self, verdict: Verdict) -> dict[str, str]:
        return {
            each.name: each.value
            for each in reversed(verdict.figures)
            if self.answer.contains_quote(each.quote)
            and extract_numbers(each.value) <= extract_numbers(each.quote)
        }

    def _iterate_verdict_faults(self, verdict: Verdict) -> Iterator[str]:
        points_by_line = {each.line: each for each in reversed(verdict.lines)}
        for each in self.asked:
            if each.name not in points_by_line:
                yield f"lines: {each.name!r} is missing; give it points, 0 if nothing earns any"
            elif _has_points_outside_rubric_line(points_by_line[each.name], each):
                allowed_points = f"0 to {each.most:g}" if each.graded else f"0 or {each.most:g}"
                yield f"lines: {each.name!r} is given {points_by_line[each.name].points:g}; it takes {allowed_points}"
        for quote in _iterate_quotes(verdict):
            if not self.answer.contains_quote(quote):
                yield f"the quote {quote[:80]!r} is not in the answer, or is addressed to you; quote the answer's own words"
        for name, entries, most in (
            ("insights", verdict.insights, self.insights),
            ("distractors", verdict.distractors, self.distractors),
        ):
            for found in entries:
                if found.number > most:
                    yield f"{name}: there is no number {found.number}; the list has {most}"


def _iterate_quotes(verdict: Verdict) -> Iterator[str]:
    """Yield the quotes that must occur in the answer."""
    yield from (each.quote for each in verdict.lines if each.points > 0)
    for entries in (
        verdict.statements,
        verdict.insights,
        verdict.distractors,
        verdict.steps,
        verdict.figures,
    ):
        yield from (each.quote for each in entries)


def _has_points_outside_rubric_line(points: Points, rubric_line: AskedRubricLine) -> bool:
    return points.points > rubric_line.most or (
        not rubric_line.graded and points.points not in {0.0, rubric_line.most}
    )
